//! TextMate grammars for the expression languages, and for expressions in YAML and JSON.
//!
//! Input is the vocabulary of each language and the places that contain expressions. Output is the grammar files.
//! Invariant: the words and signs of a grammar come from `nodewise_expr`, and a match never extends beyond the text of
//! the expression.

mod injections;
mod languages;

use serde_json::{Value, json};

use super::GeneratedFile;

/// The grammar files.
pub(super) fn files() -> Vec<GeneratedFile> {
    let mut files = languages::files();
    files.extend(injections::files());
    files
}

/// A grammar as a file.
fn file(name: &str, grammar: &Value) -> GeneratedFile {
    GeneratedFile {
        path: format!("grammars/textmate/{name}.tmLanguage.json"),
        text: format!("{grammar:#}\n"),
    }
}

/// A pattern with the scope of its matches.
fn token(pattern: &str, scope: &str) -> Value {
    json!({"match": pattern, "name": scope})
}

/// The captures of a pattern, by their numbers.
fn captures(named: &[(usize, Value)]) -> Value {
    named.iter().map(|(number, capture)| (number.to_string(), capture.clone())).collect()
}
