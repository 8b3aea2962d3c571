//! What `unreachable-node` finds in AgentOS.

use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::graph_findings;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("agentos:R2"),
    severity: Severity::Warning,
    absence: true,
    needs: Needs::Edges,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        // Where no edge comes from the start, that is the only thing to fix.
        if !context.file.settings.is_literal && !graph_findings::begins(graph) {
            continue;
        }
        for finding in graph_findings::unreachable(context, graph, facts) {
            let finding = finding.label("it waits for nothing, so it runs in the first batch");
            report.push(finding.help("add an edge that leads to it, or remove the node"));
        }
    }
}
