//! Questions about an expression by itself, without a document, and the answers of its language.
//!
//! Input: a text, and the values that it reads. Output: its tree, its value, the decisions of runtimes. Invariant: a
//! question means the same in every language that supports it.

use text_size::TextRange;

use crate::circumstances::Circumstances;
use crate::eval::EvalError;
use crate::problem::ParseProblem;

/// A language that can answer questions about expressions by themselves.
#[derive(Debug)]
pub struct Standalone {
    /// A description of its expressions, for help texts.
    pub doc: &'static str,
    /// What the context of a question contains, for help texts.
    pub context: &'static str,
    /// The release's parser, if it differs from the specification.
    pub release: Option<&'static str>,
    /// Answers a question. The error says why the text is not an expression.
    pub answer: fn(&StandaloneQuestion<'_>) -> Result<StandaloneAnswer, ParseProblem>,
}

#[derive(Debug, Clone, Copy)]
pub struct StandaloneQuestion<'q> {
    /// The expression.
    pub text: &'q str,
    /// The values that it can read. Without them, nothing is evaluated.
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
