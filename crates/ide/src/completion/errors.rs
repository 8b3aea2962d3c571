//! Names of errors, for `$is_error`. In: a cursor. Out: offers of the errors in the document's conditions, of the
//! project's own errors, and of those that Python raises. Any other name is also valid.

use nodewise_expr::token::TokenClass;
use smol_str::SmolStr;

use super::ItemKind;
use super::offer::{Offer, Offers};
use crate::cursor_context::CursorContext;

/// Errors that a condition of the file names.
const NAMED: u8 = 0;
/// Errors that the project's programs define.
const DEFINED: u8 = 1;
/// Errors of Python.
const PYTHON: u8 = 2;

/// Errors that Python functions and services often raise, with their causes.
const PYTHON_ERRORS: &[(&str, &str)] = &[
    ("TimeoutError", "an operation took too long"),
    ("ConnectionError", "a connection failed or was closed"),
    ("PermissionError", "access was denied"),
    ("FileNotFoundError", "a file does not exist"),
    ("ValueError", "a value is invalid"),
    ("TypeError", "a value has the wrong type"),
    ("KeyError", "a key does not exist"),
    ("IndexError", "an index is out of range"),
    ("AttributeError", "an object has no such attribute"),
    ("LookupError", "a key or index does not exist"),
    ("ArithmeticError", "a calculation failed"),
    ("ZeroDivisionError", "a division by zero"),
    ("NotImplementedError", "something is not implemented"),
    ("RuntimeError", "any other failure"),
    ("OSError", "the operating system reported an error"),
];

/// Offers the names of errors.
pub(super) fn offer(spot: &CursorContext<'_>, offers: &mut Offers) {
    for name in named(spot) {
        add(&name, NAMED, "in this file", offers);
    }
    for (path, module, function) in spot.snapshot.functions().beginning_with("") {
        let name = path.rsplit('.').next().unwrap_or(&path);
        let is_error = ["Error", "Exception", "Timeout"].iter().any(|ending| name.ends_with(ending));
        if function.is_class && is_error {
            add(name, DEFINED, &format!("in {}", module.path), offers);
        }
    }
    for (name, meaning) in PYTHON_ERRORS {
        add(name, PYTHON, meaning, offers);
    }
}

fn add(name: &str, tier: u8, detail: &str, offers: &mut Offers) {
    if !offers.has(name) {
        offers.add(Offer::text(name, ItemKind::Value, tier).with_detail(detail));
    }
}

/// The errors in conditions of the file, except the one at the cursor.
fn named(spot: &CursorContext<'_>) -> Vec<SmolStr> {
    let mut names: Vec<SmolStr> = Vec::new();
    let conditions = spot.file.documents.iter().flat_map(|document| &document.conditions);
    let language = spot.expression.as_ref().map(|expression| expression.language);
    for condition in conditions.filter(|condition| Some(condition.language) == language) {
        if condition.at.range.contains_inclusive(spot.position.offset) {
            continue;
        }
        for token in condition.language.tokens(&condition.text) {
            let is_word = token.class == TokenClass::Word;
            let word = condition.text.get(std::ops::Range::<usize>::from(token.range)).filter(|_| is_word);
            names.extend(word.map(SmolStr::new));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}
