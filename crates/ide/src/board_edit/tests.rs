//! Edits of boards, each with the text that it leaves, or with the reason why it leaves everything as it is.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod agentos;
mod cycgraph;
mod liman;

use std::fmt::Write;

use nodewise_diagram::view::{GraphView, NodeRole};
use nodewise_syntax::edit::{TextEdit, apply_edits};

use super::{BoardEdge, BoardEdit, EdgeEnd, NewNode, board_edit};
use crate::graph::graph_at;
use crate::testing::project_at_cursor;

/// Reads an edit: `add a: router new`, `insert a>b: router new`, `connect a>b`, `connect a>b if x`,
/// `move a>b to c`, `move a>b from c`, `delete a`, `delete a>b`, `rename a: b`, `condition a>b: x`, `condition a>b:`.
/// The marks of start and end are `^` and `$`.
fn read(view: &GraphView, edit: &str) -> BoardEdit {
    let node = |word: &str| {
        let is_it = |one: &&nodewise_diagram::view::NodeView| match word {
            "^" => one.role == NodeRole::Start,
            "$" => one.role == NodeRole::End,
            _ => one.label == word,
        };
        let mark = if word == "^" { " start" } else { " end" };
        let is_mark = matches!(word, "^" | "$");
        let found = view.nodes.iter().find(is_it).map(|one| one.id.clone());
        found.unwrap_or_else(|| if is_mark { mark.to_owned() } else { word.to_owned() })
    };
    let ends = |way: &str| way.split_once('>').map(|(from, to)| (node(from), node(to))).unwrap();
    let edge = |way: &str| {
        let (from, to) = ends(way);
        let index = view.edges.iter().position(|edge| (&edge.from, &edge.to) == (&from, &to));
        BoardEdge { index: index.unwrap_or(usize::MAX), from, to }
    };
    let new = |text: &str| {
        let (kind, name) = text.trim().split_once(' ').unwrap();
        NewNode { kind: kind.to_owned(), name: name.to_owned() }
    };
    let (verb, rest) = edit.split_once(' ').unwrap();
    let (subject, behind) = rest.split_once(": ").or(rest.split_once(':')).unwrap_or((rest, ""));
    match verb {
        "add" => BoardEdit::AddNode { after: node(subject), node: new(behind) },
        "insert" => BoardEdit::InsertNode { edge: edge(subject), node: new(behind) },
        "connect" => {
            let (way, condition) =
                rest.split_once(" if ").map_or((rest, None), |(way, text)| (way, Some(text)));
            let (from, to) = ends(way);
            BoardEdit::Connect { from, to, condition: condition.map(str::to_owned) }
        }
        "move" => {
            let (way, end, other) = match rest.split_once(" to ") {
                Some((way, other)) => (way, EdgeEnd::To, other),
                None => rest.split_once(" from ").map(|(way, other)| (way, EdgeEnd::From, other)).unwrap(),
            };
            BoardEdit::Reconnect { edge: edge(way), end, node: node(other) }
        }
        "delete" if rest.contains('>') => BoardEdit::DeleteEdge { edge: edge(rest) },
        "delete" => BoardEdit::DeleteNode { node: node(rest) },
        "rename" => BoardEdit::RenameNode { node: node(subject), name: behind.to_owned() },
        "condition" => {
            let condition = Some(behind.to_owned()).filter(|text| !text.is_empty());
            BoardEdit::SetCondition { edge: edge(subject), condition }
        }
        other => panic!("{other}"),
    }
}

/// Makes an edit of the graph at `$0`. The expected text is that of all files, as in a fixture.
fn check_board(fixture: &str, edit: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let view = graph_at(&snapshot, position).unwrap();
    let change = match board_edit(&snapshot, position, &read(&view, edit)) {
        Ok(change) => change,
        Err(refusal) => return assert_eq!(refusal.reason, expected.trim(), "{edit}"),
    };
    let mut found = String::new();
    let has_many = snapshot.files().iter().count() > 1 || !change.new_files.is_empty();
    for file in snapshot.files() {
        let own = change.edits.iter().filter(|edit| edit.at.source == file.source);
        let mut own: Vec<TextEdit> =
            own.map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() }).collect();
        if change.deleted_files.contains(&file.source) {
            writeln!(found, "#- /{} is deleted", file.path).unwrap();
            continue;
        }
        if has_many {
            writeln!(found, "#- /{}", file.path).unwrap();
        }
        found.push_str(&apply_edits(&file.text, &mut own).unwrap());
    }
    for file in &change.new_files {
        write!(found, "#- /{}\n{}", file.path, file.text).unwrap();
    }
    assert_eq!(found, expected.strip_prefix('\n').unwrap_or(expected), "{edit}");
}
