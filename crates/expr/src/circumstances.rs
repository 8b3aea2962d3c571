//! The circumstances in which an expression is evaluated: the state, the time, active errors.

use smol_str::SmolStr;

use crate::value::Value;

/// The circumstances in which an expression is evaluated.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// The state. Its form depends on the language.
    pub state: Value,
    /// The time in seconds since 1970 UTC.
    pub now: f64,
    /// Whether an expression that reads a tainted key is always false.
    pub strict_taint: bool,
    /// The types of the errors that are active.
    pub errors: Vec<SmolStr>,
}
