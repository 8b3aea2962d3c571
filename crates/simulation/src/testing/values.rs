//! How a value differs from an expected one, member by member.
//!
//! Input: both values; output: the members that differ, with their paths. Invariant: two values without a difference match.

use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

/// The maximum number of members that are shown.
const DIFFERENCES_MAX: usize = 20;

/// A member that differs. [`Value::Undefined`] if it does not exist on one side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    pub(super) path: SmolStr,
    pub(super) expected: Value,
    pub(super) found: Value,
}

/// Which parts of a value are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// Of mappings, only the members that are expected.
    Members,
}

/// What differs, in the order of the expected value.
pub(super) fn differences(path: &str, expected: &Value, found: &Value, extent: Extent) -> Vec<Difference> {
    let mut all = Vec::new();
    compare(path, expected, found, extent, &mut all);
    all
}

/// Whether nothing differs.
pub(super) fn matches(expected: &Value, found: &Value, extent: Extent) -> bool {
    differences("", expected, found, extent).is_empty()
}

fn compare(path: &str, expected: &Value, found: &Value, extent: Extent, all: &mut Vec<Difference>) {
    if all.len() >= DIFFERENCES_MAX {
        return;
    }
    match (expected, found) {
        (Value::Null | Value::Undefined, Value::Null | Value::Undefined) => {}
        (Value::Map(expected), Value::Map(found)) => {
            for (key, value) in expected.iter() {
                let member = found.get(key).unwrap_or(&Value::Undefined);
                compare(&joined(path, key), value, member, extent, all);
            }
            let unexpected = found.iter().filter(|(key, _)| expected.get(key).is_none());
            for (key, value) in unexpected.filter(|_| extent == Extent::Whole) {
                compare(&joined(path, key), &Value::Undefined, value, extent, all);
            }
        }
        (Value::List(expected), Value::List(found)) if expected.len() == found.len() => {
            for (position, (expected, found)) in expected.iter().zip(found.iter()).enumerate() {
                compare(&format!("{path}[{position}]"), expected, found, extent, all);
            }
        }
        (expected, found) if expected == found => {}
        (expected, found) => {
            all.push(Difference { path: path.into(), expected: expected.clone(), found: found.clone() });
        }
    }
}

fn joined(path: &str, key: &str) -> SmolStr {
    if path.is_empty() { key.into() } else { format_smolstr!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nodewise_expr::json::{from_json, to_json};
    use serde_json::json;

    fn check_values(extent: Extent, expected: serde_json::Value, found: serde_json::Value, differ: &str) {
        let all = differences("", &from_json(expected), &from_json(found), extent);
        let line =
            |one: &Difference| format!("{} {} {}", one.path, to_json(&one.expected), to_json(&one.found));
        assert_eq!(all.iter().map(line).collect::<Vec<_>>().join("; "), differ);
    }

    #[test]
    fn members_that_differ() {
        let found = json!({"a": {"b": 1, "c": [1, {"d": 2}]}, "e": null});
        check_values(Extent::Members, json!({"a": {"b": 1}}), found.clone(), "");
        check_values(Extent::Members, json!({"a": {"c": [1, {"d": 3}]}}), found.clone(), "a.c[1].d 3 2");
        check_values(Extent::Members, json!({"a": {"c": [1]}}), found.clone(), r#"a.c [1] [1,{"d":2}]"#);
        check_values(Extent::Members, json!({"e": null, "f": null}), found.clone(), "");
        check_values(Extent::Members, json!({"f": 1}), found.clone(), "f 1 null");
        check_values(Extent::Whole, json!({"a": {"b": 1}}), found, r#"a.c null [1,{"d":2}]"#);
    }
}
