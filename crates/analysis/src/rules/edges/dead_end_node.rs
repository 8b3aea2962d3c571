//! ## What it does
//!
//! Reports a node that no edge leaves and that is no end of the graph; in AgentOS, one from which no way leads to
//! `__END__`. Nodes that a map runs as its worker or
//! names as its synthesizer go back by themselves.
//!
//! ## Why it matters
//!
//! A run that comes to the node fails, because no edge can be followed. Nodes that a supervisor or a swarm
//! hands a run to need an edge back.
//!
//! ## Example
//!
//! ```yaml expect=dead-end-node
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
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
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "dead-end-node",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn workers_of_maps_are_excused() {
        check_rule(
            "dead-end-node",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1], synthesizer_node_id: s}}
  - {id: w, type: agent, agent_id: x}
  - {id: s, type: synthesizer}
  - {id: b, type: router}
  - {id: c, type: router}
#        ^ warning[dead-end-node]: no edge leaves `c`
edges:
  - {source: a, target: b}
start_node: a
end_nodes: [b]
",
        );
    }
}
