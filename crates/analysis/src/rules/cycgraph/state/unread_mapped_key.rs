//! ## What it does
//!
//! Reports a key of an `input_mapping`, of a subgraph or a remote agent, that the node does not read.
//!
//! ## Why it matters
//!
//! Only what the node reads is mapped; the key is skipped silently. A child graph that requires it fails.
//!
//! ## Example
//!
//! ```yaml expect=unread-mapped-key
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: subgraph, read_keys: [items], subgraph_config: {subgraph_id: child, input_mapping: {topic: subject}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: subgraph, read_keys: [topic], subgraph_config: {subgraph_id: child, input_mapping: {topic: subject}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::Origin;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::KeyMapping;
use nodewise_model::state::top_level;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::cycgraph::located_nodes;
use crate::rules::cycgraph::state::keys;
use crate::rules::graph_findings;
use crate::rules::state::subgraph_calls::{self, Call};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unread-mapped-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let required = required(context);
    for visit in located_nodes::nodes(context).filter(|visit| !visit.access.reads_all) {
        let inputs: &[KeyMapping] = match Work::of(visit.node) {
            Work::Subgraph(subgraph) => &subgraph.inputs,
            Work::RemoteAgent(remote) => &remote.inputs,
            _ => continue,
        };
        let read: FxHashSet<&str> = visit.access.reads.iter().map(|key| top_level(key)).collect();
        for key in inputs.iter().map(|mapping| &mapping.from) {
            if read.contains(key.value.as_str()) || required.contains(&key.at) {
                continue;
            }
            if keys::is_misspelt_in_reads(context, &visit, &key.value, Severity::Warning) {
                continue;
            }
            let message =
                format!("{} does not read `{}`", graph_findings::named(visit.node), short(&key.value));
            let finding = Finding::new(key.at, message).label("the mapping is skipped silently");
            report.push(fixes::with_mapped_read(context, (visit.node, visit.facts), key, finding));
        }
    }
}

/// Where keys are mapped to inputs that graphs require. `unmapped-input` reports those.
fn required(context: &Context<'_>) -> FxHashSet<Origin> {
    let of_call = |call: Call<'_>| {
        let crossing = call.crossing();
        let inputs = call.child.inputs.iter().flatten().filter(|port| port.required);
        let inputs = inputs.filter(|port| !crossing.contains(port.key.value.as_str()));
        let required: FxHashSet<&str> = inputs.map(|port| port.key.value.as_str()).collect();
        let mappings = call.work.inputs.iter();
        let to_required = mappings
            .filter(|mapping| mapping.to.as_ref().is_some_and(|to| required.contains(to.value.as_str())));
        to_required.map(|mapping| mapping.from.at).collect::<Vec<_>>()
    };
    subgraph_calls::calls(context).flat_map(of_call).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn parts_of_keys_and_wildcards() {
        check_rule(
            "unread-mapped-key",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: a2a, read_keys: [user.name], a2a_config: {server_id: s, input_mapping: {user: x, parts: y}}}
#                                                                                                  ^^^^^ warning[unread-mapped-key]: `a` does not read `parts`
  - {id: b, type: subgraph, read_keys: ["*"], subgraph_config: {subgraph_id: g, input_mapping: {parts: y}}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn an_input_that_another_mapping_fills() {
        check_rule(
            "unread-mapped-key",
            r"
#- /child.yaml
id: child
name: c
description: d
inputs: {amount: {schema: {}}}
nodes: [{id: a, type: agent, agent_id: x, read_keys: [amount]}]
edges: []
start_node: a
end_nodes: [a]
#- /parent.yaml
name: p
description: d
inputs: {total: {schema: {}}, count: {schema: {}}}
nodes:
  - {id: run, type: subgraph, read_keys: [total], subgraph_config: {subgraph_id: child, input_mapping: {count: amount, total: amount}}}
#                                                                                                       ^^^^^ warning[unread-mapped-key]: `run` does not read `count`
edges: []
start_node: run
end_nodes: [run]
",
        );
    }

    #[test]
    fn adds_it_to_the_reads() {
        check_fix(
            "unread-mapped-key",
            r#"
name: desk
description: A desk.
inputs: {two: {schema: {}}}
nodes:
  - {id: a, type: subgraph, read_keys: [one], subgraph_config: {subgraph_id: g, input_mapping: {two: y}}}
edges: []
start_node: a
end_nodes: [b]
"#,
            r#"
name: desk
description: A desk.
inputs: {two: {schema: {}}}
nodes:
  - {id: a, type: subgraph, read_keys: [one, two], subgraph_config: {subgraph_id: g, input_mapping: {two: y}}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
