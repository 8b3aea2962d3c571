//! Why an edge was followed or not: its condition evaluated again in the state of that moment.
//!
//! Input: a condition and a state; output: its value and those of its parts. Invariant: the values come from the code
//! that decided the edge.

use std::ops::Range;

use nodewise_expr::assist::{self, Evaluation};
use nodewise_expr::language::{Circumstances, NamedRole};
use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::chart::ChartCondition;
use crate::system::{ConditionContext, RunnableSystem};

/// Why an edge was followed or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The value of the condition, or why it has none.
    pub value: Result<Value, String>,
    /// Its parts in the order of the text, each with its value or with the reason why it has none.
    pub parts: Vec<(SmolStr, Result<Value, String>)>,
}

/// How the reason begins if evaluating a condition fails. The values of its parts explain it.
pub(crate) const CONDITION_FAILS: &str = "the condition fails";
/// How the reason begins if a condition does not parse, so that it has no parts.
pub(crate) const CONDITION_UNREADABLE: &str = "the condition cannot be read";

/// Whether the reason of an edge says that its condition has no value.
#[must_use]
pub fn is_condition_error(reason: &str) -> bool {
    reason.starts_with(CONDITION_FAILS) || reason.starts_with(CONDITION_UNREADABLE)
}

/// Evaluates a condition at a moment, with its parts. `None` if it is not an expression, or if a function of the program
/// decides.
#[must_use]
pub fn evaluated(
    system: RunnableSystem,
    condition: &ChartCondition,
    moment: &ConditionContext<'_>,
    strict_taint: bool,
) -> Option<Evaluation> {
    let language = condition.language?;
    let names = language.names(&condition.text);
    if names.iter().any(|named| named.role == NamedRole::Function) {
        return None;
    }
    Some(assist::evaluate(language, &condition.text, &circumstances(system, moment, strict_taint)))
}

/// Explains the value of a condition at a moment. `None` if it is not an expression, or if a function of the program
/// decides.
#[must_use]
pub fn explain(
    system: RunnableSystem,
    condition: &ChartCondition,
    moment: &ConditionContext<'_>,
    strict_taint: bool,
) -> Option<Explanation> {
    let evaluation = evaluated(system, condition, moment, strict_taint)?;
    let mut parts: Vec<(SmolStr, Result<Value, String>)> = Vec::new();
    for part in evaluation.parts {
        let text = condition.text.get(Range::<usize>::from(part.range)).unwrap_or_default();
        if parts.iter().all(|(known, _)| known != text) {
            parts.push((SmolStr::new(text), part.value));
        }
    }
    Some(Explanation { value: evaluation.value.map_err(|failure| failure.message), parts })
}

/// What conditions are evaluated with at a moment.
#[must_use]
pub fn circumstances(
    system: RunnableSystem,
    moment: &ConditionContext<'_>,
    strict_taint: bool,
) -> Circumstances {
    Circumstances {
        state: system.visible_state(moment),
        now: moment.now,
        strict_taint,
        errors: moment.error.cloned().into_iter().collect(),
    }
}
