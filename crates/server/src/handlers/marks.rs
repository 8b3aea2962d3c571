//! The command that returns a graph with marks: what changed since a commit, the path of a finding, the lineage of a key.
//!
//! Input: a position, and what to mark. Output: JSON with the graph, the marks on its parts, and the same in words.
//! Invariant: git is started only by this command, which a client sends only when its user asks for a comparison.

#[cfg(not(target_family = "wasm"))]
mod changes;

use nodewise_diagram::marked::{MarkLine, MarkedView};
use nodewise_ide::marks::{FoundPath, key_at, key_called, marked_key, marked_path, paths_at};
use nodewise_syntax::TextRange;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{
    CodeAction, Command, Diagnostic, NumberOrString, Position, TextDocumentIdentifier,
};

use super::{commands, graph};
use crate::request::{Asked, File};

/// A graph, and what to mark in it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MarkParams {
    text_document: TextDocumentIdentifier,
    position: Position,
    marks: WantedMarks,
    /// Leaves out members with their usual value, and writes places as numbers.
    #[serde(default)]
    compact: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "camelCase")]
enum WantedMarks {
    /// What changed since a revision of git.
    Changes {
        /// The revision. Without it, the last commit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<String>,
    },
    /// The path of the finding at the position.
    Path {
        /// The rule of the finding.
        rule: String,
    },
    /// What happens to a state key.
    Key {
        /// Its name in the graph. Without it, the key at the position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
}

/// `nodewise.markGraph`. The answer is `null` if there is no graph, path or key.
pub(crate) fn marked(asked: &Asked<'_>, params: &MarkParams) -> Result<Value> {
    let Some(file) = asked.file(&params.text_document.uri) else { return Ok(Value::Null) };
    let at = file.position(params.position);
    let snapshot = file.snapshot();
    let found = match &params.marks {
        #[cfg(not(target_family = "wasm"))]
        WantedMarks::Changes { since } => changes::marked(&file, at, since.as_deref())?,
        #[cfg(target_family = "wasm")]
        WantedMarks::Changes { .. } => {
            return Err(super::request_failed("Comparing with a commit needs VS Code on your computer."));
        }
        WantedMarks::Path { rule } => {
            let paths = paths_at(snapshot, at.source, TextRange::empty(at.offset));
            let path = paths.into_iter().find(|path| path.rule == rule);
            path.and_then(|path| marked_path(snapshot, &path))
        }
        WantedMarks::Key { key } => {
            let key = match key {
                Some(name) => key_called(snapshot, at, name),
                None => key_at(snapshot, at),
            };
            key.and_then(|key| marked_key(snapshot, at, &key))
        }
    };
    Ok(found.map_or(Value::Null, |marked| written(&file, &marked, params.compact)))
}

fn written(file: &File<'_>, marked: &MarkedView, is_compact: bool) -> Value {
    let line =
        |line: &MarkLine| json!({"text": line.text, "location": line.at.and_then(|at| file.location(at))});
    json!({
        "title": marked.title,
        "summary": marked.summary,
        "lines": marked.lines.iter().map(line).collect::<Vec<_>>(),
        "dimsOthers": marked.dims_others,
        "graph": graph::written(file, &marked.view, is_compact),
    })
}

/// The actions that show the paths of findings in a range on the graph.
pub(super) fn path_actions(
    file: &File<'_>,
    document: &TextDocumentIdentifier,
    range: TextRange,
    reported: &[Diagnostic],
) -> Vec<CodeAction> {
    let action = |path: FoundPath| {
        let place = file.span(path.at)?;
        let params = MarkParams {
            text_document: document.clone(),
            position: place.start,
            marks: WantedMarks::Path { rule: path.rule.to_owned() },
            compact: false,
        };
        let title = "Show the path on the graph".to_owned();
        let command = Command {
            title: title.clone(),
            command: commands::MARK_GRAPH.to_owned(),
            arguments: Some(vec![serde_json::to_value(params).ok()?]),
        };
        let is_of_path = |diagnostic: &&Diagnostic| {
            diagnostic.code == Some(NumberOrString::String(path.rule.to_owned())) && diagnostic.range == place
        };
        let diagnostics: Vec<Diagnostic> = reported.iter().filter(is_of_path).cloned().collect();
        Some(CodeAction {
            title,
            diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
            command: Some(command),
            ..CodeAction::default()
        })
    };
    paths_at(file.snapshot(), file.source(), range).into_iter().filter_map(action).collect()
}
