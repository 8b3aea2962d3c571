//! A place in a snapshot: a file and a byte offset in it.

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::SourceId;
use nodewise_syntax::TextSize;

/// A position in a file. The offset can be anywhere, also after the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePosition {
    /// The file.
    pub source: SourceId,
    /// The byte offset.
    pub offset: TextSize,
}

impl FilePosition {
    #[must_use]
    pub fn new(source: SourceId, offset: TextSize) -> FilePosition {
        FilePosition { source, offset }
    }

    /// The file, if the snapshot has it.
    #[must_use]
    pub fn file(self, snapshot: &Snapshot) -> Option<&FileFacts> {
        snapshot.file(self.source)
    }
}
