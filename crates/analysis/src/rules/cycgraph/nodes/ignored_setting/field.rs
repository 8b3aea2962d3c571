//! What `ignored-setting` finds here. Reports `agent_id`, `memory_query` and `default_write_key` at nodes of
//! types that do not look at them, and the `agent_id` of a supervisor whose settings name another agent.

use nodewise_model::Origin;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::GraphNode;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::cycgraph::located_nodes::{answers_in_text, nodes};
use crate::rules::graph_findings;

pub(super) static PART: RulePart = RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context).filter(|visit| !matches!(Work::of(visit.node), Work::Unknown)) {
        let node = visit.node;
        let ignored = [
            (idle_agent(node), "no agent of its own runs here"),
            (idle_query(node), "nothing is fetched here"),
            (idle_default(node), "no plain text is answered here"),
        ];
        for (at, label) in ignored {
            if let Some(at) = at {
                let message = format!("{} does not look at this", graph_findings::named(node));
                report.push(Finding::new(at, message).label(label).help("remove it"));
            }
        }
    }
}

fn idle_agent(node: &GraphNode) -> Option<Origin> {
    let is_idle = match Work::of(node) {
        Work::Agent(_) | Work::Synthesizer | Work::Tool(_) | Work::RemoteAgent(_) => false,
        Work::Supervisor(supervisor) => supervisor.agent.is_some(),
        _ => true,
    };
    node.agent.as_ref().filter(|_| is_idle).map(|agent| agent.at)
}

fn idle_query(node: &GraphNode) -> Option<Origin> {
    let is_idle = match Work::of(node) {
        Work::Agent(_) | Work::Supervisor(_) | Work::Voting(_) | Work::Evolution(_) => false,
        Work::Synthesizer => node.agent.is_none(),
        _ => true,
    };
    node.memory_query.as_ref().filter(|_| is_idle)?.at
}

fn idle_default(node: &GraphNode) -> Option<Origin> {
    let is_idle = !answers_in_text(node) && !matches!(Work::of(node), Work::Agent(_));
    node.access.default_write.as_ref().filter(|_| is_idle).map(|key| key.at)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn by_type() {
        check_rule(
            "ignored-setting",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: one, supervisor_config: {agent_id: two, managed_nodes: []}}
#                                       ^^^ hint[ignored-setting]: `a` does not look at this
  - {id: b, type: synthesizer, memory_query: {text: x}, write_keys: [k], default_write_key: k}
#                              ^^^^^^^^^^^^ hint[ignored-setting]: `b` does not look at this
#                                                                                           ^ hint[ignored-setting]: `b` does not look at this
  - {id: c, type: supervisor, agent_id: one, memory_query: {}, supervisor_config: {managed_nodes: []}}
  - {id: d, type: tool, tool_id: t, agent_id: one}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
