//! What `tainted-prompt` finds in cycgraph: the system prompts of the agents that a node names.

use super::trust::{agents, trust_of};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::security::{prompts, trust};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for trusted in trust::graphs(context, trust_of) {
        let instructions = |node| {
            let named = agents(context, trusted.place, node);
            named.filter_map(|(reference, agent)| Some((reference.at, agent.prompt.as_ref()?))).collect()
        };
        prompts::report_prompts(&trusted, instructions, report);
    }
}
