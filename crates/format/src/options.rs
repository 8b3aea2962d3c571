//! What people may choose about the layout. Everything else is the same for everyone.

/// The indentations that a project can choose.
pub const INDENTS: std::ops::RangeInclusive<usize> = 1..=16;

/// The format options of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatOptions {
    /// The indentation of a nested block, in columns; one of [`INDENTS`].
    pub indent: usize,
    /// The indentation of sequences that are values of keys.
    pub sequences: SequenceIndent,
    /// The quotes of texts for which both kinds are possible.
    pub quotes: Quotes,
    /// The maximum width of a line with a flow collection, in columns. Wider collections are divided. Texts are never
    /// divided.
    pub line_width: usize,
    /// The maximum number of consecutive empty lines.
    pub blank_lines: usize,
    /// How flow collections are written that are too wide for a line, or already on several lines.
    pub flow: FlowWrapping,
    /// Whether braces have spaces inside: `{ a: 1 }`. `None` means only in documents that are written like JSON.
    pub brace_spacing: Option<bool>,
    /// Whether keys are sorted in the order of the dialect's table.
    pub key_order: bool,
}

/// The indentation of a sequence that is the value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceIndent {
    /// Each sequence keeps its own.
    Keep,
    /// Deeper than the key.
    Indent,
    /// At the same column as the key.
    Flush,
}

/// The quotes of texts for which both kinds are possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotes {
    /// Each text keeps its own.
    Keep,
    /// `"`, unless `'` needs fewer escapes.
    Double,
    /// `'`, unless the text needs an escape.
    Single,
}

/// How a flow collection is written that does not stay on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlowWrapping {
    /// As a block, if a block can express the same.
    Block,
    /// In brackets, with one member on each line.
    Keep,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            indent: 2,
            sequences: SequenceIndent::Keep,
            quotes: Quotes::Double,
            line_width: 120,
            blank_lines: 1,
            flow: FlowWrapping::Block,
            brace_spacing: None,
            key_order: false,
        }
    }
}
