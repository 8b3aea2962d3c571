//! ## What it does
//!
//! Reports an overlay whose target no document declares. For a tool that may be generated at run time it
//! is at most a hint.
//!
//! ## Why it matters
//!
//! An overlay declares nothing itself: what it says is lost.
//!
//! ## Example
//!
//! ```yaml expect=unknown-overlay-target
//! kind: Overlay
//! to: LLMNode:chatt
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

use nodewise_model::Reference;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::unresolved;
use crate::rules::names::misnamed_declaration;
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-overlay-target",
    former: &["overlay-unresolved-target"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:overlay-unresolved-target"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents().filter(|document| context.index.is_orphan(document.id)) {
        let Some(target) = document.overlay.as_ref().and_then(|overlay| overlay.target.as_ref()) else {
            continue;
        };
        if unresolved::is_outside(context, target)
            || misnamed_declaration::is_reported_instead(context, target)
        {
            continue;
        }
        if unresolved::is_generated(context, target) {
            report.push_at(Severity::Hint, unresolved::generated(target));
        } else {
            report.push(finding(context, target));
        }
    }
}

fn finding(context: &Context<'_>, target: &Reference) -> Finding {
    let kind = target.kind().unwrap_or_default();
    let finding = Finding::new(target.at, format!("no {kind} is named `{}`", short(&target.name)))
        .label("the overlay patches nothing");
    if let Some(other) = context.index.declared(&target.name).first() {
        return correction(context, finding, target, kind, other.kind);
    }
    match context.index.nearest(&target.name, &[kind]) {
        Some(near) => correction(context, finding, target, &target.name, near),
        None => finding.help("declare it, or aim the overlay at a declaration"),
    }
}

/// Adds help and a fix to write `other` instead of `part` in the target.
fn correction(
    context: &Context<'_>,
    finding: Finding,
    target: &Reference,
    part: &str,
    other: &str,
) -> Finding {
    let finding = finding.help(format!("write `{other}` instead of `{}`", short(part)));
    match ranges::part(context, target.at, part).filter(|_| ranges::is_word(other)) {
        Some(place) => finding.fix(format!("Write `{other}`"), false, place, other),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn near_names_other_kinds_and_generated_tools() {
        check_rule(
            "unknown-overlay-target",
            r"
kind: Overlay
to: LLMNode:chatt
#   ^^^^^^^^^^^^^ error[unknown-overlay-target]: no LLMNode is named `chatt`
---
kind: Overlay
to: Node:chat
#   ^^^^^^^^^ error[unknown-overlay-target]: no Node is named `chat`
---
kind: Overlay
to: ToolNode:OpenAPI__delete_user
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[unknown-overlay-target]
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
",
        );
    }

    #[test]
    fn the_kind_is_corrected() {
        check_fix(
            "unknown-overlay-target",
            r"
kind: Overlay
to: Node:chat
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
