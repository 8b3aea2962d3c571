//! TextMate grammars: the expression languages, and what finds them in YAML and JSON.
//!
//! Input is the vocabulary of each language and the places that hold expressions; output is the grammar files. Invariant: the
//! words and signs of a grammar are those of `nodewise_expr`, and an expression is never read beyond the text that holds it.

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

/// A pattern that names what it matches.
fn token(pattern: &str, scope: &str) -> Value {
    json!({"match": pattern, "name": scope})
}

/// The captures of a pattern, by their numbers.
fn captures(named: &[(usize, Value)]) -> Value {
    named.iter().map(|(number, capture)| (number.to_string(), capture.clone())).collect()
}
