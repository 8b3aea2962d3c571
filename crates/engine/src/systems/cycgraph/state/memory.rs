//! Writes to the memory of a run: which are refused, and how they are reported. In: updates; out: the memory, changed.
//! Invariant: a write is reported exactly if it is made.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::{MOST_DROPS, RunState, push_capped};

/// The length limit of a value as JSON, in UTF-16 units.
const MOST_CHARACTERS: usize = 1_048_576;

/// A write that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub key: SmolStr,
    /// The reason, in one word.
    pub reason: &'static str,
}

impl RunState {
    /// Writes updates to the memory; logs each write that is made, and each that is refused.
    pub(crate) fn write(
        &mut self,
        updates: &Map,
        mut observe: impl FnMut(&SmolStr, Result<&Value, &'static str>),
    ) {
        let mut refused = Vec::new();
        for (key, value) in updates.iter() {
            if key.starts_with('_') {
                refused.push(Refused { key: key.clone(), reason: "reserved_key" });
            } else if json_length(value, MOST_CHARACTERS).is_some() {
                observe(key, Ok(value));
                Arc::make_mut(&mut self.memory).insert(key.clone(), value.clone());
            }
        }
        let is_oversized = |value| json_length(value, MOST_CHARACTERS).is_none();
        let oversized = updates.iter().filter(|(key, value)| !key.starts_with('_') && is_oversized(value));
        refused.extend(oversized.map(|(key, _)| Refused { key: key.clone(), reason: "oversized" }));
        for refused in refused {
            observe(&refused.key, Err(refused.reason));
            push_capped(&mut self.refused, refused, MOST_DROPS);
        }
    }

    /// Marks keys as tainted.
    pub(crate) fn note_taint(&mut self, taints: &Map) {
        if !taints.is_empty() {
            let registry = Arc::make_mut(&mut self.taint);
            for (key, taint) in taints.iter() {
                registry.insert(key.clone(), taint.clone());
            }
        }
    }
}

/// The length of a value as JSON; `None` if it is more than `most`.
fn json_length(value: &Value, most: usize) -> Option<usize> {
    let length = match value {
        Value::Undefined => 0,
        Value::Null | Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        // Numbers are short, so their exact length makes no difference.
        Value::Number(_) => 8,
        Value::Text(text) => text_length(text),
        Value::Pattern(_) | Value::Function(_) => 2,
        Value::List(items) => {
            let mut length = 2 + items.len().saturating_sub(1);
            for item in items.iter() {
                length += json_length(item, most.checked_sub(length)?)?;
            }
            length
        }
        Value::Map(map) => {
            let mut length = 2 + map.len().saturating_sub(1);
            for (key, value) in map.iter() {
                length += text_length(key) + 1;
                length += json_length(value, most.checked_sub(length)?)?;
            }
            length
        }
    };
    (length <= most).then_some(length)
}

/// The length of a text as JSON, in UTF-16 units.
fn text_length(text: &str) -> usize {
    let length = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        character => character.len_utf16(),
    };
    2 + text.chars().map(length).sum::<usize>()
}
