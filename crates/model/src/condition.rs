//! Conditions, as declarations hold them.

use crate::origin::Origin;

/// A condition's text; the languages are in `nodewise-expr`.
#[derive(Debug, Clone)]
pub struct Condition {
    /// The text after YAML took its quotes and escapes.
    pub text: Box<str>,
    /// The value's place in the file, quotes included.
    pub at: Origin,
}
