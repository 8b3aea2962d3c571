//! ## What it does
//!
//! Reports an agent with a swarm whose node may not write `peer_delegation`. An agent that also anneals is
//! left out: nothing reads its swarm.
//!
//! ## Why it matters
//!
//! The agent hands the run over by saving that key. What it may not write is dropped, so it never hands over.
//!
//! ## Example
//!
//! ```yaml expect=missing-handoff-key
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], swarm_config: {peer_nodes: [b]}}
//!   - {id: b, type: agent, agent_id: two, write_keys: [answer, peer_delegation], swarm_config: {peer_nodes: [a]}}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c, condition: {type: conditional, condition: exists(memory.answer)}}
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: [c]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply, peer_delegation], swarm_config: {peer_nodes: [b]}}
//!   - {id: b, type: agent, agent_id: two, write_keys: [answer, peer_delegation], swarm_config: {peer_nodes: [a]}}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c, condition: {type: conditional, condition: exists(memory.answer)}}
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: [c]
//! ```

use nodewise_model::cycgraph::{HANDOFF_KEY, working_swarm};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::graph_findings;
use crate::rules::list_fixes;

pub(crate) static RULE: Rule = Rule {
    id: "missing-handoff-key",
    former: &["swarm-without-handoff-key"],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Some(swarm) = working_swarm(visit.node) else { continue };
        let granted = &visit.node.access.writes;
        if visit.access.writes_all || granted.iter().any(|key| key.value == HANDOFF_KEY) {
            continue;
        }
        let finding = Finding::new(
            swarm.at,
            format!("{} can never hand over to a peer", graph_findings::named(visit.node)),
        )
        .label(format!("its `write_keys` lack `{HANDOFF_KEY}`"))
        .help(format!("add `{HANDOFF_KEY}` to its `write_keys`"));
        let edit = fixes::with_write(context, visit.node, HANDOFF_KEY);
        report.push(list_fixes::offer(finding, format!("Let it write `{HANDOFF_KEY}`"), false, edit));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn wildcards_and_annealing_do_not_need_it() {
        check_rule(
            "missing-handoff-key",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: ["*"], swarm_config: {peer_nodes: [b]}}
  - {id: b, type: agent, agent_id: x, annealing_config: {}, swarm_config: {peer_nodes: [a]}}
  - {id: c, type: agent, agent_id: x, swarm_config: {peer_nodes: [a]}}
#                                     ^^^^^^^^^^^^ warning[missing-handoff-key]: `c` can never hand over to a peer
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn adds_it_to_a_list() {
        check_fix(
            "missing-handoff-key",
            r#"
name: desk
description: A desk.
nodes:
  - id: a
    type: agent
    agent_id: x
    write_keys:
      - reply # for people
    swarm_config: {peer_nodes: [b]}
edges: []
start_node: a
end_nodes: [b]
"#,
            r#"
name: desk
description: A desk.
nodes:
  - id: a
    type: agent
    agent_id: x
    write_keys:
      - reply # for people
      - peer_delegation
    swarm_config: {peer_nodes: [b]}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
