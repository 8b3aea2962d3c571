//! What `unknown-node` finds here. Reports a name in `llm_nodes` that no LLMNode of the project declares.

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::names::unresolved;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("liman:unresolved-llm-node"),
    severity: Severity::Error,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    unresolved::check(context, "unresolved-llm-node", report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn names_and_edges() {
        check_rule(
            "unknown-node",
            r"
kind: Node
name: step
func: s.step
llm_nodes:
  - writr
#   ^^^^^ error[unknown-node]: no LLM node is named `writr`
  - {target: writer, when: a}
---
kind: LLMNode
name: writer
prompts: {system: {en: Hi}}
",
        );
    }
}
