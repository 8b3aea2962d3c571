//! ## What it does
//!
//! Reports an input that another graph requires and that the node which runs the graph does not map, or maps from a
//! key that the node does not read.
//!
//! ## Why it matters
//!
//! The run fails as soon as the node is visited, and is not tried again.
//!
//! ## Example
//!
//! ```yaml expect=unmapped-input
//! id: account-setup
//! name: account-setup
//! description: Set an account up.
//! inputs:
//!   person: {schema: {type: object}}
//! nodes:
//!   - {id: a, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ---
//! name: onboarding
//! description: Take a person on.
//! nodes:
//!   - {id: setup, type: subgraph, subgraph_config: {subgraph_id: account-setup}}
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
//!   person: {schema: {type: object}}
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

use rustc_hash::FxHashMap;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::cycgraph::located_nodes::Visit;
use crate::rules::cycgraph::state::keys;
use crate::rules::graph_findings;
use crate::rules::state::subgraph_calls::{self, Call};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unmapped-input",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for call in subgraph_calls::calls(context) {
        let required = call.child.inputs.iter().flatten().filter(|port| port.required);
        let crossing = call.crossing();
        let mapped: FxHashMap<&str, _> = call
            .work
            .inputs
            .iter()
            .filter_map(|mapping| Some((mapping.to.as_ref()?.value.as_str(), &mapping.from)))
            .collect();
        for port in required.filter(|port| !crossing.contains(port.key.value.as_str())) {
            let input = short(&port.key.value);
            let finding = match mapped.get(port.key.value.as_str()) {
                Some(from)
                    if keys::is_misspelt_in_reads(context, &visit(&call), &from.value, Severity::Error) =>
                {
                    continue;
                }
                Some(from) => {
                    let message =
                        format!("{} cannot read what it maps to `{input}`", graph_findings::named(call.node));
                    let finding = Finding::new(from.at, message)
                        .label("the other graph requires this input, and the run fails without it");
                    fixes::with_mapped_read(context, (call.node, call.parent_facts), from, finding)
                }
                None => unmapped(context, &call, &port.key.value),
            };
            report.push(finding.related(port.key.at, "the input is declared here"));
        }
    }
}

/// The node that runs the other graph.
fn visit<'a>(call: &Call<'a>) -> Visit<'a> {
    Visit {
        graph: call.parent,
        facts: call.parent_facts,
        node: call.node,
        position: call.position,
        access: call.access,
    }
}

/// The finding about an input to which the node maps nothing. If it maps something to a similar one, that is where it is wrong.
fn unmapped(context: &Context<'_>, call: &Call<'_>, input: &str) -> Finding {
    let message = format!("{} does not map the input `{}`", graph_findings::named(call.node), short(input));
    let graph = short(&call.reference.name);
    match call.misspelt(input) {
        Some(other) => {
            let finding = Finding::new(other.at, message)
                .label(format!("`{graph}` declares no input `{}`, and the run fails", short(&other.value)))
                .help(format!("write `{}`", short(input)));
            graph_findings::replace(context, finding, other, input)
        }
        None => Finding::new(call.reference.at, message)
            .label(format!("`{graph}` requires it, and the run fails without it"))
            .help("map a key that the node reads to it"),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn across_files_and_in_a_bundle() {
        check_rule(
            "unmapped-input",
            r#"
#- /child.yaml
id: child
name: child
description: A child.
inputs:
  one: {schema: {type: string}}
  two: {schema: {type: string}}
  three: {schema: {type: string}, required: false}
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
#- /parent.yaml
name: parent
description: A parent.
inputs: {x: {schema: {}}, y: {schema: {}}}
nodes:
  - {id: a, type: subgraph, read_keys: [x], subgraph_config: {subgraph_id: child, input_mapping: {x: one}}}
#                                                                          ^^^^^ error[unmapped-input]: `a` does not map the input `two`
  - {id: b, type: subgraph, read_keys: [x.part], subgraph_config: {subgraph_id: child, input_mapping: {x: one, y: two}}}
#                                                                                                              ^ error[unmapped-input]: `b` cannot read what it maps to `two`
  - {id: c, type: subgraph, read_keys: ["*"], subgraph_config: {subgraph_id: child, input_mapping: {x: one, y: two}}}
  - {id: d, type: subgraph, subgraph_config: {subgraph_id: elsewhere}}
edges: []
start_node: a
end_nodes: [b]
#- /z.bundle.yaml
manifest: {name: z, version: "1", requires: {}}
graph:
  id: main
  name: main
  description: d
  nodes: [{id: a, type: subgraph, subgraph_config: {subgraph_id: child}}]
#                                                                ^^^^^ error[unmapped-input]: `a` does not map the input `own`
  edges: []
  start_node: a
  end_nodes: [a]
graphs:
  - {id: other, name: o, description: o, nodes: [], edges: [], start_node: a, end_nodes: []}
  - id: child
    name: child
    description: d
    inputs: {own: {schema: {}}}
    nodes: [{id: a, type: router}]
    edges: []
    start_node: a
    end_nodes: [a]
"#,
        );
    }

    const CHILD: &str = "#- /child.yaml\nid: child\nname: c\ndescription: d\ninputs: {amount: {schema: {}}}\nnodes: [{id: a, type: agent, agent_id: x, read_keys: [amount]}]\nedges: []\nstart_node: a\nend_nodes: [a]\n";

    fn parent(reads: &str, mapping: &str) -> String {
        format!(
            "{CHILD}#- /parent.yaml\nname: p\ndescription: d\ninputs: {{total: {{schema: {{}}}}}}\nnodes:\n  - {{id: run, type: subgraph, read_keys: [{reads}], subgraph_config: {{subgraph_id: child, input_mapping: {{{mapping}}}}}}}\nedges: []\nstart_node: run\nend_nodes: [run]\n"
        )
    }

    #[test]
    fn lets_the_node_read_it() {
        check_fix(
            "unmapped-input",
            &parent("other", "total: amount"),
            &parent("other, total", "total: amount"),
        );
    }

    #[test]
    fn a_misspelt_key_has_one_finding() {
        // `unwritten-key` reports the read as an error too.
        let strict = parent("totl", "total: amount").replace("name: p\n", "name: p\nstrict_keys: true\n");
        check_rule("unmapped-input", &strict);
        let misspelt = parent("total", "total: amunt");
        check_rule("undeclared-port", &misspelt);
        check_fix("unmapped-input", &misspelt, &parent("total", "total: amount"));
    }

    #[test]
    fn nothing_is_known_of_a_graph_that_is_refused() {
        check_rule(
            "unmapped-input",
            r"
#- /child.yaml
id: child
name: child
inputs:
  one: {schema: {type: string}}
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
#- /parent.yaml
name: parent
description: A parent.
nodes:
  - {id: a, type: subgraph, subgraph_config: {subgraph_id: child}}
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}
