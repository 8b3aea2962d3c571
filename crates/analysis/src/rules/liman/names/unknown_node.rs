//! What `unknown-node` finds here. Reports a name in `nodes`, in an edge or in `to` that no node of the project
//! declares.

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::names::unresolved;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:unresolved-node"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    unresolved::check(context, "unresolved-node", report);
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_help, check_rule};

    #[test]
    fn names_in_text_that_cannot_be_read_are_not_missing() {
        check_rule(
            "unknown-node",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes: [{target: archive, when: done}, {target: gone, when: done}]
#                                               ^^^^ error[unknown-node]: no node is named `gone`
--
kind: Node
name: archive
func: f.a
",
        );
    }

    #[test]
    fn in_names_edges_and_release_edges() {
        check_rule(
            "unknown-node",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes:
  - fallbak
#   ^^^^^^^ error[unknown-node]: no node is named `fallbak`
  - {target: [fallback, nobody], when: a}
#                       ^^^^^^ error[unknown-node]: no node is named `nobody`
---
kind: LLMNode
name: fallback
prompts: {system: {en: Hi}}
to:
  - LLMNode/chatt
#   ^^^^^^^^^^^^^ error[unknown-node]: no node is named `chatt`
  - {ref: LLMNode/chat}
",
        );
    }

    #[test]
    fn the_kind_in_front_stays() {
        check_fix(
            "unknown-node",
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
            "unknown-node",
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
