//! What `unknown-dependency` finds in AgentOS.

use std::cell::LazyCell;

use nodewise_model::Located;
use nodewise_model::plan::PlanPurpose;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::graph_findings;
use crate::rules::names::misnamed_node::{count_names, is_misnamed};
use crate::rules::wording::short;
use crate::suggest::Names;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("agentos:R20"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for plan in context.plans().filter(|plan| plan.purpose == PlanPurpose::Tasks) {
        let ids = || plan.steps.iter().filter_map(|step| step.id.as_ref()).map(|id| &id.value);
        let known: FxHashSet<&SmolStr> = ids().collect();
        let used = || plan.steps.iter().flat_map(|step| &step.depends);
        let counts = LazyCell::new(|| count_names(used().map(|id| id.value.as_str())));
        let mut near: Option<Names> = None;
        for depends in used() {
            if known.contains(&depends.value) {
                continue;
            }
            let near =
                near.get_or_insert_with(|| Names::new(ids().cloned())).nearest(&depends.value, |_| true);
            let misnamed = near.filter(|near| is_misnamed(&counts, &depends.value, near));
            let misnamed = misnamed.filter(|_| !context.file.settings.is_literal).and_then(|near| {
                plan.steps.iter().filter_map(|step| step.id.as_ref()).find(|id| id.value == near)
            });
            if let Some(own) = misnamed {
                // The task's id must be fixed, so it is reported only once.
                report.push(misnamed_task(context, own, depends));
                continue;
            }
            let finding = Finding::new(depends.at, format!("no task has the id `{}`", short(&depends.value)))
                .label("the definition is refused")
                .help("name a task of this definition");
            report.push(match near {
                Some(near) => {
                    let finding = finding.help(format!("write `{}`", short(near)));
                    graph_findings::replace(context, finding, depends, near)
                }
                None => finding,
            });
        }
    }
}

fn misnamed_task(context: &Context<'_>, own: &Located<SmolStr>, used: &Located<SmolStr>) -> Finding {
    let message = format!(
        "no task depends on `{}`, and no task has the id `{}`",
        short(&own.value),
        short(&used.value)
    );
    let finding = Finding::new(own.at, message)
        .label("tasks depend on another id")
        .help(format!("write `{}`", short(&used.value)))
        .related(used.at, "named like this here");
    graph_findings::replace(context, finding, own, &used.value)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn near_names_are_offered() {
        check_rule(
            "unknown-dependency",
            r#"
displayName: D
tasks:
  - {id: fetch, executor: {}, dependsOn: [fetsh, fetch, other]}
#                                         ^^^^^ error[unknown-dependency]: no task has the id `fetsh`
#                                                       ^^^^^ error[unknown-dependency]: no task has the id `other`
"#,
        );
    }

    #[test]
    fn a_task_that_others_name_differently_is_the_one_fault() {
        check_rule(
            "unknown-dependency",
            r"
displayName: D
tasks:
  - {id: fetsh, executor: {}}
#        ^^^^^ error[unknown-dependency]: no task depends on `fetsh`, and no task has the id `fetch`
  - {id: one, executor: {}, dependsOn: [fetch]}
  - {id: two, executor: {}, dependsOn: [fetch]}
",
        );
    }
}
