//! ## What it does
//!
//! Reports a `reflection` node whose facts have no tags.
//!
//! ## Why it matters
//!
//! Every graph that uses the same store can fetch the facts, and no query can ask for just these.
//!
//! ## Example
//!
//! ```yaml expect=untagged-facts
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief]}
//!   - {id: b, type: reflection, read_keys: [brief], reflection_config: {source_keys: [brief], extractor: {type: rule_based}}}
//! edges:
//!   - {source: a, target: b}
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
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief]}
//!   - {id: b, type: reflection, read_keys: [brief], reflection_config: {source_keys: [brief], extractor: {type: rule_based}, tags: ['graph:brief']}}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "untagged-facts",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("cycgraph:R46"),
        severity: Severity::Warning,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let Work::Reflection(reflection) = Work::of(node) else { continue };
        if let Some(at) = reflection.settings_at.filter(|_| reflection.tags.is_empty()) {
            report.push(
                Finding::new(at, format!("the facts of {} have no tags", graph_findings::named(node)))
                    .spec("cycgraph:R46")
                    .label("everyone who shares the store can fetch them")
                    .help("add `tags`, for instance one that names the graph"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn missing_or_empty() {
        check_rule(
            "untagged-facts",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: r, type: reflection, read_keys: [a], reflection_config: {source_keys: [a], tags: [], extractor: {type: rule_based}}}
#                                             ^^^^^^^^^^^^^^^^^ warning[untagged-facts]: the facts of `r` have no tags
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
