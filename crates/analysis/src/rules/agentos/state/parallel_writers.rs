//! ## What it does
//!
//! Reports nodes of an AgentOS graph that run at once and may write the same key of scratch without a reducer, or
//! with `sum`, `concat` or `avg` where the key may hold something already.
//!
//! ## Why it matters
//!
//! Without a reducer the later node in the list wins. These three reducers count what was there before once for
//! each branch: 5 and branches that add 1 and 2 come to 18.
//!
//! ## Example
//!
//! ```yaml expect=parallel-writers
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: left, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: left}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: right, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: right}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: report, type: tool, executorConfig: {type: tool, toolName: report}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: left, type: static}
//!   - {id: e2, source: __START__, target: right, type: static}
//!   - {id: e3, source: left, target: report, type: static}
//!   - {id: e4, source: right, target: report, type: static}
//!   - {id: e5, source: report, target: __END__, type: static}
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
//!   - {id: left, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: left}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: right, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: right}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: report, type: tool, executorConfig: {type: tool, toolName: report}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: left, type: static}
//!   - {id: e2, source: __START__, target: right, type: static}
//!   - {id: e3, source: left, target: report, type: static}
//!   - {id: e4, source: right, target: report, type: static}
//!   - {id: e5, source: report, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {scratch.total: max}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use std::collections::BTreeMap;

use nodewise_dialect::tables::agentos::{ACCUMULATING_REDUCERS, SCRATCH};
use nodewise_model::agentos::Work;
use nodewise_model::graph::{Graph, GraphNode};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "parallel-writers",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I49"),
        severity: Severity::Warning,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        let mut together: BTreeMap<(usize, Option<usize>), Vec<usize>> = BTreeMap::new();
        let ordered =
            (0..graph.nodes.len()).filter(|node| facts.is_ordered(*node) && facts.is_meant(graph, *node));
        for node in ordered.filter(|node| writes(&graph.nodes[*node]) != Writes::Nothing) {
            together.entry((facts.batch(node), facts.arm(node))).or_default().push(node);
        }
        let first_batch = together.keys().map(|(batch, _)| *batch).min();
        for ((batch, _), writers) in &together {
            let may_hold = first_batch.is_some_and(|first| first < *batch);
            report.findings.extend(race(graph, writers, may_hold).map(|finding| (finding, None)));
        }
    }
}

/// The scratch keys that a node writes.
#[derive(Debug, PartialEq, Eq)]
enum Writes<'a> {
    Nothing,
    Anything,
    Keys(Vec<&'a str>),
}

fn writes(node: &GraphNode) -> Writes<'_> {
    match Work::of(node) {
        Work::Extension(_) => Writes::Anything,
        Work::Subgraph(subgraph) if !subgraph.outputs.is_empty() => {
            let paths = subgraph.outputs.iter().filter_map(|mapping| mapping.to.as_ref());
            Writes::Keys(paths.filter_map(|path| path.value.split('.').next()).collect())
        }
        Work::Subgraph(_)
        | Work::Tool(_)
        | Work::Router(_)
        | Work::Human(_)
        | Work::Model(_)
        | Work::Guardrail(_)
        | Work::Voice(_)
        | Work::Unknown => Writes::Nothing,
    }
}

/// The finding about nodes that run at the same time and write the same key. `may_hold`: keys may already have a value
/// before.
fn race(graph: &Graph, writers: &[usize], may_hold: bool) -> Option<Finding> {
    let accumulates = |key: Option<&str>| {
        graph.reducers.iter().find(|reducer| {
            let word = reducer.operation.as_ref().map(|word| word.value.as_str());
            word.is_some_and(|word| ACCUMULATING_REDUCERS.contains(&word))
                && key.is_none_or(|key| reduced(&reducer.path.value) == Some(key))
        })
    };
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    for writer in writers {
        let Writes::Keys(keys) = writes(&graph.nodes[*writer]) else { continue };
        for key in keys {
            let earlier = *first.entry(key).or_insert(*writer);
            let is_reduced = graph.reducers.iter().any(|reducer| reduced(&reducer.path.value) == Some(key));
            let message = format!("`{}` is written by two nodes at once", short(key));
            if earlier != *writer && !is_reduced {
                return Some(finding(graph, *writer, earlier, message, "the later node in the list wins"));
            }
            if let Some(reducer) = accumulates(Some(key)).filter(|_| earlier != *writer && may_hold) {
                let finding = finding(graph, *writer, earlier, message, ONCE_PER_BRANCH);
                return Some(finding.related(reducer.path.at, "combined by this"));
            }
        }
    }
    let anything = writers.iter().filter(|writer| writes(&graph.nodes[**writer]) == Writes::Anything);
    let [one, other, ..] = anything.copied().collect::<Vec<_>>()[..] else { return None };
    let message = format!(
        "{} runs at once with {}",
        graph_findings::named(&graph.nodes[other]),
        graph_findings::named(&graph.nodes[one])
    );
    match accumulates(None) {
        Some(reducer) if may_hold => Some(
            finding(graph, other, one, message, ONCE_PER_BRANCH).related(reducer.path.at, "combined by this"),
        ),
        // If the graph declares reducers or keys in its schema, the author has considered this.
        _ if !graph.reducers.is_empty() || declares_keys(graph) => None,
        _ => Some(finding(graph, other, one, message, "if both write a key, the later value wins")),
    }
}

const ONCE_PER_BRANCH: &str = "the earlier value is counted once for each branch";

fn finding(graph: &Graph, node: usize, other: usize, message: String, label: &str) -> Finding {
    Finding::new(graph_findings::id_place(&graph.nodes[node]), message)
        .label(label.to_owned())
        .help("give the key a reducer such as `max`, `merge` or `last`, or run them in turn")
        .related(graph_findings::id_place(&graph.nodes[other]), "the other node")
}

/// The scratch key to which a reducer applies.
fn reduced(path: &str) -> Option<&str> {
    path.strip_prefix(SCRATCH)?.strip_prefix('.').filter(|key| !key.contains('.'))
}

/// Whether the schema lists the scratch keys of two of the nodes.
fn declares_keys(graph: &Graph) -> bool {
    let partitions = graph.state.iter().flat_map(|state| &state.value);
    let mut scratch = partitions.filter(|partition| partition.name.value == SCRATCH);
    scratch.any(|partition| partition.keys.as_ref().is_some_and(|keys| keys.len() > 1))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn keys_that_are_combined_or_distinguished_are_fine() {
        check_rule(
            "parallel-writers",
            r#"
nodes:
  - {id: a, executorConfig: {type: extension}}
  - {id: b, executorConfig: {type: extension}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: __START__, target: b, type: static}
reducers: {scratch.x: max}
---
nodes:
  - {id: a, executorConfig: {type: subgraph, outputMapping: {x: k.y}}}
  - {id: b, executorConfig: {type: subgraph, outputMapping: {x: k}}}
#        ^ warning[parallel-writers]: `k` is written by two nodes at once
edges:
  - {source: __START__, target: a, type: static}
  - {source: __START__, target: b, type: static}
---
nodes:
  - {id: s, executorConfig: {type: extension}}
  - {id: a, executorConfig: {type: extension}}
  - {id: b, executorConfig: {type: extension}}
#        ^ warning[parallel-writers]: `b` runs at once with `a`
edges:
  - {source: __START__, target: s, type: static}
  - {source: s, target: a, type: static}
  - {source: s, target: b, type: static}
reducers: {scratch.x: sum}
---
nodes:
  - {id: a, executorConfig: {type: extension}}
  - {id: b, executorConfig: {type: extension}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: static}
"#,
        );
    }
}
