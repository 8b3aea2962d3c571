//! ## What it does
//!
//! Reports a step of a mission plan, or a task of a workflow definition, whose id another one has.
//!
//! ## Why it matters
//!
//! The compiler, or the engine, refuses the whole document.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-step-id
//! steps:
//!   - {id: find, action: tool_call, phase: gather, description: Find., toolName: search}
//!   - {id: find, action: reasoning, phase: deliver, description: Tell.}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! steps:
//!   - {id: find, action: tool_call, phase: gather, description: Find., toolName: search}
//!   - {id: tell, action: reasoning, phase: deliver, description: Tell.}
//! ```

use nodewise_model::plan::PlanPurpose;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::first_places::FirstPlaces;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-step-id",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for plan in context.plans() {
        let class = match plan.purpose {
            PlanPurpose::Mission => Some("agentos:R16"),
            PlanPurpose::Tasks => Some("agentos:R19"),
            PlanPurpose::Workflow => Some("agentos:I5"),
        };
        let mut first_places = FirstPlaces::new();
        for id in plan.steps.iter().filter_map(|step| step.id.as_ref()) {
            if let Some(first) = first_places.before(id.value.as_str(), id.at) {
                report.push(
                    Finding::new(id.at, format!("another step has the id `{}`", short(&id.value)))
                        .spec(class)
                        .label("ids of steps are unique")
                        .help("give the step an id of its own")
                        .related(first, "first used here"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_plans_and_definitions() {
        check_rule(
            "duplicate-step-id",
            r#"
steps:
  - {id: a, action: reasoning, phase: gather}
  - {id: a, action: reasoning, phase: gather}
#        ^ error[duplicate-step-id]: another step has the id `a`
---
displayName: D
tasks:
  - {id: a, executor: {}}
  - {id: a, executor: {}}
#        ^ error[duplicate-step-id]: another step has the id `a`
  - {id: b, executor: {}}
"#,
        );
    }
}
