//! ## What it does
//!
//! Reports keys that a `tool` node may write: it never writes them.
//!
//! ## Why it matters
//!
//! The engine puts a tool's result under `<id>_result` and nowhere else. A node that reads the listed keys finds
//! nothing.
//!
//! ## Example
//!
//! ```yaml expect=ineffective-write-keys
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: fetch, type: tool, tool_id: fetch, tools: [fetch], write_keys: [page]}
//! edges: []
//! start_node: fetch
//! end_nodes: [fetch]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: fetch, type: tool, tool_id: fetch, tools: [fetch]}
//! edges: []
//! start_node: fetch
//! end_nodes: [fetch]
//! ```

use nodewise_model::cycgraph::Work;
use nodewise_model::state::WILDCARD;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::{listed, short};

pub(crate) static RULE: Rule = Rule {
    id: "ineffective-write-keys",
    former: &["tool-write-keys"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("cycgraph:R4"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let keys: Vec<_> = node.access.writes.iter().filter(|key| key.value != WILDCARD).collect();
        if let (Work::Tool(_), Some(first)) = (Work::of(node), keys.first()) {
            let message = format!(
                "{} never writes {}",
                graph_findings::named(node),
                listed(keys.iter().map(|key| key.value.as_str()))
            );
            let message = if message.chars().count() > MESSAGE_LENGTH_MAX {
                format!("{} never writes these keys", graph_findings::named(node))
            } else {
                message
            };
            let result = format!("{}_result", node.id.as_ref().map_or("<id>", |id| id.value.as_str()));
            report.push(
                Finding::new(first.at, message)
                    .spec("cycgraph:R4")
                    .label("a tool writes its result only")
                    .help(format!("remove them, and read `{}` downstream", short(&result))),
            );
        }
    }
}

/// The maximum length of a message, so that it stays on one line.
const MESSAGE_LENGTH_MAX: usize = 80;

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn all_keys_at_once() {
        check_rule(
            "ineffective-write-keys",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: tool, tool_id: x, write_keys: ['*']}
  - {id: b, type: tool, tool_id: x, write_keys: [page, size]}
#                                                ^^^^ warning[ineffective-write-keys]: `b` never writes `page` and `size`
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
