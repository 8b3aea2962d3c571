//! Where a value does not fit a JSON Schema. In: a schema as a plain value, and a value; out: the first violation, in words.
//! A keyword that this code does not know, or that does not have its usual form, allows everything.

use nodewise_expr::value::{Map, Value};

/// Keywords that refer to a schema elsewhere, which may replace or extend the keywords next to them.
const ELSEWHERE: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// Schemas nested deeper than this allow everything.
const DEPTH_MAX: usize = 32;
/// Values with a longer JSON text than this are not shown.
const SHOWN_MAX: usize = 24;

/// Describes the first part of `value` that does not fit the schema, and where it is: "`lines[0].sum` is a text, expected a
/// number". `subject` is the name of the whole value. `None` if the value fits.
pub(crate) fn violation(schema: &Value, value: &Value, subject: &str) -> Option<String> {
    Check { subject, path: String::new(), depth: 0 }.value(schema, value)
}

struct Check<'c> {
    subject: &'c str,
    path: String,
    depth: usize,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value) -> Option<String> {
        let Value::Map(keywords) = schema else { return None };
        if self.depth > DEPTH_MAX || ELSEWHERE.iter().any(|keyword| keywords.get(keyword).is_some()) {
            return None;
        }
        if *value == Value::Null && keywords.get("nullable") == Some(&Value::Bool(true)) {
            return None;
        }
        self.kind(keywords, value)
            .or_else(|| self.listed(keywords, value))
            .or_else(|| self.bounds(keywords, value))
            .or_else(|| self.parts(keywords, value))
            .or_else(|| self.alternatives(keywords, value))
    }

    fn place(&self) -> String {
        if self.path.is_empty() { self.subject.to_owned() } else { format!("`{}`", self.path) }
    }

    fn within(&mut self, part: &str, schema: &Value, value: &Value) -> Option<String> {
        let length = self.path.len();
        if !self.path.is_empty() && !part.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(part);
        self.depth += 1;
        let found = self.value(schema, value);
        self.depth -= 1;
        self.path.truncate(length);
        found
    }

    fn kind(&self, keywords: &Map, value: &Value) -> Option<String> {
        let words: Vec<&str> = match keywords.get("type")? {
            Value::Text(word) => vec![word.as_str()],
            Value::List(words) => words
                .iter()
                .map(|word| match word {
                    Value::Text(word) => Some(word.as_str()),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()?,
            _ => return None,
        };
        if words.iter().any(|word| is_of_type(value, word)) {
            return None;
        }
        let wanted: Vec<&str> = words.iter().map(|word| type_in_words(word)).collect();
        Some(format!("{} is {}, expected {}", self.place(), in_words(value), wanted.join(" or ")))
    }

    fn listed(&self, keywords: &Map, value: &Value) -> Option<String> {
        let listed: &[Value] = match (keywords.get("enum"), keywords.get("const")) {
            (Some(Value::List(values)), _) => values,
            (None, Some(only)) => std::slice::from_ref(only),
            _ => return None,
        };
        // Values that a program computes appear as `null` here.
        if listed.is_empty() || listed.contains(value) || listed.contains(&Value::Null) {
            return None;
        }
        let shown: Vec<String> = listed.iter().take(4).map(shown).collect();
        let more = if listed.len() > shown.len() { ", …" } else { "" };
        Some(format!("{} is {}, expected {}{more}", self.place(), shown_or_kind(value), shown.join(", ")))
    }

    fn bounds(&self, keywords: &Map, value: &Value) -> Option<String> {
        let number = |key: &str| match keywords.get(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let (measure, noun, least, most) = match value {
            Value::Number(number) => (*number, "", "minimum", "maximum"),
            Value::Text(text) => (text.chars().count() as f64, " characters", "minLength", "maxLength"),
            Value::List(items) => (items.len() as f64, " items", "minItems", "maxItems"),
            _ => return None,
        };
        let has = if noun.is_empty() { "is" } else { "has" };
        let wrong = |bound: &str, limit: f64| {
            Some(format!("{} {has} {measure}{noun}, expected {bound} {limit}", self.place()))
        };
        match (number(least), number(most)) {
            (Some(limit), _) if measure < limit => wrong("at least", limit),
            (_, Some(limit)) if measure > limit => wrong("at most", limit),
            _ => None,
        }
    }

    fn parts(&mut self, keywords: &Map, value: &Value) -> Option<String> {
        match value {
            Value::Map(members) => self.members(keywords, members),
            Value::List(items) if keywords.get("prefixItems").is_none() => {
                let schema = keywords.get("items")?;
                let mut items = items.iter().enumerate();
                items.find_map(|(number, item)| self.within(&format!("[{number}]"), schema, item))
            }
            _ => None,
        }
    }

    fn members(&mut self, keywords: &Map, members: &Map) -> Option<String> {
        if let Some(Value::List(required)) = keywords.get("required") {
            let missing = required.iter().find_map(|name| match name {
                Value::Text(name) if members.get(name).is_none() => Some(name),
                _ => None,
            });
            if let Some(name) = missing {
                let dot = if self.path.is_empty() { "" } else { "." };
                return Some(format!("`{}{dot}{name}` is missing", self.path));
            }
        }
        let Some(Value::Map(properties)) = keywords.get("properties") else { return None };
        let is_closed = keywords.get("additionalProperties") == Some(&Value::Bool(false))
            && keywords.get("patternProperties").is_none();
        members.iter().find_map(|(name, value)| match properties.get(name) {
            Some(schema) => self.within(name, schema, value),
            None if is_closed => {
                let dot = if self.path.is_empty() { "" } else { "." };
                Some(format!("`{}{dot}{name}` is not declared", self.path))
            }
            None => None,
        })
    }

    fn alternatives(&mut self, keywords: &Map, value: &Value) -> Option<String> {
        if let Some(Value::List(all)) = keywords.get("allOf")
            && let Some(found) = all.iter().find_map(|schema| self.value(schema, value))
        {
            return Some(found);
        }
        let Some(Value::List(any)) = keywords.get("anyOf").or(keywords.get("oneOf")) else { return None };
        let fits_none = !any.is_empty() && any.iter().all(|schema| self.value(schema, value).is_some());
        fits_none.then(|| format!("{} fits none of the {} forms", self.place(), any.len()))
    }
}

fn is_of_type(value: &Value, word: &str) -> bool {
    match (word, value) {
        ("string", Value::Text(_))
        | ("number", Value::Number(_))
        | ("boolean", Value::Bool(_))
        | ("null", Value::Null)
        | ("object", Value::Map(_))
        | ("array", Value::List(_)) => true,
        ("integer", Value::Number(number)) => number.fract() == 0.0,
        ("string" | "number" | "integer" | "boolean" | "null" | "object" | "array", _) => false,
        _ => true,
    }
}

fn type_in_words(word: &str) -> &str {
    match word {
        "string" => "a text",
        "number" => "a number",
        "integer" => "an integer",
        "boolean" => "`true` or `false`",
        "null" => "`null`",
        "object" => "a mapping",
        "array" => "a list",
        word => word,
    }
}

/// The JSON type of a value, in words.
pub(crate) fn in_words(value: &Value) -> &'static str {
    match value {
        Value::Text(_) => "a text",
        Value::Number(_) => "a number",
        Value::Bool(true) => "`true`",
        Value::Bool(false) => "`false`",
        Value::List(_) => "a list",
        Value::Map(_) => "a mapping",
        Value::Undefined | Value::Null => "`null`",
        Value::Pattern(_) => "a pattern",
        Value::Function(_) => "a function",
    }
}

fn shown(value: &Value) -> String {
    format!("`{}`", nodewise_expr::json::to_json(value))
}

fn shown_or_kind(value: &Value) -> String {
    let text = shown(value);
    if text.chars().count() <= SHOWN_MAX { text } else { in_words(value).to_owned() }
}

#[cfg(test)]
mod tests {
    use nodewise_expr::json::from_json;
    use serde_json::json;

    use super::violation;

    #[track_caller]
    fn check_violation(schema: serde_json::Value, value: serde_json::Value, expected: &str) {
        let found = violation(&from_json(schema), &from_json(value), "the answer");
        assert_eq!(found.unwrap_or_default(), expected);
    }

    #[test]
    fn types_members_and_items() {
        let line = json!({"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]});
        let schema = json!({
            "type": "object",
            "properties": {"lines": {"type": "array", "items": line}, "count": {"type": ["integer", "null"]}},
            "required": ["lines"],
            "additionalProperties": false,
        });
        check_violation(schema.clone(), json!({"lines": [{"sum": 1.5}], "count": 2}), "");
        check_violation(schema.clone(), json!({"lines": [], "count": null}), "");
        check_violation(schema.clone(), json!("x"), "the answer is a text, expected a mapping");
        check_violation(schema.clone(), json!({"count": 1}), "`lines` is missing");
        check_violation(schema.clone(), json!({"lines": [{"sum": 1}, {}]}), "`lines[1].sum` is missing");
        check_violation(
            schema.clone(),
            json!({"lines": [{"sum": "1"}]}),
            "`lines[0].sum` is a text, expected a number",
        );
        check_violation(
            schema.clone(),
            json!({"lines": [], "count": 1.5}),
            "`count` is a number, expected an integer or `null`",
        );
        check_violation(schema, json!({"lines": [], "more": 1}), "`more` is not declared");
    }

    #[test]
    fn values_and_bounds() {
        let schema = json!({"enum": ["high", "low"]});
        check_violation(schema.clone(), json!("low"), "");
        check_violation(schema, json!("mid"), "the answer is `\"mid\"`, expected `\"high\"`, `\"low\"`");
        check_violation(json!({"const": 3}), json!(4), "the answer is `4`, expected `3`");
        check_violation(
            json!({"minimum": 0, "maximum": 1}),
            json!(1.5),
            "the answer is 1.5, expected at most 1",
        );
        check_violation(
            json!({"minLength": 2}),
            json!("ä"),
            "the answer has 1 characters, expected at least 2",
        );
        check_violation(json!({"minItems": 1}), json!([]), "the answer has 0 items, expected at least 1");
        let either = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
        check_violation(either.clone(), json!(null), "");
        check_violation(either, json!(1), "the answer fits none of the 2 forms");
        check_violation(
            json!({"allOf": [{"type": "string"}]}),
            json!(1),
            "the answer is a number, expected a text",
        );
    }

    #[test]
    fn what_is_not_known_allows_everything() {
        for schema in [
            json!(true),
            json!({"$ref": "#/x", "type": "string"}),
            json!({"type": "date"}),
            json!({"type": 3, "enum": "x", "required": "x", "properties": [], "items": 2, "minimum": "a"}),
            json!({"enum": [null, "computed"]}),
            json!({"type": "string", "nullable": true}),
        ] {
            check_violation(schema, json!(null), "");
        }
        let mut deep = json!({"type": "string"});
        let mut value = json!(1);
        for _ in 0..40 {
            deep = json!({"items": deep});
            value = json!([value]);
        }
        check_violation(deep, value, "");
    }
}
