//! The command that evaluates an expression.
//!
//! Input: an expression, or the place of one, and a state. Output: JSON with the value, the decision and the values of
//! the parts. Invariant: nothing runs. Only the state and the current time are read.

use nodewise_dialect::tables;
use nodewise_expr::assist::{self, Evaluation};
use nodewise_expr::json::{from_json, to_json_with_marks};
use nodewise_expr::language::{Circumstances, ConditionDecision};
use nodewise_ide::evaluate;
use nodewise_syntax::{TextRange, TextSize};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::{self as lsp, TextDocumentPositionParams};

use crate::clock;
use crate::convert;
use crate::positions::LineTable;
use crate::request::Asked;

/// The expression to evaluate.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum EvaluateParams {
    /// The expression at a place.
    At {
        #[serde(flatten)]
        place: TextDocumentPositionParams,
        #[serde(default)]
        state: Value,
    },
    /// An expression without a file.
    Text {
        language: String,
        text: String,
        #[serde(default)]
        state: Value,
    },
}

/// `nodewise.evaluate`. The answer is `null` if there is no expression at the place, and `None` if the language is
/// unknown.
pub(crate) fn evaluate(asked: &Asked<'_>, subject: EvaluateParams) -> Option<Value> {
    match subject {
        EvaluateParams::At { place, state } => {
            let Some((file, at)) = asked.at(&place) else { return Some(Value::Null) };
            let Some(found) = evaluate::evaluate_at(file.snapshot(), at, circumstances(state)) else {
                return Some(Value::Null);
            };
            let range = |range: TextRange| file.range(range);
            Some(answer(&found.text, range(found.range), &found.evaluation, range))
        }
        EvaluateParams::Text { language, text, state } => {
            let language = tables::language(&language)?;
            let evaluation = assist::evaluate(language, &text, &circumstances(state));
            Some(of_text(asked, &text, &evaluation))
        }
    }
}

/// The evaluation of a text that is not in a file.
pub(crate) fn of_text(asked: &Asked<'_>, text: &str, evaluation: &Evaluation) -> Value {
    let lines = LineTable::new(text, asked.view.encoding);
    let range = |range: TextRange| convert::range(lines.span(range));
    answer(text, range(TextRange::up_to(TextSize::of(text))), evaluation, range)
}

fn circumstances(state: Value) -> Circumstances {
    let now = clock::since_1970().as_secs_f64();
    Circumstances { state: from_json(state), now, strict_taint: false, errors: Vec::new() }
}

fn answer(
    text: &str,
    whole: lsp::Range,
    evaluation: &Evaluation,
    range: impl Fn(TextRange) -> lsp::Range,
) -> Value {
    let parts: Vec<Value> = evaluation
        .parts
        .iter()
        .map(|part| match &part.value {
            Ok(value) => json!({ "range": range(part.range), "value": to_json_with_marks(value) }),
            Err(message) => json!({ "range": range(part.range), "error": message }),
        })
        .collect();
    let decision = evaluation.decision.as_ref().map(|decision| match decision {
        ConditionDecision::Holds => json!("holds"),
        ConditionDecision::Fails => json!("fails"),
        ConditionDecision::LeadsTo(name) => json!({ "leadsTo": name.as_str() }),
    });
    let mut answer = json!({ "text": text, "range": whole, "decision": decision, "parts": parts });
    match &evaluation.value {
        Ok(value) => answer["value"] = to_json_with_marks(value),
        Err(failure) => {
            answer["error"] = json!({ "message": failure.message, "range": range(failure.range) });
        }
    }
    answer
}
