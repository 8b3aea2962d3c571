//! ## What it does
//!
//! Reports a text where the same language has a mapping, or a mapping where it has a text. Text without
//! a language code counts as English.
//!
//! ## Why it matters
//!
//! One of the two is lost, or the packages reject the declaration, depending on the order of the keys.
//!
//! ## Example
//!
//! ```yaml expect=mixed-translation
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: Hello
//!   en: {system: {long: Hello there}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {short: Hello}
//!   en: {system: {long: Hello there}}
//! ```

use nodewise_dialect::bundle::BundleProblemKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mixed-translation",
    former: &["bundle-text-and-mapping"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:bundle-text-and-mapping"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for problem in context.documents().flat_map(|document| &document.faults.bundle_problems) {
        let BundleProblemKind::TextAndMapping(language, path) = &problem.kind else { continue };
        let message = if path.is_empty() {
            format!("`{language}` has both a text and keys of its own")
        } else {
            format!("`{}` in `{language}` meets a text and a mapping", short(path))
        };
        let finding = Finding::new(problem.at, message)
            .label("only one of them is allowed here")
            .help("give the text a key of its own");
        report.push(match problem.other {
            Some(first) => finding.related(first, "this conflicts with it"),
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_either_order() {
        check_rule(
            "mixed-translation",
            r"
kind: LLMNode
name: chat
prompts:
  system: Hello
  en: {system: {long: Hello there}}
#                     ^^^^^^^^^^^ error[mixed-translation]: `system.long` in `en` meets a text and a mapping
",
        );
    }

    #[test]
    fn a_language_with_both() {
        check_rule(
            "mixed-translation",
            r"
kind: Node
name: a
func: f.a
description:
  en: Yes
  note: Hm
#       ^^ error[mixed-translation]: `note` in `en` meets a text and a mapping
  de: Ja
",
        );
    }
}
