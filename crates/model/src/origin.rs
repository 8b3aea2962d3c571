//! Where a thing was written: a source file and a byte range in it. Every part of the model that a
//! finding can point at carries one, also after overlays merged several files into one declaration.

use text_size::TextRange;

/// The number of a source file, given by its loader. Numbers follow the order of loading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SourceId(pub u32);

/// A byte range in a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The file.
    pub source: SourceId,
    /// The range in the file's text, in bytes.
    pub range: TextRange,
}

impl Origin {
    #[must_use]
    pub fn new(source: SourceId, range: TextRange) -> Origin {
        Origin { source, range }
    }

    /// A sort key: by file, then by position in the file.
    #[must_use]
    pub fn reading_order(self) -> (SourceId, u32, u32) {
        (self.source, self.range.start().into(), self.range.end().into())
    }
}

/// A value and the place it was written at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    pub value: T,
    pub at: Origin,
}

/// A value that may be a default, and where it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    /// Where the value was written; `None` if it is the default.
    pub at: Option<Origin>,
}

impl<T> Located<T> {
    pub fn new(value: T, at: Origin) -> Located<T> {
        Located { value, at }
    }
}
