//! Filtrex, as cycgraph uses it.
//!
//! Input: an expression and the state of a run. Output: its tree, its value, whether an edge is followed, and whether a
//! verifier passes. Invariant: an edge reads the whole state, and a verifier only `memory` and `goal`.

use nodewise_expr::eval::{self, Scope};
use nodewise_expr::filtrex::{Filtrex, mentions_memory, parse, taint, tainted_keys, verifier_view};
use nodewise_expr::json::to_json_with_marks;
use nodewise_expr::sexpr::sexpr;

use super::super::question::{Accepted, Answer, Evaluated, Question};

/// The answer to an expression.
pub(super) fn answer(question: &Question) -> Answer {
    let parsed = parse(&question.expr);
    if let Some(problem) = parsed.problems.first() {
        return Answer::Rejected(problem.clone());
    }
    let evaluated = question.variables().map(|state| {
        let tainted = tainted_keys(state);
        let taint = taint(&tainted);
        let state_layers = [&taint, state];
        let scope = Scope { variables: &state_layers, ..Scope::default() };
        let slice = verifier_view(state);
        let slice_layers = [&slice];
        let verifier = parsed.verifier_verdict(&Scope { variables: &slice_layers, ..Scope::default() });
        let forbidden = question.strict_taint && mentions_memory(&question.expr, &tainted);
        let routes = !forbidden && parsed.edge_verdict(&scope);
        let value = eval::evaluate(&parsed.expr, &Filtrex, &scope)
            .map(|value| to_json_with_marks(&value))
            .map_err(Into::into);
        Evaluated {
            value,
            verdicts: vec![
                ("routes", routes.into()),
                ("verifier", verifier.is_ok_and(|passes| passes).into()),
            ],
        }
    });
    Answer::Accepted(Accepted { ast: sexpr(&parsed.expr), evaluated })
}
