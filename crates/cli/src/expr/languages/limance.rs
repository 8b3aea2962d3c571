//! LimanCE.
//!
//! Input: a condition, variables, the time, active errors. Output: its tree, its value, whether an edge is followed.
//! Invariant: if anything fails, the edge is not followed.

use std::time::{SystemTime, UNIX_EPOCH};

use nodewise_expr::eval::{self, Scope};
use nodewise_expr::json::to_json;
use nodewise_expr::limance::{LimanCe, Profile, parse};
use nodewise_expr::sexpr::sexpr;

use super::super::question::{Accepted, Answer, Evaluated, Question};
use crate::expr::question;

/// The answer to a condition.
pub(super) fn answer(question: &Question) -> Answer {
    let profile = match question.profile {
        question::Profile::Spec => Profile::Spec,
        question::Profile::Release => Profile::Release,
    };
    let parsed = parse(&question.expr, profile);
    if let Some(problem) = parsed.problems.first() {
        return Answer::Rejected(problem.clone());
    }
    let evaluated = question.variables().map(|context| {
        let variables = [context];
        let scope = Scope {
            variables: &variables,
            now: question.now.unwrap_or_else(clock),
            active_errors: &question.errors,
            functions: None,
        };
        let routes = eval::holds(&parsed.expr, &LimanCe, &scope).unwrap_or(false);
        let value =
            eval::evaluate(&parsed.expr, &LimanCe, &scope).map(|value| to_json(&value)).map_err(Into::into);
        Evaluated { value, verdicts: vec![("routes", routes.into())] }
    });
    Answer::Accepted(Accepted { ast: sexpr(&parsed.expr), evaluated })
}

fn clock() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
