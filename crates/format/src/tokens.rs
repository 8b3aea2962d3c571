//! The text of a token as it will be written: with new quotes, of an expression the new one.
//!
//! Input: a token and the options; output: its text. Invariant: the value stays the same.

use std::borrow::Cow;

use nodewise_syntax::parts::{PartKind, SyntaxElement};

use crate::conditions::Rewrites;
use crate::options::{FormatOptions, Quotes};

/// The text of a token; for a formatted expression, its new text.
pub(crate) fn text_of<'a>(part: SyntaxElement<'a>, rewrites: &'a Rewrites) -> &'a str {
    if !is_text(part.kind()) || rewrites.is_empty() {
        return part.text();
    }
    rewrites.get(&part.range().start()).map_or(part.text(), |rewrite| &rewrite.source)
}

/// A text of one line in the quotes that the options ask for.
pub(crate) fn requoted<'s>(written: &'s str, is_json: bool, options: &FormatOptions) -> Cow<'s, str> {
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let quotes = options.quotes;
    let is_kept = is_json || quotes == Quotes::Keep;
    match written.chars().next() {
        Some('\'') if !is_kept && prefers_double(inner, quotes) => {
            Cow::Owned(format!("\"{}\"", inner.replace("''", "'")))
        }
        Some('"') if !is_kept && prefers_single(inner, quotes) => {
            Cow::Owned(format!("'{}'", inner.replace("\\\"", "\"")))
        }
        _ => Cow::Borrowed(written),
    }
}

/// Whether a token is a plain or quoted scalar.
pub(crate) fn is_text(kind: PartKind) -> bool {
    matches!(kind, PartKind::Plain | PartKind::SingleQuoted | PartKind::DoubleQuoted)
}

/// Whether a document consists of one collection in brackets.
pub(crate) fn is_written_as_json(document: SyntaxElement<'_>) -> bool {
    let root = document.children().find(|part| part.is_node());
    root.is_some_and(|root| matches!(root.kind(), PartKind::FlowMap | PartKind::FlowSeq))
}

/// Whether a text in single quotes should get double quotes.
fn prefers_double(inner: &str, quotes: Quotes) -> bool {
    let is_possible = !inner.contains(['"', '\\']);
    let saves_escapes = inner.contains("''");
    is_possible && (quotes == Quotes::Double || saves_escapes)
}

/// Whether a text in double quotes should get single quotes: it contains double quotes, and needs no other escape.
fn prefers_single(inner: &str, quotes: Quotes) -> bool {
    let has_other_escapes = inner.replace("\\\"", "").contains('\\');
    let is_possible = !has_other_escapes && !inner.contains('\'');
    let saves_escapes = inner.contains("\\\"");
    is_possible && (quotes == Quotes::Single || saves_escapes)
}
