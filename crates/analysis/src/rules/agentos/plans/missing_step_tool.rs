//! ## What it does
//!
//! Reports a step of a mission plan that calls a tool and does not name it.
//!
//! ## Why it matters
//!
//! The compiler refuses the plan.
//!
//! ## Example
//!
//! ```yaml expect=missing-step-tool
//! steps:
//!   - {id: find, action: tool_call, phase: gather, description: Find.}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! steps:
//!   - {id: find, action: tool_call, phase: gather, description: Find., toolName: search}
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "missing-step-tool",
    former: &["plan-step-without-tool"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:R18"),
        severity: Severity::Error,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for step in context.plans().flat_map(|plan| &plan.steps) {
        let names_tool = step.tool.as_ref().is_some_and(|tool| !tool.value.trim().is_empty());
        if let Some(at) = step.calls_tool.filter(|_| !names_tool) {
            report.push(
                Finding::new(at, "the step does not say which tool it calls")
                    .label("the plan is refused")
                    .help("add its `toolName`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn blank_names_do_not_count() {
        check_rule(
            "missing-step-tool",
            r#"
steps:
  - {id: a, action: tool_call, phase: gather, toolName: ' '}
#                   ^^^^^^^^^ error[missing-step-tool]: the step does not say which tool it calls
  - {id: b, action: tool_call, phase: gather, toolName: x}
  - {id: c, action: reasoning, phase: gather}
"#,
        );
    }
}
