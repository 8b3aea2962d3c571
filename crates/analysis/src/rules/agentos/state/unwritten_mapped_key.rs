//! What `unwritten-mapped-key` finds in AgentOS: artifacts that no node of the other graph leaves.

use nodewise_dialect::tables::agentos::PARTITIONS;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::State;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::graph_findings;
use crate::rules::state::subgraph_calls;
use crate::rules::wording::{listed, short};
use crate::suggest::nearest;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, needs: Needs::Nodes, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for call in subgraph_calls::calls(context) {
        let state = State::new(call.child, call.child_facts);
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
                Some(near) if path.value == key => graph_findings::replace(
                    context,
                    finding.help(format!("write `{}`", short(near))),
                    path,
                    near,
                ),
                _ => finding.help(format!("its nodes leave {}", listed(known))),
            });
        }
    }
}
