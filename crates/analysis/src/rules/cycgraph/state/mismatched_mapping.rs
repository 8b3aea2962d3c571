//! ## What it does
//!
//! Reports a mapping between two keys that both graphs declare, with types that exclude one another. `number` and
//! `integer` are alike. A key that other nodes may write too is not checked.
//!
//! ## Why it matters
//!
//! The value is compared with the schema of the other graph, and the node fails.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-mapping
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
//!   name: {schema: {type: string}}
//! nodes:
//!   - id: setup
//!     type: subgraph
//!     read_keys: [name]
//!     subgraph_config: {subgraph_id: account-setup, input_mapping: {name: person}}
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
//!   person: {schema: {type: object}}
//! nodes:
//!   - id: setup
//!     type: subgraph
//!     read_keys: [person]
//!     subgraph_config: {subgraph_id: account-setup, input_mapping: {person: person}}
//! edges: []
//! start_node: setup
//! end_nodes: [setup]
//! ```

use nodewise_model::Origin;
use nodewise_model::graph::Port;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::state::interface;
use crate::rules::state::subgraph_calls::{self, Call};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-mapping",
    former: &["mapped-type"],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for call in subgraph_calls::calls(context) {
        check_inputs(&call, report);
        check_outputs(&call, report);
    }
}

/// Checks the mapping from this graph's keys to the inputs of the other graph.
fn check_inputs(call: &Call<'_>, report: &mut Report) {
    let given = interface::by_key(call.parent.inputs.as_deref().unwrap_or_default());
    let taken = interface::by_key(call.child.inputs.as_deref().unwrap_or_default());
    let crossing = call.crossing();
    for mapping in &call.work.inputs {
        let Some(to) = mapping.to.as_ref().filter(|to| crossing.contains(to.value.as_str())) else {
            continue;
        };
        let key = mapping.from.value.as_str();
        let may_change =
            !call.parent_facts.writers(key).is_empty() || !call.parent_facts.wildcard_writers.is_empty();
        let (Some(from), Some(into)) = (given.get(key), taken.get(to.value.as_str())) else { continue };
        if !may_change && let Some((is, wanted)) = interface::clash(from, into) {
            let label = format!("`{}` wants {wanted}: the run fails here", short(&call.reference.name));
            report.push(finding(to.at, key, is, label, into));
        }
    }
}

/// Checks the mapping from the other graph's outputs to keys of this graph.
fn check_outputs(call: &Call<'_>, report: &mut Report) {
    let given = interface::by_key(call.child.outputs.as_deref().unwrap_or_default());
    let promised = interface::by_key(call.parent.outputs.as_deref().unwrap_or_default());
    for mapping in &call.work.outputs {
        let Some(to) = &mapping.to else { continue };
        let is_only_writer =
            call.parent_facts.writers(&to.value).len() <= 1 && call.parent_facts.wildcard_writers.is_empty();
        let key = mapping.from.value.as_str();
        let (Some(from), Some(into)) = (given.get(key), promised.get(to.value.as_str())) else { continue };
        if is_only_writer && let Some((is, wanted)) = interface::clash(from, into) {
            let label = format!("this graph promises {wanted}");
            report.push_at(Severity::Warning, finding(mapping.from.at, key, is, label, into));
        }
    }
}

fn finding(at: Origin, key: &str, is: &str, label: String, declared: &Port) -> Finding {
    Finding::new(at, format!("`{}` is declared as {is}", short(key)))
        .label(label)
        .help("map another key, or declare both alike")
        .related(declared.key.at, "the other declaration")
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn both_ways() {
        check_rule(
            "mismatched-mapping",
            r"
#- /child.yaml
id: child
name: child
description: A child.
inputs:
  amount: {schema: {type: number}}
  person: {schema: {type: object}}
outputs:
  words: {schema: {type: array}}
nodes: [{id: a, type: agent, agent_id: w, write_keys: [words]}]
edges: []
start_node: a
end_nodes: [a]
#- /parent.yaml
name: parent
description: A parent.
inputs:
  count: {schema: {type: integer}}
  name: {schema: {type: string}}
  draft: {schema: {type: string}}
  any: {schema: {}}
  either: {schema: {type: [string, object]}}
outputs:
  text: {schema: {type: string}}
nodes:
  - id: a
    type: subgraph
    read_keys: [count, name]
    subgraph_config:
      subgraph_id: child
      input_mapping: {count: amount, name: person}
#                                          ^^^^^^ error[mismatched-mapping]: `name` is declared as text
      output_mapping: {words: text}
#                      ^^^^^ warning[mismatched-mapping]: `words` is declared as a list
  - {id: b, type: subgraph, read_keys: [count, draft], subgraph_config: {subgraph_id: child, input_mapping: {count: amount, draft: person}}}
  - {id: c, type: subgraph, read_keys: [count, any], subgraph_config: {subgraph_id: child, input_mapping: {count: amount, any: person}}}
  - {id: d, type: subgraph, read_keys: [count, either], subgraph_config: {subgraph_id: child, input_mapping: {count: amount, either: person}}}
  - {id: e, type: agent, agent_id: w, write_keys: [draft]}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
