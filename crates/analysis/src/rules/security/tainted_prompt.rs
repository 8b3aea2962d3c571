//! ## What it does
//!
//! Reports the instructions of a model that have a placeholder, such as `{{memory.mail}}`, for a value that nobody vouches
//! for. The value comes to the node without a person or a check on the path.
//!
//! ## Why it matters
//!
//! No runtime fills in placeholders in instructions. If your program does, strangers write a part of the instructions: "ignore
//! all rules above". If it does not, the model sees the braces and not the value.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=tainted-prompt
//! manifest: {name: desk, version: "1", requires: {models: [m], mcp_servers: [{id: mail}]}}
//! graph:
//!   name: desk
//!   description: Answers mail.
//!   nodes:
//!     - {id: read, type: agent, agent_id: reader, tools: [{type: mcp, server_id: mail, tool_names: [read_mail]}], write_keys: [mail]}
//!     - {id: answer, type: agent, agent_id: writer, read_keys: [mail], write_keys: [answer]}
//!   edges: [{source: read, target: answer}]
//!   start_node: read
//!   end_nodes: [answer]
//! agents:
//!   - {id: reader, name: Reader, provider: anthropic, model: m, system_prompt: Read the last mail.}
//!   - {id: writer, name: Writer, provider: anthropic, model: m, system_prompt: "Answer this mail: {{mail}}"}
//! ```
//!
//! In AgentOS:
//!
//! ```yaml expect=tainted-prompt
//! id: brief
//! name: Brief
//! nodes:
//!   - {id: find, type: tool, executorConfig: {type: tool, toolName: web_search}, effectClass: read, executionMode: single_turn, checkpoint: none}
//!   - {id: write, type: gmi, executorConfig: {type: gmi, instructions: "Sum up {{artifacts.find}}."}, effectClass: read, executionMode: single_turn, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: find, type: static}
//!   - {id: e2, source: find, target: write, type: static}
//!   - {id: e3, source: write, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: live
//! ```
//!
//! ## Instead
//!
//! The model gets what the node reads as data, apart from the instructions. In cycgraph:
//!
//! ```yaml ok
//! manifest: {name: desk, version: "1", requires: {models: [m], mcp_servers: [{id: mail}]}}
//! graph:
//!   name: desk
//!   description: Answers mail.
//!   nodes:
//!     - {id: read, type: agent, agent_id: reader, tools: [{type: mcp, server_id: mail, tool_names: [read_mail]}], write_keys: [mail]}
//!     - {id: answer, type: agent, agent_id: writer, read_keys: [mail], write_keys: [answer]}
//!   edges: [{source: read, target: answer}]
//!   start_node: read
//!   end_nodes: [answer]
//! agents:
//!   - {id: reader, name: Reader, provider: anthropic, model: m, system_prompt: Read the last mail.}
//!   - {id: writer, name: Writer, provider: anthropic, model: m, system_prompt: Answer the mail in the state.}
//! ```
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: brief
//! name: Brief
//! nodes:
//!   - {id: find, type: tool, executorConfig: {type: tool, toolName: web_search}, effectClass: read, executionMode: single_turn, checkpoint: none}
//!   - {id: write, type: gmi, executorConfig: {type: gmi, instructions: Sum up what the search found.}, effectClass: read, executionMode: single_turn, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: find, type: static}
//!   - {id: e2, source: find, target: write, type: static}
//!   - {id: e3, source: write, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: live
//! ```
//!
//! ## Options
//!
//! `[security]` in `nodewise.toml`: what tools and servers in `trusted` bring in is not reported.

use crate::rule::{Category, Rule};

/// The rule. Its page is the head of this file.
pub(in crate::rules) static RULE: Rule = Rule {
    id: "tainted-prompt",
    former: &[],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

#[cfg(test)]
mod tests;
