//! Marks on the drawing of a graph: the path of a finding, and what happens to a state key. In: a snapshot, the drawing, a
//! finding or a key. Out: the drawing with marks, and the same in words. A part is marked if its place is that of a step, also
//! in a graph that is drawn inside a node.

#[cfg(test)]
mod tests;

use nodewise_analysis::diagnostic::{Diagnostic, Finding};
use nodewise_analysis::rule::Category;
use nodewise_analysis::rules;
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::marked::{MarkLine, MarkedView};
use nodewise_diagram::marks::{self, MarkKind, PartMark};
use nodewise_diagram::view::GraphView;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::TextRange;

use crate::graph::{graph_at, graph_place, nest};
use crate::lineage::{KeyUse, LineageStep, in_words, is_key, key_title, lineage};
use crate::names::{Entity, NameKind, declaration, declarations, name_at};
use crate::position::FilePosition;

/// The minimum number of places on a path.
const PATH_MIN: usize = 2;

/// A finding whose path can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPath {
    /// The rule's id.
    pub rule: &'static str,
    /// The finding.
    pub at: Origin,
    /// The places on the path, in order, each with what happens there.
    pub steps: Vec<(Origin, String)>,
    message: String,
}

/// The paths of the findings about security that touch a range.
#[must_use]
pub fn paths_at(snapshot: &Snapshot, source: SourceId, range: TextRange) -> Vec<FoundPath> {
    let found = snapshot.diagnostics(source);
    let touching = found.iter().filter(|diagnostic| diagnostic.finding.at.range.intersect(range).is_some());
    touching.filter_map(path_of).collect()
}

fn path_of(diagnostic: &Diagnostic) -> Option<FoundPath> {
    let rule = rules::rule(diagnostic.rule).filter(|rule| rule.category == Category::Security)?;
    let Finding { at, message, related, .. } = &diagnostic.finding;
    let mut steps: Vec<(Origin, String)> = related.iter().map(|one| (one.at, one.message.clone())).collect();
    // If the path does not visit the place of the finding, it ends there.
    if steps.iter().all(|(step, _)| step != at) {
        steps.push((*at, message.clone()));
    }
    let is_path = steps.len() >= PATH_MIN;
    is_path.then(|| FoundPath { rule: rule.id, at: *at, steps, message: message.clone() })
}

/// The graph of a path, with the nodes and edges on it in their order. `None` if it is in no graph.
#[must_use]
pub fn marked_path(snapshot: &Snapshot, path: &FoundPath) -> Option<MarkedView> {
    let (first, _) = path.steps.first()?;
    let mut view = graph_at(snapshot, FilePosition::new(first.source, first.range.start()))?;
    nest(snapshot, &mut view);
    let places: Vec<Vec<Origin>> = path.steps.iter().map(|(at, _)| meant(snapshot, *at)).collect();
    mark_path(&mut view, &places);
    let line = |(number, (at, text)): (usize, &(Origin, String))| MarkLine {
        text: format!("{}. {text}", number + 1),
        at: Some(*at),
    };
    Some(MarkedView {
        view,
        title: format!("Path of the finding `{}`", path.rule),
        summary: path.message.clone(),
        lines: path.steps.iter().enumerate().map(line).collect(),
        dims_others: true,
    })
}

/// The places that belong to a place: itself, and the declaration of the name there.
fn meant(snapshot: &Snapshot, at: Origin) -> Vec<Origin> {
    let position = FilePosition::new(at.source, at.range.start());
    let entity = name_at(snapshot, position).map(|name| name.entity);
    let declared = entity.into_iter().flat_map(|entity| declarations(snapshot, &entity));
    std::iter::once(at).chain(declared.map(|target| target.at)).collect()
}

/// Numbers the nodes and edges of a path, and marks the edges between consecutive nodes.
fn mark_path(view: &mut GraphView, places: &[Vec<Origin>]) {
    let mut ids: Vec<Option<String>> = Vec::new();
    for (number, places) in places.iter().enumerate() {
        let mark = || PartMark { kind: MarkKind::Step, text: (number + 1).to_string() };
        let node = view.nodes.iter_mut().find(|node| node.at.is_some_and(|at| is_one_of(at, places)));
        let edge = view
            .edges
            .iter_mut()
            .find(|edge| edge.at.is_some_and(|edge| places.iter().take(1).any(|at| is_inside(*at, edge))));
        match (node, edge) {
            (Some(node), _) => {
                match node.marks.iter_mut().find(|mark| mark.kind == MarkKind::Step) {
                    Some(known) => known.text = format!("{}, {}", known.text, number + 1),
                    None => node.marks.push(mark()),
                }
                ids.push(Some(node.id.clone()));
            }
            (None, Some(edge)) => {
                marks::add(&mut edge.marks, mark());
                ids.push(None);
            }
            (None, None) => ids.push(None),
        }
    }
    for pair in ids.windows(2) {
        let [Some(from), Some(to)] = pair else { continue };
        for edge in view.edges.iter_mut().filter(|edge| (&edge.from, &edge.to) == (from, to)) {
            marks::add(&mut edge.marks, PartMark { kind: MarkKind::Step, text: String::new() });
        }
    }
    for inner in view.nodes.iter_mut().filter_map(|node| node.inner.as_deref_mut()) {
        mark_path(inner, places);
    }
}

fn is_one_of(at: Origin, places: &[Origin]) -> bool {
    places.iter().any(|place| is_inside(at, *place) || is_inside(*place, at))
}

fn is_inside(at: Origin, around: Origin) -> bool {
    at.source == around.source && around.range.contains_range(at.range)
}

/// The state key at a position.
#[must_use]
pub fn key_at(snapshot: &Snapshot, position: FilePosition) -> Option<Entity> {
    name_at(snapshot, position).map(|name| name.entity).filter(is_key)
}

/// The state key with this name in the graph at a position. The name is spelt as in the drawing.
#[must_use]
pub fn key_called(snapshot: &Snapshot, position: FilePosition, name: &str) -> Option<Entity> {
    let (document, part) = graph_place(snapshot, position)?;
    declaration(snapshot, document)?.graph(part)?;
    Some(Entity::Local { document, graph: Some(part), kind: NameKind::State, name: name.into() })
}

/// The graph at a position, with marks for what writes, reads and tests a key, and for the keys that it is copied to.
/// `None` if there is no graph, or if nothing uses the key.
#[must_use]
pub fn marked_key(snapshot: &Snapshot, position: FilePosition, key: &Entity) -> Option<MarkedView> {
    let mut view = graph_at(snapshot, position)?;
    nest(snapshot, &mut view);
    let found = lineage(snapshot, vec![key.clone()]);
    let (mut lines, mut done) = (Vec::new(), Vec::new());
    for one in &found {
        let is_other = one.key != *key;
        let indent = if is_other { "  " } else { "" };
        lines.extend(is_other.then(|| MarkLine { text: one.title.clone(), at: None }));
        for step in &one.steps {
            if let Some(kind) = done_to(&one.key, step) {
                done.push(kind);
                mark_step(snapshot, &mut view, step, kind);
            }
            let implied = if step.is_implied { " (not named there)" } else { "" };
            let text = format!("{indent}{}{implied}", in_words(snapshot, step));
            lines.push(MarkLine { text, at: Some(step.at) });
        }
    }
    let counted = |kind: MarkKind| times(done.iter().filter(|done| **done == kind).count());
    let summary = format!(
        "written {}, read {}, tested {}",
        counted(MarkKind::Writes),
        counted(MarkKind::Reads),
        counted(MarkKind::Tests)
    );
    let title = format!("What happens to the {}", key_title(snapshot, key));
    (!found.is_empty()).then_some(MarkedView { view, title, summary, lines, dims_others: true })
}

fn times(count: usize) -> String {
    match count {
        0 => "nowhere".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// What a step does with a key. A copy is a step of both keys, but its node is in the graph of only one of them, and
/// only that step is marked.
fn done_to(key: &Entity, step: &LineageStep) -> Option<MarkKind> {
    let is_own = || step.owner.as_ref().is_none_or(|owner| is_of_same_graph(owner, key));
    match &step.what {
        KeyUse::Written => Some(MarkKind::Writes),
        KeyUse::Read => Some(MarkKind::Reads),
        KeyUse::Tested => Some(MarkKind::Tests),
        KeyUse::CopiedFrom(_) => is_own().then_some(MarkKind::Writes),
        KeyUse::CopiedTo(_) => is_own().then_some(MarkKind::Reads),
        KeyUse::Declared | KeyUse::Input | KeyUse::Output | KeyUse::Scripted => None,
    }
}

fn is_of_same_graph(one: &Entity, other: &Entity) -> bool {
    match (one, other) {
        (Entity::Local { document, graph, .. }, Entity::Local { document: own, graph: around, .. }) => {
            (document, graph) == (own, around)
        }
        _ => true,
    }
}

/// Marks the part that does something to a key.
fn mark_step(snapshot: &Snapshot, view: &mut GraphView, step: &LineageStep, kind: MarkKind) {
    let owner = step.owner.iter().flat_map(|owner| declarations(snapshot, owner));
    let places: Vec<Origin> = owner.map(|target| target.at).collect();
    mark_at(view, step.at, &places, kind);
}

fn mark_at(view: &mut GraphView, at: Origin, owner: &[Origin], kind: MarkKind) {
    let edge = view.edges.iter_mut().find(|edge| edge.at.is_some_and(|edge| is_inside(at, edge)));
    if let Some(edge) = edge {
        marks::add(&mut edge.marks, PartMark::new(kind));
    } else {
        let is_owner = |node: Option<Origin>| node.is_some_and(|at| owner.contains(&at));
        for node in view.nodes.iter_mut().filter(|node| is_owner(node.at)) {
            marks::add(&mut node.marks, PartMark::new(kind));
        }
    }
    for inner in view.nodes.iter_mut().filter_map(|node| node.inner.as_deref_mut()) {
        mark_at(inner, at, owner, kind);
    }
}
