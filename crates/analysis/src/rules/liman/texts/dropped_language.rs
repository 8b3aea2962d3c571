//! ## What it does
//!
//! Reports Spanish texts in the prompts of an LLMNode. Under a release profile it is a warning.
//!
//! ## Why it matters
//!
//! `es` is a language code of the specification and of release 0.1.1, but the release has no place for
//! it in an LLMNode's prompts: the texts vanish when the node is compiled.
//!
//! ## Example
//!
//! ```yaml expect=dropped-language
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {en: Hello, es: Hola}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: {en: Hello, it: Ciao}
//! ```

use nodewise_dialect::tables::liman::DROPPED_PROMPT_LANGUAGE;
use nodewise_model::NodeKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition::release_severity;

pub(crate) static RULE: Rule = Rule {
    id: "dropped-language",
    former: &["bundle-dropped-language"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.nodes().filter(|node| node.kind == NodeKind::Model) {
        if let Some(text) = node.prompts.in_language(DROPPED_PROMPT_LANGUAGE).next() {
            let message =
                format!("release 0.1.1 drops `{DROPPED_PROMPT_LANGUAGE}` from an LLMNode's prompts");
            report.push_at(
                release_severity(context),
                Finding::new(text.at, message)
                    .label("the release has no place for this language")
                    .help("expect the English text where the release runs"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_1};

    use crate::settings::Settings;
    use crate::testing::{check_rule, check_rule_with};

    #[test]
    fn once_for_each_llm_node() {
        check_rule(
            "dropped-language",
            r"
kind: LLMNode
name: chat
prompts:
  system: {en: Hello, es: Hola}
#                         ^^^^ hint[dropped-language]: release 0.1.1 drops `es` from an LLMNode's prompts
  notes: {es: Breve}
---
kind: Node
name: a
func: f.a
prompts: {en: Hello, es: Hola}
",
        );
    }

    #[test]
    fn a_warning_under_a_release() {
        let release = Settings::default().following(&LIMAN, RELEASE_0_1_1);
        check_rule_with(
            "dropped-language",
            &release,
            r"
kind: LLMNode
name: chat
prompts:
  system: {en: Hello, es: Hola}
#                         ^^^^ warning[dropped-language]
",
        );
    }
}
