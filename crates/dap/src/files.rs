//! Files of the run: their paths, and positions as the client counts them.
//!
//! Input: paths and positions of the client; output: those of the snapshot, and back. Invariant: the snapshot that the run
//! was compiled from is shown. If a file has changed since, its old text is shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::TextSize;
use nodewise_wire::positions::{Encoding, LineTable, Position};
use serde_json::{Value, json};

use crate::launch::Launcher;

/// How the client counts lines and columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counting {
    /// The number of the first line: 0 or 1.
    pub(crate) first_line: i64,
    /// The number of the first column: 0 or 1.
    pub(crate) first_column: i64,
    /// Whether the client wants paths as `file://` URIs.
    pub(crate) is_uri: bool,
}

/// The files of the run.
pub(crate) struct Files {
    pub(crate) root: PathBuf,
    pub(crate) snapshot: Snapshot,
}

impl Default for Counting {
    fn default() -> Counting {
        Counting { first_line: 1, first_column: 1, is_uri: false }
    }
}

impl Counting {
    /// Converts the client's number of a line to a number from 1. `None` if the line is before the first one.
    pub(crate) fn line(self, line: i64) -> Option<u32> {
        u32::try_from(line.checked_sub(self.first_line)?.checked_add(1)?).ok().filter(|line| *line > 0)
    }

    fn position(self, position: Position) -> (i64, i64) {
        (i64::from(position.line) + self.first_line, i64::from(position.column) + self.first_column)
    }
}

impl Files {
    /// The file at a path of the client. `None` if it is not a file of the run.
    pub(crate) fn find(&self, path: &str, launcher: &dyn Launcher) -> Option<SourceId> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let in_root = |path: &Path| {
            let relative = path.strip_prefix(&self.root).ok()?;
            let parts: Vec<String> =
                relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            self.snapshot.source(&parts.join("/"))
        };
        in_root(Path::new(path)).or_else(|| in_root(&launcher.canonical(Path::new(path))))
    }

    /// The text of a file that the run was compiled from.
    pub(crate) fn text(&self, source: SourceId) -> Option<&Arc<str>> {
        self.snapshot.file(source).map(|file| file.text.shared())
    }

    pub(crate) fn path(&self, source: SourceId) -> Option<PathBuf> {
        self.snapshot.file(source).map(|file| self.root.join(&*file.path))
    }

    /// A file as the protocol describes it. If the file has changed on disk, the client gets a reference with which
    /// it requests the old text.
    pub(crate) fn source(
        &self,
        source: SourceId,
        counting: Counting,
        launcher: &dyn Launcher,
    ) -> Option<Value> {
        let file = self.snapshot.file(source)?;
        let path = self.root.join(&*file.path);
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let shown = path.to_string_lossy().into_owned();
        let shown = if counting.is_uri { format!("file://{shown}") } else { shown };
        let mut written = json!({"name": name, "path": shown});
        if launcher.text(&path).is_none_or(|text| text != *file.text)
            && let Value::Object(members) = &mut written
        {
            members.insert("sourceReference".to_owned(), (u64::from(source.0) + 1).into());
            members.insert("origin".to_owned(), "as it was when the run began".into());
        }
        Some(written)
    }

    /// The start and the end of a range, each as line and column in the client's numbers.
    pub(crate) fn span(&self, at: Origin, counting: Counting) -> Option<((i64, i64), (i64, i64))> {
        let text = self.text(at.source)?;
        let span = LineTable::new(text, Encoding::Utf16).span(at.range);
        Some((counting.position(span.start), counting.position(span.end)))
    }

    /// The offset of a position. `line` counts from 1, and `column` is the client's number.
    pub(crate) fn offset(
        &self,
        source: SourceId,
        line: u32,
        column: i64,
        counting: Counting,
    ) -> Option<TextSize> {
        let column = u32::try_from(column.checked_sub(counting.first_column)?).ok()?;
        let table = LineTable::new(self.text(source)?, Encoding::Utf16);
        Some(table.offset(Position { line: line.checked_sub(1)?, column }))
    }
}
