//! What `undeclared-port` finds in cycgraph: keys that are mapped to ports, or from ports, that the graph does not declare.

use nodewise_model::Located;
use nodewise_model::graph::Port;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
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
}

/// The keys that are not among the ports.
fn undeclared<'k>(
    ports: &[Port],
    keys: impl Iterator<Item = &'k Located<SmolStr>>,
) -> impl Iterator<Item = &'k Located<SmolStr>> {
    let declared = interface::by_key(ports);
    keys.filter(move |key| !declared.contains_key(key.value.as_str()))
}

/// Adds help to a finding: the key that was probably meant, or the keys that exist.
fn with_known(context: &Context<'_>, finding: Finding, key: &Located<SmolStr>, ports: &[Port]) -> Finding {
    let names = || ports.iter().map(|port| port.key.value.as_str());
    match nearest(&key.value, names()) {
        Some(near) => {
            graph_findings::replace(context, finding.help(format!("write `{}`", short(near))), key, near)
        }
        None if ports.is_empty() => finding.help("declare the key there, or remove the mapping"),
        None => finding.help(format!("it declares {}", listed(names()))),
    }
}
