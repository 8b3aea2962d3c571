//! Names of nodes that no node has: whether the places that use them are wrong, or the node.
//!
//! Input: the names that a graph's edges and settings use; output: findings. Invariant: where several places agree on a name
//! that is nearly a node's own, and none has its own, the node is reported, once.

use std::cell::LazyCell;

use nodewise_model::Located;
use nodewise_model::graph::{EndpointRole, Graph, GraphNode};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::diagnostic::Finding;
use crate::rule::{Context, Report};
use crate::rules::graph_findings;
use crate::rules::wording::short;

/// A name that must be the id of a node.
pub(in crate::rules) struct Use<'a> {
    pub(in crate::rules) name: &'a Located<SmolStr>,
    pub(in crate::rules) spec: &'static str,
    /// The label for a wrong name.
    pub(in crate::rules) harm: &'static str,
    /// A word that is also allowed here.
    pub(in crate::rules) word: Option<&'static str>,
}

/// The nodes of a graph, by their ids.
pub(in crate::rules) struct Nodes<'a, 'g> {
    pub(in crate::rules) graph: &'g Graph,
    pub(in crate::rules) has: &'a dyn Fn(&str) -> bool,
    pub(in crate::rules) nearest: &'a dyn Fn(&str) -> Option<&'g str>,
}

/// Reports names that no node has: at the name, or once at the node whose id is wrong instead.
pub(in crate::rules) fn report_unknown(
    context: &Context<'_>,
    nodes: &Nodes<'_, '_>,
    uses: &[Use<'_>],
    finding: impl Fn(&Use<'_>) -> Finding,
    report: &mut Report,
) {
    let left_out = left_out(context, nodes.graph);
    let counts = LazyCell::new(|| count_names(uses.iter().map(|used| used.name.value.as_str())));
    let mut misnamed: FxHashMap<&str, Option<Finding>> = FxHashMap::default();
    for used in uses {
        let name = used.name.value.as_str();
        if left_out == Some(name) || (nodes.has)(name) {
            continue;
        }
        let node =
            misnamed.entry(name).or_insert_with(|| misnamed_node(context, nodes, (uses, &counts), name));
        match node {
            // The node's id must be fixed, so it is reported only once.
            Some(node) => report.push(node.clone().spec(used.spec)),
            None => report.push(finding(used).spec(used.spec)),
        }
    }
}

/// The finding about a node whose id is probably wrong: several places use the same similar name, and none uses the node's
/// id.
fn misnamed_node(
    context: &Context<'_>,
    nodes: &Nodes<'_, '_>,
    (uses, counts): (&[Use<'_>], &FxHashMap<&str, usize>),
    name: &str,
) -> Option<Finding> {
    let near = (nodes.nearest)(name).filter(|near| is_misnamed(counts, name, near))?;
    if context.file.settings.is_literal {
        return None;
    }
    let id = nodes.graph.nodes.iter().filter_map(|node| node.id.as_ref()).find(|id| id.value == near)?;
    let first = uses.iter().find(|used| used.name.value == name)?;
    let message = format!("nothing leads to `{}`, and `{}` is not a node", short(near), short(name));
    let finding = Finding::new(id.at, message)
        .label("edges use another name")
        .help(format!("write `{}`", short(name)))
        .related(first.name.at, "named like this here");
    Some(graph_findings::replace(context, finding, id, name))
}

/// How many places use each name.
pub(in crate::rules) fn count_names<'a>(names: impl Iterator<Item = &'a str>) -> FxHashMap<&'a str, usize> {
    let mut counts = FxHashMap::default();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    counts
}

/// Whether an id is probably wrong, and not the places that use a similar `name`: several places use the name, and none uses the
/// id.
pub(in crate::rules) fn is_misnamed(counts: &FxHashMap<&str, usize>, name: &str, id: &str) -> bool {
    counts.get(name).is_some_and(|count| *count > 1) && !counts.contains_key(id)
}

/// The id that the second of two nodes with the same id should probably have. Fixing the node is better than changing the
/// edges.
fn left_out<'g>(context: &Context<'_>, graph: &'g Graph) -> Option<&'g str> {
    if context.file.settings.is_literal { None } else { graph_findings::left_out(graph) }
}

/// The names that a graph uses for nodes that it does not have. `unknown-node` reports them.
pub(in crate::rules) fn missing_nodes(graph: &Graph) -> FxHashSet<&str> {
    let of_edges = graph.edges.iter().flat_map(|edge| [&edge.source, &edge.target]).flatten();
    let of_edges = of_edges.filter(|end| end.role == EndpointRole::Node).map(|end| &end.name);
    let ends = graph.ends.iter().flat_map(|ends| &ends.value);
    let of_nodes = graph.nodes.iter().flat_map(|node| node.work.hand_overs()).map(|one| one.target);
    let used = of_edges.chain(&graph.start).chain(ends).chain(of_nodes).map(|name| name.value.as_str());
    let ids = graph.nodes.iter().filter_map(|node| node.id.as_ref());
    let ids: FxHashSet<&str> = ids.map(|id| id.value.as_str()).collect();
    used.filter(|name| !ids.contains(name)).collect()
}

/// The only node whose agent has this name.
pub(in crate::rules) fn node_of_agent<'g>(graph: &'g Graph, name: &str) -> Option<&'g str> {
    let has = |node: &&GraphNode| node.agent.as_ref().is_some_and(|agent| agent.name == name);
    let mut nodes = graph.nodes.iter().filter(has);
    let node = nodes.next().filter(|_| nodes.next().is_none())?;
    Some(node.id.as_ref()?.value.as_str())
}
