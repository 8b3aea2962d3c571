//! ## What it does
//!
//! Reports a localized text that has no text in English, the language that missing texts are taken from.
//!
//! ## Why it matters
//!
//! The packages run in English: the text is not found, and the node fails on its first call.
//!
//! ## Example
//!
//! ```yaml expect=missing-fallback-text
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {fr: Bonjour}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {fr: Bonjour, en: Hello}
//! ```

use nodewise_dialect::bundle::BundleProblemKind;
use nodewise_dialect::tables::liman::FALLBACK_LANGUAGE;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "missing-fallback-text",
    former: &["bundle-no-fallback"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:bundle-no-fallback"),
        severity: Severity::Warning,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let texts = context.effective().flat_map(|effective| &effective.faults.texts);
    for problem in texts.flat_map(|text| &text.problems) {
        if problem.kind == BundleProblemKind::NoFallback {
            report.push(
                Finding::new(
                    problem.at,
                    format!("there is no text in `{FALLBACK_LANGUAGE}` to fall back to"),
                )
                .label("every text here is in another language")
                .help(format!("add the text in `{FALLBACK_LANGUAGE}`")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn overlays_may_bring_it() {
        check_rule(
            "missing-fallback-text",
            r"
#- /base.yaml
kind: ToolNode
name: b
func: m.b
description:
  fr: Bonjour
# ^^ warning[missing-fallback-text]: there is no text in `en` to fall back to
---
kind: ToolNode
name: c
func: m.c
description: {fr: Bonjour}
#- /langs/en.yaml
kind: Overlay
to: ToolNode:c
description: {en: Hello}
",
        );
    }

    #[test]
    fn a_language_that_does_not_count_is_no_fallback_and_a_text_left_out_may_be_one() {
        check_rule(
            "missing-fallback-text",
            r"
kind: Node
name: a
func: f.a
description: {fr: Bonjour, uk: Hello}
#             ^^ warning[missing-fallback-text]
prompts: {en: null, fr: Bonjour}
",
        );
    }
}
