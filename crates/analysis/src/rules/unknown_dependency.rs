//! ## What it does
//!
//! Reports a dependency on something that does not exist.
//!
//! In AgentOS, this is a task of a workflow definition that waits for a task which the definition does not have.
//!
//! In Liman, this is an entry of `depends` that is not the id of an edge of the same node.
//!
//! ## Why it matters
//!
//! In AgentOS, the engine rejects the definition.
//!
//! In Liman, the edge waits for an edge that does not exist. Ids of other nodes do not count, and a plain name in
//! a list of nodes has no id.
//!
//! ## Example
//!
//! In AgentOS:
//!
//! ```yaml expect=unknown-dependency
//! id: onboarding
//! displayName: Onboarding
//! tasks:
//!   - {id: fetch, name: fetch, dependsOn: [], executor: {type: tool}}
//!   - {id: report, name: report, dependsOn: [fetsh], executor: {type: tool}}
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=unknown-dependency
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: paid}
//!   - {target: router, when: b, depends: payed}
//! ```
//!
//! ## Instead
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: onboarding
//! displayName: Onboarding
//! tasks:
//!   - {id: fetch, name: fetch, dependsOn: [], executor: {type: tool}}
//!   - {id: report, name: report, dependsOn: [fetch], executor: {type: tool}}
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: paid}
//!   - {target: router, when: b, depends: paid}
//! ```

mod liman;

use nodewise_model::plan::PlanFate;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::step;
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::near::Names;
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-dependency",
    former: &["edge-unknown-depends"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    spec: Some("agentos:R20"),
    systems: &["agentos"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[&liman::PART],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for plan in context.plans().filter(|plan| plan.fate == PlanFate::Tasks) {
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
                    step::replace(context, finding, depends, near)
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
