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

use nodewise_dialect::tables::agentos::PARTITIONS;

use crate::diagnostic::{Finding, Severity};
use crate::near::nearest;
use crate::rule::{Category, Context, Needs, Part, Report, Rule};
use crate::rules::state::child;
use crate::rules::step;
use crate::rules::wording::{listed, short};
use crate::state::State;

pub(crate) static RULE: Rule = Rule {
    id: "unwritten-mapped-key",
    former: &["unwritten-output"],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};

pub(in crate::rules) static PART: Part =
    Part { severity: Severity::Warning, needs: Needs::Nodes, check, ..Part::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let has_parts = context.dialect().is_some_and(|dialect| dialect.has_parts());
    for call in child::calls(context).filter(|_| !has_parts) {
        let crossing = call.crossing();
        for key in call.work.outputs.iter().map(|mapping| &mapping.from) {
            if call.child_facts.may_hold(&key.value) || crossing.contains(key.value.as_str()) {
                continue;
            }
            let message =
                format!("nothing in `{}` writes `{}`", short(&call.reference.name), short(&key.value));
            let finding = Finding::new(key.at, message).label("the mapping is skipped silently");
            report.push(match call.child_facts.nearest_key(&key.value) {
                Some(near) => {
                    step::replace(context, finding.help(format!("write `{}`", short(near))), key, near)
                }
                None => finding.help("map a key that a node there may write, or let one write it"),
            });
        }
    }
    for call in child::part_calls(context) {
        let state = State::new(call.child);
        for path in call.work.outputs.iter().map(|mapping| &mapping.from) {
            let key = path.value.split('.').next().unwrap_or_default();
            // A part of the state in front of a path is a mistake of its own.
            if state.may_produce(key) || PARTITIONS.contains(&key) {
                continue;
            }
            let message = format!("no node of `{}` leaves `{}`", short(&call.reference.name), short(key));
            let finding = Finding::new(path.at, message).label("the mapping is skipped silently");
            let known = state.artifact_keys();
            report.push(match nearest(key, known.iter().copied()) {
                Some(near) if path.value == key => {
                    step::replace(context, finding.help(format!("write `{}`", short(near))), path, near)
                }
                _ => finding.help(format!("its nodes leave {}", listed(known))),
            });
        }
    }
}

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
