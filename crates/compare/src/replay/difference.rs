//! The differences of two recorded values.
//!
//! Input is two JSON values. Output is the smallest parts that differ, each with its place. Invariant: equal numbers
//! are equal in any notation.

use std::fmt;

use serde_json::Value;

/// The maximum number of characters of a value that are shown.
const SHOWN: usize = 300;

/// A part that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The path to it.
    pub(crate) place: String,
    /// The recorded value.
    pub(crate) recorded: String,
    /// Our value.
    pub(crate) ours: String,
}

/// The smallest parts in which two values differ, with their places below `place`.
pub(crate) fn differences(place: &str, recorded: &Value, ours: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(place, Some(recorded), Some(ours), &mut found);
    found
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: recorded {}, ours {}", self.place, self.recorded, self.ours)
    }
}

fn compare(place: &str, recorded: Option<&Value>, ours: Option<&Value>, found: &mut Vec<Difference>) {
    match (recorded, ours) {
        (Some(Value::Object(recorded)), Some(Value::Object(ours))) => {
            let only_ours = ours.keys().filter(|key| !recorded.contains_key(*key));
            for key in recorded.keys().chain(only_ours) {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                compare(&place, recorded.get(key), ours.get(key), found);
            }
        }
        (Some(Value::Array(recorded)), Some(Value::Array(ours))) => {
            for position in 0..recorded.len().max(ours.len()) {
                let place = format!("{place}[{position}]");
                compare(&place, recorded.get(position), ours.get(position), found);
            }
        }
        (Some(Value::Number(recorded)), Some(Value::Number(ours))) if recorded.as_f64() == ours.as_f64() => {}
        (recorded, ours) if recorded == ours => {}
        (recorded, ours) => {
            found.push(Difference { place: place.to_owned(), recorded: shown(recorded), ours: shown(ours) })
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
