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
    /// The number of the first line.
    pub(crate) first_line: i64,
    /// The number of the first column.
    pub(crate) first_column: i64,
    /// Whether paths are URIs.
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
    /// The line of the client, from 1.
    pub(crate) fn line(self, line: i64) -> Option<u32> {
        u32::try_from(line - self.first_line + 1).ok().filter(|line| *line > 0)
    }

    fn position(self, position: Position) -> (i64, i64) {
        (i64::from(position.line) + self.first_line, i64::from(position.column) + self.first_column)
    }
}

impl Files {
    /// The file of a path of the client.
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

    /// The text of a file.
    pub(crate) fn text(&self, source: SourceId) -> Option<&Arc<str>> {
        self.snapshot.file(source).map(|file| file.text.shared())
    }

    pub(crate) fn path(&self, source: SourceId) -> Option<PathBuf> {
        self.snapshot.file(source).map(|file| self.root.join(&*file.path))
    }

    /// A file as the protocol has it.
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

    /// The begin and the end of a range: line, column, end line, end column.
    pub(crate) fn span(&self, at: Origin, counting: Counting) -> Option<((i64, i64), (i64, i64))> {
        let text = self.text(at.source)?;
        let span = LineTable::new(text, Encoding::Utf16).span(at.range);
        Some((counting.position(span.start), counting.position(span.end)))
    }

    /// The offset of a position of the client.
    pub(crate) fn offset(
        &self,
        source: SourceId,
        line: u32,
        column: i64,
        counting: Counting,
    ) -> Option<TextSize> {
        let column = u32::try_from(column - counting.first_column).ok()?;
        let table = LineTable::new(self.text(source)?, Encoding::Utf16);
        Some(table.offset(Position { line: line.checked_sub(1)?, column }))
    }
}
