//! The keys of a mapping: sort them in the table's order, add required ones, remove unused ones. In: the mapping at the
//! cursor, and the fields in the table. Out: actions. Comments move together with the key below them or on their line.

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_dialect::table::{Field, NameUse, Required, Shape, Symbol, Type};
use nodewise_model::Origin;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{MemberPosition, NewValue};
use nodewise_syntax::{Entry, Mapping, TextRange, TextSize};

use super::chain::{self, PathValue};
use super::skeleton::Skeleton;
use super::{Action, ActionContext, ActionKind};
use crate::cursor_context::CursorContext;

/// The maximum number of missing keys that the title lists.
const LISTED_MAX: usize = 3;

/// Offers to add, sort and remove keys.
pub(super) fn offer(context: &ActionContext<'_>, spot: &CursorContext<'_>, found: &mut Vec<Action>) {
    let links = chain::links(spot);
    found.extend(without_unread(context, spot, &links));
    let innermost =
        links.iter().enumerate().rev().find_map(|(depth, link)| Some((depth, link, link.shape()?)));
    let Some((depth, link, shape)) = innermost else { return };
    // An overlay has the keys of two shapes, and requires none of its target's.
    if depth == 0 && spot.patched.is_some() {
        return;
    }
    if spot.patched.is_none() {
        found.extend(with_required(context, spot, link, shape));
    }
    found.extend(sorted(context, link, shape));
}

/// Adds the required keys.
fn with_required(
    context: &ActionContext<'_>,
    spot: &CursorContext<'_>,
    link: &PathValue<'_, '_>,
    shape: &'static Shape,
) -> Option<Action> {
    let mapping = link.mapping(context.tree())?;
    let missing: Vec<&'static Field> = shape.fields.iter().filter(|field| is_missing(link, field)).collect();
    if missing.is_empty() || mapping.entries().any(Entry::is_half_typed) {
        return None;
    }
    let name = declared_name(link, shape).unwrap_or_else(|| stem(&context.file.path));
    let kind = spot.kind.filter(|kind| kind.shape.is_same(shape));
    let skeleton = Skeleton { dialect: context.dialect()?, name, kind };
    let graph = spot.graph().map(|(_, graph, _)| graph);
    let mut nodes = graph.into_iter().flat_map(|graph| &graph.nodes).filter_map(|node| node.id.as_ref());
    let edits = missing.iter().flat_map(|field| {
        let place = place_of(mapping, shape, field);
        let node = matches!(field.ty, Type::Symbol(Symbol::Node | Symbol::Endpoint, NameUse::Refers));
        let node = node.then(|| nodes.next()).flatten().map(|id| NewValue::text(id.value.as_str()));
        let value = node.unwrap_or_else(|| skeleton.field(field.ty));
        context.writer().insert_entry(mapping, place, field.key, &value)
    });
    let keys: Vec<String> = missing.iter().map(|field| format!("`{}`", field.key)).collect();
    let title = match keys.len() {
        1..=LISTED_MAX => format!("Add {}", keys.join(", ")),
        count => format!("Add {count} required keys"),
    };
    let action = context.sound(title, ActionKind::QuickFix, edits.collect())?;
    let fixed = absences(context, spot, link).into_iter().filter(|issue| {
        issue.field.is_some_and(|field| missing.iter().any(|missing| missing.key == field.key))
    });
    let findings = fixed.flat_map(|issue| findings_of(context, issue));
    Some(findings.fold(action, |action, finding| {
        match action.fixes.iter().any(|one| one.at == finding.finding.at) {
            true => action,
            false => action.fixing(finding),
        }
    }))
}

/// Whether a required key is missing.
fn is_missing(link: &PathValue<'_, '_>, field: &Field) -> bool {
    let is_due = match field.required {
        Required::No => false,
        Required::Yes => true,
        Required::Unless(other) => link.value.get(other).is_none(),
    };
    is_due && link.value.get(field.key).is_none()
}

/// The position after the last key that precedes it in the table.
fn place_of(mapping: Mapping<'_>, shape: &'static Shape, field: &Field) -> MemberPosition {
    let rank = |key: &str| shape.fields.iter().position(|field| field.key == key);
    let own = rank(field.key);
    let keys: Vec<Option<usize>> =
        mapping.entries().map(|entry| entry.key_text().and_then(|key| rank(&key))).collect();
    let before = keys.iter().rposition(|key| key.is_some() && *key < own);
    match before {
        Some(before) => MemberPosition::Behind(before),
        None => MemberPosition::Last,
    }
}

/// The issues about missing keys of a mapping.
fn absences<'s>(
    context: &ActionContext<'s>,
    spot: &CursorContext<'s>,
    link: &PathValue<'_, '_>,
) -> Vec<&'s Issue> {
    let effective = spot.document.and_then(|document| context.snapshot.index().effective(document));
    let head = link.value.head();
    let all = effective.map(|effective| effective.faults.absences.as_slice()).unwrap_or_default();
    all.iter().filter(|issue| issue.at == head || issue.at == link.value.at).collect()
}

/// The findings at the place of an issue that name its key.
fn findings_of<'s>(context: &ActionContext<'s>, issue: &Issue) -> Vec<&'s Diagnostic> {
    let word = issue.field.map(|field| format!("`{}`", field.key)).unwrap_or_default();
    let at = |one: &&Diagnostic| {
        one.finding.at.source == issue.at.source
            && issue.at.range.contains_range(one.finding.at.range)
            && one.finding.message.contains(&word)
    };
    context.diagnostics.iter().filter(at).collect()
}

/// Removes the key at the cursor if nothing reads it.
fn without_unread(
    context: &ActionContext<'_>,
    spot: &CursorContext<'_>,
    links: &[PathValue<'_, '_>],
) -> Option<Action> {
    let range = context.range;
    let is_unread = |issue: &&Issue| {
        let at = issue.at.range;
        matches!(issue.kind, IssueKind::UnknownField(_) | IssueKind::Unheeded)
            && at.start() <= range.end()
            && range.start() <= at.end()
    };
    let issue = spot.document?.faults.issues.iter().find(is_unread)?;
    let holder = |link: &&PathValue<'_, '_>| has_key_at(link, issue.at);
    let link = links.iter().rev().find(holder)?;
    let mapping = link.mapping(context.tree())?;
    let number =
        mapping.entries().position(|entry| entry.key().is_some_and(|key| key.range() == issue.at.range))?;
    let key = mapping.entries().nth(number)?.key_text()?.into_owned();
    let edits = context.writer().remove_entry(mapping, number);
    let action = context.sound(format!("Remove `{key}`"), ActionKind::QuickFix, edits)?;
    let word = format!("`{key}`");
    let about = |one: &&Diagnostic| one.finding.at == issue.at && one.finding.message.contains(&word);
    let fixed = context.diagnostics.iter().filter(about);
    Some(fixed.take(1).fold(action, Action::fixing))
}

fn has_key_at(link: &PathValue<'_, '_>, at: Origin) -> bool {
    link.value.as_map().is_some_and(|members| members.iter().any(|member| member.key_at == at))
}

/// Sorts the keys in the table's order.
fn sorted(context: &ActionContext<'_>, link: &PathValue<'_, '_>, shape: &'static Shape) -> Option<Action> {
    let mapping = link.mapping(context.tree())?;
    let entries: Vec<Entry<'_>> = mapping.entries().collect();
    let rank = |entry: &Entry<'_>| match entry.key_text().as_deref() {
        Some("<<") => 0,
        Some(key) => {
            shape.fields.iter().position(|field| field.key == key).map_or(usize::MAX, |rank| rank + 1)
        }
        None => usize::MAX,
    };
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_cached_key(|number| entries.get(*number).map(rank));
    if order.is_sorted() || entries.iter().any(|entry| entry.is_half_typed()) {
        return None;
    }
    let edits = match mapping.is_flow() {
        true => swapped(context, &entries, &order)?,
        false => vec![moved(context, mapping, &entries, &order)?],
    };
    context.same("NameKind keys", edits)
}

/// Reorders entries between braces.
fn swapped(context: &ActionContext<'_>, entries: &[Entry<'_>], order: &[usize]) -> Option<Vec<TextEdit>> {
    let text = context.tree().text();
    let places = entries
        .iter()
        .zip(order)
        .filter(|(entry, number)| entries.get(**number).is_some_and(|other| other.range() != entry.range()));
    let edit = |(entry, number): (&Entry<'_>, &usize)| {
        let source = text.get(std::ops::Range::<usize>::from(entries.get(*number)?.range()))?;
        Some(TextEdit { range: entry.range(), text: source.to_owned() })
    };
    places.map(edit).collect()
}

/// Reorders entries on their own lines, each with its comments.
fn moved(
    context: &ActionContext<'_>,
    mapping: Mapping<'_>,
    entries: &[Entry<'_>],
    order: &[usize],
) -> Option<TextEdit> {
    let text = context.tree().text();
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let line_end = |offset: usize| {
        let rest = text.get(offset..).unwrap_or_default();
        offset + rest.find(['\n', '\r']).unwrap_or(rest.len())
    };
    let start = usize::from(mapping.range().start());
    let column = start - text.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
    let mut pieces: Vec<(bool, &str)> = Vec::new();
    let mut position = start;
    for entry in entries {
        let end = line_end(entry.range().end().into());
        let whole = text.get(position..end).filter(|_| usize::from(entry.range().start()) >= position)?;
        let piece = whole.trim_start();
        let lead = whole.get(..whole.len() - piece.len())?;
        pieces.push((lead.matches('\n').count() > 1, piece));
        position = end;
    }
    let blank = " ".repeat(column);
    let mut result = String::new();
    for (place, number) in order.iter().enumerate() {
        let (has_gap, piece) = pieces.get(*number)?;
        if place > 0 {
            result += if *has_gap { line_break } else { "" };
            result += line_break;
            result += &blank;
        }
        result += piece;
    }
    let range = TextRange::new(mapping.range().start(), TextSize::try_from(position).ok()?);
    Some(TextEdit { range, text: result })
}

/// The name that the mapping declares.
fn declared_name<'a>(link: &'a PathValue<'_, '_>, shape: &'static Shape) -> Option<&'a str> {
    let declares = |field: &&Field| {
        matches!(
            field.ty,
            Type::DeclaredName
                | Type::Symbol(Symbol::Node | Symbol::Graph | Symbol::Agent, NameUse::Declares)
        )
    };
    link.value.get(shape.fields.iter().find(declares)?.key)?.value.as_text()
}

/// The name of a file without its extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("unnamed")
}
