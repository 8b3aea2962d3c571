//! ## What it does
//!
//! Reports an overlay whose `to` is not `Kind:name`, or that aims at another overlay.
//!
//! ## Why it matters
//!
//! Nothing says which declaration the overlay patches.
//!
//! ## Example
//!
//! ```yaml expect=invalid-overlay-target
//! kind: Overlay
//! to: chat
//! prompts: {de: {system: Hallo}}
//! ---
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Overlay
//! to: LLMNode:chat
//! prompts: {de: {system: Hallo}}
//! ---
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::tables::liman::OVERLAY_TARGET;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::qualified_reference;

/// The separator between kind and name.
const SEPARATOR: char = ':';

pub(crate) static RULE: Rule = Rule {
    id: "invalid-overlay-target",
    former: &["overlay-bad-to"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:overlay-bad-to"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        let IssueKind::Qualified(text, SEPARATOR) = &issue.kind else { continue };
        if qualified_reference::unknown_kind(dialect, text, SEPARATOR).is_some() {
            continue;
        }
        let key = issue.field.map_or(issue.shape.name, |field| field.key);
        let finding =
            Finding::new(issue.at, qualified_reference::fault(context, key, (issue.at, text), SEPARATOR))
                .label("nothing says what is patched");
        report.push(qualified_reference::suggest(
            context,
            finding,
            (issue.at, text),
            &OVERLAY_TARGET,
            SEPARATOR,
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn names_without_a_kind_and_overlays() {
        check_rule(
            "invalid-overlay-target",
            r"
kind: Overlay
to: chat
#   ^^^^ error[invalid-overlay-target]: `to` takes `Kind:name`, not `chat`
---
kind: Overlay
to: Overlay:chat
#   ^^^^^^^^^^^^ error[invalid-overlay-target]: `to` takes `Kind:name`, not `Overlay:chat`
---
kind: Overlay
to: LLMNode/chat
#   ^^^^^^^^^^^^ error[invalid-overlay-target]: `to` takes `Kind:name`, not `LLMNode/chat`
---
kind: Overlay
to:
^^ error[invalid-overlay-target]: `to` takes `Kind:name`, not nothing
---
kind: Overlay
to: Foo:chat
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
",
        );
    }

    #[test]
    fn a_slash_becomes_a_colon() {
        check_fix(
            "invalid-overlay-target",
            r"
kind: Overlay
to: LLMNode/chat
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
",
            r"
kind: Overlay
to: LLMNode:chat
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
",
        );
    }
}
