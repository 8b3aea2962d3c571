//! Parts that can be inline or declared on their own. In: the reference or mapping at the cursor. Out: the same
//! declaration at the other place. A declaration can become inline only if its name is used once, because other nodes
//! cannot refer to an inline declaration.

use nodewise_dialect::table::{Field, Kind, KindRole, Shape, Type};
use nodewise_model::{NameScope, SourceId};
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{ScalarPosition, indent, scalar_text};
use nodewise_syntax::{Entry, Mapping, SyntaxNode, TextRange, TextSize};

use super::chain::{self, PathValue, is_edge, text_or};
use super::draft::is_sound;
use super::{Action, ActionContext, ActionKind};
use crate::cursor_context::CursorContext;
use crate::names::{Entity, names_within, occurrences_everywhere};

/// Offers to extract an inline part, or to make a declaration inline.
pub(super) fn offer(context: &ActionContext<'_>, spot: &CursorContext<'_>, found: &mut Vec<Action>) {
    let links = chain::links(spot);
    for (link, parent) in links.iter().skip(1).zip(&links).rev() {
        let Some(field) = link.slot.map(|slot| slot.field) else { continue };
        let forms = text_or(field.ty).filter(|(_, shape)| !is_edge(shape));
        let (Some((Type::Reference(scope), shape)), true) = (forms, link.key() == Some(field.key)) else {
            continue;
        };
        let owner = links.first();
        found.extend(match link.value.as_map() {
            Some(_) => parent.mapping(context.tree()).and_then(|parent| {
                let entry = parent.get(field.key)?;
                extracted(context, entry, link, (scope, shape), owner)
            }),
            None => inlined(context, link, shape),
        });
        return;
    }
}

/// The mapping as a separate document.
fn extracted(
    context: &ActionContext<'_>,
    entry: Entry<'_>,
    link: &PathValue<'_, '_>,
    (scope, shape): (&'static NameScope, &'static Shape),
    owner: Option<&PathValue<'_, '_>>,
) -> Option<Action> {
    let kind = scope.kinds.first().and_then(|kind| context.dialect()?.kind(kind))?;
    let node = entry.value().filter(|node| node.full_range() == node.range())?;
    let mapping = node.as_mapping()?;
    let label = label_field(kind, shape);
    let given = label.and_then(|field| link.value.get(field.key)?.value.as_text());
    let owned = owner.and_then(|root| declared_name(kind, root));
    let name = free_name(context, kind, given.or(owned.as_deref()).unwrap_or(kind.name));
    let colon = entry.colon()?.end();
    let (body, end) = match mapping.is_flow() {
        true => (entries_of(mapping, label), node.range().end()),
        false => lines_of(mapping, label, colon),
    };
    let line_break = line_break(context);
    let mut text = String::new();
    for field in kind.shape.fields {
        let value = match field.ty {
            Type::Kind => kind.name.to_owned(),
            Type::DeclaredName => scalar_text(&name, ScalarPosition::Block),
            _ => continue,
        };
        text += &format!("{}: {value}{line_break}", field.key);
    }
    text.extend(body.iter().flat_map(|line| [line.as_str(), line_break]));
    let gap = if context.file.text.ends_with('\n') { "" } else { line_break };
    let reference = format!(" {}", scalar_text(&name, ScalarPosition::Flow));
    let edits = vec![
        TextEdit { range: TextRange::new(colon, end), text: reference },
        TextEdit {
            range: TextRange::empty(TextSize::of(&*context.file.text)),
            text: format!("{gap}---{line_break}{text}"),
        },
    ];
    context.sound(format!("Extract {} `{name}`", kind.name), ActionKind::Extract, edits)
}

/// The entries between braces without the label, one per line.
fn entries_of(mapping: Mapping<'_>, label: Option<&Field>) -> Vec<String> {
    let text = mapping.node().tree().text();
    let others = mapping.entries().filter(|entry| !is_label(entry, label));
    let source = |entry: Entry<'_>| text.get(std::ops::Range::<usize>::from(entry.range()));
    others.filter_map(source).map(str::to_owned).collect()
}

/// The lines of a block mapping without the label, moved to the first column, and the end of these lines. Comments
/// after the colon and after the last entry are included.
fn lines_of(mapping: Mapping<'_>, label: Option<&Field>, colon: TextSize) -> (Vec<String>, TextSize) {
    let text = mapping.node().tree().text();
    let start = usize::from(mapping.range().start());
    let before = text.get(..start).unwrap_or_default();
    let column = start - before.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = Vec::new();
    let mut position = colon;
    for entry in mapping.entries() {
        let rest = text.get(usize::from(entry.range().end())..).unwrap_or_default();
        let line = rest.get(..rest.find(['\r', '\n']).unwrap_or(rest.len())).unwrap_or_default();
        let end = entry.range().end() + TextSize::of(line);
        let piece = text.get(usize::from(position)..usize::from(end)).unwrap_or_default().trim_start();
        position = end;
        if !is_label(&entry, label) {
            lines.extend(piece.lines().map(|line| {
                let blank = line.len() - line.trim_start_matches(' ').len();
                line.get(blank.min(column)..).unwrap_or_default().to_owned()
            }));
        }
    }
    (lines, position)
}

fn is_label(entry: &Entry<'_>, label: Option<&Field>) -> bool {
    label.is_some_and(|field| entry.key_text().as_deref() == Some(field.key))
}

/// The declaration, moved to where its name is used.
fn inlined(context: &ActionContext<'_>, link: &PathValue<'_, '_>, shape: &'static Shape) -> Option<Action> {
    let source = context.file.source;
    let at = link.value.at.range;
    let name =
        names_within(context.snapshot, source, at).into_iter().find(|one| at.contains_range(one.at.range))?;
    let Entity::Declaration { document, kind, .. } = name.entity else { return None };
    let kind = context.dialect()?.kind(kind)?;
    // One occurrence is its declaration, and one is this use.
    if occurrences_everywhere(context.snapshot, &name.entity).len() != 2 {
        return None;
    }
    let home = context.snapshot.file(document.source)?;
    let declared = home.tree().documents().nth(document.position as usize)?;
    let root = declared.root()?.as_mapping().filter(|root| !root.is_flow())?;
    let is_own = |key: &str| kind.shape.field(key).is_some_and(|field| field.is_patchable());
    let entries: Vec<_> =
        root.entries().filter(|entry| entry.key_text().is_some_and(|key| is_own(&key))).collect();
    let known = |entry: &Entry<'_>| entry.key_text().is_some_and(|key| shape.field(&key).is_some());
    let (first, last) = (entries.first()?, entries.last()?);
    let lines = home.text.get(usize::from(first.range().start())..usize::from(last.range().end()))?;
    // Kind and name come first, so the rest is contiguous.
    let is_one_piece =
        root.entries().skip_while(|entry| entry.range() != first.range()).count() == entries.len();
    if !is_one_piece || !entries.iter().all(known) {
        return None;
    }
    let node = link.node(context.tree())?;
    let column = column_of_key(context, link, node)? + 2;
    let line_break = line_break(context);
    let body = indent(lines, column).replace("\r\n", "\n").replace('\n', line_break);
    let blank = " ".repeat(column);
    let before = context.tree().text().get(..usize::from(node.full_range().start()))?;
    let start = TextSize::of(before.trim_end_matches([' ', '\t']));
    let range = TextRange::new(start, node.full_range().end());
    let body = body.trim_start();
    let edits = vec![
        context.edit(range, format!("{line_break}{blank}{body}")),
        nodewise_analysis::diagnostic::Edit {
            at: nodewise_model::Origin::new(
                document.source,
                without_document(context, document.source, declared.index())?,
            ),
            text: String::new(),
        },
    ];
    let title = format!("Inline {} `{}`", kind.name, name.name);
    is_sound(context.snapshot, &edits).then(|| Action::new(title, ActionKind::Inline, edits))
}

/// The range of a document with its `---`. `None` if it is the only one in its file.
fn without_document(context: &ActionContext<'_>, source: SourceId, position: usize) -> Option<TextRange> {
    let tree = context.snapshot.file(source)?.tree();
    let documents: Vec<_> = tree.documents().collect();
    let own = documents.get(position)?.range();
    let next = documents.get(position + 1).map(|next| next.range().start());
    let text = tree.text();
    match (next, position) {
        (None, 0) => None,
        // The marker of the next document separates it from the one before.
        (Some(next), _) => {
            let marker = documents.get(position + 1)?.start_marker()?;
            let end = if position == 0 {
                text.get(usize::from(marker.end())..)?.find('\n')? + usize::from(marker.end()) + 1
            } else {
                next.into()
            };
            Some(TextRange::new(own.start(), TextSize::try_from(end).ok()?))
        }
        (None, _) => Some(TextRange::new(own.start(), TextSize::of(text))),
    }
}

/// The column of the key whose value a node is. `None` if the node is not in a block mapping on its own lines.
fn column_of_key(
    context: &ActionContext<'_>,
    link: &PathValue<'_, '_>,
    node: SyntaxNode<'_>,
) -> Option<usize> {
    let text = context.tree().text();
    let before = text.get(..usize::from(node.full_range().start()))?;
    let line = before.rsplit('\n').next()?;
    let key = line.trim_start_matches([' ', '-']);
    key.starts_with(link.key()?).then(|| line.len() - key.len())
}

/// The label that an inline mapping can have: the key with the name of a declaration.
fn label_field(kind: &'static Kind, shape: &'static Shape) -> Option<&'static Field> {
    let declares = kind.shape.fields.iter().find(|field| matches!(field.ty, Type::DeclaredName))?;
    shape.field(declares.key)
}

/// The name that the document declares, followed by the kind.
fn declared_name(kind: &Kind, root: &PathValue<'_, '_>) -> Option<String> {
    let shape = root.shape()?;
    let field = shape.fields.iter().find(|field| matches!(field.ty, Type::DeclaredName))?;
    let suffix = if kind.role == KindRole::Account { "account" } else { "part" };
    Some(format!("{}_{suffix}", root.value.get(field.key)?.value.as_text()?))
}

/// A name that no declaration of the kind has.
fn free_name(context: &ActionContext<'_>, kind: &Kind, name: &str) -> String {
    let index = context.snapshot.index();
    let stem = name.replace(['/', ':'], "-");
    let mut name = stem.clone();
    let mut number = 1;
    while index.first(kind.name, &name).is_some() {
        number += 1;
        name = format!("{stem}_{number}");
    }
    name
}

fn line_break(context: &ActionContext<'_>) -> &'static str {
    if context.file.text.contains("\r\n") { "\r\n" } else { "\n" }
}
