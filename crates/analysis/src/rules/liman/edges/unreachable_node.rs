//! What `unreachable-node` finds here. Reports a Node or FunctionNode that no edge leads to, in a project with an
//! LLMNode that nothing leads to, so that a run can begin there.

use nodewise_model::{Body, NodeKind};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::names::unused;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:unreachable"), severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for (declaration, name) in unused::declarations(context) {
        if matches!(&declaration.body, Body::Node(node) if node.kind == NodeKind::Function) {
            let message = format!("no edge leads to {} `{}`", declaration.kind, short(&name.value));
            report.push(Finding::new(name.at, message).help("add an edge to it, or begin the run here"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn beside_an_entry() {
        check_rule(
            "unreachable-node",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes: [b]
---
kind: Node
name: a
#     ^ hint[unreachable-node]: no edge leads to Node `a`
func: f.a
nodes:
  - {target: a, when: again}
---
kind: Node
name: b
func: f.b
",
        );
    }

    #[test]
    fn the_node_may_be_the_entry() {
        check_rule(
            "unreachable-node",
            r"
kind: Node
name: intake
func: f.intake
llm_nodes: [chat]
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
",
        );
    }
}
