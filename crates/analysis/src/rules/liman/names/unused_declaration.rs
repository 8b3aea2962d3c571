//! ## What it does
//!
//! Reports a ToolNode, a ServiceAccount or a CredentialsProvider that nothing in the project refers to.
//! The rule is silent in projects without an LLMNode that a run could begin at, where a file cannot be
//! read, and about names that a reference which leads nowhere may have meant.
//!
//! ## Why it matters
//!
//! It is dead weight, or the place that should name it forgot to: a model cannot call a tool that no node
//! lists.
//!
//! ## Example
//!
//! ```yaml expect=unused-declaration
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ---
//! kind: ToolNode
//! name: find
//! description: Find a customer
//! func: desk.find
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! tools: [find]
//! ---
//! kind: ToolNode
//! name: find
//! description: Find a customer
//! func: desk.find
//! ```

use nodewise_model::{Body, NodeKind};

use crate::diagnostic::{Finding, Severity};
use crate::index::View;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::unused;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unused-declaration",
    former: &[],
    category: Category::Style,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:unused-declaration"),
        severity: Severity::Hint,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (declaration, name) in unused::declarations(context) {
        if needs_use(&declaration.body, context.index) {
            let message = format!("nothing uses {} `{}`", declaration.kind, short(&name.value));
            report.push(Finding::new(name.at, message).help("name it where it is needed, or remove it"));
        }
    }
}

/// Whether a declaration of this kind is useless if nothing refers to it. Tools from outside the project look up
/// credentials providers by name themselves.
fn needs_use(body: &Body, index: View<'_>) -> bool {
    match body {
        Body::Node(node) => node.kind == NodeKind::Tool,
        Body::Account(_) => true,
        Body::Provider(_) => !index.has_outside_tools(),
        Body::Graph(_)
        | Body::Bundle(_)
        | Body::GraphNode(_)
        | Body::Agent(_)
        | Body::Plan(_)
        | Body::Scenario(_)
        | Body::Rule(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn tools_accounts_and_providers() {
        check_rule(
            "unused-declaration",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [find]
---
kind: ToolNode
name: find
description: Find
func: d.find
---
kind: ToolNode
name: lost
#     ^^^^ hint[unused-declaration]: nothing uses ToolNode `lost`
description: Lost
func: d.lost
---
kind: ServiceAccount
name: reader
#     ^^^^^^ hint[unused-declaration]: nothing uses ServiceAccount `reader`
credentials_provider: vault
---
kind: CredentialsProvider
name: vault
type: basic
func: d.vault
",
        );
    }

    #[test]
    fn an_overlay_may_use_it() {
        check_rule(
            "unused-declaration",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
---
kind: Overlay
to: LLMNode:chat
tools: [find]
---
kind: ToolNode
name: find
description: Find
func: d.find
",
        );
    }

    #[test]
    fn not_beside_broken_text() {
        check_rule(
            "unused-declaration",
            r"
#- /a.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [a
#- /b.yaml
kind: ToolNode
name: find
description: Find
func: d.find
",
        );
    }

    #[test]
    fn a_misspelt_use_is_the_other_place_s_fault() {
        check_rule(
            "unused-declaration",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [fnd]
---
kind: ToolNode
name: find
description: Find
func: d.find
",
        );
    }
}
