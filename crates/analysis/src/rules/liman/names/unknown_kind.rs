//! ## What it does
//!
//! Reports a `kind` that does not exist, in a document and in the `to` of an overlay. Case counts.
//!
//! ## Why it matters
//!
//! The loader skips the document without a word: what it declares is not there.
//!
//! ## Example
//!
//! ```yaml expect=unknown-kind
//! kind: LlmNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::recovery::MistakeKind;
use nodewise_dialect::table::{Dialect, Kind, Type};
use nodewise_model::Origin;

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentRole, Ownership};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::qualified_reference;
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-kind",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:unknown-kind"),
        severity: Severity::Error,
        about_form: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for document in context.documents() {
        if let DocumentRole::UnknownKind(unknown) = &document.role {
            let (word, at) = unknown.as_ref();
            report.push(finding(context, dialect, dialect.kinds.iter().collect(), word, *at));
        }
        for mistake in &document.faults.mistakes {
            if let MistakeKind::Word { written, .. } = &mistake.kind
                && matches!(mistake.field.ty, Type::Kind)
            {
                report.push(finding(context, dialect, dialect.kinds.iter().collect(), written, mistake.at));
            }
        }
        for issue in &document.faults.issues {
            if let IssueKind::Qualified(text, separator) = &issue.kind
                && let Some(word) = qualified_reference::unknown_kind(dialect, text, *separator)
            {
                let kinds = dialect.kinds.iter().filter(|kind| kind.is_declarable()).collect();
                report.push(finding(context, dialect, kinds, word, issue.at));
            }
        }
    }
}

fn finding(
    context: &Context<'_>,
    dialect: &Dialect,
    kinds: Vec<&'static Kind>,
    word: &str,
    at: Origin,
) -> Finding {
    let names: Vec<&'static str> = kinds.iter().map(|kind| kind.name).collect();
    let finding = Finding::new(at, format!("no kind is named `{}`", short(word)))
        .label("the loader skips what it does not know");
    let same = names.iter().copied().find(|name| name.eq_ignore_ascii_case(word));
    let Some(near) = dialect.meant_word(word, &names) else {
        return finding.help(format!("the kinds are {}", names.join(", ")));
    };
    let finding = finding.help(format!("write `{near}`"));
    match ranges::part(context, at, word) {
        Some(place) => finding.fix(format!("Write `{near}`"), same.is_some(), place, near),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn in_documents_and_overlays() {
        check_rule(
            "unknown-kind",
            r"
kind: LlmNode
#     ^^^^^^^ error[unknown-kind]: no kind is named `LlmNode`
name: chat
prompts: {system: {en: Hi}}
---
kind: Overlay
to: LLMnode:chat
#   ^^^^^^^^^^^^ error[unknown-kind]: no kind is named `LLMnode`
---
kind: Overlay
to: chat
",
        );
    }

    #[test]
    fn the_kind_is_fixed_in_place() {
        check_fix(
            "unknown-kind",
            r#"
kind: Overlay
to: "LLMnode:chat"
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
"#,
            r#"
kind: Overlay
to: "LLMNode:chat"
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
"#,
        );
    }
}
