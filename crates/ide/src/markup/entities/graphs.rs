//! Describes a graph, a node or an edge of it in a few lines. In: a graph of the model and its facts. Out: texts. Nodes
//! are named by their ids, with their lines.

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::graphs::GraphFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{KindRole, Type, Word};
use nodewise_model::Origin;
use nodewise_model::conventions::StateParts;
use nodewise_model::graph::{
    EdgeCondition, EdgeGuard, Endpoint, EndpointRole, Graph, GraphEdge, GraphNode, ToolSource, ToolSourceKind,
};
use nodewise_model::state::{NodeAccess, WILDCARD};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::{ITEMS_MAX, Line, Markup, counted, dialect_of};

/// A whole graph.
pub(super) fn summary(markup: &mut Markup, graph: &Graph) {
    let (nodes, edges) = (counted(graph.nodes.len(), "node"), counted(graph.edges.len(), "edge"));
    let ports = |ports: &Option<Vec<nodewise_model::graph::Port>>| -> Vec<SmolStr> {
        ports.iter().flatten().map(|port| port.key.value.clone()).collect()
    };
    let (inputs, outputs) = (ports(&graph.inputs), ports(&graph.outputs));
    markup.paragraph(&Line::new().prose(&format!("{nodes}, {edges}")));
    markup.paragraph(&Line::labelled("Takes", inputs.iter().map(SmolStr::as_str)));
    markup.paragraph(&Line::labelled("Gives", outputs.iter().map(SmolStr::as_str)));
}

/// A node of a graph.
pub(super) fn node(
    snapshot: &Snapshot,
    id: DocumentId,
    graph: &Graph,
    facts: &GraphFacts,
    name: &str,
) -> Option<Markup> {
    let mut markup = Markup::new();
    let title = Line::new().strong("node").prose(" ").code(name);
    let Some(position) = facts.node(name) else {
        markup.paragraph(&Line::new().prose("The graph has no node ").code(name).prose("."));
        if let Some(near) = facts.nearest(name) {
            markup.paragraph(&Line::new().prose("Did you mean ").code(near).prose("?"));
        }
        return Some(markup);
    };
    let node = graph.nodes.get(position)?;
    let at = node.id.as_ref().map_or(node.head, |id| id.at);
    markup.paragraph(&title.prose(" · ").place(snapshot, at));
    markup.paragraph(&work_line(snapshot, id, node));
    let mut items = access_lines(snapshot, node, facts, position);
    items.extend(ways(graph, facts, position, name));
    if !items.is_empty() {
        markup.list(&items);
    }
    Some(markup)
}

/// An edge of a graph.
pub(super) fn edge(snapshot: &Snapshot, graph: &Graph, facts: &GraphFacts, name: &str) -> Option<Markup> {
    let is_named = |edge: &&GraphEdge| edge.id.as_ref().is_some_and(|id| id.value == name);
    let edge = graph.edges.iter().find(is_named)?;
    let mut markup = Markup::new();
    let line = Line::new().strong("edge").prose(" ").code(name).prose(" · ");
    markup.paragraph(&line.place(snapshot, edge.head));
    markup.paragraph(&when(ends_line(graph, facts, edge), &edge.guard));
    Some(markup)
}

/// An edge by its ends: "`a` → `b`".
fn ends_line(graph: &Graph, facts: &GraphFacts, edge: &GraphEdge) -> Line {
    let end = |line: Line, end: &Option<Endpoint>| match end {
        Some(end) => line.name(&end.name.value, node_at(graph, facts, &end.name.value)),
        None => line.code("?"),
    };
    end(end(Line::new(), &edge.source).prose(" → "), &edge.target)
}

/// The place of the node with an id.
fn node_at(graph: &Graph, facts: &GraphFacts, id: &str) -> Option<Origin> {
    let node = graph.nodes.get(facts.node(id)?)?;
    node.id.as_ref().map(|id| id.at)
}

/// A source of tools by its name.
pub(super) fn tool_source(source: &ToolSource) -> &str {
    match &source.kind {
        ToolSourceKind::Builtin(name) | ToolSourceKind::Custom(name) | ToolSourceKind::Server(name, _) => {
            &name.value
        }
    }
}

/// The word for the type of a node's work, and its documentation.
pub(crate) fn work_word(snapshot: &Snapshot, id: DocumentId, node: &GraphNode) -> Option<&'static Word> {
    let dialect = dialect_of(snapshot, id.source)?;
    let written = node.work_word.as_ref().or(node.type_word.as_ref())?;
    let kind = dialect.kinds.iter().find(|kind| kind.role == KindRole::GraphNode)?;
    kind.shape.fields.iter().find_map(|field| match field.ty {
        Type::Word(words) => words.iter().find(|word| word.text == written.value),
        _ => None,
    })
}

/// The name that a node runs: an agent, a tool, a graph.
pub(crate) fn runs(node: &GraphNode) -> Option<&str> {
    node.work.runs().unwrap_or_else(|| node.agent.as_ref().map(|agent| agent.name.as_str()))
}

fn work_line(snapshot: &Snapshot, id: DocumentId, node: &GraphNode) -> Line {
    let written = node.work_word.as_ref().or(node.type_word.as_ref());
    let Some(written) = written else { return Line::new() };
    let mut line = Line::new().code(&written.value);
    if let Some(name) = runs(node) {
        line = line.prose(" ").code(name);
    }
    match work_word(snapshot, id, node) {
        Some(word) if !word.doc.is_empty() => line.prose(": ").prose(word.doc),
        _ => line,
    }
}

/// The state keys that a node reads and writes.
fn access_lines(snapshot: &Snapshot, node: &GraphNode, facts: &GraphFacts, position: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let Some(access) = facts.access.get(position) else { return lines };
    if let Some(parts) = &snapshot.conventions(node.at.source).parts {
        return artifact_key(parts, access)
            .map(|key| Line::labelled("Leaves", [key.as_str()]))
            .into_iter()
            .collect();
    }
    let reads =
        if access.reads_all { vec![WILDCARD] } else { access.reads.iter().map(SmolStr::as_str).collect() };
    lines.push(Line::labelled("Reads", distinct(reads)));
    lines.push(Line::labelled("Writes", node.access.writes.iter().map(|key| key.value.as_str())));
    lines.push(Line::labelled("The engine writes", access.implied.iter().map(SmolStr::as_str)));
    lines.retain(|line| !line.is_empty());
    lines
}

/// The key of the artifacts under which a node stores its output.
pub(crate) fn artifact_key<'a>(parts: &StateParts, access: &'a NodeAccess) -> Option<&'a SmolStr> {
    let is_artifact =
        |path: &&SmolStr| path.strip_prefix(parts.artifacts).is_some_and(|rest| rest.starts_with('.'));
    access.leaves.iter().find(is_artifact)
}

/// The edges to a node, and the edges from it.
fn ways(graph: &Graph, facts: &GraphFacts, position: usize, name: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let is_start = graph.start.as_ref().is_some_and(|start| start.value == name);
    let leads_here = |edge: &&GraphEdge| edge.target.as_ref().is_some_and(|end| end.name.value == name);
    let from = graph.edges.iter().filter(leads_here).filter_map(|edge| edge.source.as_ref());
    let from = distinct(from.map(|end| end_name(end.role, &end.name.value)));
    let start = is_start.then_some(START_WORDS);
    if is_start || !from.is_empty() {
        let all = start.into_iter().chain(from);
        lines.push(Line::new().prose("From ").parts(all, |line, name| end_word(line, (graph, facts), name)));
    }
    let edges = facts.outgoing(position).iter().filter_map(|edge| graph.edges.get(*edge));
    let to: Vec<Line> = edges
        .filter_map(|edge| {
            let end = edge.target.as_ref()?;
            Some(when(
                end_word(Line::new(), (graph, facts), end_name(end.role, &end.name.value)),
                &edge.guard,
            ))
        })
        .collect();
    let handed = facts.handed(position).iter().filter_map(|other| graph.nodes.get(*other)?.id.as_ref());
    let handed: Vec<&str> = handed.map(|id| id.value.as_str()).collect();
    let is_end = graph.ends.iter().flat_map(|ends| &ends.value).any(|end| end.value == name);
    let end = is_end.then(|| Line::new().prose(END_WORDS));
    let all: Vec<Line> = to.into_iter().chain(end).collect();
    lines.extend(ways_out(&all, edges_differ(graph, facts, position)));
    if !handed.is_empty() {
        lines.push(
            Line::new()
                .prose("Hands over to ")
                .parts(handed, |line, id| line.name(id, node_at(graph, facts, id))),
        );
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Whether the run decides which of several edges is followed.
fn edges_differ(graph: &Graph, facts: &GraphFacts, position: usize) -> bool {
    let edges = facts.outgoing(position);
    let is_conditional =
        |edge: &usize| graph.edges.get(*edge).is_some_and(|edge| matches!(edge.guard, EdgeGuard::When(_)));
    edges.len() > 1 && edges.iter().any(is_conditional)
}

/// The edges from a node: on one line, or on a line each if conditions make them long.
fn ways_out(ways: &[Line], are_long: bool) -> Vec<Line> {
    let to = || Line::new().prose("To ");
    if !are_long {
        let together = (!ways.is_empty()).then(|| to().parts(ways, |line, way| line.line(way)));
        return together.into_iter().collect();
    }
    let mut lines: Vec<Line> = ways.iter().take(ITEMS_MAX).map(|way| to().line(way)).collect();
    let left_out = ways.len().saturating_sub(ITEMS_MAX);
    if left_out > 0 {
        lines.push(Line::new().prose(&format!("To {left_out} more")));
    }
    lines
}

/// Names in their order, without repetitions.
fn distinct<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = FxHashSet::default();
    names.into_iter().filter(|name| seen.insert(*name)).collect()
}

const START_WORDS: &str = "the start";
const END_WORDS: &str = "the end";

fn end_name(role: EndpointRole, name: &str) -> &str {
    match role {
        EndpointRole::Start => START_WORDS,
        EndpointRole::End => END_WORDS,
        EndpointRole::Node | EndpointRole::Placeholder => name,
    }
}

fn end_word(line: Line, (graph, facts): (&Graph, &GraphFacts), name: &str) -> Line {
    match name {
        START_WORDS | END_WORDS => line.prose(name),
        name => line.name(name, node_at(graph, facts, name)),
    }
}

fn when(line: Line, guard: &EdgeGuard) -> Line {
    match guard {
        EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) => {
            line.prose(" when ").code(&condition.text)
        }
        EdgeGuard::When(Some(EdgeCondition::Function(_))) => {
            line.prose(" if a function of the host returns true")
        }
        _ => line,
    }
}

/// The node or edge of a graph that contains a place.
pub(crate) fn part_around(graph: &Graph, facts: &GraphFacts, at: Origin) -> Option<Line> {
    let holds = |whole: Origin| whole.source == at.source && whole.range.contains_range(at.range);
    if let Some(node) = graph.nodes.iter().find(|node| holds(node.at)) {
        return Some(match &node.id {
            Some(id) => Line::new().name(&id.value, Some(id.at)),
            None => Line::new().code("?"),
        });
    }
    graph.edges.iter().find(|edge| holds(edge.at)).map(|edge| ends_line(graph, facts, edge))
}
