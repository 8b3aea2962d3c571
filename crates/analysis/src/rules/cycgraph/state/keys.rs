//! What the rules about keys of the memory share: who really leaves a key there, and what reads one. In: a graph and
//! what is known of it, the expressions of its file; out: tables by key. Each is one walk over the graph.

use nodewise_dialect::tables::cycgraph::SEEDED_KEYS;
use nodewise_model::cycgraph::{Verification, Work};
use nodewise_model::graph::{EdgeCondition, EdgeGuard, Graph};
use nodewise_model::state::top_level;
use nodewise_model::{Located, Origin};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::conditions::ConditionFacts;
use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::rules::cycgraph::located_nodes::Visit;
use crate::rules::graph_findings;
use crate::rules::wording::short;
use crate::suggest::nearest;

/// The expressions of a file by their places, to find the expressions of a graph.
pub(in crate::rules) struct Expressions<'a>(FxHashMap<Origin, &'a ConditionFacts>);

impl<'a> Expressions<'a> {
    pub(in crate::rules) fn of_file(context: &Context<'a>) -> Expressions<'a> {
        let all = context.documents().flat_map(|document| &document.conditions);
        Expressions(all.map(|facts| (facts.at, facts)).collect())
    }

    /// The keys that the expression at a place reads.
    pub(in crate::rules) fn keys(&self, at: Origin) -> &'a [Located<SmolStr>] {
        self.0.get(&at).map(|facts| facts.keys.as_slice()).unwrap_or_default()
    }

    /// The keys that the conditions of a graph's edges read.
    pub(in crate::rules) fn on_edges(
        &self,
        graph: &'a Graph,
    ) -> impl Iterator<Item = &'a Located<SmolStr>> + use<'_, 'a> {
        graph.edges.iter().flat_map(|edge| match &edge.guard {
            EdgeGuard::When(Some(EdgeCondition::Expression(Some(expression)))) => self.keys(expression.at),
            _ => &[],
        })
    }
}

/// The keys that something in the graph reads, up to the first dot; `None` if a node may read all keys.
pub(in crate::rules) fn read_somewhere<'a>(
    graph: &'a Graph,
    facts: &'a GraphFacts,
    expressions: &Expressions<'a>,
) -> Option<FxHashSet<&'a str>> {
    if facts.access.iter().any(|access| access.reads_all) {
        return None;
    }
    let mut read: FxHashSet<&str> =
        facts.access.iter().flat_map(|access| &access.reads).map(|key| top_level(key)).collect();
    read.extend(expressions.on_edges(graph).map(|key| key.value.as_str()));
    for node in &graph.nodes {
        match Work::of(node) {
            Work::Verifier(verifier) => match &verifier.verification {
                Some(Verification::Expression(Some(expression))) => {
                    read.extend(expressions.keys(expression.at).iter().map(|key| key.value.as_str()));
                }
                Some(Verification::Judge { target, .. }) => {
                    read.extend(target.iter().map(|key| top_level(&key.value)));
                }
                Some(Verification::JsonPath(check)) => {
                    read.extend(check.target.iter().map(|key| top_level(&key.value)));
                }
                _ => {}
            },
            Work::Map(map) => read.extend(
                map.items_path
                    .iter()
                    .flat_map(|path| expressions.keys(path.at).iter().map(|key| key.value.as_str())),
            ),
            Work::Reflection(reflection) => {
                let keys = reflection.sources.iter().chain(&reflection.entities);
                read.extend(keys.map(|key| top_level(&key.value)));
            }
            _ => {}
        }
    }
    Some(read)
}

/// The severity of reading a missing key. A graph that declares its inputs is not started with other keys.
pub(in crate::rules) fn severity(graph: &Graph) -> Severity {
    if graph.inputs.is_some() || graph.strict_keys { Severity::Warning } else { Severity::Hint }
}

/// Whether the project declares that programs start runs with the key.
pub(in crate::rules) fn is_seeded(context: &Context<'_>, key: &str) -> bool {
    let Ownership::Ours(dialect) = context.file.ownership else { return false };
    let seeded = context.file.settings.outside(dialect, SEEDED_KEYS).unwrap_or_default();
    seeded.iter().any(|seeded| seeded == key)
}

/// Whether some node writes the key, or a run can start with it.
pub(in crate::rules) fn is_there(context: &Context<'_>, facts: &GraphFacts, key: &str) -> bool {
    let top = top_level(key);
    facts.is_producible(top) || is_seeded(context, top)
}

/// The severity of a read of a key that nothing writes.
pub(in crate::rules) fn severity_of_unwritten(graph: &Graph) -> Severity {
    if graph.strict_keys { Severity::Error } else { Severity::Warning }
}

/// Whether the node probably means the key by another one that it reads and that is not there. `unwritten-key` reports that one, and
/// with `severity` or a higher one.
pub(in crate::rules) fn is_misspelt_in_reads(
    context: &Context<'_>,
    visit: &Visit<'_>,
    key: &str,
    severity: Severity,
) -> bool {
    let others = visit.access.reads.iter().map(|read| top_level(read));
    let mut unwritten = others.filter(|read| *read != key && !is_there(context, visit.facts, read));
    !context.file.settings.is_literal
        && severity_of_unwritten(visit.graph) <= severity
        && unwritten.any(|read| nearest(read, [key]).is_some())
}

/// Advice for a key that nothing writes: the most similar known key, if there is one.
pub(in crate::rules) fn other_key(
    context: &Context<'_>,
    facts: &GraphFacts,
    finding: Finding,
    key: &Located<SmolStr>,
) -> Finding {
    match facts.nearest_key(&key.value) {
        Some(near) => {
            graph_findings::replace(context, finding.help(format!("write `{}`", short(near))), key, near)
        }
        None => finding.help("no node writes it; name a key that one writes"),
    }
}
