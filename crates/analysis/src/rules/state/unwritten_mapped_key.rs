//! ## What it does
//!
//! Reports a mapping from a key of another graph that no node of that graph may write and that is not given to it.
//!
//! ## Why it matters
//!
//! The key is never there when the other graph has ended, and the mapping is skipped silently: a node that reads the
//! mapped key finds nothing.
//!
//! ## Example
//!
//! ```yaml expect=unwritten-mapped-key
//! id: account-setup
//! name: account-setup
//! description: Set an account up.
//! nodes:
//!   - {id: a, type: agent, agent_id: clerk, write_keys: [account_id]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ---
//! name: onboarding
//! description: Take a person on.
//! nodes:
//!   - {id: setup, type: subgraph, subgraph_config: {subgraph_id: account-setup, output_mapping: {account: account}}}
//! edges: []
//! start_node: setup
//! end_nodes: [setup]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: account-setup
//! name: account-setup
//! description: Set an account up.
//! nodes:
//!   - {id: a, type: agent, agent_id: clerk, write_keys: [account_id]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ---
//! name: onboarding
//! description: Take a person on.
//! nodes:
//!   - {id: setup, type: subgraph, subgraph_config: {subgraph_id: account-setup, output_mapping: {account_id: account}}}
//! edges: []
//! start_node: setup
//! end_nodes: [setup]
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unwritten-mapped-key",
    former: &["unwritten-output"],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn written_given_implied_and_unknown() {
        check_rule(
            "unwritten-mapped-key",
            r#"
#- /child.yaml
id: child
name: child
description: A child.
inputs: {given: {schema: {}}}
nodes:
  - {id: a, type: agent, agent_id: w, write_keys: [said]}
  - {id: t, type: tool, tool_id: t, tools: [t], write_keys: [dropped]}
  - {id: p, type: approval, approval_config: {}}
edges: []
start_node: a
end_nodes: [a]
#- /open.yaml
id: open
name: open
description: Anything may be written.
nodes: [{id: a, type: agent, agent_id: w, write_keys: ["*"]}]
edges: []
start_node: a
end_nodes: [a]
#- /parent.yaml
name: parent
description: A parent.
nodes:
  - id: a
    type: subgraph
    read_keys: [x]
    subgraph_config:
      subgraph_id: child
      input_mapping: {x: crossed, y: stopped}
      output_mapping:
        said: a
        given: b
        t_result: c
        human_response: d
        crossed: e
        stopped: f
#       ^^^^^^^ warning[unwritten-mapped-key]: nothing in `child` writes `stopped`
        dropped: g
#       ^^^^^^^ warning[unwritten-mapped-key]: nothing in `child` writes `dropped`
  - {id: b, type: subgraph, subgraph_config: {subgraph_id: open, output_mapping: {any: x}}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn mappings_of_agentos() {
        check_rule(
            "unwritten-mapped-key",
            r"
#- /child.yaml
id: child
nodes:
  - {id: out, executorConfig: {type: tool, toolName: t}}
edges:
  - {source: __START__, target: out, type: static}
stateSchema: {input: {type: object, properties: {level: {type: string}}}, scratch: {}, artifacts: {}}
#- /parent.yaml
id: parent
nodes:
  - id: sub
    executorConfig:
      type: subgraph
      graphId: child
      inputMapping: {risk: nope, rank: level}
      outputMapping: {gone: got, out: all, out.part: some}
#                     ^^^^ warning[unwritten-mapped-key]: no node of `child` leaves `gone`
edges:
  - {source: __START__, target: sub, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
",
        );
    }
}
