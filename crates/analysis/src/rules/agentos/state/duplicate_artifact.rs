//! ## What it does
//!
//! Reports two nodes of a graph that keep their output under the same key of the artifacts, where no choice
//! decides between them.
//!
//! ## Why it matters
//!
//! The later output takes the place of the earlier one.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-artifact
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none, metadata: {outputAs: text}}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none, metadata: {outputAs: text}}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none, metadata: {outputAs: draft}}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none, metadata: {outputAs: text}}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use rustc_hash::FxHashMap;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::agentos::routing_targets;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-artifact",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I35"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        let mut first: FxHashMap<&str, usize> = FxHashMap::default();
        for (position, node) in graph.nodes.iter().enumerate() {
            let Some(key) = routing_targets::artifact(node).filter(|_| facts.is_meant(graph, position))
            else {
                continue;
            };
            let earlier = *first.entry(key.value.as_str()).or_insert(position);
            if earlier == position || facts.are_exclusive(earlier, position) {
                continue;
            }
            let Some(other) = graph.nodes.get(earlier) else { continue };
            report.push(
                Finding::new(
                    key.at,
                    format!(
                        "{} keeps its output as `{}` too",
                        graph_findings::named(other),
                        short(&key.value)
                    ),
                )
                .label("the later output replaces the earlier one")
                .help("give each its own `outputAs`")
                .related(graph_findings::id_place(other), "the other node"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn arms_of_a_choice_may_share_one() {
        check_rule(
            "duplicate-artifact",
            r#"
nodes:
  - {id: a, executorConfig: {type: router, condition: {type: expression, expr: scratch.x}}}
  - {id: b, executorConfig: {type: tool}, metadata: {outputAs: t}}
  - {id: c, executorConfig: {type: tool}, metadata: {outputAs: t}}
  - {id: t, executorConfig: {type: tool}}
#        ^ warning[duplicate-artifact]: `b` keeps its output as `t` too
  - {id: a, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: static}
  - {source: a, target: c, type: static}
  - {source: b, target: t, type: static}
  - {source: c, target: t, type: static}
  - {source: t, target: __END__, type: static}
"#,
        );
    }
}
