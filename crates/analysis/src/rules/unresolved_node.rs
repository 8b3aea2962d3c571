//! ## What it does
//!
//! Reports a name in `nodes`, in an edge or in `to` that no node of the project declares.
//!
//! ## Why it matters
//!
//! The edge leads nowhere: a run that follows it fails.
//!
//! ## Example
//!
//! ```yaml expect=unresolved-node
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes:
//!   - {target: notfy, when: urgent}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes:
//!   - {target: notify, when: urgent}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```
//!
//! ## Options
//!
//! `[liman.external] nodes` in `nodewise.toml` lists nodes that the program registers in code.

use super::unresolved;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unresolved-node",
    spec: Some("liman:unresolved-node"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    unresolved::check(context, RULE.id, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_help, check_rule};

    #[test]
    fn in_names_edges_and_release_edges() {
        check_rule(
            "unresolved-node",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes:
  - fallbak
#   ^^^^^^^ error[unresolved-node]: no node is named `fallbak`
  - {target: [fallback, nobody], when: a}
#                       ^^^^^^ error[unresolved-node]: no node is named `nobody`
---
kind: LLMNode
name: fallback
prompts: {system: {en: Hi}}
to:
  - LLMNode/chatt
#   ^^^^^^^^^^^^^ error[unresolved-node]: no node is named `chatt`
  - {ref: LLMNode/chat}
",
        );
    }

    #[test]
    fn the_kind_in_front_stays() {
        check_fix(
            "unresolved-node",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
to: [LLMNode/chatt]
",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
to: [LLMNode/chat]
",
        );
    }

    #[test]
    fn a_kind_that_is_written_is_the_only_one_that_fits() {
        check_help(
            "unresolved-node",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
to:
  - ref: LLMNode/zz
",
            &["declare it as LLMNode, or list it in nodewise.toml if the program registers it"],
        );
    }
}
