//! The commands that change a graph, for editors that draw it.
//!
//! Input: a place in a graph, and what to do with it. Output: JSON with the edits of the files, or the reason why there
//! are none. Invariant: the server changes no file. The client applies the edits as one step, which it can undo.

use nodewise_expr::assist;
use nodewise_expr::language::Circumstances;
use nodewise_ide::board_edit::{self, BoardEdge, BoardEdit, BoardRefusal, ConditionAssist, EdgeEnd, NewNode};
use nodewise_ide::completion::ItemKind;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::TextDocumentPositionParams;

use super::{edits, evaluate, request_failed, simulate};
use crate::request::Asked;

/// A change of the graph at a place.
#[derive(Debug, Deserialize)]
pub(crate) struct EditParams {
    #[serde(flatten)]
    place: TextDocumentPositionParams,
    edit: Edit,
}

/// A change that sets a condition, and the cursor in the condition.
#[derive(Debug, Deserialize)]
pub(crate) struct ConditionParams {
    #[serde(flatten)]
    place: TextDocumentPositionParams,
    edit: Edit,
    /// The cursor in UTF-16 units.
    #[serde(default)]
    offset: usize,
}

/// What to do with a graph. Nodes and edges are named as in `nodewise.graph`.
#[derive(Debug, Deserialize)]
#[serde(tag = "action", rename_all = "camelCase")]
enum Edit {
    AddNode { after: String, kind: String, name: String },
    InsertNode { edge: Edge, kind: String, name: String },
    Connect { from: String, to: String, condition: Option<String> },
    Reconnect { edge: Edge, end: End, node: String },
    DeleteNode { node: String },
    DeleteEdge { edge: Edge },
    RenameNode { node: String, name: String },
    SetCondition { edge: Edge, condition: Option<String> },
}

/// An edge of the graph as the client knows it.
#[derive(Debug, Deserialize)]
struct Edge {
    index: usize,
    from: String,
    to: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum End {
    From,
    To,
}

/// `nodewise.editGraph`
pub(crate) fn edit(asked: &Asked<'_>, wanted: EditParams) -> Result<Value> {
    let Some((file, position)) = asked.at(&wanted.place) else { return Ok(Value::Null) };
    match board_edit::board_edit(file.snapshot(), position, &wanted.edit.read()) {
        Ok(change) => match edits::workspace_edit(&file, &change, asked.abilities) {
            Some(edit) => Ok(json!({ "edit": edit })),
            None => Err(request_failed(
                "the editor cannot create or delete files for the server: do it by hand".to_owned(),
            )),
        },
        Err(refusal) => Ok(refused(&refusal)),
    }
}

/// `nodewise.nodeKinds`. The answer is `null` if there is no graph.
pub(crate) fn node_kinds(asked: &Asked<'_>, place: &TextDocumentPositionParams) -> Value {
    let found = asked.at(place).and_then(|(file, at)| board_edit::node_choices(file.snapshot(), at));
    found.map_or(Value::Null, |choices| {
        let kinds = choices.kinds.iter().map(|kind| json!({ "word": kind.word, "doc": kind.doc }));
        json!({ "name": choices.name, "kinds": kinds.collect::<Vec<_>>() })
    })
}

/// `nodewise.editCondition`
pub(crate) fn condition(asked: &Asked<'_>, wanted: ConditionParams, traces: &simulate::TraceIndex) -> Value {
    let Some((file, position)) = asked.at(&wanted.place) else { return Value::Null };
    let edit = wanted.edit.read();
    let (from, text) = match &edit {
        BoardEdit::SetCondition { edge, condition: Some(text) } => (edge.from.clone(), text.clone()),
        BoardEdit::Connect { from, condition: Some(text), .. } => (from.clone(), text.clone()),
        _ => return Value::Null,
    };
    let offset = byte_offset(&text, wanted.offset);
    match board_edit::condition_assist(file.snapshot(), position, &edit, offset) {
        Ok(found) => {
            let last = traces
                .latest(|trace| Some((trace.circumstances_after(&from)?, trace.recording.title.clone())));
            helped(asked, &text, &found, last)
        }
        Err(refusal) => refused(&refusal),
    }
}

fn refused(refusal: &BoardRefusal) -> Value {
    json!({ "refused": refusal.reason, "needsCondition": refusal.needs_condition })
}

fn helped(
    asked: &Asked<'_>,
    text: &str,
    found: &ConditionAssist,
    last: Option<(Circumstances, String)>,
) -> Value {
    let items = found.items.iter().map(|item| {
        json!({
            "label": item.label,
            "kind": word(item.kind),
            "detail": item.detail,
            "text": item.text,
            "offset": item.text.get(..item.offset).map_or(0, |before| before.encode_utf16().count()),
        })
    });
    let mut answer = json!({ "items": items.collect::<Vec<_>>(), "problems": found.problems });
    if let Some((circumstances, run)) = last {
        let evaluation = assist::evaluate(found.language, text, &circumstances);
        answer["run"] = json!(run);
        answer["evaluation"] = evaluate::of_text(asked, text, &evaluation);
    }
    answer
}

/// The word for the kind of an item, by which the client chooses an icon.
fn word(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::State | ItemKind::Variable => "state",
        ItemKind::Function => "function",
        ItemKind::Operator => "operator",
        ItemKind::Node => "node",
        _ => "value",
    }
}

/// Converts a number of UTF-16 units to a byte offset.
fn byte_offset(text: &str, units: usize) -> usize {
    let mut left = units;
    let fits = |letter: &char| {
        let length = letter.len_utf16();
        let is_before = left >= length;
        left = left.saturating_sub(length);
        is_before
    };
    text.chars().take_while(fits).map(char::len_utf8).sum()
}

impl Edit {
    fn read(self) -> BoardEdit {
        match self {
            Edit::AddNode { after, kind, name } => BoardEdit::AddNode { after, node: NewNode { kind, name } },
            Edit::InsertNode { edge, kind, name } => {
                BoardEdit::InsertNode { edge: edge.read(), node: NewNode { kind, name } }
            }
            Edit::Connect { from, to, condition } => BoardEdit::Connect { from, to, condition },
            Edit::Reconnect { edge, end, node } => {
                let end = match end {
                    End::From => EdgeEnd::From,
                    End::To => EdgeEnd::To,
                };
                BoardEdit::Reconnect { edge: edge.read(), end, node }
            }
            Edit::DeleteNode { node } => BoardEdit::DeleteNode { node },
            Edit::DeleteEdge { edge } => BoardEdit::DeleteEdge { edge: edge.read() },
            Edit::RenameNode { node, name } => BoardEdit::RenameNode { node, name },
            Edit::SetCondition { edge, condition } => {
                BoardEdit::SetCondition { edge: edge.read(), condition }
            }
        }
    }
}

impl Edge {
    fn read(self) -> BoardEdge {
        BoardEdge { index: self.index, from: self.from, to: self.to }
    }
}

#[cfg(test)]
mod tests {
    use super::byte_offset;

    #[test]
    fn offsets_count_units_of_utf16() {
        assert_eq!(byte_offset("aé𝄞b", 0), 0);
        assert_eq!(byte_offset("aé𝄞b", 2), 3);
        assert_eq!(byte_offset("aé𝄞b", 4), 7);
        assert_eq!(byte_offset("aé𝄞b", 99), 8);
    }
}
