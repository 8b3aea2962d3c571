//! ## What it does
//!
//! Reports a node without the settings that its type needs: the block of keys that belongs to the type, a name
//! in it, or the agent of an `agent` or a `supervisor`.
//!
//! ## Why it matters
//!
//! The graph does not load.
//!
//! ## Example
//!
//! ```yaml expect=missing-settings
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: approval}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: approval, approval_config: {review_keys: []}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;
use nodewise_model::graph::GraphNode;
use nodewise_model::{Located, Origin, Reference};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "missing-settings",
    former: &["missing-agent"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        if let Some((class, what)) = missing(node) {
            // `missing-field` or `wrong-type` reports a required key of the settings.
            if settings_at(node).is_some_and(|at| graph_findings::is_malformed(context, at)) {
                continue;
            }
            let word = node.type_word.as_ref().map_or("", |word| word.value.as_str());
            report.push(
                Finding::new(
                    graph_findings::type_place(node),
                    format!("{} lacks {what}", graph_findings::named(node)),
                )
                .spec(class)
                .label(format!("`{}` needs it", short(word)))
                .help(format!("add {what}, or write another type")),
            );
        }
    }
}

/// Where the settings of the node's work are, if it has them and all that it lacks is in them.
fn settings_at(node: &GraphNode) -> Option<Origin> {
    match Work::of(node) {
        Work::RemoteAgent(remote) => remote.settings_at,
        Work::Subgraph(subgraph) => subgraph.settings_at,
        Work::Voting(voting) => voting.settings_at,
        _ => None,
    }
}

/// A setting that the node's work requires and does not have, with the class of its absence.
fn missing(node: &GraphNode) -> Option<(&'static str, &'static str)> {
    let is_named = |name: &Option<Located<SmolStr>>| name.as_ref().is_some_and(|name| !name.value.is_empty());
    let is_agent = |agent: &Option<Reference>| agent.as_ref().is_some_and(|agent| !agent.name.is_empty());
    match Work::of(node) {
        Work::Agent(_) if !is_agent(&node.agent) => Some(("cycgraph:R15", "an `agent_id`")),
        Work::Tool(tool) if !is_named(&tool.tool) => Some(("cycgraph:R19", "a `tool_id`")),
        Work::RemoteAgent(remote) if remote.settings_at.is_none() => {
            Some(("cycgraph:R20", "an `a2a_config`"))
        }
        Work::RemoteAgent(remote) if !is_named(&remote.server) => Some(("cycgraph:R21", "a `server_id`")),
        Work::Subgraph(subgraph) if subgraph.settings_at.is_none() => {
            Some(("cycgraph:R22", "a `subgraph_config`"))
        }
        Work::Subgraph(subgraph) if subgraph.graph.as_ref().is_none_or(|graph| graph.name.is_empty()) => {
            Some(("cycgraph:R23", "the id of a graph"))
        }
        Work::Human(human) if human.settings_at.is_none() => Some(("cycgraph:R24", "an `approval_config`")),
        Work::Map(map) if map.settings_at.is_none() => Some(("cycgraph:R26", "a `map_reduce_config`")),
        Work::Voting(voting) if voting.settings_at.is_none() => Some(("cycgraph:R29", "a `voting_config`")),
        Work::Voting(voting) if voting.voters.is_empty() => Some(("cycgraph:R30", "agents that vote")),
        Work::Supervisor(supervisor) if supervisor.settings_at.is_none() => {
            Some(("cycgraph:R32", "a `supervisor_config`"))
        }
        Work::Supervisor(supervisor) if !is_agent(&supervisor.agent) && !is_agent(&node.agent) => {
            Some(("cycgraph:R33", "an `agent_id`"))
        }
        Work::Evolution(evolution) if evolution.settings_at.is_none() => {
            Some(("cycgraph:R37", "an `evolution_config`"))
        }
        Work::Verifier(verifier) if verifier.settings_at.is_none() => {
            Some(("cycgraph:R41", "a `verifier_config`"))
        }
        Work::Reflection(reflection) if reflection.settings_at.is_none() => {
            Some(("cycgraph:R43", "a `reflection_config`"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_type_has_its_block() {
        check_rule(
            "missing-settings",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: t, type: tool}
#                 ^^^^ error[missing-settings]: `t` lacks a `tool_id`
  - {id: m, type: map, voting_config: {voter_agent_ids: [x]}}
#                 ^^^ error[missing-settings]: `m` lacks a `map_reduce_config`
  - {id: s, type: subgraph, subgraph_config: {subgraph_id: ''}}
#                 ^^^^^^^^ error[missing-settings]: `s` lacks the id of a graph
  - {id: y, type: synthesizer}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn agents_and_supervisors_name_an_agent() {
        check_rule(
            "missing-settings",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: ''}
#                 ^^^^^ error[missing-settings]: `a` lacks an `agent_id`
  - {id: s, type: supervisor, supervisor_config: {managed_nodes: []}}
#                 ^^^^^^^^^^ error[missing-settings]: `s` lacks an `agent_id`
  - {id: t, type: supervisor, supervisor_config: {managed_nodes: [], agent_id: x}}
  - {id: u, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: []}}
  - {id: v, type: supervisor}
#                 ^^^^^^^^^^ error[missing-settings]: `v` lacks a `supervisor_config`
  - {id: b, type: synthesizer}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
