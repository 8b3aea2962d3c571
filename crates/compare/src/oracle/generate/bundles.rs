//! Random localized texts: language codes at any depth, similar keys, and values that are not localized texts.
//!
//! Input is random choices. Output is a value and a language to look up. Invariant: the depth is limited.

use nodewise_dialect::tables::liman::LANGUAGES;
use serde_json::{Map, Value, json};

use super::scalar;
use crate::oracle::random::Random;

const KEYS: &[&str] = &["system", "notes", "a", "b", "title", "é", "0", ""];
/// Keys that are similar to language codes.
const NEAR_CODES: &[&str] = &["EN", "uk", "en-US", "pt_BR", "eng", "e", "xx", "de "];
const TEXTS: &[&str] = &["Hello", "Hallo", "Hi {name}", "", "two\nlines", "en", "{", "ü"];

pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let depth = random.below(4);
    let value = bundle(random, depth);
    json!({"ask": "bundle", "value": value, "language": random.pick(LANGUAGES)})
}

/// A localized text, or something similar.
pub(super) fn bundle(random: &mut Random, depth: usize) -> Value {
    match random.below(12) {
        0 if random.chance(30) => scalar(random),
        0 if random.chance(40) => (0..random.below(3)).map(|_| json!(random.pick(TEXTS))).collect(),
        1 => json!(random.pick(TEXTS)),
        _ => Value::Object(members(random, depth)),
    }
}

fn members(random: &mut Random, depth: usize) -> Map<String, Value> {
    let mut members = Map::new();
    let codes_stand_here = random.chance(60);
    for _ in 0..random.below(5) {
        let key = match random.below(20) {
            0 => random.pick(NEAR_CODES),
            1..=14 if codes_stand_here => random.pick(&LANGUAGES[..5]),
            2 => random.pick(LANGUAGES),
            _ => random.pick(KEYS),
        };
        members.insert(key.to_owned(), member(random, depth));
    }
    members
}

fn member(random: &mut Random, depth: usize) -> Value {
    match random.below(30) {
        0 => scalar(random),
        1 => json!([random.pick(TEXTS), random.pick(TEXTS)]),
        2..=14 if depth > 0 => Value::Object(members(random, depth - 1)),
        _ => json!(random.pick(TEXTS)),
    }
}
