//! The options that every text is laid out with: the usual ones, and others that differ in every choice.

use nodewise_format::Options;
use nodewise_format::options::{Flow, Quotes, SequenceIndent};

/// Some projects' options.
pub(crate) fn choices() -> [Options; 4] {
    let usual = Options::default();
    let wide = Options {
        indent: 4,
        sequences: SequenceIndent::Indent,
        quotes: Quotes::Single,
        line_width: 20,
        brace_spacing: Some(true),
        blank_lines: 0,
        ..usual.clone()
    };
    let flush =
        Options { sequences: SequenceIndent::Flush, flow: Flow::Keep, line_width: 30, ..usual.clone() };
    let ordered = Options { key_order: true, quotes: Quotes::Keep, ..usual.clone() };
    [usual, wide, flush, ordered]
}
