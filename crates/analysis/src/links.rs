//! What a file has to do with other files: the names that it declares, and those that it refers to. The index is built
//! from this alone, so a project can be known before its texts are read.

use nodewise_model::{Origin, Reference, SourceId};
use smol_str::SmolStr;

/// The names that connect a file with other files.
#[derive(Debug, Clone, Default)]
pub struct FileLinks {
    /// The declared names, in the order of the documents.
    pub declared: Box<[DeclaredName]>,
    /// The names that its documents refer to, in the order of the documents.
    pub references: Box<[Reference]>,
    /// For each document, the end of its part of `references`.
    pub reference_ends: Box<[u32]>,
    /// How many of its documents declare an agent as a document of its own.
    pub agents: u32,
    /// Whether every document could be read, so that no name is overlooked.
    pub is_readable: bool,
    /// Whether its documents name things in other files by text alone.
    pub is_lettered: bool,
}

/// A name that a document declares.
#[derive(Debug, Clone)]
pub struct DeclaredName {
    /// The position of the document in the file, from 0.
    pub document: u32,
    /// The kind of what is declared.
    pub kind: &'static str,
    /// Which of the document's graphs or agents it is, from 0.
    pub part: usize,
    pub name: SmolStr,
    pub at: Origin,
}

impl FileLinks {
    /// How many documents the file has.
    #[must_use]
    pub fn documents(&self) -> u32 {
        u32::try_from(self.reference_ends.len()).unwrap_or(u32::MAX)
    }

    /// The names that the document at a position refers to.
    pub(crate) fn references(&self, document: u32) -> &[Reference] {
        let document = document as usize;
        let start =
            document.checked_sub(1).map_or(Some(0), |before| self.reference_ends.get(before).copied());
        let range =
            start.zip(self.reference_ends.get(document)).map(|(start, end)| start as usize..*end as usize);
        range.and_then(|range| self.references.get(range)).unwrap_or_default()
    }

    /// The same links for a file with another number.
    pub(crate) fn numbered(mut self, source: SourceId) -> FileLinks {
        self.declared.iter_mut().for_each(|declared| declared.at.source = source);
        self.references.iter_mut().for_each(|reference| reference.at.source = source);
        self
    }
}
