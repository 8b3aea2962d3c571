//! ## What it does
//!
//! Reports a text in one language where English has a mapping, or the reverse.
//!
//! ## Why it matters
//!
//! Nothing can be taken from the other language there: a program that asks for a key finds a text, or
//! the reverse.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-translation
//! kind: Node
//! name: step
//! func: s.step
//! prompts:
//!   en: {hint: {short: Ask, long: Ask kindly}}
//!   de: {hint: Frag}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: step
//! func: s.step
//! prompts:
//!   en: {hint: {short: Ask, long: Ask kindly}}
//!   de: {hint: {short: Frag, long: Frag nett}}
//! ```

use nodewise_dialect::bundle::BundleProblemKind;
use nodewise_dialect::tables::liman::FALLBACK_LANGUAGE;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-translation",
    former: &["bundle-shape"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:bundle-shape"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let texts = context.effective().flat_map(|effective| &effective.faults.texts);
    for problem in texts.flat_map(|text| &text.problems) {
        let BundleProblemKind::Shape(language, path) = &problem.kind else { continue };
        let place = if path.is_empty() { String::new() } else { format!(" at `{}`", short(path)) };
        let message = format!("`{language}` and `{FALLBACK_LANGUAGE}` differ in shape{place}");
        let finding = Finding::new(problem.at, message)
            .label("one has a text where the other has a mapping")
            .help("write the same keys in every language");
        report.push(match problem.other {
            Some(other) => finding.related(other, format!("the text in `{FALLBACK_LANGUAGE}`")),
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn below_a_key_and_at_the_top() {
        check_rule(
            "mismatched-translation",
            r"
kind: LLMNode
name: chat
prompts:
  en: {system: Hi, notes: {intro: Hello}}
  de: {system: Hallo, notes: Tag}
#                            ^^^ warning[mismatched-translation]: `de` and `en` differ in shape at `notes`
---
kind: Node
name: a
func: f.a
description:
  it: is a pronoun
#     ^^^^^^^^^^^^ warning[mismatched-translation]: `it` and `en` differ in shape
  note: x
",
        );
    }
}
