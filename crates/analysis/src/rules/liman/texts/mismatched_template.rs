//! ## What it does
//!
//! Reports a text whose `{variables}` differ from those of the same text in English, and a tool template
//! that names a variable other than `{name}`, `{description}` and `{triggers}`.
//!
//! ## Why it matters
//!
//! The model is shown less in one language than in another, or braces instead of a value.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-template
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system:
//!     en: Order {order_id} of {customer}
//!     de: Bestellung von {customer}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system:
//!     en: Order {order_id} of {customer}
//!     de: Bestellung {order_id} von {customer}
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::listed;
use crate::suggest::nearest;
use crate::texts::{ExpectedVariables, VariableMismatch};

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-template",
    former: &["template-mismatch"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:template-mismatch"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let texts = context.effective().flat_map(|effective| &effective.faults.texts);
    for mismatch in texts.flat_map(|text| &text.mismatches) {
        report.push(match &mismatch.expected {
            ExpectedVariables::Language(language, at) => {
                Finding::new(mismatch.at, difference(mismatch, language))
                    .label("the same text has other variables in another language")
                    .help("name the same variables in every language")
                    .related(*at, format!("the text in `{language}`"))
            }
            ExpectedVariables::Known(known) => unknown(mismatch, known),
        });
    }
}

fn difference(mismatch: &VariableMismatch, language: &str) -> String {
    match (mismatch.missing.as_slice(), mismatch.extra.as_slice()) {
        ([], extra) => format!("the text in `{language}` has no {}", variables(extra)),
        (missing, _) => format!("the text lacks {}", variables(missing)),
    }
}

fn unknown(mismatch: &VariableMismatch, known: &[&str]) -> Finding {
    let finding = Finding::new(mismatch.at, format!("the template has no {}", variables(&mismatch.extra)))
        .label("the braces would be shown as they are");
    match mismatch.extra.as_slice() {
        [only] => match nearest(only, known.iter().copied()) {
            Some(near) => finding.help(format!("write `{{{near}}}`")),
            None => finding.help(format!("it knows {}", variables(known))),
        },
        _ => finding.help(format!("it knows {}", variables(known))),
    }
}

fn variables<T: AsRef<str>>(names: &[T]) -> String {
    let braced: Vec<String> = names.iter().map(|name| format!("{{{}}}", name.as_ref())).collect();
    listed(braced.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn languages_differ() {
        check_rule(
            "mismatched-template",
            r#"
kind: LLMNode
name: chat
prompts:
  system:
    en: Order {order_id} of {customer}
    de: Bestellung von {customer}
#       ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[mismatched-template]: the text lacks `{order_id}`
    fr: Commande {order} de {customer}
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[mismatched-template]: the text lacks `{order_id}`
    it: Ordine {order_id} di {customer} {note}
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[mismatched-template]: the text in `en` has no `{note}`
    ru: "{customer}, {order_id}: {{no variable}}"
    pt: "{order_id"
  notes: {de: "{hint}"}
"#,
        );
    }

    #[test]
    fn a_tool_template_knows_three_variables() {
        check_rule(
            "mismatched-template",
            r#"
kind: ToolNode
name: a
description: A
func: f.a
tool_prompt_template: "{name}: {descripton}, {arguments}"
#                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[mismatched-template]: the template has no `{descripton}` and `{arguments}`
triggers: [what about {city}]
"#,
        );
    }
}
