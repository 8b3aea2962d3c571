//! The command that returns a graph as data, for editors that draw it.
//!
//! Input: a position in a graph, a graph's name, or a document. Output: JSON with nodes, edges and their places.
//! Invariant: text from files is data and never markup.

use std::cell::RefCell;
use std::sync::Arc;

use nodewise_diagram::mermaid::mermaid;
use nodewise_diagram::svg::Picture;
use nodewise_diagram::view::GraphView;
use nodewise_diagram::{Direction, json};
use nodewise_ide::graph::{
    graph_at, graph_of_all, graph_without_problems_at, graphs_called, nest, nest_without_problems,
};
use nodewise_model::Origin;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Value, json as value};
use tower_lsp_server::ls_types::{self as lsp, Position, TextDocumentIdentifier};

use crate::convert;
use crate::request::{Asked, File};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GraphParams {
    text_document: TextDocumentIdentifier,
    /// The position in it. Without a position: the graph of all documents of the project, or the document's first
    /// graph.
    #[serde(default)]
    position: Option<Position>,
    /// The id or the name of a graph in it, or the node where a graph begins. Overrides the position.
    #[serde(default)]
    graph: Option<String>,
    /// Leaves out the numbers of problems of a graph at a position, which take most of the time.
    #[serde(default)]
    without_problems: bool,
    /// Adds to each node the graph that it runs, if it is known.
    #[serde(default)]
    nested: bool,
    /// Leaves out members with their usual value, and writes places as numbers.
    #[serde(default)]
    compact: bool,
    /// Returns a text instead of data.
    #[serde(default)]
    format: Option<TextFormat>,
}

/// The format of a graph as text.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum TextFormat {
    Mermaid,
}

/// `nodewise.graph`. The answer is `null` if there is no graph.
pub(crate) fn graph(asked: &Asked<'_>, subject: &GraphParams) -> Value {
    let Some(file) = asked.file(&subject.text_document.uri) else { return Value::Null };
    let at = file.position(subject.position.unwrap_or_default());
    let mut found = match (&subject.graph, subject.position) {
        (Some(name), _) => graphs_called(file.snapshot(), &[file.source()], name).into_iter().next(),
        (None, Some(_)) if subject.without_problems => graph_without_problems_at(file.snapshot(), at),
        (None, Some(_)) => graph_at(file.snapshot(), at),
        (None, None) => graph_of_all(file.snapshot()).or_else(|| graph_at(file.snapshot(), at)),
    };
    if let Some(view) = found.as_mut().filter(|_| subject.nested) {
        match subject.without_problems {
            true => nest_without_problems(file.snapshot(), view),
            false => nest(file.snapshot(), view),
        }
    }
    found.map_or(Value::Null, |view| match subject.format {
        Some(TextFormat::Mermaid) => value!({ "text": mermaid(&[Picture::plain(&view)], Direction::Down) }),
        None => written(&file, &view, subject.compact),
    })
}

/// A graph as data.
pub(super) fn written(file: &File<'_>, view: &GraphView, is_compact: bool) -> Value {
    if is_compact { compact(file, view) } else { json::graph(view, &|at| location(file, at)) }
}

/// A graph without members that have their usual value. A place is `[file, line, character, end line, end character]`, with the position
/// of its file in `files`.
fn compact(file: &File<'_>, view: &GraphView) -> Value {
    let numbers: RefCell<FxHashMap<Arc<str>, usize>> = RefCell::default();
    let place = |at: Origin| {
        let (uri, span) = file.places().place(at)?;
        let mut numbers = numbers.borrow_mut();
        let next = numbers.len();
        let number = *numbers.entry(uri).or_insert(next);
        let lsp::Range { start, end } = convert::range(span);
        Some(value!([number, start.line, start.character, end.line, end.character]))
    };
    let mut written = json::graph(view, &place);
    leave_out_usual(&mut written);
    let mut files: Vec<(usize, Arc<str>)> =
        numbers.into_inner().into_iter().map(|(uri, number)| (number, uri)).collect();
    files.sort();
    if let Value::Object(members) = &mut written {
        members.insert("files".to_owned(), files.into_iter().map(|(_, uri)| Value::from(&*uri)).collect());
    }
    written
}

/// Removes the members of objects that are null, false, 0 or empty.
fn leave_out_usual(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, one| !is_usual(one));
            members.values_mut().for_each(leave_out_usual);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_usual),
        _ => {}
    }
}

fn is_usual(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is) => !is,
        Value::Number(number) => number.as_u64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(_) => false,
    }
}

fn location(file: &File<'_>, at: Origin) -> Option<Value> {
    // The URI is not parsed, because a large graph has thousands of places.
    let (uri, span) = file.places().place(at)?;
    Some(value!({"uri": &*uri, "range": convert::range(span)}))
}
