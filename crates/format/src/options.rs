//! What people may choose about the layout. Everything else is the same for everyone.

/// The indentations that can be chosen.
pub const INDENTS: std::ops::RangeInclusive<usize> = 1..=16;

/// The choices of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatOptions {
    /// How many columns a nested block stands to the right, one of [`INDENTS`].
    pub indent: usize,
    /// Where the items of a sequence stand that is a value.
    pub sequences: SequenceIndent,
    /// Which quotes a text has where both would do.
    pub quotes: Quotes,
    /// How many columns a line may have before a flow collection in it is divided. Texts are never divided.
    pub line_width: usize,
    /// How many empty lines may follow one another.
    pub blank_lines: usize,
    /// What becomes of a flow collection that is too wide for its line, or written over several.
    pub flow: FlowWrapping,
    /// Whether braces have a blank inside: `{ a: 1 }`. By default they have in documents that are written as JSON is.
    pub brace_spacing: Option<bool>,
    /// Whether keys are put into the order of the dialect's table.
    pub key_order: bool,
}

/// Where the items of a sequence stand that is the value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceIndent {
    /// As each sequence has it.
    Keep,
    /// To the right of the key.
    Indent,
    /// Below the key's first letter.
    Flush,
}

/// Which quotes a text has where both would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotes {
    /// As each text has them.
    Keep,
    /// `"`, except where that costs more escapes.
    Double,
    /// `'`, except where the text needs an escape.
    Single,
}

/// What becomes of a flow collection that does not stay on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlowWrapping {
    /// It becomes a block, where a block can say the same.
    Block,
    /// It stays in brackets, one member a line.
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
