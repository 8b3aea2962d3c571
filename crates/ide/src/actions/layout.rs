//! Splits a collection in brackets onto separate lines, or joins it. In: the innermost collection at the cursor. Out:
//! the same collection in the other style. Comments stay with their member. A single line has no room for comments, so
//! a collection with comments is not joined.

use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{ScalarPosition, scalar_like};
use nodewise_syntax::{NodeValue, ScalarStyle, SyntaxNode, SyntaxNodeKind, TextRange, TextSize};

use super::chain::{self, PathValue};
use super::scalars::{column_of, is_flow};
use super::{Action, ActionContext};
use crate::cursor_context::CursorContext;

/// The maximum width of a line with a collection.
const WIDTH: usize = 100;
/// The maximum depth of a collection on one line.
const DEPTH_MAX: usize = 16;

/// Offers the other style of the collection at the cursor.
pub(super) fn offer(context: &ActionContext<'_>, spot: &CursorContext<'_>, found: &mut Vec<Action>) {
    if context.is_json() {
        return;
    }
    let links = chain::links(spot);
    let is_collection = |link: &PathValue<'_, '_>| {
        let kind = link.node(context.tree()).map(SyntaxNode::kind);
        matches!(kind, Some(SyntaxNodeKind::Mapping | SyntaxNodeKind::Sequence))
    };
    let outermost = links.iter().position(|link| is_flow(context, link));
    if let Some(depth) = outermost {
        let parent = depth.checked_sub(1).and_then(|above| links.get(above));
        let edits = links.get(depth).and_then(|link| on_lines(context, parent, link));
        found.extend(edits.and_then(|edits| context.same("Split onto separate lines", edits)));
        return;
    }
    let innermost = links.iter().rposition(is_collection).filter(|depth| *depth > 0);
    if let Some(link) = innermost.and_then(|depth| links.get(depth)) {
        let edits = on_one_line(context, link);
        found.extend(edits.and_then(|edits| context.same("Join onto one line", edits)));
    }
}

/// A member of a collection: its source, and the comments that belong to it.
struct Member {
    range: TextRange,
    text: String,
    above: Vec<String>,
    beside: Option<String>,
}

/// A collection in brackets, split into lines.
fn on_lines(
    context: &ActionContext<'_>,
    parent: Option<&PathValue<'_, '_>>,
    link: &PathValue<'_, '_>,
) -> Option<Vec<TextEdit>> {
    let tree = context.tree();
    let node = link.node(tree)?;
    let text = tree.text();
    let source = |range: TextRange| text.get(std::ops::Range::<usize>::from(range));
    let (mut members, dash) = match node.value() {
        NodeValue::Mapping(mapping) => {
            let members: Option<Vec<Member>> = mapping
                .entries()
                .map(|entry| {
                    let key = source(entry.key()?.full_range())?;
                    let value = entry.value().map_or(Some(""), |value| source(value.full_range()))?;
                    let gap = if value.is_empty() { "" } else { " " };
                    Some(Member::new(entry.range(), format!("{key}:{gap}{value}")))
                })
                .collect();
            (members?, "")
        }
        NodeValue::Sequence(sequence) => {
            let members: Option<Vec<Member>> = sequence
                .items()
                .map(|item| Some(Member::new(item.range(), source(item.range())?.to_owned())))
                .collect();
            (members?, "- ")
        }
        _ => return None,
    };
    let rest = with_comments(context, node.range(), &mut members)?;
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (column, begins_line) = match parent {
        Some(parent) => {
            let is_item = parent.sequence(tree).is_some();
            let has_properties = node.full_range() != node.range();
            (column_of(context, parent)? + 2, !is_item || has_properties)
        }
        None => (0, false),
    };
    let blank = " ".repeat(column);
    let mut lines: Vec<String> = Vec::new();
    for member in &members {
        lines.extend(member.above.iter().cloned());
        let beside = member.beside.as_ref().map(|comment| format!("  {comment}")).unwrap_or_default();
        let inner = member.text.lines().map(str::trim).collect::<Vec<_>>();
        lines.push(format!("{dash}{}{beside}", inner.join(&format!("{line_break}{blank}  "))));
    }
    lines.extend(rest);
    let written = lines.join(&format!("{line_break}{blank}"));
    let start = match begins_line {
        true => TextSize::of(text.get(..usize::from(node.range().start()))?.trim_end_matches([' ', '\t'])),
        false => node.range().start(),
    };
    let lead = if begins_line { format!("{line_break}{blank}") } else { String::new() };
    let is_filled = !members.is_empty();
    let range = TextRange::new(start, node.range().end());
    is_filled.then(|| vec![TextEdit { range, text: format!("{lead}{written}") }])
}

impl Member {
    fn new(range: TextRange, text: String) -> Member {
        Member { range, text, above: Vec::new(), beside: None }
    }
}

/// Assigns each comment between members to the member on its line, else to the next one. Returns the comments after the
/// last member.
fn with_comments(
    context: &ActionContext<'_>,
    whole: TextRange,
    members: &mut [Member],
) -> Option<Vec<String>> {
    let text = context.tree().text();
    let mut rest = Vec::new();
    for comment in context.tree().comments().filter(|comment| whole.contains_range(comment.range)) {
        let at = comment.range;
        if members.iter().any(|member| member.range.contains_range(at)) {
            continue;
        }
        let before = members.iter().rposition(|member| member.range.end() <= at.start());
        let is_beside = before.and_then(|before| members.get(before)).is_some_and(|member| {
            let gap = text.get(usize::from(member.range.end())..usize::from(at.start()));
            gap.is_some_and(|gap| !gap.contains('\n'))
        });
        let owner = if is_beside { before } else { Some(before.map_or(0, |before| before + 1)) };
        let words = comment.text.trim_end().to_owned();
        match owner.and_then(|owner| members.get_mut(owner)) {
            Some(member) if is_beside && member.beside.is_none() => member.beside = Some(words),
            Some(_) if is_beside => return None,
            Some(member) => member.above.push(words),
            None => rest.push(words),
        }
    }
    Some(rest)
}

/// A collection of lines, joined in brackets.
fn on_one_line(context: &ActionContext<'_>, link: &PathValue<'_, '_>) -> Option<Vec<TextEdit>> {
    let node = link.node(context.tree())?;
    let line = in_brackets(node, 0)?;
    let text = context.tree().text();
    let start = TextSize::of(text.get(..usize::from(node.range().start()))?.trim_end());
    let before = text.get(..usize::from(start))?.rsplit('\n').next()?;
    let fits = before.chars().count() + line.chars().count() < WIDTH;
    fits.then(|| {
        vec![TextEdit { range: TextRange::new(start, node.range().end()), text: format!(" {line}") }]
    })
}

/// A node as it is written between brackets.
fn in_brackets(node: SyntaxNode<'_>, depth: usize) -> Option<String> {
    let text = node.tree().text();
    let source = |range: TextRange| text.get(std::ops::Range::<usize>::from(range));
    if depth > DEPTH_MAX || node.range().len() > TextSize::new(4 * 100) {
        return None;
    }
    let content = match node.value() {
        NodeValue::Mapping(mapping) => {
            let entry = |entry: nodewise_syntax::Entry<'_>| {
                let key = in_brackets(entry.key()?, depth + 1)?;
                Some(match entry.value() {
                    Some(value) => format!("{key}: {}", in_brackets(value, depth + 1)?),
                    None => format!("{key}:"),
                })
            };
            let entries: Option<Vec<String>> = mapping.entries().map(entry).collect();
            format!("{{{}}}", entries?.join(", "))
        }
        NodeValue::Sequence(sequence) => {
            let items: Option<Vec<String>> =
                sequence.items().map(|item| in_brackets(item.node()?, depth + 1)).collect();
            format!("[{}]", items?.join(", "))
        }
        NodeValue::Scalar(scalar) => match scalar.style() {
            ScalarStyle::Literal | ScalarStyle::Folded => return None,
            // A plain scalar that is not a text stays plain, because quotes would make it a text.
            ScalarStyle::Plain if !scalar.raw().contains([',', '[', ']', '{', '}', '\n']) => {
                scalar.raw().to_owned()
            }
            _ if scalar.raw().contains('\n') => return None,
            ScalarStyle::Plain => scalar_like(scalar, &scalar.cooked(), ScalarPosition::Flow),
            _ => scalar.raw().to_owned(),
        },
        NodeValue::Alias(_) | NodeValue::Empty | NodeValue::Unknown => source(node.range())?.to_owned(),
    };
    let properties = source(TextRange::new(node.full_range().start(), node.range().start()))?.trim();
    let gap = if properties.is_empty() { "" } else { " " };
    Some(format!("{properties}{gap}{content}"))
}
