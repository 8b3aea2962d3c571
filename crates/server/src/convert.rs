//! Conversions between our types and those of the protocol.
//!
//! Input: plain data. Output: plain data. Invariant: if the framework cannot represent a URI, only the item with that
//! URI is dropped.

pub(crate) mod diagnostics;
pub(crate) mod runs;

use std::str::FromStr;

use tower_lsp_server::ls_types::{self as lsp, Uri};

use crate::positions::{Encoding, Position, Span};

/// Converts a position from the protocol's type.
pub(crate) fn position(position: lsp::Position) -> Position {
    Position { line: position.line, column: position.character }
}

/// Converts a range from the protocol's type.
pub(crate) fn span(range: lsp::Range) -> Span {
    Span { start: position(range.start), end: position(range.end) }
}

/// Converts a range to the protocol's type.
pub(crate) fn range(span: Span) -> lsp::Range {
    let position = |at: Position| lsp::Position::new(at.line, at.column);
    lsp::Range::new(position(span.start), position(span.end))
}

/// Converts a URI to the protocol's type. `None` if the framework cannot represent it.
pub(crate) fn uri(text: &str) -> Option<Uri> {
    Uri::from_str(text).ok()
}

/// The encoding to use: UTF-8 if the client supports it, because it needs no conversion.
pub(crate) fn encoding(offered: Option<&[lsp::PositionEncodingKind]>) -> Encoding {
    let known = |kind: &lsp::PositionEncodingKind| match kind.as_str() {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    };
    let offered: Vec<Encoding> = offered.unwrap_or_default().iter().filter_map(known).collect();
    let preferred = offered.iter().find(|encoding| **encoding == Encoding::Utf8).or(offered.first());
    preferred.copied().unwrap_or_default()
}

/// The name of an encoding.
pub(crate) fn encoding_kind(encoding: Encoding) -> lsp::PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
        Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
        Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
    }
}
