//! Changes as text for people.
//!
//! Input: the changes. Output: one line a change, below the declaration that it is in, and the changed lines of long texts.
//! Invariant: the same changes give the same bytes.

use std::fmt::Write;

use nodewise_dialect::meaning::PartRole;
use similar::{ChangeTag, TextDiff};

use crate::change::{ChangedPlace, FieldChange, PartChange, PartChangeKind, Review};

/// Longer values are shown by their changed lines.
const INLINE_MAX: usize = 60;
/// The maximum number of changed lines that are shown of a text.
const LINES_MAX: usize = 12;

/// The changes as text, with a last line that counts them.
#[must_use]
pub fn text(review: &Review) -> String {
    let mut out = String::new();
    for changed in &review.declarations {
        let part = &changed.part;
        let place = part.head.as_ref().or(part.base.as_ref()).map(shown).unwrap_or_default();
        let _ = writeln!(out, "{}  {place}", heading(part).trim_end());
        write_content(&mut out, part, 1);
        out.push('\n');
    }
    out.push_str(&summary(review));
    out.push('\n');
    if let Some(count) = scenarios(review) {
        let _ = writeln!(out, "{count}");
        for changed in &review.behaviour.changed {
            let _ = writeln!(out, "  scenario `{}`  {}", changed.title, shown(&changed.place));
            let _ = writeln!(out, "    {}", changed.difference.sentence());
        }
    }
    out
}

fn shown(place: &ChangedPlace) -> String {
    format!("{}:{}", place.path, place.line)
}

/// A part with the sign for what happened to it.
fn heading(part: &PartChange) -> String {
    let sign = match part.kind {
        PartChangeKind::Added => '+',
        PartChangeKind::Removed => '-',
        _ => '~',
    };
    format!("{sign} {}", sentence(part))
}

/// What happened to a part, in words.
pub(crate) fn sentence(part: &PartChange) -> String {
    let (noun, name) = (part.noun, &part.name);
    match (&part.kind, &part.word) {
        (PartChangeKind::Reordered, _) if part.role == PartRole::Edge => {
            format!("the edges from `{name}` are tried in another order")
        }
        (PartChangeKind::Reordered, _) => "the nodes are in another order".to_owned(),
        (PartChangeKind::Renamed(former), _) => format!("{noun} `{former}` is now `{name}`"),
        (PartChangeKind::Moved(former), _) => format!("{noun} `{former}` is now `{name}`"),
        (PartChangeKind::Added | PartChangeKind::Removed, Some(word)) if part.role == PartRole::Edge => {
            format!("{noun} `{name}` when `{word}`")
        }
        (PartChangeKind::Added | PartChangeKind::Removed, Some(word)) => format!("{noun} `{name}` ({word})"),
        _ => format!("{noun} `{name}`"),
    }
}

fn write_content(out: &mut String, part: &PartChange, depth: usize) {
    let indent = "  ".repeat(depth);
    for field in &part.fields {
        write_field(out, field, depth);
    }
    for inner in &part.parts {
        let _ = writeln!(out, "{indent}{}", heading(inner));
        write_content(out, inner, depth + 2);
    }
}

fn write_field(out: &mut String, field: &FieldChange, depth: usize) {
    let indent = "  ".repeat(depth);
    let head = format!("{} `{}`", field.topic.word(), field.path);
    match inline(field) {
        Some(change) => {
            let _ = writeln!(out, "{indent}{head}: {change}");
        }
        None => {
            let _ = writeln!(out, "{indent}{head}:");
            for line in changed_lines(field) {
                let _ = writeln!(out, "{indent}  {line}");
            }
        }
    }
}

/// A change in one line. `None` for long texts.
pub(crate) fn inline(field: &FieldChange) -> Option<String> {
    let is_short = |text: &String| text.chars().count() <= INLINE_MAX && !text.contains('\n');
    if !field.before.iter().chain(&field.after).all(is_short) {
        return None;
    }
    let quoted = |sign: &str, items: &[String]| {
        items.iter().map(|item| format!("{sign}`{item}`")).collect::<Vec<_>>().join(", ")
    };
    Some(match (field.before.as_slice(), field.after.as_slice()) {
        (before, after) if field.is_items => {
            let (gone, come) = (quoted("-", before), quoted("+", after));
            if gone.is_empty() || come.is_empty() {
                format!("{gone}{come}")
            } else {
                format!("{gone}, {come}")
            }
        }
        ([], after) => format!("added, {}", quoted("", after)),
        (before, []) => format!("removed, it was {}", quoted("", before)),
        (before, after) => format!("{} -> {}", quoted("", before), quoted("", after)),
    })
}

/// The changed lines of a long text, each with `-` or `+`.
pub(crate) fn changed_lines(field: &FieldChange) -> Vec<String> {
    let (before, after) = (field.before.join("\n"), field.after.join("\n"));
    let diff = TextDiff::from_lines(&before, &after);
    let mut lines: Vec<String> = diff
        .iter_all_changes()
        .filter(|change| change.tag() != ChangeTag::Equal)
        .map(|change| {
            let sign = if change.tag() == ChangeTag::Delete { '-' } else { '+' };
            format!("{sign} {}", change.value().trim_end())
        })
        .collect();
    let all = lines.len();
    if all > LINES_MAX {
        lines.truncate(LINES_MAX);
        lines.push(format!("… and {} more lines", all - LINES_MAX));
    }
    lines
}

/// How many scenarios take another path; `None` if there are no scenarios.
pub(crate) fn scenarios(review: &Review) -> Option<String> {
    let (compared, changed) = (review.behaviour.compared, review.behaviour.changed.len());
    match (compared, changed) {
        (0, _) => None,
        (1, 0) => Some("the scenario takes the same path".to_owned()),
        (all, 0) => Some(format!("all {all} scenarios take the same path")),
        (all, 1) => Some(format!("1 of {all} scenarios takes another path")),
        (all, changed) => Some(format!("{changed} of {all} scenarios take another path")),
    }
}

/// The numbers of changes, in words.
#[must_use]
pub fn summary(review: &Review) -> String {
    if review.is_empty() {
        return "no changes in meaning".to_owned();
    }
    let changes = review.len();
    let declarations = review.declarations.len();
    let plural = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    };
    format!("{} in {}", plural(changes, "change"), plural(declarations, "declaration"))
}
