//! ## What it does
//!
//! Reports settings that belong to another type than the node's: a block such as `voting_config` on a
//! `router`, or a `tool_id` on an agent.
//!
//! ## Why it matters
//!
//! Nothing runs them. Nodes that such a block names may count as reached all the same, which hides a mistake.
//!
//! ## Example
//!
//! ```yaml expect=idle-settings
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router, voting_config: {voter_agent_ids: [one]}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: voting, voting_config: {voter_agent_ids: [one]}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::Origin;
use nodewise_model::work::Work;

use super::wording::short;
use super::{step, visit};
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "idle-settings",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in visit::nodes(context).filter(|visit| !matches!(visit.node.work, Work::Unknown)) {
        let Some(word) = &visit.node.type_word else { continue };
        for work in &visit.node.idle {
            for at in places(work) {
                let written = short(visit::key(context, at));
                let message = format!("`{written}` does nothing at {}", step::named(visit.node));
                report.push(
                    Finding::new(at, message)
                        .label(format!("the node's type is `{}`", short(&word.value)))
                        .help("remove it, or give the node the type that it belongs to")
                        .related(word.at, "this decides what runs"),
                );
            }
        }
    }
}

/// Where the settings of a work stand.
fn places(work: &Work) -> Vec<Origin> {
    let place = match work {
        Work::Agent(agent) => {
            let annealing = agent.annealing.iter().map(|annealing| annealing.at);
            return annealing.chain(agent.swarm.iter().map(|swarm| swarm.at)).collect();
        }
        Work::Tool(tool) => tool.tool.as_ref().map(|tool| tool.at),
        Work::Subgraph(subgraph) => subgraph.settings_at,
        Work::Human(human) => human.settings_at,
        Work::Supervisor(supervisor) => supervisor.settings_at,
        Work::RemoteAgent(remote) => remote.settings_at,
        Work::Map(map) => map.settings_at,
        Work::Voting(voting) => voting.settings_at,
        Work::Evolution(evolution) => evolution.settings_at,
        Work::Verifier(verifier) => verifier.settings_at,
        Work::Reflection(reflection) => reflection.settings_at,
        _ => None,
    };
    place.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn blocks_of_other_types() {
        check_rule(
            "idle-settings",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: [y], tool_id: find, map_reduce_config: {worker_node_id: b}}
#                                                               ^^^^ warning[idle-settings]: `find` does nothing at `a`
#                                                                     ^^^^^^^^^^^^^^^^^ warning[idle-settings]: `map_reduce_config` does nothing at `a`
  - {id: b, type: tool, tool_id: find, annealing_config: {}, swarm_config: {peer_nodes: []}}
#                                      ^^^^^^^^^^^^^^^^ warning[idle-settings]: `annealing_config` does nothing at `b`
#                                                            ^^^^^^^^^^^^ warning[idle-settings]: `swarm_config` does nothing at `b`
  - {id: c, type: nonsense, tool_id: find}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
