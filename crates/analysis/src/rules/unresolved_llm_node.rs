//! ## What it does
//!
//! Reports a name in `llm_nodes` that no LLMNode of the project declares.
//!
//! ## Why it matters
//!
//! The edge leads nowhere: a run that follows it fails.
//!
//! ## Example
//!
//! ```yaml expect=unresolved-llm-node
//! kind: Node
//! name: notify
//! func: desk.notify
//! llm_nodes: [apologise]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.notify
//! llm_nodes: [apologise]
//! ---
//! kind: LLMNode
//! name: apologise
//! prompts: {system: {en: Apologise.}}
//! ```
//!
//! ## Options
//!
//! `[liman.external] nodes` in `nodewise.toml` lists nodes that the program registers in code.

use super::unresolved;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unresolved-llm-node",
    spec: Some("liman:unresolved-llm-node"),
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
    use crate::testing::check_rule;

    #[test]
    fn names_and_edges() {
        check_rule(
            "unresolved-llm-node",
            r"
kind: Node
name: step
func: s.step
llm_nodes:
  - writr
#   ^^^^^ error[unresolved-llm-node]: no LLM node is named `writr`
  - {target: writer, when: a}
---
kind: LLMNode
name: writer
prompts: {system: {en: Hi}}
",
        );
    }
}
