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

use nodewise_dialect::tables::agentos::{INPUT, PARTITIONS};
use nodewise_model::Located;
use nodewise_model::graph::Port;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::near::nearest;
use crate::rule::{Category, Context, Part, Report, Rule};
use crate::rules::state::child;
use crate::rules::state::interface;
use crate::rules::step;
use crate::rules::wording::{listed, short};
use crate::schema::{self, Member};

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-port",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};

pub(in crate::rules) static PART: Part = Part { severity: Severity::Warning, check, ..Part::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for call in child::calls(context) {
        let graph = short(&call.reference.name);
        if let Some(inputs) = &call.child.inputs {
            let mapped = call.work.inputs.iter().filter_map(|mapping| mapping.to.as_ref());
            for key in undeclared(inputs, mapped) {
                let message = format!("`{graph}` declares no input `{}`", short(&key.value));
                let finding = Finding::new(key.at, message).label("the graph does not expect the key");
                report.push(with_known(context, finding, key, inputs));
            }
        }
        if let Some(outputs) = &call.child.outputs {
            let mapped = call.work.outputs.iter().map(|mapping| &mapping.from);
            for key in undeclared(outputs, mapped) {
                let message = format!("`{graph}` declares no output `{}`", short(&key.value));
                let finding = Finding::new(key.at, message).label("the graph does not promise the key");
                report.push(with_known(context, finding, key, outputs));
            }
        }
    }
    for call in child::part_calls(context) {
        let parts = call.child.state.iter().flat_map(|state| &state.value);
        let Some(input) = parts.filter(|part| part.name.value == INPUT).find_map(|part| part.schema.as_ref())
        else {
            continue;
        };
        for path in call.work.inputs.iter().filter_map(|mapping| mapping.to.as_ref()) {
            // A part of the state in front of a path is a mistake of its own.
            if PARTITIONS.contains(&path.value.split('.').next().unwrap_or_default()) {
                continue;
            }
            let Member::Undeclared(position, known) = schema::member(input, path.value.split('.')) else {
                continue;
            };
            let name = path.value.split('.').nth(position).unwrap_or_default();
            let message =
                format!("`{}` declares no input `{}`", short(&call.reference.name), short(&path.value));
            let finding = Finding::new(path.at, message).label("the graph does not expect it");
            let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            report.push(match nearest(name, names.iter().copied()) {
                Some(near) => finding.help(format!("write `{}`", short(near))),
                None => finding.help(format!("it declares {}", listed(names))),
            });
        }
    }
}

/// The keys that are none of the ports.
fn undeclared<'k>(
    ports: &[Port],
    keys: impl Iterator<Item = &'k Located<SmolStr>>,
) -> impl Iterator<Item = &'k Located<SmolStr>> {
    let declared = interface::by_key(ports);
    keys.filter(move |key| !declared.contains_key(key.value.as_str()))
}

/// Says which key was meant, or which there are.
fn with_known(context: &Context<'_>, finding: Finding, key: &Located<SmolStr>, ports: &[Port]) -> Finding {
    let names = || ports.iter().map(|port| port.key.value.as_str());
    match nearest(&key.value, names()) {
        Some(near) => step::replace(context, finding.help(format!("write `{}`", short(near))), key, near),
        None if ports.is_empty() => finding.help("declare the key there, or remove the mapping"),
        None => finding.help(format!("it declares {}", listed(names()))),
    }
}

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
