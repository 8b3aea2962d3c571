//! Values as JSON, for programs that know nothing of places.
//!
//! Input: a value. Output: the same value. Invariant: what YAML can say and JSON cannot is `null`.

use nodewise_model::SourceId;
use serde_json::{Value as Json, json};

use super::{Data, SpannedValue};

/// Integers up to this size are written without a fraction.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

impl SpannedValue<'_> {
    /// Converts the value to JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match &self.data {
            Data::Null | Data::Tagged(_) | Data::Unknown => Json::Null,
            Data::Bool(value) => json!(value),
            Data::Number(number) if number.fract() == 0.0 && number.abs() <= WHOLE_MAX => {
                json!(*number as i64)
            }
            Data::Number(number) => json!(number),
            Data::Text(text) => json!(text),
            Data::List(items) => items.iter().map(SpannedValue::to_json).collect(),
            Data::Map(members) => {
                members.iter().map(|member| (member.key.to_string(), member.value.to_json())).collect()
            }
        }
    }
}

/// Parses a short YAML text as JSON; `None` if it contains no value.
pub(crate) fn parse_json(text: &str) -> Option<Json> {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next()?.root()?;
    Some(SpannedValue::from_node(root, SourceId::default()).to_json())
}
