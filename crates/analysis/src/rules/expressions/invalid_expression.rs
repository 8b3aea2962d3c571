//! ## What it does
//!
//! Reports an expression with a syntax error, at the first character that is wrong.
//!
//! In cycgraph, this is the condition of an edge or the expression of a verifier that is not valid filtrex.
//!
//! In Liman, this is a condition that is not valid LimanCE.
//!
//! In AgentOS, this is a routing expression with syntax that the language does not have: `!`, `and`, `=`,
//! parentheses, brackets, calculations, calls, `??`, templates, a choice within a choice.
//!
//! ## Why it matters
//!
//! In cycgraph, a graph with such a condition does not load. An invalid verifier loads: the node fails each time
//! it runs, and retries do not help.
//!
//! In Liman, nothing checks conditions when a file loads. In a run, an invalid condition counts as false: the
//! edge is never followed, and no error is reported.
//!
//! In AgentOS, the runtime rejects nothing. It splits the text at `? :`, `||`, `&&` and one comparison, wherever
//! they are, and each remaining part stands for itself: `!scratch.ready` is the text `!scratch.ready`, which is
//! never `true`. The run takes another path than the file seems to say, and no error is reported.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=invalid-expression
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.x > 1 && memory.y}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=invalid-expression
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "status = 'ok'"}
//! ```
//!
//! In AgentOS:
//!
//! ```yaml expect=invalid-expression
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "scratch.done and input.fast ? 'send' : 'check'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```
//!
//! In cycgraph, a verifier:
//!
//! ```yaml expect=invalid-expression
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.x && memory.y}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.x > 1 and memory.y}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "status == 'ok'"}
//! ```
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "scratch.done && input.fast ? 'send' : 'check'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```
//!
//! In cycgraph, a verifier:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! inputs: {x: {schema: {}}, y: {schema: {}}}
//! nodes:
//!   - {id: a, type: verifier, read_keys: [x, y], verifier_config: {type: expression, expression: memory.x and memory.y}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use crate::rule::{Category, Rule};

/// The rule. Its page is the head of this file.
pub static RULE: Rule = Rule {
    id: "invalid-expression",
    former: &["expression-syntax", "routing-syntax", "verifier-syntax", "when-syntax"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
