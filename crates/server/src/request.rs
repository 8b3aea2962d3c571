//! A request: what its handler reads, and the file that it is about, with conversions between positions of the protocol
//! and offsets.
//!
//! Input: a view, a URI of the protocol. Output: a file, offsets, ranges, locations. Invariant: every conversion counts
//! columns in the negotiated units.

use std::sync::Arc;

use nodewise_analysis::cancel::Cancel;
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_ide::position::FilePosition;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::TextRange;
use tower_lsp_server::ls_types::{self as lsp, Uri};

use crate::abilities::Abilities;
use crate::convert;
use crate::positions::LineTable;
use crate::view::{Places, ProjectView, View};

/// The input of a request's handler.
pub(crate) struct Asked<'v> {
    /// The view of the session at the moment of the request.
    pub(crate) view: &'v View,
    /// Cancelled when the client no longer wants the answer.
    pub(crate) cancel: &'v Cancel,
    /// What the client supports.
    pub(crate) abilities: Abilities,
    /// How many requests were cancelled while they were handled.
    pub(crate) given_up: u64,
}

/// The file of a request.
pub(crate) struct File<'v> {
    pub(crate) project: &'v ProjectView,
    /// What is known about it.
    pub(crate) facts: &'v FileFacts,
    /// Whether the client opens rule pages.
    pub(crate) shows_pages: bool,
    snapshot: Snapshot,
    places: Places<'v>,
    lines: Arc<LineTable>,
}

impl Asked<'_> {
    /// The snapshot of a project. Reading it stops when the request is cancelled.
    pub(crate) fn snapshot(&self, project: &ProjectView) -> Snapshot {
        project.snapshot.cancelled_by(self.cancel)
    }

    /// The file of a URI. `None` if no project has it.
    pub(crate) fn file(&self, uri: &Uri) -> Option<File<'_>> {
        let file = self.view.file(uri.as_str())?;
        self.file_in(file.project, file.facts.source)
    }

    /// The file of a URI, unless it is a module of a program. Nodewise does not change modules, and their own
    /// language server answers about them too.
    pub(crate) fn document(&self, uri: &Uri) -> Option<File<'_>> {
        self.file(uri).filter(|file| !file.facts.is_module())
    }

    /// A file of a project.
    pub(crate) fn file_in<'v>(&self, project: &'v ProjectView, source: SourceId) -> Option<File<'v>> {
        let facts = project.snapshot.file(source)?;
        let places = self.view.places(project);
        let lines = places.lines(source)?;
        let (snapshot, shows_pages) = (self.snapshot(project), self.abilities.shows_pages);
        Some(File { project, facts, shows_pages, snapshot, places, lines })
    }

    /// The file of a position, and the offset in it.
    pub(crate) fn at(&self, position: &lsp::TextDocumentPositionParams) -> Option<(File<'_>, FilePosition)> {
        let file = self.file(&position.text_document.uri)?;
        let at = file.position(position.position);
        Some((file, at))
    }
}

impl Asked<'_> {
    /// Like [`Asked::at`], for files that are not modules of programs.
    pub(crate) fn at_document(
        &self,
        position: &lsp::TextDocumentPositionParams,
    ) -> Option<(File<'_>, FilePosition)> {
        self.at(position).filter(|(file, _)| !file.facts.is_module())
    }
}

impl<'v> File<'v> {
    /// The project's snapshot.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub(crate) fn source(&self) -> SourceId {
        self.facts.source
    }

    /// A position of the protocol as an offset.
    pub(crate) fn position(&self, position: lsp::Position) -> FilePosition {
        FilePosition::new(self.source(), self.lines.offset(convert::position(position)))
    }

    /// A range of the protocol as offsets.
    pub(crate) fn text_range(&self, range: lsp::Range) -> TextRange {
        self.lines.range(convert::span(range))
    }

    /// Converts origins of the project to positions.
    pub(crate) fn places(&self) -> &Places<'v> {
        &self.places
    }

    /// The path of a file of the project, relative to it.
    pub(crate) fn path_of(&self, source: SourceId) -> Option<Arc<str>> {
        self.snapshot.file(source).map(|file| Arc::clone(&file.path))
    }

    /// A range of the file in the protocol's type.
    pub(crate) fn range(&self, range: TextRange) -> lsp::Range {
        convert::range(self.lines.span(range))
    }

    /// An edit of the file in the protocol's type.
    pub(crate) fn edit(&self, range: TextRange, new_text: String) -> lsp::TextEdit {
        lsp::TextEdit { range: self.range(range), new_text }
    }

    /// The file and range of an origin in the project.
    pub(crate) fn place(&self, at: Origin) -> Option<(Uri, lsp::Range)> {
        let location = location(&self.places, at)?;
        Some((location.uri, location.range))
    }

    /// The range of an origin in the project.
    pub(crate) fn span(&self, at: Origin) -> Option<lsp::Range> {
        self.places.span(at).map(convert::range)
    }

    /// The version of an open document in the project.
    pub(crate) fn version(&self, uri: &str) -> Option<i32> {
        let document = self.project.open.values().find(|document| &*document.uri == uri);
        document.map(|document| document.version)
    }

    /// An origin of the project as a location of the protocol.
    pub(crate) fn location(&self, at: Origin) -> Option<lsp::Location> {
        location(&self.places, at)
    }
}

/// An origin of a project as a location of the protocol.
pub(crate) fn location(places: &Places<'_>, at: Origin) -> Option<lsp::Location> {
    let (uri, span) = places.place(at)?;
    Some(lsp::Location { uri: convert::uri(&uri)?, range: convert::range(span) })
}
