//! Charts of the graphs and nodes of a project.

use std::collections::BTreeMap;

use nodewise_analysis::graphs::handed_ids;
use nodewise_analysis::index::Resolution;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, Endpoint, EndpointRole, Graph, GraphEdge, GraphNode};
use nodewise_model::work::{HandOverKind, QuestionKind};
use nodewise_model::{Body, Declaration, Edge, NodeKind, Origin, Reference};
use smol_str::{SmolStr, format_smolstr};

use super::{Chart, ChartCondition, ChartEdge, ChartNode, NO_EDGE, Places};
use crate::system::RunnableSystem;

/// The chart of a graph that one document declares.
pub(crate) fn of_graph(system: RunnableSystem, graph: &Graph, places: &mut Places<'_>) -> Chart {
    let mut nodes: Vec<ChartNode> = graph.nodes.iter().map(|node| graph_node(system, node, places)).collect();
    let workers = workers(graph);
    for node in &mut nodes {
        node.asks_for = workers.get(&node.id).cloned();
    }
    let mut edges = Vec::new();
    if let Some(start) = &graph.start {
        edges.push(mark(None, Some(start.value.clone()), start.at, places));
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        edges.push(graph_edge(system, number, edge, places));
    }
    for node in &graph.nodes {
        let Some(id) = &node.id else { continue };
        for target in handed_ids(node) {
            edges.push(mark(Some(id.value.clone()), Some(target.value.clone()), target.at, places));
        }
    }
    for end in graph.ends.iter().flat_map(|ends| &ends.value) {
        edges.push(mark(Some(end.value.clone()), None, end.at, places));
    }
    let id = graph.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
    let name = graph.name.as_ref().map(|name| name.value.clone());
    Chart { name, strict_taint: graph.strict_taint, ..Chart::new(id, nodes, edges) }
}

/// The chart of the node declarations that form an agent together.
pub(crate) fn of_agent<'d>(
    system: RunnableSystem,
    id: SmolStr,
    declarations: impl Iterator<Item = &'d Declaration> + Clone,
    snapshot: &Snapshot,
    places: &mut Places<'_>,
) -> Chart {
    let declared = declarations.filter_map(|declaration| match &declaration.body {
        Body::Node(node) => Some((declaration, declaration.name.as_ref()?, node.as_ref())),
        _ => None,
    });
    let full_name = |kind: &str, name: &str| format_smolstr!("{kind}/{name}");
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for (declaration, name, node) in declared {
        let from = full_name(declaration.kind, &name.value);
        nodes.push(ChartNode {
            id: from.clone(),
            label: name.value.clone(),
            kind: declaration.kind.into(),
            work: node.kind.into(),
            asks: match node.kind {
                NodeKind::Model => QuestionKind::Model,
                NodeKind::Tool => QuestionKind::Tool,
                NodeKind::Function => QuestionKind::Function,
            },
            asks_for: None,
            condition: None,
            place: places.find(name.at),
        });
        for (number, edge) in node.edges.iter().enumerate() {
            edges.extend(agent_edges(system, &from, number, edge, snapshot, places));
        }
        for tool in &node.tools {
            let resolved = meant(snapshot, tool);
            let to = resolved.unwrap_or_else(|| tool.name.clone());
            edges.push(ChartEdge { number: NO_EDGE, ..mark(Some(from.clone()), Some(to), tool.at, places) });
        }
    }
    Chart::new(id, nodes, edges)
}

/// The edges to all nodes that one declared edge leads to.
fn agent_edges(
    system: RunnableSystem,
    from: &SmolStr,
    number: usize,
    edge: &Edge,
    snapshot: &Snapshot,
    places: &mut Places<'_>,
) -> Vec<ChartEdge> {
    let condition = edge.condition.as_ref().map(|condition| ChartCondition {
        text: condition.text.as_ref().into(),
        language: system.dialect().condition_language(),
    });
    let target = |reference: &Reference, places: &mut Places<'_>| ChartEdge {
        from: Some(from.clone()),
        to: Some(meant(snapshot, reference).unwrap_or_else(|| reference.name.clone())),
        number: u32::try_from(number).unwrap_or(u32::MAX),
        id: edge.id.as_ref().map(|id| id.value.clone()),
        condition: condition.clone(),
        place: places.find(edge.at),
    };
    edge.targets.iter().map(|reference| target(reference, places)).collect()
}

/// The full name of the declaration that a reference means.
fn meant(snapshot: &Snapshot, reference: &Reference) -> Option<SmolStr> {
    let declared = match snapshot.index().resolve(reference) {
        Resolution::To(declared) => declared,
        Resolution::Ambiguous(all) => *all.first()?,
        Resolution::WrongKind(_) | Resolution::Nothing => return None,
    };
    Some(format_smolstr!("{}/{}", declared.kind, reference.name))
}

fn graph_node(system: RunnableSystem, node: &GraphNode, places: &mut Places<'_>) -> ChartNode {
    let id = node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
    ChartNode {
        label: id.clone(),
        id,
        kind: node.type_word.as_ref().map(|word| word.value.clone()).unwrap_or_default(),
        work: node.work.kind(),
        asks: node.work.asks(),
        asks_for: None,
        condition: node.work.condition().and_then(|condition| expression(system, condition)),
        place: places.find(node.id.as_ref().map_or(node.head, |id| id.at)),
    }
}

/// For each node that another node runs for many items, that other node.
fn workers(graph: &Graph) -> BTreeMap<SmolStr, SmolStr> {
    let mut workers = BTreeMap::new();
    for node in &graph.nodes {
        let Some(id) = &node.id else { continue };
        for hand_over in node.work.hand_overs() {
            if hand_over.kind == HandOverKind::Worker {
                workers.insert(hand_over.target.value.clone(), id.value.clone());
            }
        }
    }
    workers
}

fn graph_edge(system: RunnableSystem, number: usize, edge: &GraphEdge, places: &mut Places<'_>) -> ChartEdge {
    let end = |end: &Option<Endpoint>, mark: EndpointRole| {
        end.as_ref().filter(|end| end.role != mark).map(|end| end.name.value.clone())
    };
    ChartEdge {
        from: end(&edge.source, EndpointRole::Start),
        to: end(&edge.target, EndpointRole::End),
        number: u32::try_from(number).unwrap_or(u32::MAX),
        id: edge.id.as_ref().map(|id| id.value.clone()),
        condition: condition(system, &edge.guard),
        place: places.find(edge.id.as_ref().map_or(edge.head, |id| id.at)),
    }
}

fn condition(system: RunnableSystem, guard: &EdgeGuard) -> Option<ChartCondition> {
    let words = |text: String| ChartCondition { text: text.into(), language: None };
    match guard {
        EdgeGuard::Always | EdgeGuard::Unknown => None,
        EdgeGuard::When(condition) => expression(system, condition.as_ref()?),
        EdgeGuard::Discovery(discovery) => {
            let query = discovery.query.as_ref()?;
            Some(words(format!("a search finds `{}`", query.value)))
        }
        EdgeGuard::Personality(choice) => {
            let choice = choice.as_ref()?;
            let threshold = choice.threshold.as_ref()?.value;
            Some(words(format!("{} >= {threshold}", choice.trait_name.as_ref()?.value)))
        }
    }
}

fn expression(system: RunnableSystem, condition: &EdgeCondition) -> Option<ChartCondition> {
    match condition {
        EdgeCondition::Expression(Some(expression)) => Some(ChartCondition {
            text: expression.text.as_ref().into(),
            language: system.dialect().condition_language(),
        }),
        EdgeCondition::Function(_) => {
            Some(ChartCondition { text: "a function of the host".into(), language: None })
        }
        EdgeCondition::Expression(None) => None,
    }
}

/// An edge of the chart that the document does not declare.
fn mark(from: Option<SmolStr>, to: Option<SmolStr>, at: Origin, places: &mut Places<'_>) -> ChartEdge {
    ChartEdge { from, to, number: NO_EDGE, id: None, condition: None, place: places.find(at) }
}
