//! Guardrails that look at the state: which, and what a violation leads to. The word for the action is as written.

use smol_str::SmolStr;

use crate::origin::{Located, Origin};

/// What a guardrail node does: it checks the state with guardrails.
#[derive(Debug, Clone, Default)]
pub struct GuardrailWork {
    /// The guardrails, in the order in which they are evaluated.
    pub guardrails: Vec<Located<SmolStr>>,
    /// The key of the list, if it was written.
    pub guardrails_at: Option<Origin>,
    /// What happens after a violation, as the word in the file.
    pub on_violation: Option<Located<SmolStr>>,
    /// The node that the run goes to after a violation.
    pub reroute: Option<Located<SmolStr>>,
}
