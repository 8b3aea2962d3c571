//! Types whose values have no shape of the table.
//!
//! Input: a type. Output: its schema. Invariant: patterns are read alike by ECMAScript, Python and Rust.

use serde_json::{Value, json};

use super::parts::{choice, of_type, pattern, table_words};
use super::writer::Writer;
use crate::table::{Import, NumberBounds, Shape, Type, Word};

/// A pattern for an identifier. Non-ASCII letters are allowed.
const IDENTIFIER: &str = r"[A-Za-z_\u0080-\uffff][0-9A-Za-z_\u0080-\uffff]*";
/// A pattern for a declared name: no separators inside and no spaces around it.
const DECLARED_NAME: &str = r"^[^/:\s]([^/:]*[^/:\s])?$";
const SLUG: &str = "^[A-Za-z0-9_-]+$";
/// A pattern for texts that count as a boolean, in upper or lower case.
const BOOLEAN_WORD: &str =
    "^([Tt]([Rr][Uu][Ee])?|[Ff]([Aa][Ll][Ss][Ee])?|[Yy]([Ee][Ss])?|[Nn][Oo]?|[Oo]([Nn]|[Ff][Ff])|[01])$";
/// The largest integer up to which every common number format is exact.
const SAFE_INTEGER_MAX: i64 = 9_007_199_254_740_991;

impl Writer {
    /// The schema of a type without inner fields.
    pub(super) fn leaf(&mut self, ty: Type) -> Value {
        match ty {
            Type::Any | Type::Lenient(_) => json!({}),
            Type::Boolean => of_type("boolean"),
            Type::Bool => choice(
                of_type("string"),
                pattern(BOOLEAN_WORD),
                choice(of_type("number"), json!({"enum": [0, 1]}), of_type("boolean")),
            ),
            Type::Number(bounds) => number(bounds),
            Type::Slug(_) => pattern(SLUG),
            Type::Pattern => json!({"type": "string", "format": "regex"}),
            Type::JsonSchema => of_type("object"),
            Type::Suggested(words) => {
                let examples: Vec<&str> = words.iter().map(|word| word.text).collect();
                json!({"type": "string", "examples": examples})
            }
            Type::DeclaredName => pattern(DECLARED_NAME),
            Type::Condition(_) => json!({"type": "string", "minLength": 1}),
            Type::Word(words) => table_words(words),
            Type::FunctionPath(Import::Done) => pattern(&format!(r"^{IDENTIFIER}(\.{IDENTIFIER})+$")),
            Type::FunctionPath(Import::Never) => pattern(&format!(r"^{IDENTIFIER}(\.{IDENTIFIER})*$")),
            Type::EdgeId => json!({"anyOf": [{"type": "string"}, {"type": "number"}]}),
            Type::Qualified(scope, separator) => {
                let name = if separator == '/' { "[^/]+" } else { ".+" };
                pattern(&format!("^({}){separator}{name}$", scope.kinds.join("|")))
            }
            Type::Bundle(_) => self.localized_text(),
            Type::Bundles(_) => {
                let text = self.localized_text();
                choice(of_type("array"), json!({"type": "array", "items": text}), text)
            }
            Type::ArgumentType(words) => argument_type(words),
            Type::Injection => injection(),
            Type::OutputFields(words, extended) => {
                let output = self.output_type(words, extended);
                json!({"type": "object", "additionalProperties": output})
            }
            _ => of_type("string"),
        }
    }

    /// The schema of a localized text: a text, a list of texts, or a mapping by language codes and other keys.
    fn localized_text(&mut self) -> Value {
        self.common("LocalizedText", |writer| {
            let inner = writer.localized_text();
            let list = json!({"type": "array", "items": {"type": "string"}});
            let mapping = json!({"type": "object", "additionalProperties": inner});
            choice(of_type("object"), mapping, choice(of_type("array"), list, of_type("string")))
        })
    }

    /// The schema of a field type in a structured answer: a word, a list of one type, the extended form, or nested fields.
    /// A list must not contain mappings.
    fn output_type(&mut self, words: &'static [Word], extended: &'static Shape) -> Value {
        self.common("OutputType", |writer| {
            let inner = writer.output_type(words, extended);
            let keys: Vec<&str> = extended.fields.iter().map(|field| field.key).collect();
            let required: Vec<&str> = keys.iter().take(1).copied().collect();
            let known: serde_json::Map<String, Value> =
                keys.iter().map(|key| ((*key).to_owned(), json!(true))).collect();
            let is_extended = json!({
                "type": "object", "required": required, "properties": known, "propertyNames": {"enum": keys},
            });
            let mut extended = json!({"type": "object", "properties": known});
            for key in required {
                extended["properties"][key] = inner.clone();
            }
            let nested = json!({"type": "object", "minProperties": 1, "additionalProperties": inner});
            let item = choice(of_type("array"), inner.clone(), table_words(words));
            let list = json!({"type": "array", "minItems": 1, "maxItems": 1, "items": item});
            choice(
                of_type("object"),
                choice(is_extended, extended, nested),
                choice(of_type("array"), list, table_words(words)),
            )
        })
    }
}

fn number(bounds: NumberBounds) -> Value {
    let mut schema = of_type(if bounds.integer { "integer" } else { "number" });
    let limit = |number: f64| {
        if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
    };
    if bounds.min.is_finite() {
        schema[if bounds.above_min { "exclusiveMinimum" } else { "minimum" }] = limit(bounds.min);
    }
    if bounds.max.is_finite() {
        schema["maximum"] = limit(bounds.max);
    } else if bounds.integer {
        schema["maximum"] = json!(SAFE_INTEGER_MAX);
    }
    schema
}

/// The schema of a word or a list of words.
fn argument_type(words: &[Word]) -> Value {
    let word = table_words(words);
    choice(of_type("array"), json!({"type": "array", "minItems": 1, "items": word}), word)
}

/// The schema of an injected variable: `path` or `target: path` as a text, or `target: path` as a mapping with one key.
fn injection() -> Value {
    let dotted = format!(r"{IDENTIFIER}(\.{IDENTIFIER})*");
    let pair = json!({
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "propertyNames": {"pattern": format!("^{dotted}$")},
        "additionalProperties": pattern(&format!("^{dotted}$")),
    });
    choice(of_type("object"), pair, pattern(&format!(r"^(({dotted})\s*: \s*{dotted}\s*|{dotted})$")))
}
