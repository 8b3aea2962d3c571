//! ## What it does
//!
//! Reports a key that begins with `_` among the keys that a node reads or writes.
//!
//! ## Why it matters
//!
//! Such keys are the engine's own: nodes never see them, and what is written there is dropped.
//!
//! ## Example
//!
//! ```yaml expect=hidden-key
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [_notes]}
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
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [notes]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::state::is_hidden;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "hidden-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Nodes, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let reads = node.access.reads.iter().filter(|key| is_hidden(&key.value));
        let writes = node.access.writes.iter().chain(&node.access.default_write);
        let writes = writes.filter(|key| key.value.starts_with('_'));
        let reads = reads.map(|key| (key, "no node ever sees it"));
        for (key, harm) in reads.chain(writes.map(|key| (key, "what is written there is dropped"))) {
            report.push(
                Finding::new(key.at, format!("`{}` is a key of the engine's own", short(&key.value)))
                    .label(harm)
                    .help("write a name that does not begin with `_`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn at_any_depth_when_read() {
        check_rule(
            "hidden-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [user._id, user.id], write_keys: [a._b, _c]}
#                                                 ^^^^^^^^ warning[hidden-key]
#                                                                                        ^^ warning[hidden-key]
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
