//! ## What it does
//!
//! Reports a node of an AgentOS graph that runs at once with others, and whose output a later node reads.
//!
//! ## Why it matters
//!
//! What nodes of one batch keep in the artifacts is dropped when the batch ends; only scratch is merged. The
//! later expression reads nothing.
//!
//! ## Example
//!
//! ```yaml expect=dropped-artifact
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: c, type: tool, executorConfig: {type: tool, toolName: c}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: d, type: tool, executorConfig: {type: tool, toolName: d}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: __START__, target: b, type: static}
//!   - {id: e3, source: a, target: c, type: static}
//!   - {id: e4, source: b, target: c, type: static}
//!   - {id: e5, source: c, target: d, type: conditional, condition: {type: expression, expr: "artifacts.a.ok"}}
//!   - {id: e6, source: d, target: __END__, type: static}
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
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: c, type: tool, executorConfig: {type: tool, toolName: c}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: d, type: tool, executorConfig: {type: tool, toolName: d}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: c, type: static}
//!   - {id: e4, source: c, target: d, type: conditional, condition: {type: expression, expr: "artifacts.a.ok"}}
//!   - {id: e5, source: d, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::ARTIFACTS;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::agentos::routing::{Decider, Expressions};
use crate::rules::agentos::routing_targets;
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "dropped-artifact",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::new(context);
    for (graph, facts) in context.whole_graphs() {
        let mut together: FxHashMap<(usize, Option<usize>), usize> = FxHashMap::default();
        let ordered = || (0..graph.nodes.len()).filter(|node| facts.is_ordered(*node));
        ordered().for_each(|node| *together.entry((facts.batch(node), facts.arm(node))).or_default() += 1);
        let mut read: FxHashMap<SmolStr, FxHashSet<usize>> = FxHashMap::default();
        for (decider, expression) in expressions.deciding(graph) {
            let reader = match decider {
                Decider::Router(position) => Some(position),
                Decider::Edge(edge) => edge.source.as_ref().and_then(|source| facts.node(&source.name.value)),
            };
            let Some(reader) = reader else { continue };
            for path in expression.read_paths() {
                if let [part, key, ..] = path.segments.as_slice()
                    && part.name == ARTIFACTS
                {
                    read.entry(key.name.clone()).or_default().insert(facts.batch(reader));
                }
            }
        }
        for position in ordered() {
            let Some(node) = graph.nodes.get(position) else { continue };
            let batch = facts.batch(position);
            let is_alone = together.get(&(batch, facts.arm(position))).is_none_or(|count| *count < 2);
            let is_read_later = routing_targets::artifact(node)
                .and_then(|key| read.get(&key.value))
                .is_some_and(|readers| readers.iter().any(|reader| *reader > batch));
            if !is_alone && is_read_later {
                report.push(
                    Finding::new(
                        graph_findings::id_place(node),
                        format!("the output of {} is dropped", graph_findings::named(node)),
                    )
                    .label("it runs at once with others, and a later expression reads it")
                    .help("let an extension write it to scratch, or run the nodes in turn"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn reading_at_once_is_fine() {
        check_rule(
            "dropped-artifact",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
#        ^ hint[dropped-artifact]: the output of `b` is dropped
  - {id: c, executorConfig: {type: tool}}
  - {id: d, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: __START__, target: b, type: static}
  - {source: a, target: c, type: conditional, condition: {type: expression, expr: "artifacts.a.ok"}}
  - {source: b, target: c, type: static}
  - {source: c, target: d, type: conditional, condition: {type: expression, expr: "artifacts.b.ok && artifacts.c"}}
  - {source: d, target: __END__, type: static}
"#,
        );
    }
}
