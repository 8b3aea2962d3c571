//! ## What it does
//!
//! Reports a value that is not one of the words that its key allows.
//!
//! In Liman, this includes the `strategy` of an overlay.
//!
//! ## Why it matters
//!
//! The loader rejects the declaration. An overlay without a valid strategy does not say how its fields are
//! combined with those of its target.
//!
//! ## Example
//!
//! A type of credentials:
//!
//! ```yaml expect=invalid-value
//! kind: CredentialsProvider
//! name: vault
//! type: oauth2
//! func: hr.secrets.vault
//! ```
//!
//! In Liman, the strategy of an overlay:
//!
//! ```yaml expect=invalid-value
//! kind: Overlay
//! to: LLMNode:chat
//! strategy: append
//! prompts: {de: {system: Hallo}}
//! ---
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```
//!
//! ## Instead
//!
//! A type of credentials:
//!
//! ```yaml ok
//! kind: CredentialsProvider
//! name: vault
//! type: custom
//! func: hr.secrets.vault
//! ```
//!
//! In Liman, the strategy of an overlay:
//!
//! ```yaml ok
//! kind: Overlay
//! to: LLMNode:chat
//! strategy: merge
//! prompts: {de: {system: Hallo}}
//! ---
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::recovery::MistakeKind;
use nodewise_dialect::table::{KindRole, Type};

use crate::diagnostic::{Finding, Severity};
use crate::facts::DocumentRole;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-value",
    former: &["bad-enum", "overlay-bad-strategy"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.bad_word),
        severity: Severity::Error,
        about_form: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let class = context.violations().and_then(|violations| violations.bad_word);
    for document in context.documents() {
        for mistake in &document.faults.mistakes {
            let MistakeKind::Word { written, meant } = &mistake.kind else { continue };
            // Another rule reports the kind of a document, and `overlay` reports words in an overlay's own keys.
            let is_overlay =
                matches!(document.role, DocumentRole::Kind(kind) if kind.role == KindRole::Overlay);
            if is_overlay || matches!(mistake.field.ty, Type::Kind) {
                continue;
            }
            let finding = Finding::new(mistake.at, fault(written, mistake.field.key))
                .spec(mistake.field.violation.map_or(class, |violation| Some(violation.class)))
                .help(format!("write `{meant}`"));
            let finding = match ranges::part(context, mistake.at, written) {
                Some(place) => finding.fix(format!("Write `{meant}`"), false, place, *meant),
                None => finding,
            };
            match mistake.field.violation {
                Some(violation) if !violation.is_refused => report.push_at(Severity::Warning, finding),
                _ => report.push(finding),
            }
        }
        for issue in &document.faults.issues {
            let (text, key, known) = match (&issue.kind, issue.field) {
                (IssueKind::BadWord(text, words), Some(field)) => {
                    (text, field.key, words.iter().map(|word| word.text).collect::<Vec<_>>())
                }
                (IssueKind::BadVariant(text, variant), _) => {
                    (text, variant.key, variant.words().map(|word| word.text).collect())
                }
                _ => continue,
            };
            // The function `overlay` reports words in an overlay's own keys.
            if document.is_overlay_key(issue) {
                continue;
            }
            let finding = Finding::new(issue.at, fault(text, key));
            let near = context.dialect().and_then(|dialect| dialect.meant_word(text, &known));
            let place = near.and_then(|near| Some((near, ranges::part(context, issue.at, text)?)));
            let finding = match place {
                Some((near, place)) => finding.fix(format!("Write `{near}`"), false, place, near),
                None => finding,
            };
            let known: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            let finding = finding.help(match near {
                Some(near) => format!("write `{near}`"),
                None => format!("write one of {}", known.join(", ")),
            });
            report.push_violation(issue, class, finding);
        }
    }
}

fn fault(text: &str, key: &str) -> String {
    format!("`{}` is not a valid `{key}`", short(text))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn the_type_of_credentials() {
        check_rule(
            "invalid-value",
            r"
kind: CredentialsProvider
name: b
type: oauth2
#     ^^^^^^ error[invalid-value]: `oauth2` is not a valid `type`
func: c.b
---
kind: Overlay
to: CredentialsProvider:b
strategy: append
#         ^^^^^^ error[invalid-value]: no strategy is named `append`
type: berer
#     ^^^^^ error[invalid-value]: `berer` is not a valid `type`
",
        );
    }

    #[test]
    fn a_word_of_another_tool_is_translated() {
        check_fix(
            "invalid-value",
            r"
id: brief
name: brief
description: Write a brief.
nodes: [{id: a, type: llm, agent_id: writer}]
edges: []
start_node: a
end_nodes: [a]
",
            r"
id: brief
name: brief
description: Write a brief.
nodes: [{id: a, type: agent, agent_id: writer}]
edges: []
start_node: a
end_nodes: [a]
",
        );
    }

    #[test]
    fn a_misspelt_word_is_fixed() {
        check_fix(
            "invalid-value",
            r#"
kind: CredentialsProvider
name: b
type: "berer"
func: c.b
"#,
            r#"
kind: CredentialsProvider
name: b
type: "bearer"
func: c.b
"#,
        );
    }
}
