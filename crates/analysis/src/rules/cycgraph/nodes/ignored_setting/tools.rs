//! What `ignored-setting` finds here. Reports `tools` of a node that does not take tools from there: only tools,
//! and agents without annealing or swarm, do.

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::graph_findings;

pub(super) static PART: RulePart = RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let takes_tools = match Work::of(visit.node) {
            Work::Tool(_) | Work::Unknown => true,
            Work::Agent(agent) => agent.annealing.is_none() && agent.swarm.is_none(),
            _ => false,
        };
        let tools = visit.node.tools.as_ref().filter(|tools| !takes_tools && !tools.value.is_empty());
        if let Some(tools) = tools {
            let message = format!("{} does not take its tools from here", graph_findings::named(visit.node));
            report.push(
                Finding::new(tools.at, message)
                    .label("only tools, and agents without annealing or swarm, do")
                    .help("give them to the agent in its own definition"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn agents_that_do_more() {
        check_rule(
            "ignored-setting",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, tools: [t], annealing_config: {}}
#                                     ^^^^^ hint[ignored-setting]: `a` does not take its tools from here
  - {id: b, type: router, tools: []}
  - {id: c, type: tool, tool_id: t, tools: [t]}
  - {id: d, type: router, tools: [t]}
#                         ^^^^^ hint[ignored-setting]: `d` does not take its tools from here
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
