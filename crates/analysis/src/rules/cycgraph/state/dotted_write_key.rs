//! ## What it does
//!
//! Reports a key with a dot among the keys that a node may write.
//!
//! ## Why it matters
//!
//! It is written under its whole name, dot included. A node that reads `user.name` looks for `name` inside of
//! `user` instead, and never finds it.
//!
//! ## Example
//!
//! ```yaml expect=dotted-write-key
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [user.name]}
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
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [user]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::state::top_level;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "dotted-write-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        for key in node.access.writes.iter().filter(|key| key.value.contains('.')) {
            report.push(
                Finding::new(key.at, format!("`{}` is one name, dot included", short(&key.value)))
                    .label("reading this name looks inside another key")
                    .help(format!("write `{}`", short(top_level(&key.value)))),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_what_is_written() {
        check_rule(
            "dotted-write-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [user.id], write_keys: [user.name]}
#                                                                        ^^^^^^^^^ hint[dotted-write-key]: `user.name` is one name, dot included
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
