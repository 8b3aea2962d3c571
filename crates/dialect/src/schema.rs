//! A dialect as JSON Schema (draft 07, which editors understand best), for editors and validators that
//! know nothing else. One document of a stream is one instance. A schema sees neither other files nor
//! expressions, and unknown keys are allowed, because plugins add fields.

use serde_json::{Map, Value, json};

use crate::table::{Dialect, Field, Kind, Required, Shape, Type, Word};

/// The schema of one document of the dialect.
#[must_use]
pub fn json_schema(dialect: &'static Dialect) -> Value {
    let mut writer = Writer::default();
    let mut names = Vec::new();
    let mut branches = Vec::new();
    for kind in dialect.kinds {
        names.push(kind.name);
        let definition = writer.shape(&kind.shape, Some(kind));
        branches.push(json!({
            "if": {"properties": {dialect.discriminator: {"const": kind.name}}, "required": [dialect.discriminator]},
            "then": definition,
        }));
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": format!("{} declaration", dialect.title),
        "type": "object",
        "required": [dialect.discriminator],
        "properties": {dialect.discriminator: {"enum": names, "description": "What the document declares."}},
        "allOf": branches,
        "definitions": writer.definitions,
    })
}

/// The schema as the text of a file.
#[must_use]
pub fn json_schema_text(dialect: &'static Dialect) -> String {
    format!("{:#}\n", json_schema(dialect))
}

#[derive(Default)]
struct Writer {
    definitions: Map<String, Value>,
    /// The shapes that have a definition, and its name; shapes are told apart by identity.
    known: Vec<(*const Shape, String)>,
}

impl Writer {
    /// A reference to the definition of a shape, which is written on first use.
    fn shape(&mut self, shape: &'static Shape, kind: Option<&'static Kind>) -> Value {
        let identity: *const Shape = shape;
        let name = match self.known.iter().find(|(known, _)| *known == identity) {
            Some((_, name)) => name.clone(),
            None => self.define(shape, kind),
        };
        json!({"$ref": format!("#/definitions/{name}")})
    }

    fn define(&mut self, shape: &'static Shape, kind: Option<&'static Kind>) -> String {
        let same_name =
            self.known.iter().filter(|(_, name)| name.trim_end_matches(char::is_numeric) == shape.name);
        let name = match same_name.count() {
            0 => shape.name.to_owned(),
            others => format!("{}{}", shape.name, others + 1),
        };
        self.known.push((shape, name.clone()));
        // The name is taken before the fields are written, so that a shape may hold itself.
        self.definitions.insert(name.clone(), Value::Null);
        let mut properties = Map::new();
        for field in shape.fields {
            properties.insert(field.key.to_owned(), self.field(field, kind));
        }
        let required: Vec<&str> = shape
            .fields
            .iter()
            .filter(|field| field.required == Required::Yes)
            .map(|field| field.key)
            .collect();
        let alternatives: Vec<Value> = shape
            .fields
            .iter()
            .filter_map(|field| match field.required {
                Required::Unless(other) => {
                    Some(json!({"anyOf": [{"required": [field.key]}, {"required": [other]}]}))
                }
                _ => None,
            })
            .collect();
        let mut definition = json!({"type": "object", "description": shape.doc, "properties": properties});
        if !required.is_empty() {
            definition["required"] = json!(required);
        }
        if !alternatives.is_empty() {
            definition["allOf"] = json!(alternatives);
        }
        self.definitions.insert(name.clone(), definition);
        name
    }

    fn field(&mut self, field: &'static Field, kind: Option<&'static Kind>) -> Value {
        let mut schema = match (field.ty, kind) {
            (Type::Kind, Some(kind)) => json!({"const": kind.name}),
            (ty, _) => self.ty(ty),
        };
        if field.nullable {
            schema = json!({"anyOf": [schema, {"type": "null"}]});
        }
        if schema.get("$ref").is_some() {
            // Draft 07 ignores what stands beside a reference.
            schema = json!({"allOf": [schema]});
        }
        schema["description"] = json!(field.doc);
        // Defaults of the table are YAML flow scalars and empty lists, which are JSON too or plain text.
        if let Some(default) = field.default {
            schema["default"] = serde_json::from_str(default).unwrap_or_else(|_| json!(default));
        }
        schema
    }

    fn ty(&mut self, ty: Type) -> Value {
        match ty {
            Type::Kind | Type::Text | Type::Reference(_) => json!({"type": "string"}),
            Type::DeclaredName | Type::Condition => json!({"type": "string", "minLength": 1}),
            Type::Bool => json!({"anyOf": [{"type": "boolean"}, {"enum": ["yes", "no", "on", "off", 0, 1]}]}),
            Type::Word(words) => words_schema(words),
            Type::FunctionPath => json!({"type": "string", "pattern": r"^[^\W\d]\w*(\.[^\W\d]\w*)+$"}),
            Type::EdgeId => json!({"type": ["string", "number"]}),
            Type::Qualified(scope, separator) => {
                json!({"type": "string", "pattern": format!("^({}){separator}.+$", scope.kinds.join("|"))})
            }
            Type::Bundle(_) => bundle_schema(),
            Type::Bundles(_) => {
                json!({"anyOf": [{"type": "array", "items": bundle_schema()}, bundle_schema()]})
            }
            Type::ArgumentType(words) => json!({"anyOf": [
                words_schema(words),
                {"type": "array", "minItems": 1, "items": words_schema(words)},
            ]}),
            Type::Injection => json!({"anyOf": [
                {"type": "string"},
                {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "string"}},
            ]}),
            Type::OutputFields(_) => json!({"type": "object"}),
            Type::List(item) => json!({"type": "array", "items": self.ty(*item)}),
            Type::OneOrMany(item) => {
                let item = self.ty(*item);
                json!({"anyOf": [item, {"type": "array", "items": item}]})
            }
            Type::TextOr(text, shape) => json!({"anyOf": [self.ty(*text), self.shape(shape, None)]}),
            Type::Object(shape) => self.shape(shape, None),
        }
    }
}

fn words_schema(words: &[Word]) -> Value {
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    let docs: Vec<&str> = words.iter().map(|word| word.doc).collect();
    json!({"enum": texts, "enumDescriptions": docs})
}

/// A text, a list of texts, or a mapping by language codes and free keys.
fn bundle_schema() -> Value {
    json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "object"}]})
}
