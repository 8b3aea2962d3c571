//! A path by itself.
//!
//! Input: a path and a value. Output: its steps, and the list of selected values. Invariant: a path with an error is
//! rejected, unless the evaluation of the value does not get to the error.

use super::{PathError, Selected, parse, select, sexpr};
use crate::json::to_json_with_marks;
use crate::problem::ParseProblem;
use crate::standalone::{
    EvaluationFault, Standalone, StandaloneAnswer, StandaloneEvaluation, StandaloneQuestion,
};
use crate::value::Value;

pub(super) static STANDALONE: Standalone =
    Standalone { doc: "The paths of cycgraph", context: "any value to select from", release: None, answer };

fn answer(question: &StandaloneQuestion<'_>) -> Result<StandaloneAnswer, ParseProblem> {
    let parsed = parse(question.text);
    let selected = question.context.map(|context| select(&parsed.path, &context.state));
    match parsed.problems.first() {
        Some(problem) if !matches!(selected, Some(Ok(_))) => Err(problem.clone()),
        _ => {
            let value = selected.map(|selected| selected.map(value).map_err(fault));
            let evaluated = value.map(|value| StandaloneEvaluation { value, decisions: Vec::new() });
            Ok(StandaloneAnswer { tree: sexpr(&parsed.path), evaluated })
        }
    }
}

fn value(selected: Selected) -> serde_json::Value {
    match selected {
        Selected::Values(values) => serde_json::Value::Array(values.iter().map(to_json_with_marks).collect()),
        Selected::Nothing => to_json_with_marks(&Value::Undefined),
    }
}

fn fault(error: PathError) -> EvaluationFault {
    EvaluationFault { kind: error.kind.name(), message: error.message, range: error.range }
}
