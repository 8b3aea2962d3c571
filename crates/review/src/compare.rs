//! Compares two versions.
//!
//! Input: the projects of both. Output: the changes. Invariant: versions that mean the same have none, whatever their layout
//! and their order where that means nothing; what was renamed is one change, and what only follows from it none.

use std::collections::BTreeSet;

use nodewise_diagram::view::GraphView;
use nodewise_dialect::meaning::{MeaningPart, MeaningPiece, PartRole};
use smol_str::SmolStr;

use crate::change::{Behaviour, ChangedDeclaration, ChangedPlace, PartChange, PartChangeKind, Review};
use crate::drawing::drawing;
use crate::fields::changed_fields;
use crate::renames::{Masked, Pairs, Renames, is_reordered};
use crate::titles::{title, word};
use crate::version::{DeclaredVersion, ImpliedKeys, ProjectVersion, declarations};

/// The changes from one version to the other.
#[must_use]
pub fn review(base: &[ProjectVersion], head: &[ProjectVersion]) -> Review {
    let (base, head) = (declarations(base), declarations(head));
    let pairs = paired(&base, &head);
    let mut renames = Renames::default();
    for (old, new) in both(&pairs, &base, &head) {
        let is_named = old.part.name.is_some() && new.part.name.is_some();
        let noun = SmolStr::new(old.part.noun);
        if is_named && old.part.name != new.part.name {
            renames.declared.insert((noun, old.name()), new.name());
        }
        packed_renames(&old.part, &new.part, &mut renames);
    }
    let mut changed: Vec<(usize, ChangedDeclaration)> = Vec::new();
    for (old, new) in &pairs.both {
        if let Some((before, after)) = base.get(*old).zip(head.get(*new)) {
            changed.extend(
                Comparison { base: before, head: after, renames: &renames }
                    .declaration()
                    .map(|one| (*new, one)),
            );
        }
    }
    for position in &pairs.only_head {
        changed.extend(head.get(*position).map(|one| (*position, whole(one, PartChangeKind::Added))));
    }
    changed.sort_by_key(|(position, _)| *position);
    let gone = pairs.only_base.iter().filter_map(|position| base.get(*position));
    let gone = gone.map(|one| whole(one, PartChangeKind::Removed));
    let declarations = changed.into_iter().map(|(_, one)| one).chain(gone).collect();
    Review { declarations, behaviour: Behaviour::default() }
}

pub(crate) fn both<'a, 'v>(
    pairs: &'a Pairs,
    base: &'a [DeclaredVersion<'v>],
    head: &'a [DeclaredVersion<'v>],
) -> impl Iterator<Item = (&'a DeclaredVersion<'v>, &'a DeclaredVersion<'v>)> {
    pairs.both.iter().filter_map(|(old, new)| base.get(*old).zip(head.get(*new)))
}

/// Pairs the declarations of both versions: by name, then the remaining ones by content, as renames.
pub(crate) fn paired(base: &[DeclaredVersion<'_>], head: &[DeclaredVersion<'_>]) -> Pairs {
    let key = |one: &DeclaredVersion<'_>| (one.project.folder.clone(), one.system, one.part.noun, one.name());
    let keys = |all: &[DeclaredVersion<'_>]| all.iter().map(key).collect::<Vec<_>>();
    let pairs = Pairs::by_key(&keys(base), &keys(head));
    let masked = |all: &[DeclaredVersion<'_>], left: &[usize]| Masked {
        declared: left.iter().filter_map(|position| all.get(*position)?.part.name.clone()).collect(),
        ..Masked::default()
    };
    let (base_masked, head_masked) = (masked(base, &pairs.only_base), masked(head, &pairs.only_head));
    let signature = |all: &[DeclaredVersion<'_>], masked: &Masked, position: usize| {
        let one = all.get(position)?;
        Some((one.project.folder.clone(), one.system, masked.signature(&one.part)))
    };
    pairs.then(
        |position| signature(base, &base_masked, position),
        |position| signature(head, &head_masked, position),
    )
}

/// Records the renames of agents and graphs that are packed inside a declaration.
fn packed_renames(old: &MeaningPart, new: &MeaningPart, renames: &mut Renames) {
    for role in [PartRole::Graph, PartRole::Agent] {
        let (before, after) = (of_role(old, role), of_role(new, role));
        for (old, new) in named_pairs(&before, &after, &Masked::default(), &Masked::default()).both {
            let names = before.get(old).zip(after.get(new));
            let Some((noun, Some(old), Some(new))) =
                names.map(|(old, new)| (old.noun, old.name.clone(), new.name.clone()))
            else {
                continue;
            };
            if old != new {
                renames.declared.insert((SmolStr::new(noun), old), new);
            }
        }
    }
}

fn of_role(part: &MeaningPart, role: PartRole) -> Vec<&MeaningPart> {
    part.parts.iter().filter(|part| part.role == role).collect()
}

/// Pairs parts by name, then the remaining ones by content.
fn named_pairs(
    base: &[&MeaningPart],
    head: &[&MeaningPart],
    base_masked: &Masked,
    head_masked: &Masked,
) -> Pairs {
    let names = |parts: &[&MeaningPart]| parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    Pairs::by_key(&names(base), &names(head)).then(
        |position| Some(base_masked.signature(base.get(position)?)),
        |position| Some(head_masked.signature(head.get(position)?)),
    )
}

/// The change for a declaration that only one version has.
fn whole(one: &DeclaredVersion<'_>, kind: PartChangeKind) -> ChangedDeclaration {
    let place = one.place(one.part.at);
    let is_added = kind == PartChangeKind::Added;
    let (base, head) = if is_added { (None, place) } else { (place, None) };
    let id = one.part.name.clone();
    let ids = if is_added { [None, id] } else { [id, None] };
    let part = PartChange {
        role: one.part.role,
        noun: one.part.noun,
        name: one.title(),
        word: one.part.word.as_ref().map(SmolStr::to_string),
        kind,
        fields: Vec::new(),
        parts: Vec::new(),
        ids,
        base,
        head,
    };
    ChangedDeclaration { system: one.system, part, drawings: Vec::new() }
}

/// A declaration in both versions.
struct Comparison<'c, 'v> {
    base: &'c DeclaredVersion<'v>,
    head: &'c DeclaredVersion<'v>,
    /// The renames of declarations.
    renames: &'c Renames,
}

impl Comparison<'_, '_> {
    fn declaration(&self) -> Option<ChangedDeclaration> {
        let (old, new) = (&self.base.part, &self.head.part);
        let mut drawings = Vec::new();
        let mut change = self.part(old, new, self.renames);
        if old.name.is_some() && old.name != new.name {
            change.kind = PartChangeKind::Renamed(self.base.title());
        }
        change.name = self.head.title();
        if old.role == PartRole::Graph {
            let implied = (self.base.implied.first(), self.head.implied.first());
            self.graph(old, new, implied, &mut change);
            drawings.extend(drawing(old, new, &change));
        } else if old.role == PartRole::Node {
            self.ways(old, new, &mut change);
        }
        self.packed(&mut change, &mut drawings);
        let system = self.head.system;
        (!change.is_empty()).then_some(ChangedDeclaration { system, part: change, drawings })
    }

    /// Compares the graphs and agents that are packed inside the declaration.
    fn packed(&self, change: &mut PartChange, drawings: &mut Vec<GraphView>) {
        let graphs = |one: &DeclaredVersion<'_>, graph: Option<&MeaningPart>| {
            let position =
                one.graphs().position(|other| graph.is_some_and(|graph| std::ptr::eq(graph, other)));
            position.and_then(|position| one.implied.get(position).cloned())
        };
        for role in [PartRole::Graph, PartRole::Agent] {
            let (before, after) = (of_role(&self.base.part, role), of_role(&self.head.part, role));
            let pairs = named_pairs(&before, &after, &Masked::default(), &Masked::default());
            for (old, new) in &pairs.both {
                let Some((old, new)) = before.get(*old).zip(after.get(*new)) else { continue };
                let mut inner = self.part(old, new, self.renames);
                if old.name != new.name {
                    inner.kind = PartChangeKind::Renamed(title(old));
                }
                if role == PartRole::Graph {
                    let implied = (graphs(self.base, Some(old)), graphs(self.head, Some(new)));
                    self.graph(old, new, (implied.0.as_ref(), implied.1.as_ref()), &mut inner);
                    drawings.extend(drawing(old, new, &inner));
                }
                change.parts.extend((!inner.is_empty()).then_some(inner));
            }
            self.left_over(&pairs, &before, &after, change);
        }
    }

    /// Compares the fields of two paired parts.
    fn part(&self, old: &MeaningPart, new: &MeaningPart, renames: &Renames) -> PartChange {
        let places = (&|at| self.base.place(at), &|at| self.head.place(at));
        PartChange {
            role: new.role,
            noun: new.noun,
            name: title(new),
            word: new.word.as_ref().map(SmolStr::to_string),
            kind: PartChangeKind::Changed,
            fields: changed_fields(&old.facts, &new.facts, renames, (places.0, places.1)),
            parts: Vec::new(),
            ids: [old.name.clone(), new.name.clone()],
            base: self.base.place(old.at),
            head: self.head.place(new.at),
        }
    }

    fn left_over(
        &self,
        pairs: &Pairs,
        before: &[&MeaningPart],
        after: &[&MeaningPart],
        change: &mut PartChange,
    ) {
        for part in pairs.only_base.iter().filter_map(|position| before.get(*position)) {
            change.parts.push(lone(part, PartChangeKind::Removed, self.base.place(part.at), None));
        }
        for part in pairs.only_head.iter().filter_map(|position| after.get(*position)) {
            change.parts.push(lone(part, PartChangeKind::Added, None, self.head.place(part.at)));
        }
    }

    /// Compares the nodes and edges of a graph. The graph's own fields come after them, because their names may be renamed.
    fn graph(
        &self,
        old: &MeaningPart,
        new: &MeaningPart,
        implied: (Option<&ImpliedKeys>, Option<&ImpliedKeys>),
        change: &mut PartChange,
    ) {
        let (before, after) = (of_role(old, PartRole::Node), of_role(new, PartRole::Node));
        let pairs = node_pairs((old, &before), (new, &after), implied);
        let mut renames = self.renames.clone();
        note_nodes(&pairs, (&before, &after), implied, &mut renames);
        let (edges, edges_after) = (of_role(old, PartRole::Edge), of_role(new, PartRole::Edge));
        let edge_pairs = edge_pairs(&edges, &edges_after, &renames);
        note_edges(&edge_pairs, &edges, &edges_after, &mut renames);
        change.fields = self.part(old, new, &renames).fields;
        for (was, is) in &pairs.both {
            let Some((was, is)) = before.get(*was).zip(after.get(*is)) else { continue };
            let mut node = self.part(was, is, &renames);
            if was.name != is.name {
                node.kind = PartChangeKind::Renamed(title(was));
            }
            change.parts.extend((!node.is_empty()).then_some(node));
        }
        if (old.has_node_order || new.has_node_order) && is_reordered(&pairs.both) {
            change.parts.push(self.reordered(new, PartRole::Node, String::new()));
        }
        self.left_over(&pairs, &before, &after, change);
        self.edges(&edge_pairs, (&edges, &edges_after), new, &renames, change);
    }

    /// Compares the edges of a declaration that is a single node.
    fn ways(&self, old: &MeaningPart, new: &MeaningPart, change: &mut PartChange) {
        let (before, after) = (of_role(old, PartRole::Edge), of_role(new, PartRole::Edge));
        let mut renames = self.renames.clone();
        let pairs = edge_pairs(&before, &after, &renames);
        note_edges(&pairs, &before, &after, &mut renames);
        self.edges(&pairs, (&before, &after), new, &renames, change);
    }

    fn edges(
        &self,
        pairs: &Pairs,
        (before, after): (&[&MeaningPart], &[&MeaningPart]),
        around: &MeaningPart,
        renames: &Renames,
        change: &mut PartChange,
    ) {
        let mut sources: Vec<(SmolStr, Vec<(usize, usize)>)> = Vec::new();
        for (was, is) in &pairs.both {
            let Some((old, new)) = before.get(*was).zip(after.get(*is)) else { continue };
            let mut edge = self.part(old, new, renames);
            if ends(old, renames) != ends(new, &Renames::default()) {
                edge.kind = PartChangeKind::Moved(title(old));
            }
            change.parts.extend((!edge.is_empty()).then_some(edge));
            let source = new.ends.first().map(|end| SmolStr::new(end.text())).unwrap_or_default();
            match sources.iter_mut().find(|(known, _)| *known == source) {
                Some((_, all)) => all.push((*was, *is)),
                None => sources.push((source, vec![(*was, *is)])),
            }
        }
        for (source, pairs) in sources {
            if is_reordered(&pairs) {
                change.parts.push(self.reordered(around, PartRole::Edge, source.to_string()));
            }
        }
        self.left_over(pairs, before, after, change);
    }

    fn reordered(&self, around: &MeaningPart, role: PartRole, name: String) -> PartChange {
        let noun = if role == PartRole::Edge { "edge" } else { "node" };
        PartChange {
            role,
            noun,
            name,
            word: None,
            kind: PartChangeKind::Reordered,
            fields: Vec::new(),
            parts: Vec::new(),
            ids: [None, None],
            base: None,
            head: self.head.place(around.at),
        }
    }
}

/// The change for a part that only one version has.
fn lone(
    part: &MeaningPart,
    kind: PartChangeKind,
    base: Option<ChangedPlace>,
    head: Option<ChangedPlace>,
) -> PartChange {
    let is_added = kind == PartChangeKind::Added;
    let id = part.name.clone();
    PartChange {
        role: part.role,
        noun: part.noun,
        name: title(part),
        word: word(part),
        kind,
        fields: Vec::new(),
        parts: Vec::new(),
        ids: if is_added { [None, id] } else { [id, None] },
        base,
        head,
    }
}

/// Pairs the nodes of two versions of a graph: by name, then by content and edges, then by content alone.
fn node_pairs(
    (old, before): (&MeaningPart, &[&MeaningPart]),
    (new, after): (&MeaningPart, &[&MeaningPart]),
    implied: (Option<&ImpliedKeys>, Option<&ImpliedKeys>),
) -> Pairs {
    let names = |parts: &[&MeaningPart]| parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    let pairs = Pairs::by_key(&names(before), &names(after));
    let masked = |parts: &[&MeaningPart], left: &[usize], keys: Option<&ImpliedKeys>| {
        let nodes: BTreeSet<SmolStr> =
            left.iter().filter_map(|position| parts.get(*position)?.name.clone()).collect();
        let keys = nodes.iter().filter_map(|node| keys?.get(node)).flatten().cloned().collect();
        Masked { nodes, keys, edges: true, declared: BTreeSet::new() }
    };
    let base_masked = masked(before, &pairs.only_base, implied.0);
    let head_masked = masked(after, &pairs.only_head, implied.1);
    let full = |graph: &MeaningPart, masked: &Masked, part: Option<&&MeaningPart>| {
        let part = part?;
        Some((masked.signature(part), masked.surroundings(graph, part.name.as_deref()?)))
    };
    let pairs = pairs.then(
        |position| full(old, &base_masked, before.get(position)),
        |position| full(new, &head_masked, after.get(position)),
    );
    // Without its edges, content identifies a node only if no other node has the same content.
    let own = |masked: &Masked, parts: &[&MeaningPart], left: &[usize], position: usize| {
        let signature = masked.signature(parts.get(position)?);
        let same = left.iter().filter_map(|other| parts.get(*other));
        let count = same.filter(|other| masked.signature(other) == signature).count();
        (count == 1).then_some(signature)
    };
    let (base_left, head_left) = (pairs.only_base.clone(), pairs.only_head.clone());
    pairs.then(
        |position| own(&base_masked, before, &base_left, position),
        |position| own(&head_masked, after, &head_left, position),
    )
}

/// Records the new names of nodes, and of the state keys that are named after nodes.
fn note_nodes(
    pairs: &Pairs,
    (before, after): (&[&MeaningPart], &[&MeaningPart]),
    implied: (Option<&ImpliedKeys>, Option<&ImpliedKeys>),
    renames: &mut Renames,
) {
    for (was, is) in &pairs.both {
        let names = before.get(*was).zip(after.get(*is));
        let Some((Some(was), Some(is))) = names.map(|(was, is)| (was.name.as_ref(), is.name.as_ref())) else {
            continue;
        };
        if was != is {
            renames.nodes.insert(was.clone(), is.clone());
            let keys = implied.0.and_then(|keys| keys.get(was)).zip(implied.1.and_then(|keys| keys.get(is)));
            if let Some((was, is)) = keys.filter(|(was, is)| was.len() == is.len()) {
                renames.keys.extend(was.iter().cloned().zip(is.iter().cloned()));
            }
        }
    }
}

/// The renames of nodes between two versions of a graph, and of the state keys that are named after nodes.
pub(crate) fn graph_renames(
    old: &MeaningPart,
    new: &MeaningPart,
    implied: (Option<&ImpliedKeys>, Option<&ImpliedKeys>),
) -> Renames {
    let (before, after) = (of_role(old, PartRole::Node), of_role(new, PartRole::Node));
    let pairs = node_pairs((old, &before), (new, &after), implied);
    let mut renames = Renames::default();
    note_nodes(&pairs, (&before, &after), implied, &mut renames);
    renames
}

/// The nodes at the ends of an edge. Ends that name no node, such as the declaration around the edge, are left out.
fn ends(edge: &MeaningPart, renames: &Renames) -> Vec<SmolStr> {
    let named = edge.ends.iter().filter(|end| matches!(end, MeaningPiece::Name(..)));
    named.map(|end| renames.apply(end)).collect()
}

/// The fields of an edge with their values, sorted.
fn said(edge: &MeaningPart, renames: &Renames) -> Vec<(Vec<SmolStr>, String)> {
    let mut facts: Vec<_> =
        edge.facts.iter().map(|fact| (renames.path(fact), renames.joined(&fact.value))).collect();
    facts.sort_unstable();
    facts
}

/// Pairs edges: first equal ones, then those with the same ends, then those with one equal end and equal fields.
fn edge_pairs(before: &[&MeaningPart], after: &[&MeaningPart], renames: &Renames) -> Pairs {
    let none = Renames::default();
    let keys = |edges: &[&MeaningPart], renames: &Renames| {
        edges.iter().map(|edge| (ends(edge, renames), said(edge, renames))).collect::<Vec<_>>()
    };
    let source = |edge: &MeaningPart, renames: &Renames| edge.ends.first().map(|end| renames.apply(end));
    let pairs = Pairs::by_key(&keys(before, renames), &keys(after, &none));
    let pairs = pairs.then(
        |position| before.get(position).map(|edge| ends(edge, renames)),
        |position| after.get(position).map(|edge| ends(edge, &none)),
    );
    let pairs = pairs.then(
        |position| before.get(position).map(|edge| (source(edge, renames), said(edge, renames))),
        |position| after.get(position).map(|edge| (source(edge, &none), said(edge, &none))),
    );
    pairs.then(
        |position| {
            before
                .get(position)
                .map(|edge| (edge.ends.last().map(|end| renames.apply(end)), said(edge, renames)))
        },
        |position| {
            after.get(position).map(|edge| (edge.ends.last().map(|end| none.apply(end)), said(edge, &none)))
        },
    )
}

/// Records the new id of each paired edge.
fn note_edges(pairs: &Pairs, before: &[&MeaningPart], after: &[&MeaningPart], renames: &mut Renames) {
    for (was, is) in &pairs.both {
        let names = before.get(*was).zip(after.get(*is));
        if let Some((Some(was), Some(is))) = names.map(|(was, is)| (was.name.clone(), is.name.clone())) {
            renames.edges.insert(was, is);
        }
    }
}
