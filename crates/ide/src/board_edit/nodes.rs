//! Nodes of a graph that one document declares. In: the place of a new node, or the node to delete. Out: the edits of
//! the list of nodes, of the edges, and of all settings that name the node.

use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeRole};
use nodewise_dialect::table::NameUse;
use nodewise_model::Origin;
use nodewise_model::graph::{Endpoint, GraphEdge};
use nodewise_syntax::write::{MemberPosition, NewValue};

use super::edges::{self, Written};
use super::graph_text::GraphText;
use super::names::{remove_name, set_name};
use super::working_copy::WorkingCopy;
use super::{BoardRefusal, Edited, GraphId, NewNode, unwritable, values};
use crate::graph::declared::{END, START};
use crate::names::{Entity, NameKind, Occurrence, occurrences_everywhere};

/// Adds a node after another one.
pub(super) fn add(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    view: &GraphView,
    after: &str,
    node: &NewNode,
) -> Edited {
    if after == END {
        return Err(BoardRefusal::new("Nothing comes after the end of a run. Add the node before it."));
    }
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    if after != START {
        text.node(after)?;
    }
    let is_way = |edge: &&EdgeView| !matches!(Written::of(&text, edge), Written::Setting);
    let always = |edge: &&EdgeView| edge.from == after && edge.kind == EdgeKind::Always;
    let mut ways = view.edges.iter().filter(is_way).filter(always);
    if let (Some(only), None) = (ways.next(), ways.next()) {
        return insert(copy, graph, only, node);
    }
    let behind = text.graph.node(after).map(|node| node.at);
    put(copy, graph, behind, Some(after), node)?;
    edges::connect(copy, graph, (after, &node.name), None)?;
    end_at(copy, graph, &node.name)
}

/// Makes a node an end of runs, if the graph names its ends.
fn end_at(copy: &mut WorkingCopy<'_>, graph: GraphId, node: &str) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let conventions = text.graph.conventions;
    match (&conventions.terminal_keys, &conventions.terminals) {
        (Some(keys), _) => edges::put_end(copy, graph, keys.ends, node),
        (None, Some(_)) => edges::add_edge(copy, graph, (node, END), None, MemberPosition::Last),
        (None, None) => Ok(()),
    }
}

/// Puts a node into an edge.
pub(super) fn insert(copy: &mut WorkingCopy<'_>, graph: GraphId, edge: &EdgeView, node: &NewNode) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let at = edge.at.ok_or_else(unwritable)?;
    let neighbour = if edge.from == START { &edge.to } else { &edge.from };
    let written = Written::of(&text, edge);
    if matches!(written, Written::Setting) {
        return Err(BoardRefusal::new(format!(
            "This edge is a setting of `{}`, so no node can be put into it. Add the node after `{}` instead.",
            edge.from, edge.to
        )));
    }
    let behind = text.graph.node(neighbour).map(|node| node.at);
    let target = text.edge(edge.at).and_then(|found| Some(found.target.as_ref()?.name.at));
    let index = text.edges().ok().and_then(|list| list.item(at).ok()).map(|(_, index)| index);
    let name = &node.name;
    values::check_name(&now, graph, name)?;
    match written {
        Written::Edge => {
            // The target of the edge comes after its source, so the index stays valid.
            set_name(copy, target.ok_or_else(unwritable)?, name)?;
            let place = index.map_or(MemberPosition::Last, MemberPosition::Behind);
            edges::add_edge(copy, graph, (name, &edge.to), None, place)?;
        }
        Written::Start => {
            set_name(copy, at, name)?;
            edges::add_edge(copy, graph, (name, &edge.to), None, MemberPosition::First)?;
        }
        Written::End => {
            set_name(copy, at, name)?;
            edges::add_edge(copy, graph, (&edge.from, name), None, MemberPosition::Last)?;
        }
        Written::Setting => {}
    }
    // The nodes are usually above the edges, so the places have changed.
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let behind = behind.and(text.graph.node(neighbour)).map(|node| node.at);
    put(copy, graph, behind.filter(|_| edge.from != START), Some(neighbour), node)
}

/// Adds a node to the list of nodes, after another one or before all.
fn put(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    behind: Option<Origin>,
    like: Option<&str>,
    node: &NewNode,
) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    values::check_name(&now, graph, &node.name)?;
    let list = text.nodes()?;
    let place = match behind {
        Some(at) => MemberPosition::Behind(list.item(at)?.1),
        None => MemberPosition::First,
    };
    let value = values::node_value(&text, list.item, node, like.and_then(|like| text.graph.node(like)))?;
    copy.apply(text.file.source, text.add(list, place, &value)?)
}

/// Deletes a node, its edges, and the settings that name it.
pub(super) fn delete(copy: &mut WorkingCopy<'_>, graph: GraphId, view: &GraphView, name: &str) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    text.node(name)?;
    let is_node = |one: &&nodewise_diagram::view::NodeView| one.role == NodeRole::Node;
    if view.nodes.iter().filter(is_node).count() == 1 {
        return Err(BoardRefusal::new("A graph needs a node. Add another one before you delete this one."));
    }
    let mut starts = view.edges.iter().filter(|edge| edge.from == START);
    if starts.clone().count() > 0 && starts.all(|edge| edge.to == name) {
        return Err(BoardRefusal::new(format!(
            "Runs start at `{name}`. Move the end of the edge from the start to another node first."
        )));
    }
    let entity = Entity::Local {
        document: graph.document,
        graph: Some(graph.part),
        kind: NameKind::Node,
        name: name.into(),
    };
    let is_end = |end: Option<&Endpoint>| end.is_some_and(|end| end.name.value == name);
    loop {
        let now = copy.now();
        let text = GraphText::of(&now, graph)?;
        let own = text.node(name)?.at;
        let is_outside =
            |one: &Occurrence| one.usage != NameUse::Declares && !own.range.contains_range(one.at.range);
        // Start with the last one: the places before it stay valid.
        let Some(one) = occurrences_everywhere(&now, &entity).into_iter().rfind(is_outside) else {
            // The rules also read names with a wrong type, but these are not names in the text.
            let is_left = |edge: &&GraphEdge| is_end(edge.source.as_ref()) || is_end(edge.target.as_ref());
            match text.graph.edges.iter().rfind(is_left).map(|edge| edge.at) {
                Some(at) => edges::remove_edge(copy, graph, at)?,
                None => break,
            }
            continue;
        };
        let is_around = |edge: &&GraphEdge| {
            let leads = is_end(edge.source.as_ref()) || is_end(edge.target.as_ref());
            edge.at.source == one.at.source && edge.at.range.contains_range(one.at.range) && leads
        };
        match text.graph.edges.iter().find(is_around).map(|edge| edge.at) {
            Some(at) => edges::remove_edge(copy, graph, at)?,
            None => remove_name(copy, one.at, &format!("`{name}`"))?,
        }
    }
    remove_item(copy, graph, name)
}

/// Removes a node from the list of nodes.
fn remove_item(copy: &mut WorkingCopy<'_>, graph: GraphId, name: &str) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let list = text.nodes()?;
    let (sequence, index) = list.item(text.node(name)?.at)?;
    let edits = match sequence.items().count() {
        1 => {
            let entry = text.mapping.get(list.field.key).ok_or_else(unwritable)?;
            text.writer().set_value(text.mapping, entry, &NewValue::Sequence(Vec::new()))
        }
        _ => text.writer().remove_item(sequence, index),
    };
    copy.apply(text.file.source, edits)
}
