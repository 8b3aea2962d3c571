//! A loop of calls of a language model and tools, without an agent of its own: its instructions and its limits.
//! Limits are as written, in bounds or not.

use smol_str::SmolStr;

use crate::origin::Located;

/// A loop in which a language model and its tools take turns.
#[derive(Debug, Clone, Default)]
pub struct ModelWork {
    /// The instructions for the model.
    pub instructions: Option<Located<SmolStr>>,
    /// The maximum number of rounds. A node that reaches it still succeeds.
    pub max_rounds: f64,
    /// Whether the tools of one round run in parallel.
    pub parallel_tools: bool,
}
