//! ## What it does
//!
//! Reports a mapping to an input, or from an output, that the graph which is run does not declare. A graph that
//! declares no inputs, or no outputs, takes and gives what it is asked for.
//!
//! ## Why it matters
//!
//! The key crosses unchecked, or never: what one graph calls it is not what the other does. The release's own
//! authoring layer refuses such a mapping.
//!
//! ## Example
//!
//! ```yaml expect=undeclared-port
//! id: account-setup
//! name: account-setup
//! description: Set an account up.
//! inputs:
//!   person: {schema: {type: object}, required: false}
//! nodes:
//!   - {id: a, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ---
//! name: onboarding
//! description: Take a person on.
//! inputs:
//!   employee: {schema: {type: object}}
//! nodes:
//!   - id: setup
//!     type: subgraph
//!     read_keys: [employee]
//!     subgraph_config: {subgraph_id: account-setup, input_mapping: {employee: persn}}
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
//! inputs:
//!   person: {schema: {type: object}, required: false}
//! nodes:
//!   - {id: a, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ---
//! name: onboarding
//! description: Take a person on.
//! inputs:
//!   employee: {schema: {type: object}}
//! nodes:
//!   - id: setup
//!     type: subgraph
//!     read_keys: [employee]
//!     subgraph_config: {subgraph_id: account-setup, input_mapping: {employee: person}}
//! edges: []
//! start_node: setup
//! end_nodes: [setup]
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-port",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn inputs_and_outputs() {
        check_rule(
            "undeclared-port",
            r#"
#- /child.yaml
id: child
name: child
description: A child.
inputs: {one: {schema: {}}}
outputs: {result: {schema: {}}}
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
#- /free.yaml
id: free
name: free
description: A graph that declares nothing.
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
#- /parent.yaml
name: parent
description: A parent.
nodes:
  - id: a
    type: subgraph
    read_keys: ["*"]
    subgraph_config:
      subgraph_id: child
      input_mapping: {x: one, y: subject}
#                                ^^^^^^^ warning[undeclared-port]: `child` declares no input `subject`
      output_mapping: {result: x, reslt: y}
#                                 ^^^^^ warning[undeclared-port]: `child` declares no output `reslt`
  - {id: b, type: subgraph, read_keys: ["*"], subgraph_config: {subgraph_id: free, input_mapping: {x: any}, output_mapping: {any: x}}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn a_near_name_is_offered() {
        check_fix(
            "undeclared-port",
            r"
id: child
name: child
description: A child.
outputs: {result: {schema: {}}}
nodes: [{id: a, type: agent, agent_id: w, write_keys: [result]}]
edges: []
start_node: a
end_nodes: [a]
---
name: parent
description: A parent.
nodes:
  - {id: a, type: subgraph, subgraph_config: {subgraph_id: child, output_mapping: {reslt: y}}}
edges: []
start_node: a
end_nodes: [a]
",
            r"
id: child
name: child
description: A child.
outputs: {result: {schema: {}}}
nodes: [{id: a, type: agent, agent_id: w, write_keys: [result]}]
edges: []
start_node: a
end_nodes: [a]
---
name: parent
description: A parent.
nodes:
  - {id: a, type: subgraph, subgraph_config: {subgraph_id: child, output_mapping: {result: y}}}
edges: []
start_node: a
end_nodes: [a]
",
        );
    }

    #[test]
    fn mappings_of_agentos() {
        check_rule(
            "undeclared-port",
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
#                          ^^^^ warning[undeclared-port]: `child` declares no input `nope`
      outputMapping: {gone: got, out: all, out.part: some}
edges:
  - {source: __START__, target: sub, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
",
        );
    }
}
