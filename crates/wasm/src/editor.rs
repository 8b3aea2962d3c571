//! The answers for an editor in a page.
//!
//! Input: a file, and perhaps a cursor. Output: findings with their fixes, the text of a hover, completions.
//! Invariant: positions count UTF-16 units from the start of the text, as JavaScript does; edits name the file that
//! they change.

use nodewise_analysis::diagnostic::{Edit, Severity};
use nodewise_analysis::workspace::Snapshot;
use nodewise_ide::completion::{CompletionSettings, ItemKind, complete};
use nodewise_ide::hover::hover;
use nodewise_ide::position::FilePosition;
use nodewise_model::SourceId;
use nodewise_syntax::{TextRange, TextSize};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::JsError;
use crate::open_projects::{OpenProject, OpenProjects};

/// A question of the editor about a file.
#[derive(Debug, Deserialize)]
pub(crate) struct EditorQuestion {
    ask: EditorTopic,
    file: String,
    /// The position in UTF-16 units, if the question is about one.
    #[serde(default)]
    at: usize,
    /// The character that was just typed, if the editor completes because of it.
    typed: Option<char>,
}

/// What an editor asks.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum EditorTopic {
    /// The findings in the file.
    Findings,
    /// The text to show at a position.
    Hover,
    /// What can be written at a position.
    Completions,
}

/// Answers a question. The answer is `null` if no project has the file.
pub(crate) fn answer(open: &OpenProjects, question: &EditorQuestion) -> Result<String, JsError> {
    let Some((project, path)) = open.find(&question.file) else { return Ok(Value::Null.to_string()) };
    let snapshot = project.snapshot();
    let Some(source) = snapshot.source(path) else { return Ok(Value::Null.to_string()) };
    let view = View { project, snapshot: &snapshot, source };
    Ok(match question.ask {
        EditorTopic::Findings => view.findings(),
        EditorTopic::Hover => view.hover(question.at),
        EditorTopic::Completions => view.completions(question.at, question.typed),
    }
    .to_string())
}

/// A file in its project.
struct View<'v> {
    project: &'v OpenProject,
    snapshot: &'v Snapshot,
    source: SourceId,
}

impl View<'_> {
    fn findings(&self) -> Value {
        let found = self.snapshot.diagnostics(self.source);
        let findings = found.iter().map(|diagnostic| {
            let finding = &diagnostic.finding;
            let fixes = finding.fixes.iter().map(|fix| {
                let edits = fix.edits.iter().filter_map(|edit| self.edit(edit));
                json!({"title": fix.title, "safe": fix.safe, "edits": edits.collect::<Vec<_>>()})
            });
            let (from, to) = self.range(self.source, finding.at.range);
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "info",
            };
            json!({
                "from": from, "to": to, "severity": severity, "rule": diagnostic.rule, "message": finding.message,
                "label": finding.label, "help": finding.help, "fixes": fixes.collect::<Vec<_>>(),
            })
        });
        findings.collect()
    }

    fn hover(&self, at: usize) -> Value {
        let Some(hover) = hover(self.snapshot, self.position(at)) else { return Value::Null };
        let (from, to) = self.range(self.source, hover.range);
        json!({"from": from, "to": to, "text": hover.text.plain()})
    }

    fn completions(&self, at: usize, typed: Option<char>) -> Value {
        let settings = CompletionSettings { snippets: false, trigger: typed, usual: None };
        let found = complete(self.snapshot, self.position(at), settings);
        let items = found.items.iter().map(|item| {
            let (from, to) = self.range(self.source, item.edit.insert);
            let additional = item.additional.iter().map(|edit| {
                let (from, to) = self.range(self.source, edit.range);
                json!({"from": from, "to": to, "text": edit.text})
            });
            json!({
                "label": item.label, "detail": item.detail, "filter": item.filter, "from": from, "to": to,
                "text": item.edit.text, "isKey": item.kind == ItemKind::Key,
                "additional": additional.collect::<Vec<_>>(),
            })
        });
        json!({"items": items.collect::<Vec<_>>(), "incomplete": found.incomplete})
    }

    fn edit(&self, edit: &Edit) -> Option<Value> {
        let file = self.snapshot.file(edit.at.source)?;
        let (from, to) = self.range(edit.at.source, edit.at.range);
        let file = format!("{}{}", self.project.folder, file.path);
        Some(json!({"file": file, "from": from, "to": to, "text": edit.text}))
    }

    fn text(&self, source: SourceId) -> &str {
        self.snapshot.file(source).map_or("", |file| &file.text)
    }

    fn position(&self, at: usize) -> FilePosition {
        FilePosition::new(self.source, byte_offset(self.text(self.source), at))
    }

    fn range(&self, source: SourceId, range: TextRange) -> (usize, usize) {
        let text = self.text(source);
        let start = units(text, range.start());
        let inside = text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default();
        (start, start + inside.encode_utf16().count())
    }
}

/// The number of UTF-16 units before a byte offset.
fn units(text: &str, offset: TextSize) -> usize {
    text.get(..usize::from(offset)).unwrap_or(text).encode_utf16().count()
}

/// The byte offset of a number of UTF-16 units. Inside a character, this is the character's start. After the text, it
/// is the text's end.
fn byte_offset(text: &str, units: usize) -> TextSize {
    let mut passed = 0;
    for (offset, character) in text.char_indices() {
        passed += character.len_utf16();
        if passed > units {
            return TextSize::try_from(offset).unwrap_or_default();
        }
    }
    TextSize::of(text)
}

#[cfg(test)]
mod tests {
    use super::{byte_offset, units};

    #[test]
    fn offsets_count_as_in_javascript() {
        let text = "aé😀b";
        for (at, offset) in [(0, 0), (1, 1), (2, 3), (3, 3), (4, 7), (5, 8), (9, 8)] {
            assert_eq!(u32::from(byte_offset(text, at)), offset, "{at} units");
        }
        for (offset, at) in [(0, 0), (3, 2), (7, 4), (8, 5), (99, 5)] {
            assert_eq!(units(text, offset.into()), at, "{offset} bytes");
        }
    }
}
