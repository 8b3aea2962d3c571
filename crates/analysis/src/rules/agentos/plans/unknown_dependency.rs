//! What `unknown-dependency` finds in AgentOS.

use nodewise_model::plan::PlanPurpose;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;
use crate::suggest::Names;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("agentos:R20"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for plan in context.plans().filter(|plan| plan.purpose == PlanPurpose::Tasks) {
        let ids = || plan.steps.iter().filter_map(|step| step.id.as_ref()).map(|id| &id.value);
        let known: FxHashSet<&SmolStr> = ids().collect();
        let mut near: Option<Names> = None;
        for depends in plan.steps.iter().flat_map(|step| &step.depends) {
            if known.contains(&depends.value) {
                continue;
            }
            let near = near.get_or_insert_with(|| Names::new(ids().cloned()));
            let finding = Finding::new(depends.at, format!("no task has the id `{}`", short(&depends.value)))
                .label("the definition is refused")
                .help("name a task of this definition");
            report.push(match near.nearest(&depends.value, |_| true) {
                Some(near) => {
                    let finding = finding.help(format!("write `{}`", short(near)));
                    graph_findings::replace(context, finding, depends, near)
                }
                None => finding,
            });
        }
    }
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
}
