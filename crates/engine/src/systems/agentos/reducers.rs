//! How two values of a state key are combined.
//!
//! Input: a reducer, the present value and a new one; output: the combined value. Invariant: nothing fails; values
//! that are not numbers count as NaN. The release's readings of `concat`, `merge` and `avg` differ from the
//! documented ones.

use std::sync::Arc;

use nodewise_expr::javascript;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::reading::Reading;

/// How two values of a state key are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reducer {
    Concat,
    Merge,
    Max,
    Min,
    Average,
    Sum,
    Last,
    First,
    Longest,
}

/// Nested mappings are merged up to this depth. Deeper values are replaced.
const MERGE_DEPTH: u32 = 200;

impl Reducer {
    /// The reducer that a word names; an unknown word keeps the last value.
    pub(super) fn named(word: &str) -> Reducer {
        match word {
            "concat" => Reducer::Concat,
            "merge" => Reducer::Merge,
            "max" => Reducer::Max,
            "min" => Reducer::Min,
            "avg" => Reducer::Average,
            "sum" => Reducer::Sum,
            "first" => Reducer::First,
            "longest" => Reducer::Longest,
            _ => Reducer::Last,
        }
    }

    /// Combines the present value of a key with a new one. `count` is how many values the present one was made from;
    /// only the documented average needs it.
    pub(super) fn reduce(self, there: &Value, comes: &Value, reading: Reading, count: u32) -> Value {
        let is_documented = reading == Reading::Documented;
        match self {
            Reducer::Concat if is_documented && is_text(there) && is_text(comes) => add(there, comes),
            Reducer::Concat => items(there).iter().chain(items(comes)).cloned().collect(),
            Reducer::Merge if is_documented => merge_deeply(there, comes, MERGE_DEPTH),
            Reducer::Merge => {
                let mut merged = members(there);
                let added = members(comes);
                for (key, value) in added.iter() {
                    Arc::make_mut(&mut merged).insert(key.clone(), value.clone());
                }
                Value::Map(merged)
            }
            Reducer::Max => Value::Number(extreme(there, comes, f64::max)),
            Reducer::Min => Value::Number(extreme(there, comes, f64::min)),
            Reducer::Average if is_documented => {
                let sum = javascript::to_number(there) * f64::from(count) + javascript::to_number(comes);
                Value::Number(sum / (f64::from(count) + 1.0))
            }
            Reducer::Average => Value::Number(javascript::to_number(&add(there, comes)) / 2.0),
            Reducer::Sum => add(there, comes),
            Reducer::Last => comes.clone(),
            Reducer::First => there.clone(),
            Reducer::Longest if length(there) >= length(comes) => there.clone(),
            Reducer::Longest => comes.clone(),
        }
    }
}

/// The members of a mapping, or of a list by position.
pub(super) fn members(value: &Value) -> Arc<Map> {
    match value {
        Value::Map(map) => map.clone(),
        Value::List(items) => {
            let member =
                |(position, item): (usize, &Value)| (SmolStr::from(position.to_string()), item.clone());
            Arc::new(items.iter().enumerate().map(member).collect())
        }
        _ => Arc::default(),
    }
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Text(_))
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        _ => &[],
    }
}

/// Addition as in JavaScript: it joins texts, and everything that is neither number nor nothing.
fn add(one: &Value, other: &Value) -> Value {
    let joins = |value: &Value| matches!(value, Value::Text(_) | Value::List(_) | Value::Map(_));
    if joins(one) || joins(other) {
        return Value::Text((javascript::to_text(one) + &javascript::to_text(other)).into());
    }
    Value::Number(javascript::to_number(one) + javascript::to_number(other))
}

fn extreme(one: &Value, other: &Value, choose: fn(f64, f64) -> f64) -> f64 {
    let (one, other) = (javascript::to_number(one), javascript::to_number(other));
    if one.is_nan() || other.is_nan() { f64::NAN } else { choose(one, other) }
}

fn length(value: &Value) -> usize {
    match value {
        Value::List(items) => items.len(),
        Value::Map(map) => map.len(),
        value => javascript::length(&javascript::to_text(value)),
    }
}

fn merge_deeply(there: &Value, comes: &Value, depth: u32) -> Value {
    let (Value::Map(there), Value::Map(comes)) = (there, comes) else { return comes.clone() };
    let mut merged = there.clone();
    for (key, value) in comes.iter() {
        let value = match (there.get(key), depth.checked_sub(1)) {
            (Some(old), Some(depth)) => merge_deeply(old, value, depth),
            _ => value.clone(),
        };
        Arc::make_mut(&mut merged).insert(key.clone(), value);
    }
    Value::Map(merged)
}

#[cfg(test)]
mod tests {
    use nodewise_expr::json;
    use serde_json::json;

    use super::*;

    fn check(word: &str, there: serde_json::Value, comes: serde_json::Value, expected: &str) {
        check_as(Reading::Release, word, there, comes, expected);
    }

    fn check_as(
        reading: Reading,
        word: &str,
        there: serde_json::Value,
        comes: serde_json::Value,
        expected: &str,
    ) {
        let (there, comes) = (json::from_json(there), json::from_json(comes));
        let found = Reducer::named(word).reduce(&there, &comes, reading, 2);
        assert_eq!(json::to_json_with_marks(&found).to_string(), expected, "{word}");
    }

    #[test]
    fn lists_are_joined_and_nothing_else_is() {
        check("concat", json!(["a"]), json!(["b", "c"]), r#"["a","b","c"]"#);
        check("concat", json!("a"), json!("b"), "[]");
        check("concat", json!(["a"]), json!(7), r#"["a"]"#);
        check("merge", json!({"a": 1, "b": {"c": 1}}), json!({"b": {"d": 2}}), r#"{"a":1,"b":{"d":2}}"#);
        check("merge", json!(["x"]), json!({"a": 1}), r#"{"0":"x","a":1}"#);
        check("merge", json!("x"), json!(null), "{}");
    }

    #[test]
    fn numbers_convert_as_in_javascript() {
        check("max", json!("10"), json!(9), "10");
        check("max", json!(null), json!(-1), "0");
        check("min", json!([4]), json!("x"), "\"<NaN>\"");
        check("sum", json!(1), json!("2"), "\"12\"");
        check("sum", json!(1), json!(null), "1");
        check("sum", json!([1, 2]), json!({}), "\"1,2[object Object]\"");
        check("avg", json!(2), json!(4), "3");
        check("avg", json!("2"), json!("4"), "12");
    }

    #[test]
    fn one_of_two_is_kept() {
        check("last", json!(1), json!(null), "null");
        check("first", json!(null), json!(1), "null");
        check("longest", json!("ab"), json!("cd"), "\"ab\"");
        check("longest", json!("abc"), json!(12345), "12345");
        check("longest", json!({"a": 1}), json!([1, 2]), "[1,2]");
        check("longest", json!(null), json!("12345"), "\"12345\"");
        check("unknown", json!(1), json!(2), "2");
    }

    #[test]
    fn documented_readings_differ() {
        check_as(Reading::Documented, "concat", json!("a"), json!("b"), "\"ab\"");
        check_as(
            Reading::Documented,
            "merge",
            json!({"b": {"c": 1}}),
            json!({"b": {"d": 2}}),
            r#"{"b":{"c":1,"d":2}}"#,
        );
        check_as(Reading::Documented, "avg", json!(3), json!(6), "4");
    }
}
