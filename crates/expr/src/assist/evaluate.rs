//! The value of an expression in a given state.
//!
//! Input: a language, a text, a state; output: the value, the values of the parts, and what a runtime decides.
//! Invariant: the values come from the code that decides when a graph runs.

use text_size::TextRange;

use crate::ast::{Expr, ExprKind};
use crate::builtins::Arguments;
use crate::eval::{self, EvalError, Scope, Semantics};
use crate::language::{Circumstances, ConditionDecision, EvaluationFailure, Language};
use crate::problem::ParseProblem;
use crate::value::Value;

/// The greatest number of parts that get a value.
const PARTS_MAX: usize = 100;

/// The result of an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Its value, or the reason why it has none.
    pub value: Result<Value, EvaluationFailure>,
    /// The runtime's decision; `None` if the expression decides nothing.
    pub decision: Option<ConditionDecision>,
    /// The parts whose value is not obvious, in reading order, each evaluated by itself.
    pub parts: Vec<Subexpression>,
}

/// A part of an expression by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Subexpression {
    pub range: TextRange,
    /// Its value, or the reason why it has none.
    pub value: Result<Value, String>,
}

/// Evaluates an expression and its parts.
#[must_use]
pub fn evaluate(language: Language, text: &str, circumstances: &Circumstances) -> Evaluation {
    if let Some(value) = language.select(text, &circumstances.state) {
        return Evaluation { value, decision: None, parts: Vec::new() };
    }
    let mut evaluation = Evaluation { value: Ok(Value::Undefined), decision: None, parts: Vec::new() };
    let problem = language.problems(text).into_iter().next();
    language.in_scope(circumstances, &mut |scope| {
        for expr in language.trees(text).iter().take(1) {
            let decision = language.decide(text, expr, circumstances, scope);
            evaluation = of_tree(expr, language.semantics(), scope, problem.as_ref(), decision);
        }
    });
    evaluation
}

fn of_tree(
    expr: &Expr,
    semantics: &dyn Semantics,
    scope: &Scope<'_>,
    problem: Option<&ParseProblem>,
    decision: Option<ConditionDecision>,
) -> Evaluation {
    let value = match problem {
        Some(problem) => Err(EvaluationFailure { message: problem.message.clone(), range: problem.range }),
        None => eval::evaluate(expr, semantics, scope).map_err(EvaluationFailure::from),
    };
    let mut parts = Vec::new();
    let mut names = TextRange::default();
    let mut visit = |part: &Expr| {
        if names.contains_range(part.range) && names != part.range {
            return;
        }
        if takes_names(part, semantics) {
            names = part.range;
        }
        if is_telling(part) && parts.len() < PARTS_MAX && part.range != expr.range {
            let value = eval::evaluate(part, semantics, scope).map_err(|error| error.message);
            parts.push(Subexpression { range: part.range, value });
        }
    };
    expr.walk(&mut visit);
    Evaluation { value, decision, parts }
}

/// Whether the arguments of a part are names that stand for themselves.
fn takes_names(part: &Expr, semantics: &dyn Semantics) -> bool {
    let ExprKind::Call(call) = &part.kind else { return false };
    semantics.builtin(&call.name).is_some_and(|builtin| builtin.arguments == Arguments::ErrorTypes)
}

/// Whether the value of a part says more than its text.
fn is_telling(part: &Expr) -> bool {
    !matches!(
        part.kind,
        ExprKind::Undefined
            | ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Bare(_)
            | ExprKind::Pattern(_)
            | ExprKind::Group(_)
            | ExprKind::Error(_)
    )
}

impl From<EvalError> for EvaluationFailure {
    fn from(error: EvalError) -> EvaluationFailure {
        EvaluationFailure { message: error.message, range: error.range }
    }
}
