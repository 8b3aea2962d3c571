//! ## What it does
//!
//! Reports inputs and outputs of a bundle's manifest that are not those of its main graph. What misleads for certain is
//! a warning: another type, an output that nothing writes, a required input that a list of others lacks.
//!
//! ## Why it matters
//!
//! A person who runs the bundle reads the manifest; what runs is the graph. No release compares them.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-manifest
//! manifest:
//!   name: brief
//!   version: "1.0"
//!   inputs: {topic: {schema: {type: string}}}
//!   requires: {}
//! graph:
//!   name: brief
//!   description: Write a brief.
//!   inputs: {subject: {schema: {type: string}}}
//!   nodes: [{id: a, type: agent, agent_id: writer, read_keys: [subject], write_keys: [brief]}]
//!   edges: []
//!   start_node: a
//!   end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! manifest:
//!   name: brief
//!   version: "1.0"
//!   inputs: {subject: {schema: {type: string}}}
//!   requires: {}
//! graph:
//!   name: brief
//!   description: Write a brief.
//!   inputs: {subject: {schema: {type: string}}}
//!   nodes: [{id: a, type: agent, agent_id: writer, read_keys: [subject], write_keys: [brief]}]
//!   edges: []
//!   start_node: a
//!   end_nodes: [a]
//! ```

use nodewise_model::Body;
use nodewise_model::graph::{Bundle, Port};

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::state::interface;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-manifest",
    former: &["manifest-mismatch"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents().filter(|document| !document.refused) {
        let Some(effective) = context.index.effective(document) else { continue };
        let Some(Body::Bundle(bundle)) = effective.declaration.as_ref().map(|declaration| &declaration.body)
        else {
            continue;
        };
        if let Some((_, facts)) = context.facts_of(effective).next().filter(|_| bundle.graph.is_some()) {
            check_inputs(bundle, report);
            check_outputs(bundle, facts, report);
        }
    }
}

fn check_inputs(bundle: &Bundle, report: &mut Report) {
    let Some(taken) = bundle.graph.as_ref().and_then(|graph| graph.inputs.as_deref()) else { return };
    let listed = bundle.inputs.as_deref().unwrap_or_default();
    check_types(listed, taken, report);
    for port in missing(listed, taken) {
        let message = format!("the main graph has no input `{}`", short(&port.key.value));
        let finding = Finding::new(port.key.at, message).label("the manifest requires it without need");
        report.push_at(Severity::Hint, finding.help("declare it in the graph too, or remove it here"));
    }
    for port in missing(taken, listed).filter(|port| port.required) {
        let message = format!("the manifest does not list the input `{}`", short(&port.key.value));
        let finding = Finding::new(port.key.at, message)
            .label("the graph requires it, but users of the manifest do not know it")
            .help("add it to the manifest's inputs");
        // A manifest without a list is incomplete, not wrong.
        report.push_at(if listed.is_empty() { Severity::Hint } else { Severity::Warning }, finding);
    }
}

fn check_outputs(bundle: &Bundle, facts: &GraphFacts, report: &mut Report) {
    let listed = bundle.outputs.as_deref().unwrap_or_default();
    let promised = bundle.graph.as_ref().and_then(|graph| graph.outputs.as_deref());
    check_types(listed, promised.unwrap_or_default(), report);
    for port in listed.iter().filter(|port| !facts.may_hold(&port.key.value)) {
        let message = format!("nothing in the main graph writes `{}`", short(&port.key.value));
        let finding =
            Finding::new(port.key.at, message).label("the manifest promises an output that never exists");
        report.push(finding.help("list a key that a node may write"));
    }
    for port in promised.into_iter().flat_map(|promised| missing(listed, promised)) {
        if facts.may_hold(&port.key.value) {
            let message = format!("the main graph declares no output `{}`", short(&port.key.value));
            let finding =
                Finding::new(port.key.at, message).label("the manifest promises more than the graph");
            report.push_at(Severity::Hint, finding.help("declare it in the graph too, or remove it here"));
        }
    }
}

fn check_types(listed: &[Port], declared: &[Port], report: &mut Report) {
    let declared = interface::by_key(declared);
    for port in listed {
        let Some(other) = declared.get(port.key.value.as_str()) else { continue };
        if let Some((is, wanted)) = interface::clash(port, other) {
            let message = format!("`{}` is listed as {is}", short(&port.key.value));
            report.push(
                Finding::new(port.key.at, message)
                    .label(format!("the main graph declares {wanted}"))
                    .help("declare both alike")
                    .related(other.key.at, "the graph's own declaration"),
            );
        }
    }
}

/// The ports of `these` whose keys are not in `others`.
fn missing<'p>(these: &'p [Port], others: &[Port]) -> impl Iterator<Item = &'p Port> {
    let known = interface::by_key(others);
    let missing: Vec<&Port> =
        these.iter().filter(|port| !known.contains_key(port.key.value.as_str())).collect();
    missing.into_iter()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn inputs_and_outputs() {
        check_rule(
            "mismatched-manifest",
            r#"
manifest:
  name: b
  version: "1"
  inputs:
    topic: {schema: {type: string}}
    count: {schema: {type: integer}}
    extra: {schema: {}}
#   ^^^^^ hint[mismatched-manifest]: the main graph has no input `extra`
    kind: {schema: {type: array}}
#   ^^^^ warning[mismatched-manifest]: `kind` is listed as a list
  outputs:
    brief: {schema: {type: string}}
    notes: {schema: {}}
#   ^^^^^ hint[mismatched-manifest]: the main graph declares no output `notes`
    lost: {schema: {}}
#   ^^^^ warning[mismatched-manifest]: nothing in the main graph writes `lost`
  requires: {}
graph:
  name: g
  description: d
  inputs:
    topic: {schema: {type: string}}
    count: {schema: {type: number}}
    kind: {schema: {type: object}}
    needed: {schema: {}}
#   ^^^^^^ warning[mismatched-manifest]: the manifest does not list the input `needed`
    optional: {schema: {}, required: false}
  outputs: {brief: {schema: {type: string}}}
  nodes: [{id: a, type: agent, agent_id: w, write_keys: [brief, notes]}]
  edges: []
  start_node: a
  end_nodes: [a]
"#,
        );
    }

    #[test]
    fn a_manifest_without_lists() {
        check_rule(
            "mismatched-manifest",
            r#"
manifest: {name: b, version: "1", requires: {}}
graph:
  name: g
  description: d
  inputs: {needed: {schema: {}}}
#          ^^^^^^ hint[mismatched-manifest]: the manifest does not list the input `needed`
  outputs: {brief: {schema: {}}}
  nodes: [{id: a, type: agent, agent_id: w, write_keys: [brief]}]
  edges: []
  start_node: a
  end_nodes: [a]
"#,
        );
    }
}
