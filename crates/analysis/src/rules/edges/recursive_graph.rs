//! ## What it does
//!
//! Reports a node that runs the graph it belongs to, directly or through other graphs of the project.
//!
//! In cycgraph, it is an error if the graph runs itself directly and every run comes to the node.
//!
//! ## Why it matters
//!
//! In cycgraph, a graph that is still running does not start again: the node fails. A graph that runs itself
//! fails one level deeper, after its first steps ran twice.
//!
//! In AgentOS, the graph starts itself again and again, and the nesting never ends.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=recursive-graph
//! id: review
//! name: review
//! description: Review a text.
//! nodes:
//!   - {id: again, type: subgraph, subgraph_config: {subgraph_id: review}}
//! edges: []
//! start_node: again
//! end_nodes: [again]
//! ```
//!
//! In AgentOS:
//!
//! ```yaml expect=recursive-graph
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: again, type: subgraph, executorConfig: {type: subgraph, graphId: graph-a}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: again, type: static}
//!   - {id: e2, source: again, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! id: review
//! name: review
//! description: Review a text.
//! nodes:
//!   - {id: judge, type: agent, agent_id: reviewer, write_keys: [verdict]}
//!   - {id: revise, type: agent, agent_id: writer, write_keys: [text]}
//!   - {id: done, type: router}
//! edges:
//!   - {source: judge, target: revise, condition: {type: conditional, condition: memory.verdict == "again"}}
//!   - {source: judge, target: done}
//!   - {source: revise, target: judge}
//! start_node: judge
//! end_nodes: [done]
//! ```
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: again, type: subgraph, executorConfig: {type: subgraph, graphId: graph-b}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: again, type: static}
//!   - {id: e2, source: again, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "recursive-graph",
    former: &["self-delegation"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};
