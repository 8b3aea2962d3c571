//! The options that every text is laid out with: the usual ones, and others that differ in every choice.

use nodewise_format::FormatOptions;
use nodewise_format::options::{FlowWrapping, Quotes, SequenceIndent};

/// Some projects' options.
pub(crate) fn choices() -> [FormatOptions; 4] {
    let usual = FormatOptions::default();
    let wide = FormatOptions {
        indent: 4,
        sequences: SequenceIndent::Indent,
        quotes: Quotes::Single,
        line_width: 20,
        brace_spacing: Some(true),
        blank_lines: 0,
        ..usual.clone()
    };
    let flush = FormatOptions {
        sequences: SequenceIndent::Flush,
        flow: FlowWrapping::Keep,
        line_width: 30,
        ..usual.clone()
    };
    let ordered = FormatOptions { key_order: true, quotes: Quotes::Keep, ..usual.clone() };
    [usual, wide, flush, ordered]
}
