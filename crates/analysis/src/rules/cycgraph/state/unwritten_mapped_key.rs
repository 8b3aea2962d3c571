//! What `unwritten-mapped-key` finds in cycgraph: keys that nothing in the other graph writes.

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::graph_findings;
use crate::rules::state::subgraph_calls;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, needs: Needs::Nodes, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for call in subgraph_calls::calls(context) {
        let crossing = call.crossing();
        for key in call.work.outputs.iter().map(|mapping| &mapping.from) {
            if call.child_facts.may_hold(&key.value) || crossing.contains(key.value.as_str()) {
                continue;
            }
            // `undeclared-port` reports a key that is not among the declared outputs.
            let outputs = call.child.outputs.as_ref();
            if outputs.is_some_and(|outputs| outputs.iter().all(|port| port.key.value != key.value)) {
                continue;
            }
            let message =
                format!("nothing in `{}` writes `{}`", short(&call.reference.name), short(&key.value));
            let finding = Finding::new(key.at, message).label("the mapping is skipped silently");
            report.push(match call.child_facts.nearest_key(&key.value) {
                Some(near) => graph_findings::replace(
                    context,
                    finding.help(format!("write `{}`", short(near))),
                    key,
                    near,
                ),
                None => finding.help("map a key that a node there may write, or let one write it"),
            });
        }
    }
}
