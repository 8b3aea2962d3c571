//! What an expression comes to in a state that somebody made up.
//!
//! Input: a language, a text, a state; output: the value, those of the parts, and what a runtime decides by it.
//! Invariant: the values are found by the code that decides when a graph runs.

use smol_str::SmolStr;
use text_size::TextRange;

use super::Language;
use crate::agentos;
use crate::agentos::{AgentOs, EdgeVerdict};
use crate::ast::{Expr, ExprKind};
use crate::builtins::Arguments;
use crate::eval::{self, EvalError, Scope, Semantics};
use crate::filtrex::{self, Filtrex, mentions_memory};
use crate::jsonpath::{self, Selected};
use crate::limance::{self, LimanCe};
use crate::problem::Problem;
use crate::value::{Map, Value};

/// The values of so many parts are told.
const PARTS_MAX: usize = 100;

/// In what an expression is evaluated.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// The state; what it holds is the language's affair.
    pub state: Value,
    /// The time in seconds since 1970 UTC.
    pub now: f64,
    /// Whether an expression that reads a tainted key never holds.
    pub strict_taint: bool,
    /// The types of the errors that are active.
    pub errors: Vec<SmolStr>,
}

/// What an expression comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Its value, or why it has none.
    pub value: Result<Value, Failure>,
    /// What a runtime decides by it, where it decides something.
    pub decision: Option<Decision>,
    /// The parts with something to find out, in reading order, each by itself.
    pub parts: Vec<Part>,
}

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The fact.
    pub message: String,
    /// The part of the expression that failed.
    pub range: TextRange,
}

/// What a runtime decides by an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The edge is followed, the verification passes.
    Holds,
    /// It is not, it does not.
    Fails,
    /// The run goes on at the node of this name.
    LeadsTo(SmolStr),
}

/// A part of an expression by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Where it stands.
    pub range: TextRange,
    /// Its value, or why it has none.
    pub value: Result<Value, String>,
}

/// What an expression comes to.
pub fn evaluate(language: Language, text: &str, circumstances: &Circumstances) -> Evaluation {
    let empty = Map::new();
    let state = match &circumstances.state {
        Value::Map(map) => map,
        _ => &empty,
    };
    match language {
        Language::LimanCe => {
            let parsed = limance::parse(text, limance::Profile::Spec);
            let layers = [state];
            let active_errors = circumstances.errors.as_slice();
            let scope =
                Scope { variables: &layers, now: circumstances.now, active_errors, ..Scope::default() };
            let holds = parsed.accepted() && eval::holds(&parsed.expr, &LimanCe, &scope) == Ok(true);
            of_tree(&parsed.expr, &LimanCe, &scope, parsed.problems.first(), decision(holds))
        }
        Language::FiltrexEdge => {
            let parsed = filtrex::parse(text);
            let tainted = filtrex::tainted_keys(state);
            let taint = filtrex::taint(&tainted);
            let layers = [&taint, state];
            let scope = Scope { variables: &layers, ..Scope::default() };
            let is_forbidden = circumstances.strict_taint && mentions_memory(text, &tainted);
            let holds = !is_forbidden && parsed.edge_verdict(&scope);
            of_tree(&parsed.expr, &Filtrex, &scope, parsed.problems.first(), decision(holds))
        }
        Language::FiltrexVerifier => {
            let parsed = filtrex::parse(text);
            let slice = filtrex::verifier_view(state);
            let layers = [&slice];
            let scope = Scope { variables: &layers, ..Scope::default() };
            let holds = parsed.verifier_verdict(&scope).unwrap_or(false);
            of_tree(&parsed.expr, &Filtrex, &scope, parsed.problems.first(), decision(holds))
        }
        Language::AgentOsRouting => {
            let expr = agentos::parse(text);
            let layers = [state];
            let scope = Scope { variables: &layers, ..Scope::default() };
            let result = agentos::result(&expr, &scope);
            let decided = match agentos::edge_verdict(&result) {
                EdgeVerdict::Follow => Decision::Holds,
                EdgeVerdict::Skip => Decision::Fails,
                EdgeVerdict::Other(name) => Decision::LeadsTo(name),
            };
            of_tree(&expr, &AgentOs, &scope, None, decided)
        }
        Language::JsonPathState | Language::JsonPathUpdates | Language::JsonPathValue => {
            selected(text, &circumstances.state)
        }
    }
}

fn decision(holds: bool) -> Decision {
    if holds { Decision::Holds } else { Decision::Fails }
}

fn of_tree(
    expr: &Expr,
    semantics: &impl Semantics,
    scope: &Scope<'_>,
    problem: Option<&Problem>,
    decision: Decision,
) -> Evaluation {
    let value = match problem {
        Some(problem) => Err(Failure { message: problem.message.clone(), range: problem.range }),
        None => eval::evaluate(expr, semantics, scope).map_err(Failure::from),
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
            parts.push(Part { range: part.range, value });
        }
    };
    expr.walk(&mut visit);
    Evaluation { value, decision: Some(decision), parts }
}

/// Whether the arguments of a part are names, which stand for themselves.
fn takes_names(part: &Expr, semantics: &impl Semantics) -> bool {
    let ExprKind::Call(call) = &part.kind else { return false };
    semantics.builtin(&call.name).is_some_and(|builtin| builtin.arguments == Arguments::ErrorTypes)
}

/// Whether the value of a part is more than its letters say.
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

fn selected(text: &str, state: &Value) -> Evaluation {
    let parsed = jsonpath::parse(text);
    let problem = parsed.problems.first();
    let value = match (problem, jsonpath::select(&parsed.path, state)) {
        (_, Ok(Selected::Values(values))) => Ok(values.into_iter().collect()),
        (None, Ok(Selected::Nothing)) => Ok(Value::Undefined),
        (Some(problem), _) => Err(Failure { message: problem.message.clone(), range: problem.range }),
        (None, Err(error)) => Err(Failure { message: error.message, range: error.range }),
    };
    Evaluation { value, decision: None, parts: Vec::new() }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Failure {
        Failure { message: error.message, range: error.range }
    }
}
