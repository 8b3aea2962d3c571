//! Fixes of graph documents: an entry more or less in a list, an edge more. In: places as the
//! model has them; out: an edit, or nothing where the text is laid out in a way that an edit could spoil.

use nodewise_model::graph::Graph;
use nodewise_model::{Located, Origin};
use nodewise_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::place;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::rule::Context;

/// Layout further away than this is not looked at, so that a long line costs no more than a short one.
const LOOK_MAX: usize = 400;

/// Offers an edit as a fix, if there is one.
pub(super) fn offer(mut finding: Finding, title: String, safe: bool, edit: Option<Edit>) -> Finding {
    finding.fixes.extend(edit.map(|edit| Fix { title, safe, edits: vec![edit] }));
    finding
}

/// Adds a name to a list that stands under a key.
pub(super) fn with_name(
    context: &Context<'_>,
    key_at: Option<Origin>,
    names: &[Located<SmolStr>],
    name: &str,
) -> Option<Edit> {
    let key_at = key_at.filter(|_| place::is_word(name))?;
    let name = if is_json(context, key_at) { format!("\"{name}\"") } else { name.to_owned() };
    match names.last() {
        Some(last) => behind(context, last.at, &name),
        None => in_brackets(context, key_at, &name),
    }
}

/// Adds an edge to a graph.
pub(super) fn with_edge(context: &Context<'_>, graph: &Graph, source: &str, target: &str) -> Option<Edit> {
    let key_at = graph.edges_at.filter(|_| place::is_word(source) && place::is_word(target))?;
    let edge = match is_json(context, key_at) {
        true => format!("{{\"source\": \"{source}\", \"target\": \"{target}\"}}"),
        false => format!("{{source: {source}, target: {target}}}"),
    };
    match graph.edges.last() {
        Some(last) => behind(context, last.at, &edge),
        None => in_brackets(context, key_at, &edge),
    }
}

/// Takes a name out of a list.
pub(super) fn without_name(
    context: &Context<'_>,
    names: &[Located<SmolStr>],
    position: usize,
) -> Option<Edit> {
    let name = names.get(position)?;
    let next = names.get(position + 1);
    let before = position.checked_sub(1).and_then(|before| names.get(before));
    let (start, end) = match (block_indent(context, name.at), next, before) {
        (Some(_), ..) if names.len() == 1 => return None,
        (Some(_), ..) => {
            let line = whole_line(context, name.at)?;
            (line.start(), line.end())
        }
        (None, Some(next), _) => (name.at.range.start(), next.at.range.start()),
        (None, None, Some(before)) => (before.at.range.end(), name.at.range.end()),
        (None, None, None) => (name.at.range.start(), name.at.range.end()),
    };
    let at = Origin::new(name.at.source, TextRange::new(start, end));
    let left = place::source(context, at).replacen(name.value.as_str(), "", 1);
    let is_only_layout = left.chars().all(|letter| matches!(letter, ',' | ' ' | '\n' | '-' | '"' | '\''));
    is_only_layout.then(|| Edit { at, text: String::new() })
}

/// Behind an item of a list, with a comma or on a line of its own.
fn behind(context: &Context<'_>, item: Origin, text: &str) -> Option<Edit> {
    let (end, text) = match block_indent(context, item) {
        Some(indent) => (line_end(context, item)?, format!("\n{indent}- {text}")),
        None => (item.range.end(), format!(", {text}")),
    };
    Some(Edit { at: Origin::new(item.source, TextRange::empty(end)), text })
}

/// Whether the file is JSON, which wants quotes.
fn is_json(context: &Context<'_>, at: Origin) -> bool {
    context.source(at.source).is_some_and(|file| file.path.ends_with(".json"))
}

/// Between the empty brackets behind a key.
fn in_brackets(context: &Context<'_>, key: Origin, item: &str) -> Option<Edit> {
    let rest = behind_text(context, key);
    let opening = rest.find('[').filter(|opening| {
        rest.get(..*opening).is_some_and(|gap| gap.trim_start_matches(['"', '\'']).trim() == ":")
    })?;
    let inside = rest.get(opening + 1..)?;
    let closing = inside.find(']').filter(|closing| {
        inside.get(..*closing).is_some_and(|gap| gap.chars().all(|letter| letter == ' '))
    })?;
    let start = key.range.end() + TextSize::try_from(opening + 1).ok()?;
    let at = Origin::new(key.source, TextRange::at(start, TextSize::try_from(closing).ok()?));
    Some(Edit { at, text: item.to_owned() })
}

/// The blanks before the dash of an item that has a line of its own.
fn block_indent<'a>(context: &Context<'a>, item: Origin) -> Option<&'a str> {
    let indent = line_before(context, item)?.trim_end().strip_suffix('-')?;
    indent.chars().all(|letter| letter == ' ').then_some(indent)
}

/// The part of its line that stands before a place, unless the line is very long.
fn line_before<'a>(context: &Context<'a>, at: Origin) -> Option<&'a str> {
    let text = &context.source(at.source)?.text;
    let end = usize::from(at.range.start());
    let near = end.saturating_sub(LOOK_MAX);
    let bytes = text.as_bytes().get(near..end)?;
    let start = match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(line_end) => near + line_end + 1,
        None if near == 0 => 0,
        None => return None,
    };
    text.get(start..end)
}

/// What stands behind a place, not very far.
fn behind_text<'a>(context: &Context<'a>, at: Origin) -> &'a str {
    let text = context.source(at.source).map_or("", |file| &*file.text);
    let rest = text.get(usize::from(at.range.end())..).unwrap_or_default();
    let near = (0..=LOOK_MAX.min(rest.len())).rev().find(|length| rest.is_char_boundary(*length));
    rest.get(..near.unwrap_or_default()).unwrap_or_default()
}

/// The end of the line on which a place ends, unless it is far.
fn line_end(context: &Context<'_>, at: Origin) -> Option<TextSize> {
    let behind = behind_text(context, at);
    let rest = match behind.find(['\n', '\r']) {
        Some(rest) => rest,
        None if behind.len() < LOOK_MAX => behind.len(),
        None => return None,
    };
    Some(at.range.end() + TextSize::try_from(rest).ok()?)
}

/// The line of a place that stands on one line, its line end included.
fn whole_line(context: &Context<'_>, at: Origin) -> Option<TextRange> {
    let start = at.range.start() - TextSize::of(line_before(context, at)?);
    let end = line_end(context, at)?;
    let behind = context.source(at.source)?.text.get(usize::from(end)..)?;
    let ending = if behind.starts_with("\r\n") { 2 } else { u32::from(behind.starts_with('\n')) };
    Some(TextRange::new(start, end + TextSize::new(ending)))
}
