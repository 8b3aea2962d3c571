//! Edges of a graph that one document declares. In: two nodes, or an edge of the view. Out: the edits that add, move or
//! delete it. An edge is an item of the list of edges, the name of the first or of a last node, or a setting of a node.

use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView};
use nodewise_model::Origin;
use nodewise_model::graph::{EdgeGuard, GraphEdge};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::write::{MemberPosition, NewValue};

use super::edge_text::EdgeKeys;
use super::graph_text::GraphText;
use super::names::{remove_name, set_name};
use super::working_copy::WorkingCopy;
use super::{BoardRefusal, EdgeEnd, Edited, GraphId, unwritable};
use crate::actions::create::add_to_list;
use crate::graph::declared::{END, START};

/// How the text of a graph expresses an edge.
pub(super) enum Written {
    /// As an item of the list of edges.
    Edge,
    /// As the name of the node where runs begin.
    Start,
    /// As the name of a node where runs end.
    End,
    /// As a setting of the source node.
    Setting,
}

impl Written {
    pub(super) fn of(text: &GraphText<'_>, edge: &EdgeView) -> Written {
        match (text.edge(edge.at), edge.from.as_str(), edge.to.as_str()) {
            (Some(_), ..) => Written::Edge,
            (None, START, _) => Written::Start,
            (None, _, END) => Written::End,
            _ => Written::Setting,
        }
    }
}

/// Adds an edge between two nodes of the view.
pub(super) fn connect(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    (from, to): (&str, &str),
    condition: Option<&str>,
) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let keys = text.graph.conventions.terminal_keys.as_ref();
    for name in [from, to].into_iter().filter(|name| !matches!(*name, START | END)) {
        text.node(name)?;
    }
    match (from, to) {
        (END, _) => Err(BoardRefusal::new("Nothing comes after the end of a run.")),
        (_, START) => {
            Err(BoardRefusal::new("A run cannot come back to its start. Connect to the first node."))
        }
        (START, END) => Err(BoardRefusal::new("A run needs a node between its start and its end.")),
        (START, to) if let Some(keys) = keys => set_start(copy, graph, keys.start, to),
        (from, END) if let Some(keys) = keys => add_end(copy, graph, keys.ends, from),
        _ => {
            let place = place_for(&text, from, to, condition)?;
            add_edge(copy, graph, (from, to), condition, place)
        }
    }
}

/// The position of a new edge: after the others of its source. If only one edge is followed, it must be before an edge
/// that is always followed.
fn place_for(
    text: &GraphText<'_>,
    from: &str,
    to: &str,
    condition: Option<&str>,
) -> Result<MemberPosition, BoardRefusal> {
    let (source, target) = (name_of(text, from), name_of(text, to));
    let is_last = text.graph.ends.iter().flat_map(|ends| &ends.value).any(|end| end.value == from);
    if is_last {
        return Err(BoardRefusal::new(format!(
            "A run ends at `{from}`, so no edge from it is followed. Delete its edge to the end first."
        )));
    }
    let leaves = |edge: &&GraphEdge| edge.source.as_ref().is_some_and(|end| end.name.value == source);
    let is_always = |edge: &&GraphEdge| matches!(edge.guard, EdgeGuard::Always);
    let leads = |edge: &&GraphEdge| edge.target.as_ref().is_some_and(|end| end.name.value == target);
    let own = || text.graph.edges.iter().filter(leaves);
    if own().any(|edge| leads(&edge) && (is_always(&edge) || condition.is_none())) {
        let (from, to) = (from.trim(), to.trim());
        return Err(BoardRefusal::new(format!("`{from}` already leads to `{to}`. Edit that edge instead.")));
    }
    let list = text.edges()?;
    let index = |edge: &GraphEdge| list.item(edge.at).map(|(_, index)| index);
    let is_first_match = !text.graph.conventions.runs_in_batches;
    match own().find(is_always).filter(|_| is_first_match) {
        Some(always) if condition.is_some() => {
            Ok(index(always)?.checked_sub(1).map_or(MemberPosition::First, MemberPosition::Behind))
        }
        Some(always) => {
            let other = always.target.as_ref().map_or("", |end| end.name.value.as_str());
            Err(BoardRefusal {
                reason: format!(
                    "`{from}` always leads to `{other}`, so another edge would never be followed. Give the new edge a \
                     condition."
                ),
                needs_condition: true,
            })
        }
        None => own()
            .next_back()
            .map_or(Ok(MemberPosition::Last), |last| Ok(MemberPosition::Behind(index(last)?))),
    }
}

/// Adds an edge to the list of edges.
pub(super) fn add_edge(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    (from, to): (&str, &str),
    condition: Option<&str>,
    place: MemberPosition,
) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    if condition.is_some() && from == START {
        return Err(BoardRefusal::new(
            "An edge from the start is always followed, so it takes no condition.",
        ));
    }
    let list = text.edges()?;
    let ends = (name_of(&text, from), name_of(&text, to));
    let value = EdgeKeys::of(list.item)?.value(&text, ends, condition);
    let edits = text.add(list, place, &value)?;
    copy.apply(text.file.source, edits)
}

/// The name of a node of the view in the text.
pub(super) fn name_of<'n>(text: &GraphText<'_>, id: &'n str) -> &'n str {
    match (id, text.graph.conventions.terminals.as_ref()) {
        (START, Some(marks)) => marks.start,
        (END, Some(marks)) => marks.end,
        _ => id,
    }
}

/// Makes a node the start of runs.
pub(super) fn set_start(copy: &mut WorkingCopy<'_>, graph: GraphId, key: &str, node: &str) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    match &text.graph.start {
        Some(start) if start.value == node => {
            Err(BoardRefusal::new(format!("A run already starts at `{node}`.")))
        }
        Some(start) => set_name(copy, start.at, node),
        None => {
            let value = NewValue::text(node);
            let edits = match text.mapping.get(key) {
                Some(entry) => text.writer().set_value(text.mapping, entry, &value),
                None => text.writer().insert_entry(text.mapping, MemberPosition::Last, key, &value),
            };
            copy.apply(text.file.source, edits)
        }
    }
}

/// Makes a node an additional end of runs.
pub(super) fn add_end(copy: &mut WorkingCopy<'_>, graph: GraphId, key: &str, node: &str) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    if text.graph.ends.iter().flat_map(|ends| &ends.value).any(|end| end.value == node) {
        return Err(BoardRefusal::new(format!("A run already ends at `{node}`.")));
    }
    let leaves = |edge: &&GraphEdge| edge.source.as_ref().is_some_and(|source| source.name.value == node);
    if let Some(edge) = text.graph.edges.iter().find(leaves) {
        let to = edge.target.as_ref().map_or("", |target| target.name.value.as_str());
        return Err(BoardRefusal::new(format!(
            "`{node}` leads to `{to}`, and a run that ends at `{node}` would never go there. Delete that edge first."
        )));
    }
    put_end(copy, graph, key, node)
}

/// Adds a node to those where runs end.
pub(super) fn put_end(copy: &mut WorkingCopy<'_>, graph: GraphId, key: &str, node: &str) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let edits = add_to_list(&text.writer(), text.mapping, key, MemberPosition::Last, &NewValue::text(node));
    copy.apply(text.file.source, edits.ok_or_else(unwritable)?)
}

/// Moves an end of an edge to another node.
pub(super) fn reconnect(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    edge: &EdgeView,
    end: EdgeEnd,
    node: &str,
) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let (from, to) = match end {
        EdgeEnd::From => (node, edge.to.as_str()),
        EdgeEnd::To => (edge.from.as_str(), node),
    };
    if (from, to) == (edge.from.as_str(), edge.to.as_str()) {
        return Err(BoardRefusal::new("The edge is already there."));
    }
    let at = edge.at.ok_or_else(unwritable)?;
    if !matches!(node, START | END) {
        text.node(node)?;
    }
    let has_marks = text.graph.conventions.terminals.is_some();
    if node == START && !has_marks {
        return Err(BoardRefusal::new(
            "A run starts at one node. Move the end of the edge from the start to another node instead.",
        ));
    }
    match (Written::of(&text, edge), end) {
        (Written::Edge, _) if has_marks || !matches!(node, START | END) => {
            move_edge(copy, graph, &text, edge, end, (from, to))
        }
        (Written::Start, EdgeEnd::To) if node != END => set_name(copy, at, node),
        (Written::End, EdgeEnd::From) => {
            remove_name(copy, at, "the last node")?;
            connect(copy, graph, (from, to), None)
        }
        (Written::Edge | Written::End, _) => {
            delete_written(copy, graph, &text, edge)?;
            connect(copy, graph, (from, to), edge.condition.as_deref())
        }
        (Written::Start, _) => Err(BoardRefusal::new(
            "A run begins at a node of the graph. Move the other end of this edge to another node.",
        )),
        (Written::Setting, EdgeEnd::To) if !matches!(node, START | END) => set_name(copy, at, node),
        (Written::Setting, _) => Err(BoardRefusal::new(format!(
            "This edge is a setting of `{}`, so it cannot be moved there. Delete it, and edit the settings of the other \
             node in the text.",
            edge.from
        ))),
    }
}

/// Changes the name of an end in an edge of the list.
fn move_edge(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    text: &GraphText<'_>,
    edge: &EdgeView,
    end: EdgeEnd,
    (from, to): (&str, &str),
) -> Edited {
    let found = text.edge(edge.at).ok_or_else(unwritable)?;
    match (from, to) {
        (END, _) => return Err(BoardRefusal::new("Nothing comes after the end of a run.")),
        (_, START) => return Err(BoardRefusal::new("A run cannot come back to its start.")),
        (START, END) => return Err(BoardRefusal::new("A run needs a node between its start and its end.")),
        _ => {}
    }
    let names = (name_of(text, from), name_of(text, to));
    let is_same = |other: &&GraphEdge| {
        let ends = other.source.as_ref().zip(other.target.as_ref());
        let is_between = ends.is_some_and(|(source, target)| {
            (source.name.value.as_str(), target.name.value.as_str()) == names
        });
        is_between && other.at != found.at
    };
    if text.graph.edges.iter().any(|other| is_same(&other) && edge.kind == EdgeKind::Always) {
        return Err(BoardRefusal::new(format!("`{}` already leads to `{}`.", from.trim(), to.trim())));
    }
    let (endpoint, new) = match end {
        EdgeEnd::From => (found.source.as_ref(), names.0),
        EdgeEnd::To => (found.target.as_ref(), names.1),
    };
    let old = endpoint.ok_or_else(unwritable)?;
    let (at, old_name) = (old.name.at, old.name.value.clone());
    let outcomes = outcomes_of(found, &old_name, end);
    // Edit the last place first, so that the offsets of the others stay valid.
    let mut places: Vec<Origin> = outcomes.into_iter().chain([at]).collect();
    places.arrange_by_key(|place| std::cmp::Reverse(place.range.start()));
    for place in places {
        set_name(copy, place, new)?;
    }
    // Check that the edge still exists.
    GraphText::of(&copy.now(), graph).map(|_| ())
}

/// The targets in the condition of an edge by trait that name the same node.
fn outcomes_of(edge: &GraphEdge, old: &str, end: EdgeEnd) -> Vec<Origin> {
    let EdgeGuard::Personality(Some(choice)) = &edge.guard else { return Vec::new() };
    let outcomes = [&choice.above, &choice.below].into_iter().flatten();
    let meant = outcomes.filter(|outcome| end == EdgeEnd::To && outcome.value == old);
    meant.map(|outcome| outcome.at).collect()
}

/// Deletes an edge.
pub(super) fn delete(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    view: &GraphView,
    edge: &EdgeView,
) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let starts = view.edges.iter().filter(|other| other.from == START).count();
    if edge.from == START && starts == 1 {
        return Err(BoardRefusal::new(
            "Without this edge no run can start. Move its end to the node where runs shall start.",
        ));
    }
    delete_written(copy, graph, &text, edge)
}

fn delete_written(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    text: &GraphText<'_>,
    edge: &EdgeView,
) -> Edited {
    let at = edge.at.ok_or_else(unwritable)?;
    match Written::of(text, edge) {
        Written::Edge => remove_edge(copy, graph, at),
        _ => remove_name(copy, at, &format!("`{}`", edge.to.trim())),
    }
}

/// Removes an item from the list of edges.
pub(super) fn remove_edge(copy: &mut WorkingCopy<'_>, graph: GraphId, at: Origin) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let list = text.edges()?;
    let (sequence, index) = list.item(at)?;
    let edits = match sequence.items().count() {
        1 => {
            let entry = text.mapping.get(list.field.key).ok_or_else(unwritable)?;
            text.writer().set_value(text.mapping, entry, &NewValue::Sequence(Vec::new()))
        }
        _ => text.writer().remove_item(sequence, index),
    };
    copy.apply(text.file.source, edits)
}
