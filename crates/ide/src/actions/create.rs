//! Declares what a reference names and no document declares: as a document in this file or a new one, or as a part of
//! the graph or bundle around it. In: the names at the selection. Out: actions, one for each kind that fits.

use std::collections::BTreeMap;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{Dialect, Kind, NameUse, Shape, Symbol, Type};
use nodewise_model::Origin;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::write::{MemberPosition, NewValue, Writer};
use nodewise_syntax::{Mapping, parse};

use super::chain::{self, PathValue};
use super::skeleton::{Skeleton, declares};
use super::{Action, ActionContext, ActionEdit, ActionKind, NewFile, SourceChange};
use crate::cursor_context::CursorContext;
use crate::names::{Entity, NameKind, Occurrence, names_within, occurrences_everywhere};
use crate::position::FilePosition;

/// Offers to declare what is missing.
pub(super) fn offer(context: &ActionContext<'_>, found: &mut Vec<Action>) {
    let source = context.file.source;
    let Some(dialect) = context.dialect() else { return };
    for one in names_within(context.snapshot, source, context.range) {
        // Other findings at the name remain. The first one is about the name.
        let mut reported = context.findings().filter(|finding| touches(finding.finding.at, one.at));
        let Some(reported) = reported.find(|finding| !finding.basis.about_syntax) else { continue };
        if one.usage == NameUse::Declares || !touches(one.at, context.origin()) {
            continue;
        }
        let position = FilePosition::new(source, one.at.range.start());
        let Some(spot) = CursorContext::at(context.snapshot, position) else { continue };
        let mut actions = Vec::new();
        match &one.entity {
            Entity::Missing { kinds, name } => {
                for kind in fitting(context, &one, kinds).filter_map(|kind| dialect.kind(kind)) {
                    let skeleton = Skeleton { dialect, name, kind: Some(kind) };
                    declaration(context, &spot, &skeleton, kind, &mut actions);
                }
            }
            Entity::Local { kind: NameKind::Node, name, .. } if !is_declared(context, &one) => {
                let skeleton = Skeleton { dialect, name, kind: None };
                actions.extend(node(context, &spot, &skeleton));
            }
            _ => {}
        }
        found.extend(actions.into_iter().map(|action| action.fixing(reported)));
    }
}

/// The kinds that a reference accepts. If a kind precedes the name, only that one.
fn fitting<'k>(
    context: &ActionContext<'_>,
    one: &Occurrence,
    kinds: &'k [&'static str],
) -> impl Iterator<Item = &'static str> + use<'k> {
    let before = context.file.text.get(..usize::from(one.at.range.start())).unwrap_or_default();
    let written = before
        .strip_suffix(['/', ':'])
        .and_then(|before| kinds.iter().copied().find(|kind| before.ends_with(kind)));
    kinds.iter().copied().filter(move |kind| written.is_none_or(|written| written == *kind))
}

/// A declaration: a part of the bundle around it, else a document in this file, else in a new file.
fn declaration(
    context: &ActionContext<'_>,
    spot: &CursorContext<'_>,
    skeleton: &Skeleton<'_>,
    kind: &'static Kind,
    actions: &mut Vec<Action>,
) {
    let name = skeleton.name;
    let title = format!("Create {} `{name}`", kind.name);
    let value = skeleton.shape(&kind.shape);
    if skeleton.dialect.discriminator().is_none() {
        let links = chain::links(spot);
        let packed = links.first().and_then(|root| packed_list(context, root, kind, &value));
        if let Some(edits) = packed {
            actions.extend(context.sound(format!("{title} in this bundle"), ActionKind::QuickFix, edits));
            return;
        }
    } else {
        let edits = context.writer().append_document(&value);
        actions.extend(context.sound(format!("{title} in this file"), ActionKind::QuickFix, edits));
    }
    let file = new_file(context.snapshot, context.file, skeleton.dialect, kind, name, &value);
    actions.extend(file.filter(|_| context.can_create_files).map(|file| {
        let title = format!("{title} in `{}`", file.path);
        let change = SourceChange { new_files: vec![file], ..SourceChange::default() };
        Action { change: ActionEdit::Ready(change), ..Action::new(title, ActionKind::QuickFix, Vec::new()) }
    }));
}

/// Adds a declaration to the list of a bundle that contains such declarations.
fn packed_list(
    context: &ActionContext<'_>,
    root: &PathValue<'_, '_>,
    kind: &'static Kind,
    value: &NewValue,
) -> Option<Vec<TextEdit>> {
    let holds = |ty: Type| item_shape(ty).is_some_and(|shape| shape.is_same(&kind.shape));
    let field = root.shape()?.fields.iter().find(|field| holds(field.ty))?;
    add_item(context, root, field.key, value)
}

/// Adds a node to the graph around the cursor.
fn node(context: &ActionContext<'_>, spot: &CursorContext<'_>, skeleton: &Skeleton<'_>) -> Option<Action> {
    let links = chain::links(spot);
    let (graph, field, shape) = links.iter().rev().find_map(|link| {
        let mut fields = link.shape()?.fields.iter();
        fields.find_map(|field| {
            let shape = item_shape(field.ty).filter(|shape| declares(shape, Symbol::Node))?;
            Some((link, field, shape))
        })
    })?;
    let edits = add_item(context, graph, field.key, &skeleton.shape(shape))?;
    context.sound(format!("Create node `{}`", skeleton.name), ActionKind::QuickFix, edits)
}

/// Adds an item to the list under a key. Creates the list if there is none.
fn add_item(
    context: &ActionContext<'_>,
    parent: &PathValue<'_, '_>,
    key: &str,
    value: &NewValue,
) -> Option<Vec<TextEdit>> {
    add_to_list(&context.writer(), parent.mapping(context.tree())?, key, MemberPosition::Last, value)
}

/// Adds an item to the list under a key of a mapping. Creates the list if there is none.
pub(crate) fn add_to_list<'t>(
    writer: &Writer<'t>,
    mapping: Mapping<'t>,
    key: &str,
    place: MemberPosition,
    value: &NewValue,
) -> Option<Vec<TextEdit>> {
    let list = || NewValue::Sequence(vec![value.clone()]);
    let Some(entry) = mapping.get(key) else {
        return Some(writer.insert_entry(mapping, MemberPosition::Last, key, &list()));
    };
    match entry.value().map(|node| node.as_sequence()) {
        Some(Some(sequence)) if sequence.items().next().is_some() => {
            Some(writer.insert_item(sequence, place, value))
        }
        Some(Some(_)) | None => Some(writer.set_value(mapping, entry, &list())),
        Some(None) => None,
    }
}

/// A file for a declaration, next to similar ones.
pub(crate) fn new_file(
    snapshot: &Snapshot,
    beside: &FileFacts,
    dialect: &'static Dialect,
    kind: &'static Kind,
    name: &str,
    value: &NewValue,
) -> Option<NewFile> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let stem: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
    let ending = match beside.path.rsplit_once('.') {
        Some((_, ending)) if ending.starts_with('y') => ending,
        _ => dialect.extensions.first().copied()?,
    };
    let folder = folder_of(snapshot, beside, kind);
    let path = format!("{folder}{stem}.{ending}");
    let is_free = snapshot.source(&path).is_none() && !stem.trim_matches('-').is_empty();
    let tree = parse("");
    let text = apply_edits("", &mut Writer::new(&tree, false).append_document(value)).ok()?;
    is_free.then_some(NewFile { path, text })
}

/// The folder with most of the files that have one declaration of a kind, with its slash. If there is none, the file's
/// own folder.
fn folder_of<'s>(snapshot: &'s Snapshot, beside: &'s FileFacts, kind: &'static Kind) -> &'s str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in snapshot.files() {
        let [document] = &*file.documents else { continue };
        let effective = document.effective.as_ref().and_then(|effective| effective.declaration.as_ref());
        if effective.is_some_and(|declaration| declaration.kind == kind.name) {
            *counts.entry(folder(&file.path)).or_insert(0) += 1;
        }
    }
    let most = counts.iter().max_by_key(|(path, count)| (**count, std::cmp::Reverse(path.len())));
    most.map_or(folder(&beside.path), |(path, _)| path)
}

fn folder(path: &str) -> &str {
    let end = path.rfind('/').map_or(0, |slash| slash + 1);
    path.get(..end).unwrap_or_default()
}

/// The shape of a list's items.
pub(crate) fn item_shape(ty: Type) -> Option<&'static Shape> {
    match ty {
        Type::List(Type::Object(shape)) => Some(shape),
        Type::Sized(inner, _) => item_shape(*inner),
        _ => None,
    }
}

fn is_declared(context: &ActionContext<'_>, one: &Occurrence) -> bool {
    let all = occurrences_everywhere(context.snapshot, &one.entity);
    all.iter().any(|other| other.usage == NameUse::Declares)
}

fn touches(one: Origin, other: Origin) -> bool {
    one.source == other.source
        && one.range.start() <= other.range.end()
        && other.range.start() <= one.range.end()
}
