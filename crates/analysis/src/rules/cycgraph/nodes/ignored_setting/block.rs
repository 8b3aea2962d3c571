//! What `ignored-setting` finds here. Reports blocks of settings that belong to another type than the node's.

use nodewise_model::Origin;
use nodewise_model::cycgraph::Work;

use crate::diagnostic::Finding;
use crate::rule::{Context, Report};
use crate::rules::cycgraph::located_nodes;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    for visit in located_nodes::nodes(context).filter(|visit| !matches!(Work::of(visit.node), Work::Unknown))
    {
        let Some(word) = &visit.node.type_word else { continue };
        for work in Work::idle(visit.node) {
            for at in places(work) {
                let written = short(located_nodes::key(context, at));
                let message = format!("`{written}` does nothing at {}", graph_findings::named(visit.node));
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

/// The places of the settings for a kind of work.
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
