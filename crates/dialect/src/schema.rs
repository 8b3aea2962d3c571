//! A dialect as JSON Schema (draft 07, which editors understand best), for editors and validators that
//! know nothing else. One document of a stream is one instance. A schema sees neither other files nor
//! expressions, and unknown keys are allowed, because plugins add fields.

use serde_json::{Map, Value, json};

use crate::table::{
    Bounds, Dialect, Field, Form, Kind, Mark, Recognition, Required, Shape, Size, Type, Variant, When, Word,
};

/// The schema of one document of the dialect.
#[must_use]
pub fn json_schema(dialect: &'static Dialect) -> Value {
    let mut writer = Writer::default();
    let kinds: Vec<(&'static Kind, Value)> =
        dialect.kinds.iter().map(|kind| (kind, writer.shape(&kind.shape, Some(kind)))).collect();
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": format!("{} declaration", dialect.title),
        "type": "object",
    });
    match dialect.recognition {
        Recognition::ByWord { key, .. } => {
            let names: Vec<&str> = dialect.kinds.iter().map(|kind| kind.name).collect();
            let branch = |(kind, definition): &(&'static Kind, Value)| {
                json!({
                    "if": {"properties": {key: {"const": kind.name}}, "required": [key]},
                    "then": definition,
                })
            };
            schema["required"] = json!([key]);
            schema["properties"] =
                json!({key: {"enum": names, "description": "What the document declares."}});
            schema["allOf"] = kinds.iter().map(branch).collect();
        }
        // The first kind that something speaks for, as recognition has it.
        Recognition::ByShape => {
            schema = kinds.iter().rev().fold(schema, |mut schema, (kind, definition)| {
                let inner = schema
                    .get("if")
                    .is_some()
                    .then(|| json!({"if": schema["if"], "then": schema["then"], "else": schema["else"]}));
                schema["if"] = evidence_schema(kind.evidence);
                schema["then"] = definition.clone();
                schema["else"] = inner.unwrap_or_else(|| json!({}));
                schema
            });
        }
    }
    schema["definitions"] = Value::Object(writer.definitions);
    schema
}

/// What speaks for a kind: one of the sets of marks.
fn evidence_schema(evidence: &[&[Mark]]) -> Value {
    let sets: Vec<Value> = evidence
        .iter()
        .map(|marks| json!({"allOf": marks.iter().map(mark_schema).collect::<Vec<_>>()}))
        .collect();
    json!({"anyOf": sets})
}

fn mark_schema(mark: &Mark) -> Value {
    let has = |key: &str, schema: Value| json!({"required": [key], "properties": {key: schema}});
    let words = |words: &[Word]| json!({"enum": words.iter().map(|word| word.text).collect::<Vec<_>>()});
    match mark {
        Mark::Has(key) => json!({"required": [key]}),
        Mark::Lacks(key) => json!({"not": {"required": [key]}}),
        Mark::List(key) => has(key, json!({"type": "array"})),
        Mark::Map(key) => has(key, json!({"type": "object"})),
        Mark::Text(key) => has(key, json!({"type": "string"})),
        Mark::Word(key, known) => has(key, words(known)),
        Mark::ItemHas(key, inner) => {
            has(key, json!({"type": "array", "contains": {"type": "object", "required": [inner]}}))
        }
        Mark::ItemWord(key, inner, known) => has(
            key,
            json!({
                "type": "array",
                "contains": {"type": "object", "required": [inner], "properties": {*inner: words(known)}},
            }),
        ),
    }
}

/// The schema as the text of a file.
#[must_use]
pub fn json_schema_text(dialect: &'static Dialect) -> String {
    format!("{:#}\n", json_schema(dialect))
}

#[derive(Default)]
struct Writer {
    definitions: Map<String, Value>,
    /// The shapes that have a definition, and its name.
    known: Vec<(&'static Shape, String)>,
}

impl Writer {
    /// A reference to the definition of a shape, which is written on first use.
    fn shape(&mut self, shape: &'static Shape, kind: Option<&'static Kind>) -> Value {
        let name = match self.known.iter().find(|(known, _)| known.is_same(shape)) {
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

    fn variant(&mut self, variant: &'static Variant) -> Value {
        let words: Vec<&str> = variant.words().map(|word| word.text).collect();
        let docs: Vec<&str> = variant.words().map(|word| word.doc).collect();
        let cases: Vec<Value> = variant
            .cases
            .iter()
            .map(|case| {
                let definition = self.shape(&case.shape, None);
                json!({"if": {"properties": {variant.key: {"const": case.word.text}}}, "then": definition})
            })
            .collect();
        json!({
            "type": "object",
            "description": variant.doc,
            "required": [variant.key],
            "properties": {variant.key: {"enum": words, "enumDescriptions": docs}},
            "allOf": cases,
        })
    }

    fn forms(&mut self, forms: &'static [Form]) -> Value {
        forms.iter().rev().fold(json!({}), |otherwise, form| {
            let then = self.ty(form.ty);
            match form.when {
                When::Text => json!({"if": {"type": "string"}, "then": then, "else": otherwise}),
                When::Boolean => json!({"if": {"type": "boolean"}, "then": then, "else": otherwise}),
                When::Mapping => json!({"if": {"type": "object"}, "then": then, "else": otherwise}),
                When::HasKey(key) => json!({
                    "if": {"type": "object", "required": [key]}, "then": then, "else": otherwise,
                }),
                When::Otherwise => then,
            }
        })
    }

    fn sized(&mut self, inner: Type, size: Size) -> Value {
        let (min, max) = match inner {
            Type::List(_) => ("minItems", "maxItems"),
            Type::MapOf(_) | Type::Object(_) => ("minProperties", "maxProperties"),
            _ => ("minLength", "maxLength"),
        };
        let mut schema = self.ty(inner);
        if size.min > 0 {
            schema[min] = json!(size.min);
        }
        if size.max < usize::MAX {
            schema[max] = json!(size.max);
        }
        schema
    }

    fn ty(&mut self, ty: Type) -> Value {
        match ty {
            Type::Any | Type::Lenient(_) => json!({}),
            Type::Boolean => json!({"type": "boolean"}),
            Type::Number(bounds) => number_schema(bounds),
            Type::Sized(inner, size) => self.sized(*inner, size),
            Type::Slug => json!({"type": "string", "pattern": "^[A-Za-z0-9_-]+$"}),
            Type::Pattern => json!({"type": "string", "format": "regex"}),
            Type::JsonSchema => json!({"type": "object"}),
            Type::MapOf((key, of)) => {
                let mut schema = json!({"type": "object", "additionalProperties": self.ty(*of)});
                if let Type::Word(words) = key {
                    schema["propertyNames"] = words_schema(words);
                }
                schema
            }
            Type::Variant(variant) => self.variant(variant),
            Type::OneOf(forms) => self.forms(forms),
            Type::Symbol(..) | Type::Expression(_) => json!({"type": "string"}),
            Type::Kind | Type::Text | Type::Suggested(_) | Type::Reference(_) => json!({"type": "string"}),
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
            Type::Object(shape) | Type::Open(shape) => self.shape(shape, None),
        }
    }
}

fn number_schema(bounds: Bounds) -> Value {
    let mut schema = json!({"type": if bounds.integer { "integer" } else { "number" }});
    let limit = |number: f64| {
        if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
    };
    if bounds.min.is_finite() {
        schema[if bounds.above_min { "exclusiveMinimum" } else { "minimum" }] = limit(bounds.min);
    }
    if bounds.max.is_finite() {
        schema["maximum"] = limit(bounds.max);
    }
    schema
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
