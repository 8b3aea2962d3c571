//! What the program knows, and texts for agents name: systems, schemas, languages.
//!
//! Input: names. Output: texts with the names in them. Invariant: a text names a system only by its placeholder.

use serde_json::Value;

/// The names that texts for agents contain.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// The titles of the systems, for `{systems}`.
    pub systems: Vec<String>,
    /// The ids of the systems, for `{dialects}`.
    pub dialects: Vec<String>,
    /// The names of the schemas, for `{schemas}`.
    pub schemas: Vec<String>,
    /// The ids of the expression languages, for `{languages}`.
    pub languages: Vec<String>,
    /// Which values an expression of each language can have, for `{values}`.
    pub values: String,
}

impl Vocabulary {
    /// A text with its placeholders replaced by the names.
    pub(crate) fn filled(&self, text: &str) -> String {
        let quoted =
            |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        text.replace("{systems}", &self.systems.join(", "))
            .replace("{dialects}", &quoted(&self.dialects))
            .replace("{schemas}", &quoted(&self.schemas))
            .replace("{languages}", &quoted(&self.languages))
            .replace("{values}", &self.values)
    }

    /// A schema with the placeholders in its texts replaced.
    pub(crate) fn filled_schema(&self, schema: Value) -> Value {
        match schema {
            Value::String(text) => Value::String(self.filled(&text)),
            Value::Array(parts) => parts.into_iter().map(|part| self.filled_schema(part)).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, part)| (name, self.filled_schema(part))).collect()
            }
            other => other,
        }
    }
}
