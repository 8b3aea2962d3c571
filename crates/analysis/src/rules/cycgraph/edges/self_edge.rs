//! ## What it does
//!
//! Reports an edge that leads back to the node that it leaves.
//!
//! ## Why it matters
//!
//! The node runs again at once, with the same keys, until a limit stops the run.
//!
//! ## Example
//!
//! ```yaml expect=self-edge
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: a}
//! start_node: a
//! end_nodes: [b]
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "self-edge",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("cycgraph:R11"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.graphs().flat_map(|graph| &graph.edges) {
        if let (Some(source), Some(target)) = (&edge.source, &edge.target)
            && source.name.value == target.name.value
        {
            report.push(
                Finding::new(target.name.at, format!("`{}` leads to itself", short(&target.name.value)))
                    .spec("cycgraph:R11")
                    .label("the node runs again at once")
                    .help("lead it through a node that changes something"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn whether_or_not_the_node_exists() {
        check_rule(
            "self-edge",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a}
#                       ^ warning[self-edge]: `a` leads to itself
  - {source: z, target: z}
#                       ^ warning[self-edge]: `z` leads to itself
start_node: a
end_nodes: [b]
",
        );
    }
}
