//! ## What it does
//!
//! Reports a text that is there already: the same language and the same keys, spelled in another order.
//! Text without a language code counts as English.
//!
//! ## Why it matters
//!
//! One of the two texts is lost, and which one depends on the order of the keys.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-translation
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {en: Hello}
//!   en: {system: Hi}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {en: Hello}
//! ```

use nodewise_dialect::bundle::BundleProblemKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-translation",
    former: &["bundle-duplicate-text"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:bundle-duplicate-text"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for problem in context.documents().flat_map(|document| &document.faults.bundle_problems) {
        let BundleProblemKind::DuplicateText(language, path) = &problem.kind else { continue };
        let what = if path.is_empty() { "text".to_owned() } else { format!("text `{}`", short(path)) };
        let finding = Finding::new(problem.at, format!("the {what} in `{language}` is there already"))
            .label("one of the two would be lost")
            .help("keep one of them");
        report.push(match problem.other {
            Some(first) => finding.related(first, "first written here"),
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn languages_and_keys_in_any_order() {
        check_rule(
            "duplicate-translation",
            r"
kind: LLMNode
name: chat
prompts:
  system: Hello
  en: {system: Hi}
#              ^^ error[duplicate-translation]: the text `system` in `en` is there already
  ru: {system: Привет}
",
        );
    }

    #[test]
    fn a_text_of_its_own() {
        check_rule(
            "duplicate-translation",
            r"
kind: Node
name: a
func: f.a
description:
  de: {de: Ja}
  en: Yes
  ru:
    en: Yeah
#       ^^^^ error[duplicate-translation]: the text in `en` is there already
",
        );
    }
}
