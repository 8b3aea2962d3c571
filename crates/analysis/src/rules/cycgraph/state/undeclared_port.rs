//! What `undeclared-port` finds in cycgraph: keys that are mapped to ports, or from ports, that the graph does not declare.

use nodewise_model::graph::Port;
use nodewise_model::state::top_level;
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::cycgraph::state::keys;
use crate::rules::graph_findings;
use crate::rules::state::{interface, subgraph_calls};
use crate::rules::wording::{listed, short};
use crate::suggest::nearest;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for call in subgraph_calls::calls(context) {
        let graph = short(&call.reference.name);
        if let Some(inputs) = &call.child.inputs {
            let mapped = call.work.inputs.iter().filter_map(|mapping| mapping.to.as_ref());
            let is_read = |key: &Located<SmolStr>| {
                let mut read = call.child.nodes.iter().flat_map(|node| &node.access.reads);
                read.any(|read| top_level(&read.value) == key.value)
                    && !keys::is_there(context, call.child_facts, &key.value)
            };
            let required = inputs.iter().filter(|port| port.required);
            // `unmapped-input` reports these.
            let misspelt: Vec<Origin> =
                required.filter_map(|port| Some(call.misspelt(&port.key.value)?.at)).collect();
            // If the graph itself uses the name, its declaration is wrong, which is reported there.
            let is_reported = |key: &Located<SmolStr>| {
                misspelt.contains(&key.at) || near_port(key, inputs).is_some() && is_read(key)
            };
            for key in undeclared(inputs, mapped).filter(|key| !is_reported(key)) {
                let message = format!("`{graph}` declares no input `{}`", short(&key.value));
                let finding = Finding::new(key.at, message).label("the graph does not expect the key");
                report.push(with_known(context, finding, key, inputs));
            }
        }
        if let Some(outputs) = &call.child.outputs {
            let mapped = call.work.outputs.iter().map(|mapping| &mapping.from);
            let is_written = |key: &str| call.child_facts.is_producible(key);
            // If the graph writes the key, but not the output with nearly this name, its declaration is wrong.
            let is_reported = |key: &Located<SmolStr>| {
                is_written(&key.value) && near_port(key, outputs).is_some_and(|near| !is_written(near))
            };
            for key in undeclared(outputs, mapped).filter(|key| !is_reported(key)) {
                let message = format!("`{graph}` declares no output `{}`", short(&key.value));
                let finding = Finding::new(key.at, message).label("the graph does not promise the key");
                report.push(with_known(context, finding, key, outputs));
            }
        }
    }
}

/// The keys that are not among the ports.
fn undeclared<'k>(
    ports: &[Port],
    keys: impl Iterator<Item = &'k Located<SmolStr>>,
) -> impl Iterator<Item = &'k Located<SmolStr>> {
    let declared = interface::by_key(ports);
    keys.filter(move |key| !declared.contains_key(key.value.as_str()))
}

/// The declared port that has nearly the name of the key.
fn near_port<'p>(key: &Located<SmolStr>, ports: &'p [Port]) -> Option<&'p str> {
    nearest(&key.value, ports.iter().map(|port| port.key.value.as_str()))
}

/// Adds help to a finding: the key that was probably meant, or the keys that exist.
fn with_known(context: &Context<'_>, finding: Finding, key: &Located<SmolStr>, ports: &[Port]) -> Finding {
    let names = || ports.iter().map(|port| port.key.value.as_str());
    match near_port(key, ports) {
        Some(near) => {
            graph_findings::replace(context, finding.help(format!("write `{}`", short(near))), key, near)
        }
        None if ports.is_empty() => finding.help("declare the key there, or remove the mapping"),
        None => finding.help(format!("it declares {}", listed(names()))),
    }
}
