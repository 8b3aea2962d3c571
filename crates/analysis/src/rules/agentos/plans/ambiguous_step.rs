//! ## What it does
//!
//! Reports a step of a workflow that names no work, or several kinds of it.
//!
//! ## Why it matters
//!
//! Of several kinds the first counts, in the order tool, gmi, human, extension, subgraph, voice. Without any the
//! step becomes a call of a tool named `unknown`.
//!
//! ## Example
//!
//! ```yaml expect=ambiguous-step
//! name: digest
//! input: {schema: {type: object}}
//! returns: {schema: {type: object}}
//! steps:
//!   - {id: a, gmi: {instructions: Go.}, human: {prompt: Go?}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: digest
//! input: {schema: {type: object}}
//! returns: {schema: {type: object}}
//! steps:
//!   - {id: a, gmi: {instructions: Go.}}
//! ```

use nodewise_model::plan::PlanPurpose;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "ambiguous-step",
    former: &["step-work"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let workflows = context.plans().filter(|plan| plan.purpose == PlanPurpose::Workflow);
    for step in workflows.flat_map(|plan| &plan.steps) {
        match step.works.as_slice() {
            [] => report.push(
                Finding::new(step.head, "the step does not say what to do")
                    .label("it becomes a call of a tool named `unknown`")
                    .help("add `tool`, `gmi`, `human`, `extension`, `subgraph` or `voice`"),
            ),
            [first, others @ ..] => {
                for other in others {
                    report.push(
                        Finding::new(*other, "the step does something else already")
                            .label("this is dropped")
                            .help("make it a step of its own")
                            .related(*first, "this counts"),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn none_and_several() {
        check_rule(
            "ambiguous-step",
            r#"
name: w
steps:
  - {id: a, gmi: {}, human: {}, voice: {}}
#                    ^^^^^ warning[ambiguous-step]: the step does something else already
#                               ^^^^^ warning[ambiguous-step]: the step does something else already
  - {id: b}
#    ^^ warning[ambiguous-step]: the step does not say what to do
  - {id: c, tool: t}
"#,
        );
    }
}
