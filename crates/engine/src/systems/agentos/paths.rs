//! The dotted paths of mappings between graphs.
//!
//! Input: a value and a path; output: the part there, or the value with a part set. Invariant: reading never fails;
//! writing makes mappings on its way, and fails where nothing (null) stands in it.

use std::borrow::Cow;
use std::sync::Arc;

use nodewise_expr::javascript;
use nodewise_expr::value::{Map, Value};

/// More parts than anyone writes. Values that are nested deeper are not created.
const MAX_PARTS: usize = 200;

/// The value at a path; undefined if there is none.
pub(super) fn read(value: &Value, path: &str) -> Value {
    let mut found = Cow::Borrowed(value);
    for name in path.split('.') {
        let part = javascript::member(&found, name).map(Cow::into_owned);
        found = Cow::Owned(part.unwrap_or(Value::Undefined));
    }
    found.into_owned()
}

/// Sets the value at a path. The error is the key that could not be set.
pub(super) fn write(map: &mut Map, path: &str, value: Value) -> Result<(), String> {
    match path.split('.').count() > MAX_PARTS {
        true => Err(format!("the path has more than {MAX_PARTS} parts")),
        false => write_below(map, path, value),
    }
}

fn write_below(map: &mut Map, path: &str, value: Value) -> Result<(), String> {
    match path.split_once('.') {
        None => map.insert(path, value),
        Some((name, rest)) => {
            let mut inner = match map.get(name) {
                Some(Value::Map(inner)) => inner.clone(),
                // The runtime sets the member on the list too, but a list's members do not appear when it is written out.
                Some(Value::List(_)) => return Ok(()),
                Some(Value::Null) => {
                    let key = rest.split('.').next().unwrap_or_default();
                    return Err(format!("Cannot set properties of null (setting '{key}')"));
                }
                _ => Arc::default(),
            };
            write_below(Arc::make_mut(&mut inner), rest, value)?;
            map.insert(name, Value::Map(inner));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nodewise_expr::json;
    use serde_json::json;

    use super::*;

    fn check_written(start: serde_json::Value, path: &str, expected: serde_json::Value) {
        let Value::Map(mut map) = json::from_json(start) else { unreachable!() };
        let written = write(Arc::make_mut(&mut map), path, Value::from(1.0));
        let found = written.map_or_else(Into::into, |()| json::to_json(&Value::Map(map)));
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn mappings_are_made_on_the_way() {
        check_written(json!({}), "a.b.c", json!({"a": {"b": {"c": 1}}}));
        check_written(json!({"a": {"x": 2}}), "a.b", json!({"a": {"x": 2, "b": 1}}));
        check_written(json!({"a": "text"}), "a.b", json!({"a": {"b": 1}}));
        check_written(json!({"a": null}), "a.b.c", json!("Cannot set properties of null (setting 'b')"));
        check_written(json!({}), "", json!({"": 1}));
    }

    #[test]
    fn what_is_not_there_is_undefined() {
        let value = json::from_json(json!({"a": {"b": [1, {"c": "text"}]}}));
        assert_eq!(read(&value, "a.b.1.c"), Value::from("text"));
        assert_eq!(read(&value, "a.x.y"), Value::Undefined);
        assert_eq!(read(&value, "a.b.1.c.length"), Value::from(4.0));
    }
}
