//! Nodes that one side renamed, in the texts of the others.
//!
//! Input: three versions of a file, as declarations. Output: the new names of each side, why they contradict one another, and a
//! text with them. Invariant: a name is renamed only in its own graph, and only where the table says that it is a name.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::meaning::{MeaningPart, MeaningPiece, PartRole, key_piece, leaf_pieces};
use nodewise_dialect::table::{Field, Kind, KindRole, NameUse, Shape, Symbol, Type};
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_model::Origin;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::write::{ScalarPosition, scalar_text};
use smol_str::SmolStr;

use super::MergeConflict;
use crate::compare::{both, graph_renames, paired};
use crate::renames::Renames;
use crate::version::{DeclaredVersion, ProjectVersion, declarations};

/// What one side renamed since the base, and the names that it has now.
#[derive(Debug, Default)]
pub(super) struct SideRenames {
    /// The new names of declarations that are nodes, by kind and old name.
    declared: BTreeMap<(SmolStr, SmolStr), SmolStr>,
    /// The renamed nodes of each graph, and the state keys that are named after them, by the name of the graph.
    graphs: BTreeMap<Option<SmolStr>, Renames>,
    /// The names of declarations that are nodes.
    own: BTreeSet<(SmolStr, SmolStr)>,
    /// The names of the nodes of each graph.
    nodes: BTreeMap<Option<SmolStr>, BTreeSet<SmolStr>>,
}

impl SideRenames {
    /// What a side renamed since the base.
    pub(super) fn of(base: &ProjectVersion, side: &ProjectVersion) -> SideRenames {
        let (base, side) = (std::slice::from_ref(base), std::slice::from_ref(side));
        let (base, side) = (declarations(base), declarations(side));
        let pairs = paired(&base, &side);
        let mut found = SideRenames::default();
        for (old, new) in both(&pairs, &base, &side) {
            if let (PartRole::Node, Some(was), Some(is)) = (old.part.role, &old.part.name, &new.part.name)
                && was != is
            {
                found.declared.insert((SmolStr::new(old.part.noun), was.clone()), is.clone());
            }
            found.graphs(old, new);
        }
        for one in &side {
            if let (PartRole::Node, Some(name)) = (one.part.role, &one.part.name) {
                found.own.insert((SmolStr::new(one.part.noun), name.clone()));
            }
            for graph in one.graphs() {
                found.nodes.entry(graph.name.clone()).or_default().extend(node_names(graph));
            }
        }
        found
    }

    fn graphs(&mut self, old: &DeclaredVersion<'_>, new: &DeclaredVersion<'_>) {
        for (position, graph) in old.graphs().enumerate() {
            let Some((other, now)) = new.graphs().enumerate().find(|(_, now)| now.name == graph.name) else {
                continue;
            };
            let implied = (old.implied.get(position), new.implied.get(other));
            let renames = graph_renames(graph, now, implied);
            if !renames.nodes.is_empty() {
                self.graphs.insert(graph.name.clone(), renames);
            }
        }
    }

    /// Whether nothing was renamed.
    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty() && self.graphs.is_empty()
    }

    /// The conflicts of this side's renames with the other side: the other side renamed the node differently, removed it,
    /// or has another node with the new name.
    pub(super) fn contradictions(&self, other: &SideRenames) -> Vec<MergeConflict> {
        let mut conflicts = Vec::new();
        for ((noun, was), is) in &self.declared {
            let with = |name: &SmolStr| (noun.clone(), name.clone());
            let there = other.declared.get(&with(was));
            let has = |name: &SmolStr| other.own.contains(&with(name));
            conflicts.extend(contradiction("", was, is, there, has));
        }
        for (graph, renames) in &self.graphs {
            let there = other.graphs.get(graph);
            let names = other.nodes.get(graph);
            let has = |name: &SmolStr| names.is_some_and(|names| names.contains(name));
            for (was, is) in &renames.nodes {
                let there = there.and_then(|there| there.nodes.get(was));
                let graph = graph.as_deref().unwrap_or_default();
                conflicts.extend(contradiction(graph, was, is, there, has));
            }
        }
        conflicts
    }

    /// The renames of this side that the other side has not made.
    pub(super) fn without(&self, other: &SideRenames) -> SideRenames {
        let mut rest = SideRenames { declared: self.declared.clone(), ..SideRenames::default() };
        rest.declared.retain(|key, _| !other.declared.contains_key(key));
        for (graph, renames) in &self.graphs {
            let mut renames = renames.clone();
            if let Some(there) = other.graphs.get(graph) {
                renames.nodes.retain(|name, _| !there.nodes.contains_key(name));
                renames.keys.retain(|name, _| !there.keys.contains_key(name));
            }
            rest.graphs.insert(graph.clone(), renames);
        }
        rest
    }

    /// The renames of both sides.
    pub(super) fn with(&self, other: &SideRenames) -> SideRenames {
        let mut all = SideRenames { declared: self.declared.clone(), ..SideRenames::default() };
        all.declared.extend(other.declared.clone());
        for (graph, renames) in self.graphs.iter().chain(&other.graphs) {
            let known = all.graphs.entry(graph.clone()).or_default();
            known.nodes.extend(renames.nodes.clone());
            known.keys.extend(renames.keys.clone());
        }
        all
    }

    /// The text with the new names. `None` if a renamed node is named in a scalar of several lines.
    pub(super) fn applied(&self, snapshot: &Snapshot, text: &str, is_json: bool) -> Option<String> {
        let mut edits = Vec::new();
        for file in snapshot.files().iter() {
            for document in &file.documents {
                let Some((_, kind, value)) = snapshot.value(document.id) else { continue };
                let mut writer = Writer {
                    kind,
                    around: Vec::new(),
                    outside: Renames { declared: self.declared.clone(), ..Renames::default() },
                    renames: self,
                    found: Vec::new(),
                };
                walk(kind, None, &value, &mut writer);
                for (at, name) in writer.found {
                    edits.push(edit(text, at, &name, is_json)?);
                }
            }
        }
        apply_edits(text, &mut edits).ok()
    }
}

fn node_names(graph: &MeaningPart) -> impl Iterator<Item = SmolStr> + use<'_> {
    let nodes = graph.parts.iter().filter(|part| part.role == PartRole::Node);
    nodes.filter_map(|node| node.name.clone())
}

/// The conflict if a node cannot get its new name `is` in both versions. `there` is the other side's new name for it.
fn contradiction(
    graph: &str,
    was: &SmolStr,
    is: &SmolStr,
    there: Option<&SmolStr>,
    has: impl Fn(&SmolStr) -> bool,
) -> Option<MergeConflict> {
    let message = match there {
        Some(there) if there == is => return None,
        Some(there) => {
            // Both sides find this conflict. Sorted names make the two messages equal, so that one of them is dropped.
            let (first, second) = if is < there { (is, there) } else { (there, is) };
            format!("both sides renamed the node, one to `{first}`, the other to `{second}`")
        }
        None if !has(was) => format!("one side renamed the node to `{is}`, and the other removed it"),
        None if has(is) => {
            format!("one side renamed the node to `{is}`, and the other has another node of this name")
        }
        None => return None,
    };
    let path = [graph, was.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    Some(MergeConflict { path: path.join("."), message })
}

/// Finds the renamed names in a document.
struct Writer<'w> {
    kind: &'static Kind,
    /// For each mapping around the current value: the name of its graph, if the mapping is a graph.
    around: Vec<Option<Option<SmolStr>>>,
    outside: Renames,
    renames: &'w SideRenames,
    found: Vec<(Origin, String)>,
}

impl Writer<'_> {
    fn renames(&self) -> &Renames {
        let graph = self.around.iter().rev().find_map(Option::as_ref);
        graph.and_then(|graph| self.renames.graphs.get(graph)).unwrap_or(&self.outside)
    }

    fn renamed(&self, pieces: &[MeaningPiece]) -> Option<String> {
        let renames = self.renames();
        let is_renamed = pieces.iter().any(|piece| renames.apply(piece) != piece.text());
        is_renamed.then(|| renames.joined(pieces))
    }
}

impl<'v> Visitor<'v, 'v> for Writer<'_> {
    fn open(&mut self, shape: &'static Shape, value: &'v SpannedValue<'v>) {
        let has_nodes =
            |field: &Field| field.ty.use_of_nodes() == Some(NameUse::Declares) && !is_name(&field.ty);
        let name = || {
            let field = shape.fields.iter().find(|field| declares_graph(&field.ty))?;
            Some(SmolStr::new(value.get(field.key)?.value.as_text()?))
        };
        self.around.push(shape.fields.iter().any(has_nodes).then(name));
    }

    fn close(&mut self, _: &'static Shape, _: &'v SpannedValue<'v>) {
        self.around.pop();
    }

    fn free_key(&mut self, ty: Type, _: Slot, member: &'v SpannedEntry<'v>) {
        let piece = key_piece(ty, &member.key);
        if let Some(name) = piece.and_then(|piece| self.renamed(&[piece])) {
            self.found.push((member.key_at, name));
        }
    }

    fn leaf(&mut self, ty: Type, _: Slot, value: &'v SpannedValue<'v>) {
        let Some(written) = value.as_text() else { return };
        let is_own = matches!(ty, Type::DeclaredName) && self.around.len() == 1;
        let name = match is_own && matches!(self.kind.role, KindRole::Node(_)) {
            true => {
                let name = (SmolStr::new(self.kind.name), SmolStr::new(written));
                self.renames.declared.get(&name).map(SmolStr::to_string)
            }
            false => leaf_pieces(ty, value).and_then(|pieces| self.renamed(&pieces)),
        };
        self.found.extend(name.map(|name| (value.at, name)));
    }
}

/// Whether it is the name of a node, and not the list of them.
fn is_name(ty: &Type) -> bool {
    match ty {
        Type::Symbol(..) => true,
        Type::Sized(inner, _) | Type::Lenient(inner) => is_name(inner),
        _ => false,
    }
}

fn declares_graph(ty: &Type) -> bool {
    match ty {
        Type::Symbol(Symbol::Graph, NameUse::Declares) => true,
        Type::Sized(inner, _) | Type::Lenient(inner) => declares_graph(inner),
        _ => false,
    }
}

/// Another text in the place of a scalar, with its quotes.
fn edit(source: &str, at: Origin, text: &str, is_json: bool) -> Option<TextEdit> {
    let written = source.get(std::ops::Range::<usize>::from(at.range))?;
    let text = match written.chars().next()? {
        '|' | '>' => return None,
        '"' => scalar_text(text, ScalarPosition::Json),
        '\'' if !text.contains('\n') => format!("'{}'", text.replace('\'', "''")),
        _ if is_json => scalar_text(text, ScalarPosition::Json),
        _ => scalar_text(text, ScalarPosition::Flow),
    };
    Some(TextEdit { range: at.range, text })
}
