//! ## What it does
//!
//! Reports a node of an AgentOS graph with an id that the runtime keeps for itself: `__START__`, `__END__`,
//! `__CONDITIONAL__` or `__DISCOVERY__`.
//!
//! ## Why it matters
//!
//! A node called `__END__` runs like any other, one called `__START__` never does, and edges mean both the node
//! and the place that the runtime knows.
//!
//! ## Example
//!
//! ```yaml expect=reserved-node-id
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: __END__, type: tool, executorConfig: {type: tool, toolName: __END__}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: finish, type: tool, executorConfig: {type: tool, toolName: finish}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: finish, type: static}
//!   - {id: e3, source: finish, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::{END, PLACEHOLDERS, START};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "reserved-node-id",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I6"), severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let Some(id) = &node.id else { continue };
        if [START, END].iter().chain(PLACEHOLDERS).any(|reserved| id.value == **reserved) {
            report.push(
                Finding::new(id.at, format!("`{}` is not allowed as the id of a node", id.value))
                    .label("the runtime reserves this id")
                    .help("give the node another id"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn every_reserved_word() {
        check_rule(
            "reserved-node-id",
            r#"
nodes:
  - {id: __START__, executorConfig: {type: tool}}
#        ^^^^^^^^^ error[reserved-node-id]: `__START__` is not allowed as the id of a node
  - {id: __END__, executorConfig: {type: tool}}
#        ^^^^^^^ error[reserved-node-id]: `__END__` is not allowed as the id of a node
  - {id: __CONDITIONAL__, executorConfig: {type: tool}}
#        ^^^^^^^^^^^^^^^ error[reserved-node-id]: `__CONDITIONAL__` is not allowed as the id of a node
  - {id: __DISCOVERY__, executorConfig: {type: tool}}
#        ^^^^^^^^^^^^^ error[reserved-node-id]: `__DISCOVERY__` is not allowed as the id of a node
  - {id: start, executorConfig: {type: tool}}
edges:
"#,
        );
    }
}
