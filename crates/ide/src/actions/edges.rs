//! The forms of an edge that is written in its source: a name, a mapping with a condition, and the list of the
//! specification or of the release. In: the edge or list at the cursor. Out: the same edges in the other form, with
//! their conditions, ids and comments.

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::index::Resolution;
use nodewise_dialect::bind;
use nodewise_dialect::place::PathStep;
use nodewise_dialect::table::{Field, Required, Shape, Type};
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_model::NameScope;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{MemberPosition, NewValue, ScalarPosition, scalar_like};
use nodewise_syntax::{Entry, Mapping, SyntaxNode, TextRange, TextSize};

use super::chain::{self, PathValue, is_edge, text_or};
use super::skeleton::ALWAYS;
use super::{Action, ActionContext, ActionKind};
use crate::cursor_context::CursorContext;

/// A list of edges in a declaration: its field, the type of names, the shape of full edges.
#[derive(Clone, Copy)]
pub(crate) struct List {
    pub(crate) field: &'static Field,
    pub(crate) name: Name,
    pub(crate) shape: &'static Shape,
}

/// How a list names its targets.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    /// By name, looked up in a scope.
    Plain(&'static NameScope),
    /// With the kind before the name.
    Qualified(&'static NameScope, char),
}

/// Offers the other forms of the edge and of the list at the cursor.
pub(super) fn offer(context: &ActionContext<'_>, spot: &CursorContext<'_>, found: &mut Vec<Action>) {
    let links = chain::links(spot);
    let is_item = |link: &PathValue<'_, '_>| {
        let edge = link.slot.and_then(|slot| text_or(slot.field.ty)).filter(|(_, shape)| is_edge(shape));
        edge.filter(|_| matches!(link.step, Some(PathStep::Item(_))))
    };
    let item = links.iter().enumerate().rev().find_map(|(depth, link)| Some((depth, link, is_item(link)?.1)));
    if let Some((depth, edge, shape)) = item {
        let list = depth.checked_sub(1).and_then(|above| links.get(above));
        found.extend(list.and_then(|list| other_form(context, list, edge, shape)));
    }
    if let Some(root) = links.first() {
        let at_list = links.get(1).and_then(PathValue::key).or_else(|| key_at_cursor(spot));
        found.extend(at_list.and_then(|key| other_profile(context, root, key)));
    }
}

/// The key of the document at the cursor.
fn key_at_cursor<'a>(spot: &'a CursorContext<'_>) -> Option<&'a str> {
    let place = spot.location.key().filter(|_| spot.location.path.is_empty())?;
    spot.file.text.get(std::ops::Range::<usize>::from(place.typed))
}

/// A name as a mapping, or a mapping with only a name as the name.
fn other_form(
    context: &ActionContext<'_>,
    list: &PathValue<'_, '_>,
    edge: &PathValue<'_, '_>,
    shape: &'static Shape,
) -> Option<Action> {
    let Some(PathStep::Item(position)) = edge.step else { return None };
    let sequence = list.sequence(context.tree())?;
    let item = sequence.items().nth(position)?;
    let target = target_field(shape)?;
    let (title, value) = match edge.value.as_map() {
        None => {
            let name = NewValue::text(edge.value.as_text()?);
            let conditions = shape.fields.iter().filter(|field| is_needed(field));
            let conditions = conditions.map(|field| (field.key, NewValue::text(ALWAYS)));
            let entries = std::iter::once((target.key, name)).chain(conditions);
            ("Convert to an edge with a condition", NewValue::mapping(entries))
        }
        Some(members) => {
            let says_nothing = |member: &SpannedEntry<'_>| {
                let field = shape.field(&member.key);
                let is_condition = field.is_some_and(|field| matches!(field.ty, Type::Condition(_)));
                is_condition && member.value.as_text().is_some_and(|text| text.trim() == ALWAYS)
            };
            let name = edge.value.get(target.key)?.value.as_text()?;
            let is_bare = members.iter().all(|member| member.key == target.key || says_nothing(member));
            let has_finding = |one: &Diagnostic| edge.value.at.range.contains_range(one.finding.at.range);
            if !is_bare || context.diagnostics.iter().any(has_finding) {
                return None;
            }
            ("Convert to a name", NewValue::text(name))
        }
    };
    context.sound(title, ActionKind::Rewrite, context.writer().set_item(sequence, item, &value))
}

/// A whole list in the form of the other profile.
fn other_profile(context: &ActionContext<'_>, root: &PathValue<'_, '_>, key: &str) -> Option<Action> {
    let shape = root.shape()?;
    let lists: Vec<List> = shape.fields.iter().filter_map(edge_list).collect();
    let own = *lists.iter().find(|list| list.field.key == key)?;
    let is_there = |list: &&List| root.value.get(list.field.key).is_some();
    let all: Vec<List> = lists.iter().filter(is_there).copied().collect();
    // The two forms exclude one another.
    if all.iter().any(|list| list.name.is_plain() != own.name.is_plain()) {
        return None;
    }
    let mapping = root.mapping(context.tree())?;
    let (first, joined) = one_list(context, mapping, &all)?;
    let fits = |other: &&List| own.name.is_plain() != other.name.is_plain();
    // The list that accepts fewer kinds is more specific.
    let mut others: Vec<&List> = lists.iter().filter(fits).collect();
    others.arrange_by_key(|list| list.name.scope().kinds.len());
    others.into_iter().find_map(|other| {
        let mut edits = joined.clone();
        for list in &all {
            let items = root.value.get(list.field.key)?.value.as_list().filter(|items| !items.is_empty())?;
            for item in items {
                edits.extend(converted(context, item, *list, *other)?);
            }
        }
        edits.push(TextEdit { range: first.range(), text: renamed(first, other.field.key)? });
        let form = if other.name.is_plain() { "the specification" } else { "release 0.1.1" };
        context.sound(
            format!("Convert the edges to `{}`, as in {form}", other.field.key),
            ActionKind::Rewrite,
            edits,
        )
    })
}

/// The key of the first list, and the edits that move the items of the others after its own. To do this, they remove
/// the lines with the keys of the others. Every edge, its comments and the order stay the same. Lists that are not
/// adjacent are not changed.
fn one_list<'t>(
    context: &ActionContext<'t>,
    mapping: Mapping<'t>,
    lists: &[List],
) -> Option<(SyntaxNode<'t>, Vec<TextEdit>)> {
    let text = context.tree().text();
    let is_edge_list = |entry: &Entry<'_>| {
        entry.key_text().is_some_and(|key| lists.iter().any(|list| list.field.key == key))
    };
    let entries: Vec<Entry<'t>> = mapping.entries().collect();
    let start = entries.iter().position(is_edge_list)?;
    let run = entries.get(start..start + lists.len())?;
    let first = run.first()?.key()?;
    let mut edits = Vec::new();
    let mut indents = Vec::new();
    for (position, entry) in run.iter().enumerate() {
        if !is_edge_list(entry) {
            return None;
        }
        let items = entry.value()?.as_sequence()?;
        if run.len() > 1 && items.is_flow() {
            return None;
        }
        let line = line_around(text, usize::from(entry.range().start()));
        let item = usize::from(items.items().next()?.node()?.range().start());
        indents.push(item - line_around(text, item).start);
        if position > 0 {
            let is_bare =
                text.get(line.clone())?.trim().strip_suffix(':') == Some(entry.key()?.as_scalar()?.raw());
            let range =
                TextRange::new(TextSize::try_from(line.start).ok()?, TextSize::try_from(line.end).ok()?);
            edits.push(TextEdit { range: Some(range).filter(|_| is_bare)?, text: String::new() });
        }
    }
    indents.dedup();
    (indents.len() == 1).then_some((first, edits))
}

/// The line around an offset, with its line break.
fn line_around(text: &str, offset: usize) -> std::ops::Range<usize> {
    let (before, behind) = text.split_at_checked(offset).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = behind.find('\n').map_or(text.len(), |at| offset + at + 1);
    start..end
}

/// One edge in the form of another list.
fn converted(
    context: &ActionContext<'_>,
    item: &SpannedValue<'_>,
    own: List,
    other: List,
) -> Option<Vec<TextEdit>> {
    let Some(members) = item.as_map() else {
        return Some(vec![with_name(context, item, own, other)?]);
    };
    let (from, to) = (target_field(own.shape)?, target_field(other.shape)?);
    let mapping = context.tree().node(item.node?)?.as_mapping()?;
    let mut edits = Vec::new();
    for member in members {
        if member.key == from.key {
            let targets = match member.value.as_list() {
                Some([only]) => only,
                Some(_) => return None,
                None => &member.value,
            };
            let name = with_name(context, targets, own, other)?;
            let key = mapping.get(&member.key)?.key()?;
            edits.push(TextEdit { range: key.range(), text: renamed(key, to.key)? });
            let whole = context.tree().node(member.value.node?)?.range();
            edits.push(TextEdit { range: whole, ..name });
        } else {
            other.shape.field(&member.key)?;
        }
    }
    for field in other.shape.fields.iter().filter(|field| is_needed(field) && item.get(field.key).is_none()) {
        edits.extend(context.writer().insert_entry(
            mapping,
            MemberPosition::Last,
            field.key,
            &NewValue::text(ALWAYS),
        ));
    }
    item.get(from.key).map(|_| edits)
}

/// The name of a target as another list writes it.
fn with_name(
    context: &ActionContext<'_>,
    value: &SpannedValue<'_>,
    own: List,
    other: List,
) -> Option<TextEdit> {
    let text = value.as_text()?;
    let index = context.snapshot.index();
    let resolved =
        |name: &str, scope: &'static NameScope| match index.resolve(&bind::reference(name, value, scope)) {
            Resolution::To(declared) => Some(declared),
            _ => None,
        };
    let name = match (own.name, other.name) {
        (Name::Plain(scope), Name::Qualified(accepted, separator)) => {
            let kind = resolved(text, scope)?.kind;
            let bare = text.rsplit('/').next()?;
            accepted.kinds.contains(&kind).then(|| format!("{kind}{separator}{bare}"))?
        }
        (Name::Qualified(_, separator), Name::Plain(scope)) => {
            let (kind, name) = text.split_once(separator)?;
            let meant = scope.kinds.contains(&kind).then(|| resolved(text, scope)).flatten();
            match resolved(name, scope) {
                found if found.is_some() && found == meant => name.to_owned(),
                _ if meant.is_some() => text.to_owned(),
                _ => return None,
            }
        }
        _ => return None,
    };
    let node = context.tree().node(value.node?)?;
    let text = scalar_like(node.as_scalar()?, &name, ScalarPosition::Flow);
    Some(TextEdit { range: node.range(), text })
}

/// A key with another name, in the same quotes.
fn renamed(key: nodewise_syntax::SyntaxNode<'_>, word: &str) -> Option<String> {
    Some(scalar_like(key.as_scalar()?, word, ScalarPosition::Flow))
}

pub(crate) fn edge_list(field: &'static Field) -> Option<List> {
    let (text, shape) = text_or(field.ty).filter(|(_, shape)| is_edge(shape))?;
    let name = match text {
        Type::Reference(scope) => Name::Plain(scope),
        Type::Qualified(scope, separator) => Name::Qualified(scope, separator),
        _ => return None,
    };
    Some(List { field, name, shape })
}

/// The field of an edge with its target.
pub(crate) fn target_field(shape: &'static Shape) -> Option<&'static Field> {
    let leads = |ty: Type| match ty {
        Type::Reference(_) | Type::Qualified(..) => true,
        Type::OneOrMany(inner) => matches!(inner, Type::Reference(_)),
        _ => false,
    };
    shape.fields.iter().find(|field| field.superseded_by.is_none() && leads(field.ty))
}

/// Whether a field is a required condition.
fn is_needed(field: &Field) -> bool {
    matches!(field.ty, Type::Condition(_)) && field.required != Required::No
}

impl Name {
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Name::Plain(_))
    }

    pub(crate) fn scope(self) -> &'static NameScope {
        match self {
            Name::Plain(scope) | Name::Qualified(scope, _) => scope,
        }
    }
}
