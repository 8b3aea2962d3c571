//! A condition by itself.
//!
//! Input: a condition, variables, the time, active errors. Output: its tree, its value, whether an edge is followed.
//! Invariant: if anything fails, the edge is not followed.

use super::{LimanCe, LimanceProfile, parse};
use crate::circumstances::Circumstances;
use crate::eval::{self, Scope};
use crate::json::to_json;
use crate::problem::ParseProblem;
use crate::sexpr::sexpr;
use crate::standalone::{Standalone, StandaloneAnswer, StandaloneEvaluation, StandaloneQuestion};

pub(super) static STANDALONE: Standalone = Standalone {
    doc: "The conditions of Liman",
    context: "an object of variables",
    release: Some("The parser of liman_core 0.1.0 and 0.1.1"),
    answer,
};

fn answer(question: &StandaloneQuestion<'_>) -> Result<StandaloneAnswer, ParseProblem> {
    let profile = if question.follows_release { LimanceProfile::Release } else { LimanceProfile::Spec };
    let parsed = parse(question.text, profile);
    if let Some(problem) = parsed.problems.first() {
        return Err(problem.clone());
    }
    let evaluated = |context: &Circumstances| {
        let variables = [context.variables()];
        let scope = Scope {
            variables: &variables,
            now: context.now,
            active_errors: &context.errors,
            functions: None,
        };
        let routes = eval::holds(&parsed.expr, &LimanCe, &scope).unwrap_or(false);
        let value = eval::evaluate(&parsed.expr, &LimanCe, &scope);
        StandaloneEvaluation {
            value: value.map(|value| to_json(&value)).map_err(Into::into),
            decisions: vec![("routes", routes.into())],
        }
    };
    Ok(StandaloneAnswer { tree: sexpr(&parsed.expr), evaluated: question.context.map(evaluated) })
}
