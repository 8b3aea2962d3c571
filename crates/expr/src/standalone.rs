//! An expression by itself: what a command asks about it, and what its language answers.
//!
//! Input: a text, and the values that it reads. Output: its tree, its value, what runtimes decide by it. Invariant: a question
//! means the same in every language that supports it.

use text_size::TextRange;

use crate::circumstances::Circumstances;
use crate::eval::EvalError;
use crate::problem::ParseProblem;

/// A language that answers for expressions by themselves.
#[derive(Debug)]
pub struct Standalone {
    /// What its expressions are, for help.
    pub doc: &'static str,
    /// What the context of a question holds.
    pub context: &'static str,
    /// The parser that a release has, where it differs from the specification.
    pub release: Option<&'static str>,
    /// Answers a question; the error is why the text is no expression.
    pub answer: fn(&StandaloneQuestion<'_>) -> Result<StandaloneAnswer, ParseProblem>,
}

#[derive(Debug, Clone, Copy)]
pub struct StandaloneQuestion<'q> {
    /// The expression.
    pub text: &'q str,
    /// What it can read. Without it, nothing is evaluated.
    pub context: Option<&'q Circumstances>,
    /// Whether to read the text as the release does.
    pub follows_release: bool,
}

/// The answer for an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct StandaloneAnswer {
    pub tree: String,
    /// Its evaluation in the context.
    pub evaluated: Option<StandaloneEvaluation>,
}

/// The evaluation of an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct StandaloneEvaluation {
    pub value: Result<serde_json::Value, EvaluationFault>,
    /// The decisions of a runtime, by name. `routes` is the target of an edge.
    pub decisions: Vec<(&'static str, serde_json::Value)>,
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationFault {
    /// The class of error, as in conformance tables.
    pub kind: &'static str,
    pub message: String,
    /// The part of the expression that failed.
    pub range: TextRange,
}

impl From<EvalError> for EvaluationFault {
    fn from(error: EvalError) -> EvaluationFault {
        EvaluationFault { kind: error.kind.name(), message: error.message, range: error.range }
    }
}
