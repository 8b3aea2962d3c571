//! An expression by itself.
//!
//! Input: an expression and the state of a run. Output: its tree, its value, whether an edge is followed, and whether a
//! verifier passes. Invariant: an edge reads the whole state, and a verifier only `memory` and `goal`.

use super::{Filtrex, mentions_memory, parse, taint, tainted_keys, verifier_view};
use crate::circumstances::Circumstances;
use crate::eval::{self, Scope};
use crate::json::to_json_with_marks;
use crate::problem::ParseProblem;
use crate::sexpr::sexpr;
use crate::standalone::{Standalone, StandaloneAnswer, StandaloneEvaluation, StandaloneQuestion};

pub(super) static STANDALONE: Standalone = Standalone {
    doc: "The conditions and verifier expressions of cycgraph",
    context: "the state of a run, `{\"memory\": {...}, \"goal\": ...}`",
    release: None,
    answer,
};

fn answer(question: &StandaloneQuestion<'_>) -> Result<StandaloneAnswer, ParseProblem> {
    let parsed = parse(question.text);
    if let Some(problem) = parsed.problems.first() {
        return Err(problem.clone());
    }
    let evaluated = |context: &Circumstances| {
        let state = context.variables();
        let tainted = tainted_keys(state);
        let taint = taint(&tainted);
        let state_layers = [&taint, state];
        let scope = Scope { variables: &state_layers, ..Scope::default() };
        let slice = verifier_view(state);
        let slice_layers = [&slice];
        let verifier = parsed.verifier_verdict(&Scope { variables: &slice_layers, ..Scope::default() });
        let is_forbidden = context.strict_taint && mentions_memory(question.text, &tainted);
        let routes = !is_forbidden && parsed.edge_verdict(&scope);
        let value = eval::evaluate(&parsed.expr, &Filtrex, &scope);
        StandaloneEvaluation {
            value: value.map(|value| to_json_with_marks(&value)).map_err(Into::into),
            decisions: vec![
                ("routes", routes.into()),
                ("verifier", verifier.is_ok_and(|passes| passes).into()),
            ],
        }
    };
    Ok(StandaloneAnswer { tree: sexpr(&parsed.expr), evaluated: question.context.map(evaluated) })
}
