//! ## What it does
//!
//! Reports a text that other languages of the same localized text have and one has not.
//!
//! ## Why it matters
//!
//! The specification takes the English text instead. The packages take a language as a whole or not at
//! all, so they find nothing there.
//!
//! ## Example
//!
//! ```yaml expect=missing-translation
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {en: Hi, de: Hallo}
//!   notes: {en: Be short}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {en: Hi, de: Hallo}
//!   notes: {en: Be short, de: Fass dich kurz}
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "missing-translation",
    former: &["bundle-missing-translation"],
    category: Category::Style,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:bundle-missing-translation"),
        severity: Severity::Hint,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let texts = context.effective().flat_map(|effective| &effective.faults.texts);
    for missing in texts.flat_map(|text| &text.missing) {
        report.push(
            Finding::new(
                missing.at,
                format!("`{}` has no text `{}`", missing.language, short(&missing.path)),
            )
            .label("another language has it")
            .help(format!("add it in `{}`", missing.language)),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_language_and_path_once() {
        check_rule(
            "missing-translation",
            r"
kind: LLMNode
name: chat
prompts:
  system: {en: Hi, de: Hallo}
  notes:
    en: [a, b]
#        ^ hint[missing-translation]: `de` has no text `notes`
#        ^ hint[missing-translation]: `ru` has no text `notes`
  ru: {system: Привет}
",
        );
    }
}
