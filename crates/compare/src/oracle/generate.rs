//! Generated questions: random values, texts and documents.
//!
//! Input is random choices. Output is the content of a question. Invariant: the result depends only on the choices, so
//! a seed and a number give the same question on every machine.

pub(super) mod agentos_runs;
pub(super) mod agents;
pub(super) mod bundles;
pub(super) mod cycgraph_runs;
pub(super) mod declarations;
pub(crate) mod documents;
pub(super) mod filtrex;
pub(super) mod limance;
mod mutate;
pub(super) mod paths;
pub(super) mod routing;
pub(super) mod shrink;
mod table;
pub(crate) mod yaml;

use serde_json::{Map, Value, json};

use super::random::Random;

/// Texts with a special meaning in some language when they are compared or converted.
const TEXTS: &[&str] = &[
    "",
    "hello",
    "p",
    "q",
    "7",
    "12",
    "0.85",
    "true",
    "false",
    " 7 ",
    "1e3",
    "abc def",
    "it's",
    "a.b",
    "null",
    "ü",
    "reject",
    "approve",
    "0x10",
    "-3",
    "Infinity",
    "a>b",
    "x && y",
    "line\nbreak",
];

/// Characters that change an expression or make it invalid.
const CHARACTERS: &[&str] = &[
    "(", ")", "'", "\"", " ", ".", ",", "=", "!", "<", ">", "~", "+", "-", "*", "/", "%", "^", "?", ":", "$",
    "_", "[", "]", "{", "}", "@", "&", "|", "\\", "0", "1", "9", "a", "x", "\n", "\t", "é", ";", "#", "`",
];

/// A number, a text, a boolean or null.
pub(super) fn scalar(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(random.below(12)),
        4 => json!([0.5, -1.0, 2.25, 1e21, 1e-7, 0.1, -7.0, 100.0][random.below(8)]),
        _ => json!(random.pick(TEXTS)),
    }
}

/// Any JSON value, up to this depth.
pub(super) fn value(random: &mut Random, keys: &[&str], depth: usize) -> Value {
    let shape = if depth == 0 { 9 } else { random.below(10) };
    match shape {
        0 | 1 => (0..random.below(4)).map(|_| value(random, keys, depth - 1)).collect(),
        2 | 3 => Value::Object(object(random, keys, depth - 1)),
        _ => scalar(random),
    }
}

fn object(random: &mut Random, keys: &[&str], depth: usize) -> Map<String, Value> {
    (0..random.below(4)).map(|_| (random.pick(keys).to_owned(), value(random, keys, depth))).collect()
}

/// Optional white space: usually one space or none.
fn gap(random: &mut Random) -> &'static str {
    random.pick(&["", " ", " ", " ", " ", "", "  ", "\n", "\t"])
}

/// A text after a few random edits of characters, like typing mistakes.
fn edited(text: &str, random: &mut Random) -> String {
    let mut pieces: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=random.below(2) {
        let at = random.below(pieces.len());
        let character = random.pick(CHARACTERS).to_owned();
        match random.below(5) {
            0 | 1 if !pieces.is_empty() => drop(pieces.remove(at)),
            2 if !pieces.is_empty() => pieces[at] = character,
            3 if !pieces.is_empty() => {
                let end = pieces.len().min(at + 1 + random.below(6));
                let doubled: Vec<String> = pieces[at..end].to_vec();
                pieces.splice(at..at, doubled);
            }
            _ => pieces.insert(at, character),
        }
    }
    pieces.concat()
}
