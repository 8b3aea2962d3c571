//! `schema`: JSON Schemas, one definition at a time.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{Effects, Request, Tool, object, with_pages};

pub(super) const TOOL: Tool = Tool {
    name: "schema",
    title: "Show a schema",
    description: "The fields of declarations, scenarios and settings as JSON Schema: types, allowed values, documentation. Without \
                  `definition`, lists the definitions of a schema; with it, returns that one, a line for each field.",
    effects: Effects::None,
    input: || {
        object(
            with_pages(json!({
                "name": {"type": "string", "description": "One of {schemas}."},
                "definition": {"type": "string", "description": "A definition of the schema, as the list names it."},
            })),
            &["name"],
        )
    },
    output: || lines_schema(json!({})),
    ask: |request| {
        let wanted: Arguments = request.arguments()?;
        Ok(Invocation::new("schema").with_paths([wanted.name]))
    },
    answer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    definition: Option<String>,
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    let wanted: Arguments = request.arguments()?;
    if finished.code != 0 {
        return Err(finished.error());
    }
    let schema: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| ToolError::new(format!("the schema cannot be read: {error}")))?;
    let definitions = schema.get("definitions").and_then(Value::as_object);
    let names =
        || definitions.into_iter().flatten().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let text = match &wanted.definition {
        None if definitions.is_none() => finished.stdout,
        None => format!("definitions of `{}`:\n{}\n", wanted.name, names()),
        Some(name) => match definitions.and_then(|definitions| definitions.get(name)) {
            Some(definition) => a_line_each(definition),
            None => {
                return Err(ToolError::new(format!("`{}` has no definition `{name}`", wanted.name))
                    .help(&format!("use one of {}", names())));
            }
        },
    };
    Ok(request.part.lines(&text, json!({})))
}

/// A definition as JSON, with each of its members and properties on a line of its own.
fn a_line_each(definition: &Value) -> String {
    let Value::Object(members) = definition else { return format!("{definition}\n") };
    let mut text = String::new();
    for (name, value) in members {
        match value {
            Value::Object(properties) if name == "properties" => {
                text.push_str("properties:\n");
                properties.iter().for_each(|(name, schema)| text.push_str(&format!("  {name}: {schema}\n")));
            }
            value => text.push_str(&format!("{name}: {value}\n")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn each_property_has_a_line() {
        let definition = json!({"type": "object", "properties": {"id": {"type": "string"}, "n": true}, "required": ["id"]});
        let expected =
            "type: \"object\"\nproperties:\n  id: {\"type\":\"string\"}\n  n: true\nrequired: [\"id\"]\n";
        assert_eq!(super::a_line_each(&definition), expected);
    }
}
