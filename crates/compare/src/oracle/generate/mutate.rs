//! Mutations: a document after a few changes of its structure, at any depth.
//!
//! Input is a document and random choices. Output is a document with another member, item, key or value. Invariant: the
//! result is a value, so it can be written in any notation.

use serde_json::{Map, Value, json};

use super::scalar;
use crate::oracle::random::Random;

/// Keys that no system knows.
const ADDED_KEYS: &[&str] = &["extra", "Id", "x-note", "__proto"];

/// Names with a meaning, and words that are not texts without quotes.
const TEXTS: &[&str] = &[
    "*",
    "a.b",
    "goal",
    "_x",
    "__END__",
    "__START__",
    "a b",
    "1",
    "true",
    "1_000",
    "0x10",
    "0o17",
    "1e3",
    ".5",
    "~",
    "Yes",
    "null",
    "NULL",
    ".inf",
    "+1",
    "012",
    "1.0",
    "False",
    "1.",
    ".nan",
    "0b1",
    "1e",
    "TRUE",
    "on",
];

/// A place in a document: the steps from its root.
type Path = Vec<Step>;

#[derive(Clone)]
enum Step {
    Key(String),
    Index(usize),
}

/// A document after `count` changes.
pub(super) fn mutated(mut document: Value, random: &mut Random, count: usize) -> Value {
    for _ in 0..count {
        let mut paths = Vec::new();
        collect_paths(&document, &mut Vec::new(), &mut paths);
        // The first path is the whole document. Changing it leaves little of the document, so it is rare.
        let first = usize::from(paths.len() > 1 && random.chance(95));
        let path = random_path(&paths[first..], random);
        let change = match random.below(16) {
            0..=7 => Change::Value(other_value(&document, at(&document, path), &paths, random)),
            8..=10 => Change::Removal,
            11 => Change::Doubling,
            12 => Change::Renaming(misspelled(path, random)),
            13 => Change::Swap,
            14 => Change::Addition(added_member(&document, &paths, random)),
            _ => Change::Value(at(&document, random_path(&paths, random)).clone()),
        };
        apply(&mut document, path, change, random);
    }
    document
}

enum Change {
    Value(Value),
    Removal,
    Doubling,
    Renaming(String),
    Swap,
    Addition((String, Value)),
}

fn collect_paths(value: &Value, path: &mut Path, paths: &mut Vec<Path>) {
    paths.push(path.clone());
    let children: Vec<(Step, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(key, member)| (Step::Key(key.clone()), member)).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (Step::Index(index), item)).collect()
        }
        _ => Vec::new(),
    };
    for (step, child) in children {
        path.push(step);
        collect_paths(child, path, paths);
        path.pop();
    }
}

fn random_path<'paths>(paths: &'paths [Path], random: &mut Random) -> &'paths [Step] {
    paths.get(random.below(paths.len())).map_or(&[], Vec::as_slice)
}

fn at<'document>(document: &'document Value, path: &[Step]) -> &'document Value {
    path.iter().fold(document, |value, step| match step {
        Step::Key(key) => &value[key.as_str()],
        Step::Index(index) => &value[*index],
    })
}

fn at_mut<'document>(document: &'document mut Value, path: &[Step]) -> Option<&'document mut Value> {
    path.iter().try_fold(document, |value, step| match step {
        Step::Key(key) => value.get_mut(key.as_str()),
        Step::Index(index) => value.get_mut(*index),
    })
}

/// A value of another type, a value outside of its bounds, or another name.
fn other_value(document: &Value, old: &Value, paths: &[Path], random: &mut Random) -> Value {
    if random.chance(15) {
        return scalar(random);
    }
    match old {
        Value::Number(number) => other_number(number.as_f64().unwrap_or_default(), random),
        Value::String(text) => match random.below(6) {
            0 => json!(format!("{text}x")),
            1 => json!(""),
            2 => json!(random.pick(TEXTS)),
            3 => json!(1),
            _ => any_text(document, paths, random),
        },
        Value::Bool(truth) => match random.below(3) {
            0 => json!(truth.to_string()),
            _ => json!(!truth),
        },
        Value::Array(items) => match random.below(4) {
            0 => json!([]),
            1 => json!({}),
            2 => items.first().cloned().unwrap_or(Value::Null),
            _ => Value::Array(items.iter().cloned().chain([any_text(document, paths, random)]).collect()),
        },
        Value::Object(members) => match random.below(4) {
            0 => json!({}),
            1 => json!([old]),
            2 => any_text(document, paths, random),
            _ => members.values().next().cloned().unwrap_or(Value::Null),
        },
        Value::Null => json!(0),
    }
}

/// A number near the old one, or near a common bound.
fn other_number(old: f64, random: &mut Random) -> Value {
    let near = [old + 1.0, old - 1.0, -old, old + 0.5, old * 10.0, old / 10.0];
    let edges = [
        0.0,
        1.0,
        -1.0,
        2.0,
        3.0,
        0.5,
        1.5,
        50.0,
        51.0,
        100.0,
        101.0,
        1000.0,
        1001.0,
        10_000.0,
        10_001.0,
        600_001.0,
        3_600_001.0,
        86_400_001.0,
        1e16,
        1e300,
    ];
    let number = if random.chance(50) { random.pick(&near) } else { random.pick(&edges) };
    if number.fract() == 0.0 && number.abs() < 1e15 && random.chance(90) {
        return json!(number as i64);
    }
    json!(number)
}

/// A text from any place in the document.
fn any_text(document: &Value, paths: &[Path], random: &mut Random) -> Value {
    for _ in 0..20 {
        let found = at(document, random_path(paths, random));
        if found.is_string() {
            return found.clone();
        }
    }
    json!("text")
}

/// The last key of a path, misspelt or in another notation.
fn misspelled(path: &[Step], random: &mut Random) -> String {
    let Some(Step::Key(key)) = path.last() else { return "extra".to_owned() };
    let mut characters: Vec<char> = key.chars().collect();
    match random.below(4) {
        0 if characters.len() > 1 => {
            characters.remove(random.below(characters.len()));
        }
        1 if characters.len() > 1 => {
            let last = characters.len() - 1;
            characters.swap(last, last - 1);
        }
        2 => return camel_case(key),
        _ => characters.push('s'),
    }
    characters.into_iter().collect()
}

fn camel_case(key: &str) -> String {
    let mut words = key.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        name.extend(word.chars().take(1).flat_map(char::to_uppercase));
        name.extend(word.chars().skip(1));
    }
    name
}

/// A member with a key from elsewhere in the document, or with an unknown key.
fn added_member(document: &Value, paths: &[Path], random: &mut Random) -> (String, Value) {
    let path = random_path(paths, random);
    match path.last() {
        Some(Step::Key(key)) if random.chance(60) => (key.clone(), at(document, path).clone()),
        _ => (random.pick(ADDED_KEYS).to_owned(), scalar(random)),
    }
}

fn apply(document: &mut Value, path: &[Step], change: Change, random: &mut Random) {
    let change = match change {
        Change::Value(value) => {
            if let Some(place) = at_mut(document, path) {
                *place = value;
            }
            return;
        }
        Change::Addition((key, value)) => {
            if let Some(Value::Object(members)) = at_mut(document, path) {
                members.insert(key, value);
            }
            return;
        }
        other => other,
    };
    let Some((last, parent)) = path.split_last() else { return };
    match (at_mut(document, parent), last) {
        (Some(Value::Object(members)), Step::Key(key)) => match change {
            Change::Renaming(name) => *members = renamed(members, key, &name),
            _ => drop(members.shift_remove(key)),
        },
        (Some(Value::Array(items)), Step::Index(index)) if *index < items.len() => match change {
            Change::Doubling => items.insert(*index, items[*index].clone()),
            Change::Swap => {
                let other = random.below(items.len());
                items.swap(*index, other);
            }
            _ => drop(items.remove(*index)),
        },
        _ => {}
    }
}

/// The members in their order, with one key renamed.
fn renamed(members: &Map<String, Value>, old: &str, new: &str) -> Map<String, Value> {
    let rename = |key: &String| if key == old { new.to_owned() } else { key.clone() };
    members.iter().map(|(key, value)| (rename(key), value.clone())).collect()
}
