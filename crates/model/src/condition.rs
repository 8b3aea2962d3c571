//! Conditions, as declarations hold them.

use crate::origin::Origin;

/// A condition's text; the languages are in `nodewise-expr`.
#[derive(Debug, Clone)]
pub struct Condition {
    /// The text without the quotes and escapes of YAML.
    pub text: Box<str>,
    /// The value's place in the file, quotes included.
    pub at: Origin,
}
