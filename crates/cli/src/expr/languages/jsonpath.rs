//! JSONPath.
//!
//! Input: a path and a value. Output: its steps, and the list of selected values. Invariant: a path with an error is
//! rejected, unless the value shows that the error is never reached.

use nodewise_expr::json::to_json_with_marks;
use nodewise_expr::jsonpath::{Parse, PathError, Selected, parse, select, sexpr};
use nodewise_expr::value::Value;

use super::super::question::{Accepted, Answer, Evaluated, Failure, Question};

/// The answer to a path.
pub(super) fn answer(question: &Question) -> Answer {
    let parsed = parse(&question.expr);
    match question.context.as_ref().map(|root| select(&parsed.path, root)) {
        None => rejection(&parsed).unwrap_or_else(|| accepted(&parsed, None)),
        Some(Ok(selected)) => accepted(&parsed, Some(Ok(value(selected)))),
        Some(Err(error)) => {
            rejection(&parsed).unwrap_or_else(|| accepted(&parsed, Some(Err(failure(error)))))
        }
    }
}

fn rejection(parsed: &Parse) -> Option<Answer> {
    parsed.problems.first().map(|problem| Answer::Rejected(problem.clone()))
}

fn accepted(parsed: &Parse, value: Option<Result<serde_json::Value, Failure>>) -> Answer {
    let evaluated = value.map(|value| Evaluated { value, verdicts: Vec::new() });
    Answer::Accepted(Accepted { ast: sexpr(&parsed.path), evaluated })
}

fn value(selected: Selected) -> serde_json::Value {
    match selected {
        Selected::Values(values) => serde_json::Value::Array(values.iter().map(to_json_with_marks).collect()),
        Selected::Nothing => to_json_with_marks(&Value::Undefined),
    }
}

fn failure(error: PathError) -> Failure {
    Failure { kind: error.kind.name(), message: error.message, range: error.range }
}
