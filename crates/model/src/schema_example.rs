//! Plain values for JSON Schemas: what a graph is given, or gives, where nobody says more.
//!
//! Input: a schema as a value; output: a value. Invariant: equal schemas have equal values.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

/// A value that matches the types, members and enumerated values of the schema. Other constraints are ignored.
#[must_use]
pub fn schema_example(schema: Option<&Value>) -> Value {
    const DEPTH_MAX: usize = 8;
    example_in(schema, DEPTH_MAX)
}

fn example_in(schema: Option<&Value>, depth: usize) -> Value {
    const TEXT: &str = "text";
    let Some(Value::Map(keywords)) = schema.filter(|_| depth > 0) else { return Value::from(TEXT) };
    if let Some(value) = keywords.get("default").or_else(|| keywords.get("const")) {
        return value.clone();
    }
    for listed in ["enum", "examples"] {
        if let Some(Value::List(values)) = keywords.get(listed)
            && let Some(first) = values.first()
        {
            return first.clone();
        }
    }
    let word = match keywords.get("type") {
        Some(Value::Text(word)) => word.as_str(),
        Some(Value::List(words)) => match words.first() {
            Some(Value::Text(word)) => word,
            _ => TEXT,
        },
        _ if keywords.get("properties").is_some() => "object",
        _ => TEXT,
    };
    match word {
        "number" | "integer" => keywords.get("minimum").cloned().unwrap_or(Value::Number(1.0)),
        "boolean" => Value::Bool(true),
        "null" => Value::Null,
        "array" => Value::List([example_in(keywords.get("items"), depth - 1)].into()),
        "object" => {
            let Some(Value::Map(properties)) = keywords.get("properties") else { return Map::new().into() };
            let members = properties.iter();
            let member =
                |(name, schema): (&SmolStr, &Value)| (name.clone(), example_in(Some(schema), depth - 1));
            members.map(member).collect::<Map>().into()
        }
        _ => Value::from(TEXT),
    }
}
