//! ## What it does
//!
//! Reports a brace without its partner in a localized text. `{name}` is a variable, `{{` and `}}` stand
//! for braces, and other pairs of braces, such as JSON in a prompt, are text.
//!
//! ## Why it matters
//!
//! The variable is not recognised, and the model is shown the brace.
//!
//! ## Example
//!
//! ```yaml expect=invalid-template
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: Order {order_id of {customer}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: Order {order_id} of {customer}
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-template",
    former: &["template-syntax"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:template-syntax"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for brace in context.documents().flat_map(|document| &document.faults.lone_braces) {
        let (message, help) = match ranges::source(context, *brace) {
            "{" => ("`{` is never closed", "close it with `}`, or write `{{` for the brace itself"),
            "}" => ("`}` closes nothing", "open it with `{`, or write `}}` for the brace itself"),
            _ => ("a brace in this text has no partner", "close it, or double it for the brace itself"),
        };
        report.push(Finding::new(*brace, message).label("it makes no variable").help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn single_double_and_json_braces() {
        check_rule(
            "invalid-template",
            r#"
kind: LLMNode
name: chat
prompts:
  system:
    fr: Commande {order_id de {customer}
#                ^ warning[invalid-template]: `{` is never closed
    en: "Order \u00e9 } of {customer}"
#                     ^ warning[invalid-template]: `}` closes nothing
    de: "Antworte mit {\"a\": {\"b\": 1}} und {{kunde}}"
"#,
        );
    }
}
