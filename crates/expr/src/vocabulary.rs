//! The words and signs of a language, as completion, hover and signature help show them.
//!
//! Each language lists its own: functions, fields and names come from the tables that checks and evaluation read, and the
//! rest says what the operators mean. Invariant: two entries of a language differ in their name or their kind.

use crate::builtins::{Arguments, Builtin};

/// A word or sign of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyEntry {
    /// The word or sign as it is written.
    pub name: &'static str,
    pub kind: EntryKind,
    /// How it is used, in documentation notation.
    pub signature: Option<&'static str>,
    /// What it means, in a sentence or two.
    pub doc: &'static str,
    /// The text to insert, with placeholders in the notation `${1:value}`; `None` if there is nothing to fill in.
    pub snippet: Option<String>,
}

/// What an [`VocabularyEntry`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A name that every expression can read: `memory`, `scratch`, `@`.
    Root,
    /// A function with a plain name.
    Function,
    /// A function of a value, after a dot.
    Method,
    /// A `$name`.
    Builtin,
    /// `true`, `null`
    Constant,
    /// An operator before its only operand.
    Prefix,
    /// An operator that compares two values.
    Comparison,
    /// An operator that joins conditions.
    Logic,
    /// Another operator between two operands.
    Operator,
    /// A word or sign that continues what another one began: `then`, `:`.
    Continuation,
    /// A step of a path that is not a name: `*`, `..`, `?()`.
    Selector,
}

/// An entry without signature and snippet.
pub const fn plain(kind: EntryKind, name: &'static str, doc: &'static str) -> VocabularyEntry {
    VocabularyEntry { name, kind, signature: None, doc, snippet: None }
}

/// The entry of a function, with a placeholder for each parameter.
pub fn function(builtin: &Builtin, kind: EntryKind) -> VocabularyEntry {
    let is_filled = builtin.arguments != Arguments::None;
    VocabularyEntry {
        name: builtin.name,
        kind,
        signature: Some(builtin.signature),
        doc: builtin.doc,
        snippet: Some(
            call_snippet(builtin.name, builtin.signature)
                .filter(|_| is_filled)
                .unwrap_or_else(|| format!("{}()", escaped(builtin.name))),
        ),
    }
}

/// A call with a placeholder for each required parameter of a signature; `None` if the signature has no parameter list.
pub fn call_snippet(name: &str, signature: &str) -> Option<String> {
    let (_, parameters) = signature.split_once('(')?;
    let parameters = parameters.strip_suffix(')')?.split(", ");
    let must = |parameter: &&str| !parameter.is_empty() && !parameter.ends_with('?') && *parameter != "...";
    let places: Vec<String> = parameters
        .filter(must)
        .enumerate()
        .map(|(index, parameter)| format!("${{{}:{parameter}}}", index + 1))
        .collect();
    let inner = if places.is_empty() { "$1".to_owned() } else { places.join(", ") };
    Some(format!("{}({inner})", escaped(name)))
}

/// A name as a snippet writes it.
fn escaped(name: &str) -> String {
    name.replace('$', "\\$")
}
