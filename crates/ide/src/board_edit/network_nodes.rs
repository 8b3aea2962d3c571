//! Nodes that are separate documents. In: the place of a new node, or the node to delete. Out: a new document, in a file
//! of its own if the others have one, or the removal of the document and of every name of it.

use nodewise_analysis::facts::{DocumentId, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView};
use nodewise_dialect::table::{Dialect, Kind, KindRole, NameUse};
use nodewise_model::SourceId;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::NewValue;
use nodewise_syntax::{TextRange, TextSize};

use super::graph_text::writer;
use super::network::{NodeDocument, NodeName, connect, delete as delete_edge, edge_value, retarget};
use super::working_copy::WorkingCopy;
use super::{BoardRefusal, Edited, NewNode, unwritable, values};
use crate::actions::create::new_file;
use crate::actions::edges::{List, edge_list};
use crate::actions::skeleton::Skeleton;
use crate::names::{Entity, declaration, occurrences_everywhere};

/// Adds a node after another one.
pub(super) fn add(copy: &mut WorkingCopy<'_>, view: &GraphView, after: &NodeName, node: &NewNode) -> Edited {
    let id = format!("{}/{}", after.kind, after.name);
    let mut ways = view.edges.iter().filter(|edge| edge.from == id && edge.kind != EdgeKind::Tool);
    if let (Some(only), None) = (ways.next(), ways.next())
        && only.kind == EdgeKind::Always
        && let Some((kind, name)) = only.to.split_once('/')
    {
        let to = NodeName { kind: kind.to_owned(), name: name.to_owned() };
        return insert(copy, only, after, &to, node);
    }
    let new = NodeName { kind: node.kind.clone(), name: node.name.clone() };
    declare(copy, after, node, None)?;
    connect(copy, after, &new, None)
}

/// Puts a node into an edge.
pub(super) fn insert(
    copy: &mut WorkingCopy<'_>,
    edge: &EdgeView,
    from: &NodeName,
    to: &NodeName,
    node: &NewNode,
) -> Edited {
    if edge.kind == EdgeKind::Tool {
        return Err(BoardRefusal::new(
            "A tool is called by its node itself, so no node can be put between the two.",
        ));
    }
    let new = NodeName { kind: node.kind.clone(), name: node.name.clone() };
    declare(copy, from, node, Some(to))?;
    let at = edge.at.ok_or_else(unwritable)?;
    retarget(copy, at, &new)
}

/// Declares a new node with an edge to another one.
fn declare(copy: &mut WorkingCopy<'_>, beside: &NodeName, node: &NewNode, to: Option<&NodeName>) -> Edited {
    let now = copy.now();
    values::check_letters(&node.name)?;
    let place = NodeDocument::of(&now, beside)?;
    let Ownership::Ours(dialect) = place.file.ownership else { return Err(unwritable()) };
    let (dialect, kind) = values::document_kind(dialect.id, &node.kind)?;
    if nodewise_dialect::bind::name_fault(&node.name).is_some() {
        return Err(BoardRefusal::new(format!("`{}` cannot be a name. Choose another one.", node.name)));
    }
    is_free(&now, &node.name)?;
    let value = value_of(dialect, kind, node, to)?;
    let is_alone = place.file.documents.len() == 1 && has_files_of_one(&now, place.file.source);
    match is_alone.then(|| new_file(&now, place.file, dialect, kind, &node.name, &value)).flatten() {
        Some(file) => copy.new_files.push(file),
        None => copy.apply(place.file.source, writer(place.file).append_document(&value))?,
    }
    Ok(())
}

/// Whether there is another file with exactly one node.
fn has_files_of_one(now: &Snapshot, source: SourceId) -> bool {
    let has_one = |id: DocumentId| {
        declaration(now, id).is_some_and(|found| matches!(found.body, nodewise_model::Body::Node(_)))
    };
    now.files().iter().any(|file| match &*file.documents {
        [document] => file.source != source && has_one(document.id),
        _ => false,
    })
}

fn is_free(now: &Snapshot, name: &str) -> Edited {
    let is_taken = |id: DocumentId| {
        declaration(now, id).is_some_and(|found| {
            let is_node = matches!(found.body, nodewise_model::Body::Node(_));
            is_node && found.name.as_ref().is_some_and(|taken| taken.value == name)
        })
    };
    match now.files().iter().flat_map(|file| &file.documents).any(|document| is_taken(document.id)) {
        true => Err(values::taken(name)),
        false => Ok(()),
    }
}

fn value_of(
    dialect: &'static Dialect,
    kind: &'static Kind,
    node: &NewNode,
    to: Option<&NodeName>,
) -> Result<NewValue, BoardRefusal> {
    let value = Skeleton { dialect, name: &node.name, kind: Some(kind) }.shape(&kind.shape);
    let (Some(to), NewValue::Mapping(mut entries)) = (to, value.clone()) else { return Ok(value) };
    let lists = kind.shape.fields.iter().filter_map(edge_list);
    let accepts = |list: &List| list.name.scope().kinds.contains(&to.kind.as_str());
    let list = { lists }.find(accepts).ok_or_else(|| {
        BoardRefusal::new(format!("A {} cannot lead to a {}. Choose another kind.", kind.name, to.kind))
    })?;
    entries.push((list.field.key.to_owned(), NewValue::Sequence(vec![edge_value(list, to, None)?])));
    Ok(NewValue::Mapping(entries))
}

/// Deletes a node, everything that names it, and its file if that contains nothing else.
pub(super) fn delete(copy: &mut WorkingCopy<'_>, node: &NodeName) -> Edited {
    let now = copy.now();
    let document = NodeDocument::of(&now, node)?;
    let entity = Entity::Declaration { document: document.id, kind: document.kind.name, part: 0 };
    let own =
        now.file(document.file.source).and_then(|file| file.documents.get(document.id.position as usize));
    let own = own.ok_or_else(unwritable)?.range;
    let is_outside = |one: &crate::names::Occurrence| {
        let is_inside = one.at.source == document.id.source && own.range.contains_range(one.at.range);
        one.usage != NameUse::Declares && !is_inside
    };
    let mut uses: Vec<_> = occurrences_everywhere(&now, &entity).into_iter().filter(is_outside).collect();
    uses.arrange_by_key(|one| (one.at.source, one.at.range.start()));
    let patched = uses.iter().find(|one| is_in_overlay_target(&now, one));
    if let Some(patched) = patched {
        let path = now.file(patched.at.source).map_or("", |file| &*file.path);
        return Err(BoardRefusal::new(format!(
            "An overlay in {path} changes `{}`. Delete the overlay first.",
            node.name
        )));
    }
    for one in uses.into_iter().rev() {
        delete_edge(copy, one.at)?;
    }
    let now = copy.now();
    let document = NodeDocument::of(&now, node)?;
    if document.file.documents.len() == 1 {
        copy.delete_file(document.file.source);
        return Ok(());
    }
    let range = document_range(&document);
    copy.apply(document.file.source, vec![TextEdit { range, text: String::new() }])
}

/// Whether a name is the target of an overlay.
fn is_in_overlay_target(now: &Snapshot, one: &crate::names::Occurrence) -> bool {
    let shape = one.slot.map(|slot| slot.shape);
    let Some(Ownership::Ours(dialect)) = now.file(one.at.source).map(|file| &file.ownership) else {
        return false;
    };
    let overlays = dialect.kinds.iter().filter(|kind| kind.role == KindRole::Overlay);
    shape.is_some_and(|shape| { overlays }.any(|kind| kind.shape.is_same(shape)))
}

/// The lines of a document, with the marker that separates it from its neighbour.
fn document_range(document: &NodeDocument<'_>) -> TextRange {
    let tree = document.file.tree();
    let position = document.id.position as usize;
    let all: Vec<TextRange> = tree.documents().map(|document| document.range()).collect();
    let end = TextSize::of(tree.text());
    let start = all.get(position).map_or(TextSize::new(0), |range| range.start());
    match all.get(position + 1) {
        Some(next) if position == 0 => {
            let marker = tree.documents().nth(1).and_then(|next| next.start_marker());
            let behind = marker.map_or(next.start(), |marker| line_end(tree.text(), marker.end()));
            TextRange::new(TextSize::new(0), behind)
        }
        Some(next) => TextRange::new(start, next.start()),
        None => TextRange::new(start, end),
    }
}

/// The offset after the line break at or after a place.
fn line_end(text: &str, at: TextSize) -> TextSize {
    let rest = text.get(usize::from(at)..).unwrap_or_default();
    let length = rest.find('\n').map_or(rest.len(), |found| found + 1);
    at + TextSize::try_from(length).unwrap_or_default()
}
