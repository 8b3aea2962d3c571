//! Where a thing was written: a source file and a byte range in it. Every part of the model that a
//! finding can point at carries one, also after overlays merged several files into one declaration.

use text_size::TextRange;

/// A source file, with the number that its loader gave it. Numbers follow load order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SourceId(pub u32);

/// A byte range in a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The file.
    pub source: SourceId,
    /// Byte offsets in the file's text.
    pub range: TextRange,
}

impl Origin {
    /// The range `range` of the file `source`.
    #[must_use]
    pub fn new(source: SourceId, range: TextRange) -> Origin {
        Origin { source, range }
    }

    /// The order in which a reader meets origins: file by file, then by position.
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

/// A value that has a default, and where it was written; a default stands nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    /// Where it stands, unless it is the default.
    pub at: Option<Origin>,
}

impl<T> Located<T> {
    /// `value`, written at `at`.
    pub fn new(value: T, at: Origin) -> Located<T> {
        Located { value, at }
    }
}
