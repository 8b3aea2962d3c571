//! What nodewise reads in a module, as JSON.
//!
//! Input: a folder and a path in it. Output: the declarations of the module, without what counts anyway. Invariant: what is not
//! known is a mapping with the reason (`$unknown`), which equals no value.

use std::path::Path;
use std::sync::Arc;

use nodewise_dialect::defaults::without_defaults;
use nodewise_modules::{ModuleDocument, Others, read};
use nodewise_syntax::LineIndex;
use nodewise_syntax::build::{PlacedData, PlacedValue};
use serde_json::{Map, Value, json};

use super::difference::UNKNOWN;

/// What our reading knows about environment variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Environment {
    /// Their values are unknown, as for users.
    Unknown,
    /// No variable is set, as where the packages run.
    Empty,
}

struct Folder<'f>(&'f Path, Environment);

impl Others for Folder<'_> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        std::fs::read_to_string(self.0.join(path)).ok().map(Arc::from)
    }

    fn has_empty_environment(&self) -> bool {
        self.1 == Environment::Empty
    }
}

/// The declarations that a module of a folder builds.
pub(super) fn declarations(folder: &Path, path: &str, environment: Environment) -> Vec<Value> {
    let others = Folder(folder, environment);
    let Some(text) = others.text(path) else { return Vec::new() };
    let lines = LineIndex::new(&text);
    let module = read(path, &text, &others);
    module.documents.iter().filter_map(|document| declaration(document, &lines)).collect()
}

fn declaration(document: &ModuleDocument, lines: &LineIndex) -> Option<Value> {
    let mut value = to_json(&document.root);
    let kind = document.dialect.kind(document.kind)?;
    without_defaults(kind, &mut value);
    let line = |at| lines.line_col(at).line;
    Some(json!({
        "system": document.dialect.id,
        "kind": document.kind,
        "name": document.name,
        "line": line(document.range.start()),
        "last_line": line(document.range.end()),
        "value": value,
    }))
}

fn to_json(value: &PlacedValue) -> Value {
    match &value.data {
        PlacedData::Null => Value::Null,
        PlacedData::Bool(truth) => Value::from(*truth),
        PlacedData::Number(number) => Value::from(*number),
        PlacedData::Text(text) => Value::from(text.text.as_str()),
        PlacedData::List(items) => items.iter().map(to_json).collect(),
        PlacedData::Map(entries) => {
            let members = entries.iter().map(|entry| (entry.key.clone(), to_json(&entry.value)));
            Value::Object(members.collect::<Map<String, Value>>())
        }
        PlacedData::Unknown(why) => json!({UNKNOWN: why}),
    }
}
