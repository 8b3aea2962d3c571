//! Changes as Markdown for a pull request.
//!
//! Input: the changes. Output: a section for each changed declaration, with a flowchart of the changed part of its graphs.
//! Invariant: texts of files cannot become Markdown: they are in code spans and code blocks with fences of their own length.

use std::fmt::Write;

use nodewise_diagram::changes::mermaid;
use nodewise_dialect::meaning::PartRole;

use crate::change::{FieldChange, PartChange, PartChangeKind, Review};
use crate::text::{changed_lines, scenarios, summary};

/// The changes as Markdown.
#[must_use]
pub fn markdown(review: &Review) -> String {
    let mut out = format!("**{}**\n", capital(&summary(review)));
    for changed in &review.declarations {
        let part = &changed.part;
        let place = part.head.as_ref().or(part.base.as_ref());
        let place = place.map(|place| format!(", {}", code(&format!("{}:{}", place.path, place.line))));
        let _ = write!(
            out,
            "\n### {}\n\n{}{}\n",
            capital(&sentence(part)),
            changed.system,
            place.unwrap_or_default()
        );
        for drawing in &changed.drawings {
            let _ = write!(out, "\n```mermaid\n{}```\n", mermaid(drawing));
        }
        if !part.fields.is_empty() || !part.parts.is_empty() {
            out.push('\n');
        }
        write_content(&mut out, part, 0);
    }
    if let Some(count) = scenarios(review).filter(|_| !review.behaviour.changed.is_empty()) {
        let _ = write!(out, "\n### {}\n\n", capital(&count));
        for changed in &review.behaviour.changed {
            let place = code(&format!("{}:{}", changed.place.path, changed.place.line));
            let sentence = spans(&changed.difference.sentence());
            let _ = writeln!(out, "- {} ({place}): {sentence}", code(&changed.title));
        }
    }
    out
}

/// A sentence with names in backticks, where a name may hold backticks of its own.
fn spans(sentence: &str) -> String {
    match sentence.matches('`').count() {
        count if count % 2 == 0 && count <= 6 => sentence.to_owned(),
        _ => code(sentence),
    }
}

fn write_content(out: &mut String, part: &PartChange, depth: usize) {
    let indent = "  ".repeat(depth);
    for field in &part.fields {
        write_field(out, field, depth);
    }
    for inner in &part.parts {
        let _ = writeln!(out, "{indent}- {}", sentence(inner));
        write_content(out, inner, depth + 1);
    }
}

fn write_field(out: &mut String, field: &FieldChange, depth: usize) {
    let indent = "  ".repeat(depth);
    let head = format!("{indent}- {} {}", field.topic.word(), code(&field.path));
    let Some(change) = inline(field) else {
        let lines = changed_lines(field);
        let fence = fence(&lines.join("\n"), 3);
        let _ = writeln!(out, "{head}:\n\n{indent}  {fence}diff");
        for line in lines {
            let _ = writeln!(out, "{indent}  {line}");
        }
        let _ = writeln!(out, "{indent}  {fence}\n");
        return;
    };
    let _ = writeln!(out, "{head}: {change}");
}

fn inline(field: &FieldChange) -> Option<String> {
    crate::text::inline(field)?;
    let all = |items: &[String]| items.iter().map(|item| code(item)).collect::<Vec<_>>().join(", ");
    Some(match (field.before.as_slice(), field.after.as_slice()) {
        ([], after) => format!("added {}", all(after)),
        (before, []) => format!("removed {}", all(before)),
        (before, after) if field.is_items => format!("removed {}, added {}", all(before), all(after)),
        (before, after) => format!("{} → {}", all(before), all(after)),
    })
}

/// What happened to a part, in words.
fn sentence(part: &PartChange) -> String {
    let (noun, name) = (part.noun, code(&part.name));
    match (&part.kind, &part.word) {
        (PartChangeKind::Reordered, _) if part.role == PartRole::Edge => {
            format!("the edges from {name} are tried in another order")
        }
        (PartChangeKind::Reordered, _) => "the nodes are in another order".to_owned(),
        (PartChangeKind::Renamed(former), _) | (PartChangeKind::Moved(former), _) => {
            format!("{noun} {} is now {name}", code(former))
        }
        (PartChangeKind::Added | PartChangeKind::Removed, Some(word)) if part.role == PartRole::Edge => {
            format!("{} {noun} {name} when {}", part.verb(), code(word))
        }
        (PartChangeKind::Added | PartChangeKind::Removed, Some(word)) => {
            format!("{} {noun} {name} ({})", part.verb(), code(word))
        }
        _ => format!("{} {noun} {name}", part.verb()),
    }
}

/// A text as a code span. Line breaks and control characters become spaces.
fn code(text: &str) -> String {
    let text: String =
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let fence = fence(&text, 1);
    let is_padded = text.starts_with('`') || text.ends_with('`') || text.trim().is_empty();
    let pad = if is_padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A row of backticks that is longer than every row in a text.
fn fence(text: &str, least: usize) -> String {
    let (mut longest, mut row) = (0, 0);
    for character in text.chars() {
        row = if character == '`' { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    "`".repeat(least.max(longest + 1))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}
