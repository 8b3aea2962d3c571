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
use crate::rules::graph_findings;
use crate::rules::state::subgraph_calls;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unmapped-input",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
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
                Some(from) => Finding::new(
                    from.at,
                    format!("{} cannot read what it maps to `{input}`", graph_findings::named(call.node)),
                )
                .label("the other graph requires this input, and the run fails without it")
                .help(format!("let the node read `{}`", short(&from.value))),
                None => Finding::new(
                    call.reference.at,
                    format!("{} does not map the input `{input}`", graph_findings::named(call.node)),
                )
                .label(format!("`{}` requires it, and the run fails without it", short(&call.reference.name)))
                .help("map a key that the node reads to it"),
            };
            report.push(finding.related(port.key.at, "the input is declared here"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

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
