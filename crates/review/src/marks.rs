//! A whole graph with marks for what changed since another version.
//!
//! Input: the changes, and the graph of both versions as it is drawn. Output: the graph of the new version with the parts that
//! only the old one has, each with what happened to it. Invariant: a mark stands for a change in meaning, and what is gone has
//! no place: its file may not exist any more.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_diagram::marked::{MarkLine, MarkedView};
use nodewise_diagram::marks::{self, MarkKind, PartMark};
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeRole, NodeView};
use nodewise_dialect::meaning::PartRole;

use crate::change::{PartChange, PartChangeKind, Review};
use crate::text::{summary, text};
use crate::version::ProjectVersion;

/// The graph of a version.
#[derive(Debug, Clone, Copy)]
pub struct DrawnVersion<'v> {
    pub view: &'v GraphView,
    /// The project that it is drawn from.
    pub version: &'v ProjectVersion,
}

/// The name that a graph had in the old version, given its view in the new version.
#[must_use]
pub fn former_name(review: &Review, head: DrawnVersion<'_>) -> Option<String> {
    let changes = Changes::of(review, head.view, head.version);
    let begins = |node: &&NodeView| node.at == head.view.at;
    let first = || changes.of_node(head.view.nodes.iter().find(begins)?);
    changes.graph.or_else(first)?.ids.first().cloned().flatten().map(String::from)
}

/// Returns the graph of the new version, marked with what changed since the old one. Without an old version, everything is
/// new. `since` is what people call the old version.
#[must_use]
pub fn marked(
    review: &Review,
    base: Option<DrawnVersion<'_>>,
    head: DrawnVersion<'_>,
    since: &str,
) -> MarkedView {
    let mut paths = paths(head);
    paths.extend(base.into_iter().flat_map(self::paths));
    let mut own = review.clone();
    own.keep_paths(&|path| paths.contains(path));
    let mut view = head.view.clone();
    match base {
        Some(base) => mark(&mut view, base.view, &Changes::of(&own, head.view, head.version)),
        None => mark_all(&mut view, MarkKind::Added),
    }
    let mut lines: Vec<String> =
        text(&own).lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    // Drop the last line, which only counts the changes.
    lines.pop();
    let lines = lines.into_iter().map(|text| MarkLine { text, at: None }).collect();
    let title = format!("Changes since {since}");
    MarkedView { view, title, summary: summary(&own), lines, dims_others: false }
}

/// The files of a graph.
fn paths(drawn: DrawnVersion<'_>) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let mut waiting = vec![drawn.view];
    while let Some(view) = waiting.pop() {
        let places = view.nodes.iter().map(|node| node.at).chain(view.edges.iter().map(|edge| edge.at));
        let places = places.chain([view.at]).flatten();
        paths.extend(places.filter_map(|at| drawn.version.file_of(at)));
        waiting.extend(view.nodes.iter().filter_map(|node| node.inner.as_deref()));
    }
    paths
}

/// The changes of a graph.
struct Changes<'c> {
    review: &'c Review,
    version: &'c ProjectVersion,
    /// The change of the graph that one document declares.
    graph: Option<&'c PartChange>,
    /// The changes of its nodes, by their ids.
    nodes: BTreeMap<&'c str, &'c PartChange>,
    /// The titles of its edges whose fields changed.
    edges: BTreeSet<&'c str>,
    /// The changes of declarations that are a single node, by file and name.
    declared: BTreeMap<(&'c str, &'c str), &'c PartChange>,
}

impl<'c> Changes<'c> {
    fn of(review: &'c Review, view: &GraphView, version: &'c ProjectVersion) -> Changes<'c> {
        let mut changes = Changes {
            review,
            version,
            graph: of_graph(review, view, version),
            nodes: BTreeMap::new(),
            edges: BTreeSet::new(),
            declared: BTreeMap::new(),
        };
        for part in changes.graph.into_iter().flat_map(|graph| &graph.parts) {
            if part.role == PartRole::Edge && part.kind == PartChangeKind::Changed {
                changes.edges.insert(&part.name);
            }
            if let Some(id) = node_id(part).filter(|_| part.kind != PartChangeKind::Reordered) {
                changes.nodes.entry(id).or_insert(part);
            }
        }
        for part in review.declarations.iter().map(|declared| &declared.part) {
            if let (Some(place), Some(id)) = (&part.head, node_id(part)) {
                changes.declared.entry((&place.path, id)).or_insert(part);
            }
        }
        changes
    }

    /// The change of a node: in the graph around it, or as a declaration of its own.
    fn of_node(&self, node: &NodeView) -> Option<&'c PartChange> {
        let own = || {
            let path = node.at.and_then(|at| self.version.file_of(at))?;
            self.declared.get(&(path.as_str(), node.label.as_str())).copied()
        };
        self.nodes.get(node.id.as_str()).copied().or_else(own)
    }

    /// Whether what an edge says has changed, given the change of the node that it leaves.
    fn has_edge(&self, edge: &EdgeView, source: Option<&PartChange>) -> bool {
        let changed =
            |part: &&PartChange| part.role == PartRole::Edge && part.kind == PartChangeKind::Changed;
        let title = format!("{} -> {}", edge.from, edge.to);
        // If a declaration is a single node, its edges use the names of declarations without their kinds.
        let target = edge.to.split_once('/').map_or(edge.to.as_str(), |(_, name)| name);
        let leads_there = |part: &PartChange| {
            let targets = part.name.split_once(" -> ").map_or("", |(_, targets)| targets);
            targets.split(", ").any(|name| name == target)
        };
        // An exit is a setting of its node, so a changed field of the node may be the exit.
        let is_exit = edge.kind == EdgeKind::Exit && source.is_some_and(|source| !source.fields.is_empty());
        is_exit
            || self.edges.contains(title.as_str())
            || source.into_iter().flat_map(|source| &source.parts).filter(changed).any(leads_there)
    }
}

/// The change of the graph that one document declares.
fn of_graph<'c>(review: &'c Review, view: &GraphView, version: &ProjectVersion) -> Option<&'c PartChange> {
    let path = view.at.and_then(|at| version.file_of(at));
    let is_it = |part: &&PartChange| {
        let id = part.ids.last().and_then(Option::as_ref);
        let is_named = id.is_some_and(|id| view.names.contains(id));
        let is_here = part.head.as_ref().map(|place| &place.path) == path.as_ref();
        part.role == PartRole::Graph && is_here && (is_named || id.is_none())
    };
    let declared = review.declarations.iter().map(|declared| &declared.part);
    declared.flat_map(|part| std::iter::once(part).chain(&part.parts)).find(is_it)
}

/// The id of a node that has changed.
fn node_id(part: &PartChange) -> Option<&str> {
    part.ids.last().and_then(Option::as_deref).filter(|_| part.role == PartRole::Node)
}

fn mark(head: &mut GraphView, base: &GraphView, changes: &Changes<'_>) {
    let mut former: BTreeMap<String, String> = BTreeMap::new();
    for node in &mut head.nodes {
        let Some(change) = changes.of_node(node) else { continue };
        let mut text = "changed".to_owned();
        if let (PartChangeKind::Renamed(name), Some(id)) =
            (&change.kind, change.ids.first().and_then(Option::as_ref))
        {
            text = format!("was {name}");
            // The id of a declaration begins with its kind.
            let kind = node.id.strip_suffix(node.label.as_str()).unwrap_or_default();
            former.insert(format!("{kind}{id}"), node.id.clone());
        }
        if change.kind != PartChangeKind::Added {
            marks::add(&mut node.marks, PartMark { kind: MarkKind::Changed, text });
        }
    }
    let now = |id: &str| former.get(id).map_or(id, String::as_str).to_owned();
    let before: BTreeMap<String, &NodeView> = base.nodes.iter().map(|node| (now(&node.id), node)).collect();
    for node in &mut head.nodes {
        match before.get(&node.id) {
            None => node.marks = vec![PartMark::new(MarkKind::Added)],
            Some(old) => mark_inner(node, old, changes),
        }
    }
    mark_edges(head, base, &now, changes);
    let known: BTreeSet<&str> = head.nodes.iter().map(|node| node.id.as_str()).collect();
    let gone: Vec<NodeView> =
        before.iter().filter(|(id, _)| !known.contains(id.as_str())).map(|(_, node)| gone(node)).collect();
    head.nodes.extend(gone);
}

/// Marks the graph that a node runs, and the node if something changed there.
fn mark_inner(node: &mut NodeView, old: &NodeView, changes: &Changes<'_>) {
    let (Some(inner), Some(before)) = (node.inner.as_deref_mut(), old.inner.as_deref()) else { return };
    let own = Changes::of(changes.review, inner, changes.version);
    mark(inner, before, &own);
    let is_marked = inner.nodes.iter().any(|node| !node.marks.is_empty())
        || inner.edges.iter().any(|edge| !edge.marks.is_empty());
    if is_marked {
        let text = "its graph changed".to_owned();
        marks::add(&mut node.marks, PartMark { kind: MarkKind::Changed, text });
    }
}

/// Pairs edges with the same ends: first equal ones, then those of the same kind, then the rest in order.
fn mark_edges(head: &mut GraphView, base: &GraphView, now: &dyn Fn(&str) -> String, changes: &Changes<'_>) {
    let mut old: Vec<Option<EdgeView>> = base
        .edges
        .iter()
        .map(|edge| Some(EdgeView { from: now(&edge.from), to: now(&edge.to), ..edge.clone() }))
        .collect();
    let changed: BTreeMap<&str, &PartChange> =
        head.nodes.iter().filter_map(|node| Some((node.id.as_str(), changes.of_node(node)?))).collect();
    let has = |edge: &EdgeView| changes.has_edge(edge, changed.get(edge.from.as_str()).copied());
    let mut by_ends: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (position, edge) in old.iter().enumerate() {
        let Some(edge) = edge else { continue };
        by_ends.entry((edge.from.clone(), edge.to.clone())).or_default().push(position);
    }
    let mut take = |edge: &EdgeView, is_it: &dyn Fn(&EdgeView) -> bool| {
        let positions = by_ends.get_mut(&(edge.from.clone(), edge.to.clone()))?;
        let is_wanted = |position: &usize| old.get(*position).and_then(Option::as_ref).is_some_and(is_it);
        let found = positions.remove(positions.iter().position(is_wanted)?);
        old.get_mut(found).and_then(Option::take)
    };
    let mut left = Vec::new();
    for (position, edge) in head.edges.iter_mut().enumerate() {
        let same = take(edge, &|old| old.kind == edge.kind && old.condition == edge.condition);
        if same.is_none() {
            left.push(position);
        } else if has(edge) {
            edge.marks.push(PartMark::new(MarkKind::Changed));
        }
    }
    for position in left {
        let Some(edge) = head.edges.get_mut(position) else { continue };
        let is_said = has(edge);
        match take(edge, &|old| old.kind == edge.kind).or_else(|| take(edge, &|_| true)) {
            // The texts differ, but their meaning does not.
            Some(old) if !is_said && old.kind == edge.kind => {}
            Some(_) => edge.marks.push(PartMark::new(MarkKind::Changed)),
            None => edge.marks.push(PartMark::new(MarkKind::Added)),
        }
    }
    let gone = old.into_iter().flatten().map(|edge| EdgeView {
        at: None,
        problems: 0,
        errors: 0,
        marks: vec![PartMark::new(MarkKind::Removed)],
        ..edge
    });
    head.edges.extend(gone);
}

/// A node that only the old version has.
fn gone(node: &NodeView) -> NodeView {
    NodeView {
        inner: None,
        at: None,
        problems: 0,
        errors: 0,
        is_unreachable: false,
        marks: vec![PartMark::new(MarkKind::Removed)],
        ..node.clone()
    }
}

fn mark_all(view: &mut GraphView, kind: MarkKind) {
    for node in view.nodes.iter_mut().filter(|node| node.role == NodeRole::Node) {
        node.marks = vec![PartMark::new(kind)];
        if let Some(inner) = node.inner.as_deref_mut() {
            mark_all(inner, kind);
        }
    }
    for edge in &mut view.edges {
        edge.marks = vec![PartMark::new(kind)];
    }
}

impl ProjectVersion {
    /// The path of the file of a place, relative to the version.
    fn file_of(&self, at: nodewise_model::Origin) -> Option<String> {
        self.snapshot.file(at.source).map(|file| self.path_of(&file.path))
    }
}
