//! In what an expression is evaluated: the state, the time, what the run is at.

use smol_str::SmolStr;

use crate::value::Value;

/// In what an expression is evaluated.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// The state; what it holds depends on the language.
    pub state: Value,
    /// The time in seconds since 1970 UTC.
    pub now: f64,
    /// Whether an expression that reads a tainted key is always false.
    pub strict_taint: bool,
    /// The types of the errors that are active.
    pub errors: Vec<SmolStr>,
}
