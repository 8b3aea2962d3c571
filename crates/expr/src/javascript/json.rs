//! Values as JSON text, as JavaScript writes it.
//!
//! Input: a value; output: its JSON text, without spaces. Invariant: the text is finite and the stack bounded,
//! however deep the value is nested.

use nodewise_platform::sorting::Sorting;

use crate::value::{Map, Value};

use super::number_to_text;

/// The greatest depth of nesting. JavaScript itself fails at some thousand levels.
const MAX_DEPTH: usize = 1000;

/// A value as JSON; `None` if JSON cannot represent it, or if it is nested too deep.
pub fn json_text(value: &Value) -> Option<String> {
    if !has_word(value) {
        return None;
    }
    let mut text = String::new();
    write(value, MAX_DEPTH, &mut text).then_some(text)
}

/// The entries of a mapping in JavaScript's order: keys that are list positions come first, by size.
pub fn entries(map: &Map) -> Vec<(&smol_str::SmolStr, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    if entries.iter().any(|(key, _)| position(key).is_some()) {
        entries.arrange_by_key(|(key, _)| position(key).map_or((1, 0), |position| (0, position)));
    }
    entries
}

/// The number of a key that is written like a position of a list.
fn position(key: &str) -> Option<u32> {
    let is_canonical = key == "0" || key.starts_with(|first: char| ('1'..='9').contains(&first));
    key.parse().ok().filter(|position| is_canonical && *position < u32::MAX)
}

fn has_word(value: &Value) -> bool {
    !matches!(value, Value::Undefined | Value::Function(_))
}

/// Writes a value that JSON can represent; `false` if it is nested too deep.
fn write(value: &Value, depth: usize, text: &mut String) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match value {
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) if number.is_finite() => text.push_str(&number_to_text(*number)),
        Value::Undefined | Value::Null | Value::Function(_) | Value::Number(_) => text.push_str("null"),
        Value::Text(content) => write_text(content, text),
        Value::Pattern(_) => text.push_str("{}"),
        Value::List(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                if !write(item, depth, text) {
                    return false;
                }
            }
            text.push(']');
        }
        Value::Map(map) => {
            text.push('{');
            let with_word = entries(map).into_iter().filter(|(_, value)| has_word(value));
            for (position, (key, value)) in with_word.enumerate() {
                if position > 0 {
                    text.push(',');
                }
                write_text(key, text);
                text.push(':');
                if !write(value, depth, text) {
                    return false;
                }
            }
            text.push('}');
        }
    }
    true
}

fn write_text(content: &str, text: &mut String) {
    text.push_str(&serde_json::Value::from(content).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::from_json;

    #[track_caller]
    fn check_json_text(value: &Value, expected: Option<&str>) {
        assert_eq!(json_text(value).as_deref(), expected);
    }

    fn of(json: &str) -> Value {
        from_json(serde_json::from_str(json).unwrap_or_default())
    }

    #[test]
    fn values_are_written_as_javascript_writes_them() {
        check_json_text(&of(r#"{"b": [1.5, -0.0, 1e21, "é\n\""], "a": null}"#), {
            Some(r#"{"b":[1.5,0,1e+21,"é\n\""],"a":null}"#)
        });
        check_json_text(&Value::Number(f64::NAN), Some("null"));
        check_json_text(&Value::Undefined, None);
        check_json_text(&Value::List([Value::Undefined].into()), Some("[null]"));
        let mut map = Map::new();
        map.insert("left out", Value::Undefined);
        map.insert("kept", Value::Null);
        check_json_text(&map.into(), Some(r#"{"kept":null}"#));
    }

    #[test]
    fn keys_that_are_positions_come_first() {
        check_json_text(
            &of(r#"{"b": 1, "10": 2, "9": 3, "01": 4, "-1": 5}"#),
            Some(r#"{"9":3,"10":2,"b":1,"01":4,"-1":5}"#),
        );
    }

    #[test]
    fn what_is_nested_too_deep_has_no_text() {
        let nested = |depth| (0..depth).fold(Value::Null, |inner, _| Value::List([inner].into()));
        assert!(json_text(&nested(900)).is_some());
        check_json_text(&nested(2_000), None);
    }
}
