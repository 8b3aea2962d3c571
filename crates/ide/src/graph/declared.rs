//! A graph that one document declares, as data to draw. In: the document. Out: its nodes in order, marks for the start
//! and end if an edge uses them, edges in order.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeRole, NodeView};
use nodewise_dialect::table::NameUse;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, Endpoint, EndpointRole, Graph, GraphNode};
use nodewise_model::work::{HandOverKind, WorkKind};
use nodewise_model::{Located, Origin};
use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

use super::{ProblemCounts, Problems};
use crate::names::{Entity, NameKind, declaration, names, tight};

/// The ids of the marks. The id of a node cannot be empty, and cannot begin with a space like these.
pub(crate) const START: &str = " start";
pub(crate) const END: &str = " end";

/// The text below the name of a target that a program chooses.
const DECIDED: &str = "decided by a program";
/// The value of a guardrail's `on_violation` that sends the run to another node.
const REROUTE: &str = "reroute";

/// The graph of a document at a position among its graphs.
pub(super) fn view(
    snapshot: &Snapshot,
    id: DocumentId,
    part: usize,
    counts: ProblemCounts,
) -> Option<GraphView> {
    let problems = Problems::new(snapshot, id.source, counts);
    let found = declaration(snapshot, id)?;
    let graph = found.graph(part)?;
    let mut names: Vec<SmolStr> =
        [&graph.name, &graph.id].into_iter().flatten().map(|name| name.value.clone()).collect();
    names.dedup();
    let title = match names.first() {
        Some(name) => format!("graph `{name}`"),
        None => "graph".to_owned(),
    };
    let at = graph.id.as_ref().or(graph.name.as_ref()).map_or(graph.head, |name| tight(snapshot, name.at));
    let mut view = GraphView {
        title,
        names,
        at: Some(at),
        nodes: nodes(snapshot, id, part, graph, &problems),
        edges: edges(graph, &problems),
    };
    mark_ends(&mut view, graph);
    view.mark_unreachable();
    Some(view)
}

/// The ids of the nodes, made unique. If several are equal, edges refer to the last one.
fn ids(graph: &Graph) -> Vec<String> {
    let id = |node: &GraphNode| node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
    let last: BTreeMap<SmolStr, usize> =
        graph.nodes.iter().enumerate().map(|(position, node)| (id(node), position)).collect();
    let unique = |(position, node): (usize, &GraphNode)| {
        let id = id(node);
        match last.get(&id) == Some(&position) && !id.is_empty() {
            true => id.to_string(),
            // Ids of nodes do not contain a number after a space like this.
            false => format!("{id} {position}"),
        }
    };
    graph.nodes.iter().enumerate().map(unique).collect()
}

fn nodes(
    snapshot: &Snapshot,
    id: DocumentId,
    part: usize,
    graph: &Graph,
    problems: &Problems,
) -> Vec<NodeView> {
    let places: Vec<Origin> = graph.nodes.iter().map(|node| node.at).collect();
    let mut nodes: Vec<NodeView> = Vec::new();
    for (node, id) in graph.nodes.iter().zip(ids(graph)) {
        let (problems, errors) = problems.inside(node.at.range);
        let runs = node.work.call().and_then(|call| Some(call.graph.as_ref()?.name.clone()));
        nodes.push(NodeView {
            id,
            label: node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default(),
            kind: node.type_word.as_ref().map(|word| word.value.clone()).unwrap_or_default(),
            role: NodeRole::Node,
            work: node.work.kind(),
            runs,
            at: Some(node.id.as_ref().map_or(node.head, |id| tight(snapshot, id.at))),
            problems,
            errors,
            ..NodeView::default()
        });
    }
    // Nodes are in the order of the text, so the last one that begins before a name contains it.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.arrange_by_key(|position| places.get(*position).map(|at| at.range.start()));
    for one in names(snapshot, id.source) {
        let Entity::Local { document, graph: Some(graph), kind: NameKind::State, name } = &one.entity else {
            continue;
        };
        if *document != id || *graph != part {
            continue;
        }
        let starts_before = |position: &usize| {
            places.get(*position).is_some_and(|at| at.range.start() <= one.at.range.start())
        };
        let around = order.partition_point(starts_before).checked_sub(1).and_then(|last| order.get(last));
        let is_inside = |position: &&usize| {
            places.get(**position).is_some_and(|at| at.range.contains_range(one.at.range))
        };
        let Some(node) = around.filter(is_inside).and_then(|position| nodes.get_mut(*position)) else {
            continue;
        };
        let keys = match one.usage {
            NameUse::Reads => &mut node.reads,
            NameUse::Writes => &mut node.writes,
            NameUse::Declares | NameUse::Refers => continue,
        };
        if !keys.contains(name) {
            keys.push(name.clone());
        }
    }
    nodes
}

fn edges(graph: &Graph, known: &Problems) -> Vec<EdgeView> {
    let mut edges = Vec::new();
    if let Some(start) = &graph.start {
        edges.push(plain(START, &start.value, start.at));
    }
    let mut joined: BTreeSet<(&str, &str)> = BTreeSet::new();
    // The source nodes of the edges with a condition so far.
    let mut conditional: BTreeSet<&str> = BTreeSet::new();
    let is_first_match = !graph.conventions.runs_in_batches;
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (&edge.source, &edge.target) else { continue };
        let (kind, condition) = guard(&edge.guard);
        let (problems, errors) = known.inside(edge.at.range);
        let (from_id, to_id, at) = (end_id(from), end_id(to), Some(edge.at));
        let is_default = is_first_match && conditional.contains(from.name.value.as_str());
        let is_parallel = false;
        edges.push(EdgeView {
            from: from_id,
            to: to_id,
            condition,
            at,
            kind,
            is_default,
            is_parallel,
            problems,
            errors,
            marks: Vec::new(),
        });
        if kind == EdgeKind::Conditional {
            conditional.insert(&from.name.value);
        }
        joined.insert((&from.name.value, &to.name.value));
    }
    for edge in &graph.edges {
        let (EdgeGuard::Discovery(discovery), Some(from)) = (&edge.guard, &edge.source) else { continue };
        // Most graphs also have an explicit edge to the fallback. If not, this adds it to the drawing.
        if let Some(fallback) = &discovery.fallback
            && joined.insert((&from.name.value, &fallback.value))
        {
            let edge = plain(&end_id(from), &fallback.value, fallback.at);
            edges.push(EdgeView { kind: EdgeKind::Fallback, ..edge });
        }
    }
    for node in &graph.nodes {
        let Some(id) = &node.id else { continue };
        for (kind, target) in handed(node) {
            if kind == EdgeKind::HandOver && joined.contains(&(id.value.as_str(), target.value.as_str())) {
                continue;
            }
            edges.push(EdgeView { kind, ..plain(&id.value, &target.value, target.at) });
        }
        for exit in &node.execution.exits {
            let Some(target) = &exit.target else { continue };
            let condition = Some(exit.reason.value.to_string());
            let edge = plain(&id.value, &target.value, target.at);
            edges.push(EdgeView { kind: EdgeKind::Exit, condition, ..edge });
        }
    }
    let ends = graph.ends.iter().flat_map(|ends| &ends.value);
    edges.extend(ends.map(|end: &Located<SmolStr>| plain(&end.value, END, end.at)));
    if graph.conventions.runs_in_batches {
        mark_parallel(graph, &mut edges);
    }
    edges
}

/// Marks the edges that a run always follows together: those of a node that does not choose among them.
fn mark_parallel(graph: &Graph, edges: &mut [EdgeView]) {
    let chooses = |node: &&GraphNode| node.work.kind() == WorkKind::Choice;
    let choosing: BTreeSet<&str> = graph
        .nodes
        .iter()
        .filter(chooses)
        .filter_map(|node| Some(node.id.as_ref()?.value.as_str()))
        .collect();
    let mut targets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let is_followed =
        |edge: &EdgeView| edge.kind == EdgeKind::Always && !choosing.contains(edge.from.as_str());
    for edge in edges.iter().filter(|edge| is_followed(edge)) {
        targets.entry(edge.from.clone()).or_default().insert(edge.to.clone());
    }
    for edge in edges.iter_mut().filter(|edge| is_followed(edge)) {
        edge.is_parallel = targets.get(&edge.from).is_some_and(|targets| targets.len() > 1);
    }
}

/// The nodes to which a node hands the run without an edge, and the reason.
fn handed(node: &GraphNode) -> Vec<(EdgeKind, &Located<SmolStr>)> {
    let hand_overs = node.work.hand_overs().into_iter().filter(|hand_over| !hand_over.is_ignored);
    let kind = |kind| match kind {
        HandOverKind::Delegation | HandOverKind::Merge => EdgeKind::HandOver,
        HandOverKind::Worker => EdgeKind::Worker,
        HandOverKind::Rejection => EdgeKind::Rejection,
        HandOverKind::Violation => EdgeKind::Violation,
    };
    let mut handed: Vec<(EdgeKind, &Located<SmolStr>)> =
        hand_overs.map(|hand_over| (kind(hand_over.kind), hand_over.target)).collect();
    let policy = node.host.as_ref().and_then(|host| host.guardrails.as_ref());
    if let Some(policy) = policy
        && policy.on_violation.as_ref().is_some_and(|word| word.value == REROUTE)
    {
        handed.extend(policy.reroute.iter().map(|target| (EdgeKind::Violation, target)));
    }
    handed
}

fn plain(from: &str, to: &str, at: Origin) -> EdgeView {
    EdgeView { from: from.to_owned(), to: to.to_owned(), at: Some(at), ..EdgeView::default() }
}

fn end_id(end: &Endpoint) -> String {
    match end.role {
        EndpointRole::Start => START.to_owned(),
        EndpointRole::End => END.to_owned(),
        EndpointRole::Node | EndpointRole::Placeholder => end.name.value.to_string(),
    }
}

/// The reason why an edge is followed, and its condition as text.
fn guard(guard: &EdgeGuard) -> (EdgeKind, Option<String>) {
    match guard {
        EdgeGuard::Always => (EdgeKind::Always, None),
        EdgeGuard::When(condition) => {
            let text = match condition {
                Some(EdgeCondition::Expression(Some(expression))) => Some(expression.text.to_string()),
                Some(EdgeCondition::Function(_)) => Some("a function of the program".to_owned()),
                _ => None,
            };
            (EdgeKind::Conditional, text)
        }
        EdgeGuard::Discovery(discovery) => {
            (EdgeKind::Discovery, discovery.query.as_ref().map(|query| query.value.to_string()))
        }
        EdgeGuard::Personality(choice) => {
            let text = choice.as_ref().and_then(|choice| {
                let threshold = choice.threshold.as_ref()?.value;
                Some(format!("{} >= {threshold}", choice.trait_name.as_ref()?.value))
            });
            (EdgeKind::Personality, text)
        }
        EdgeGuard::Unknown => (EdgeKind::Unknown, None),
    }
}

/// Adds the targets of edges that are not nodes: marks, and unknown names.
fn mark_ends(view: &mut GraphView, graph: &Graph) {
    let known: BTreeSet<&str> = view.nodes.iter().map(|node| node.id.as_str()).collect();
    let ends = view.edges.iter().flat_map(|edge| [edge.from.as_str(), edge.to.as_str()]);
    let missing: BTreeSet<&str> = ends.filter(|id| !known.contains(id)).collect();
    let targets = graph.edges.iter().filter_map(|edge| edge.target.as_ref());
    let placeholders: BTreeSet<&str> = targets
        .filter(|end| end.role == EndpointRole::Placeholder)
        .map(|end| end.name.value.as_str())
        .collect();
    let mark = |id: &&str| {
        let role = match *id {
            START => NodeRole::Start,
            END => NodeRole::End,
            _ => NodeRole::Unknown,
        };
        let kind = if placeholders.contains(id) { DECIDED } else { "" };
        NodeView {
            id: (*id).to_owned(),
            label: id.trim_start().into(),
            kind: kind.into(),
            role,
            ..NodeView::default()
        }
    };
    let marks: Vec<NodeView> = missing.iter().map(mark).collect();
    let (first, last): (Vec<NodeView>, Vec<NodeView>) =
        marks.into_iter().partition(|node| node.role == NodeRole::Start);
    view.nodes.splice(0..0, first);
    view.nodes.extend(last);
}
