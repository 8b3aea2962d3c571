//! Why an edge was followed or not: its condition evaluated again in the state of that moment.
//!
//! Input: a condition and a state; output: its value and those of its parts. Invariant: the values come from the code
//! that decided the edge.

use std::ops::Range;

use nodewise_expr::assist;
use nodewise_expr::language::{Circumstances, NamedRole};
use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::chart::ChartCondition;
use crate::system::{ConditionContext, RunnableSystem};

/// Why an edge was followed or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What the condition comes to, or why it comes to nothing.
    pub value: Result<Value, String>,
    /// Its parts, each with what it comes to.
    pub parts: Vec<(SmolStr, Result<Value, String>)>,
}

/// The condition at a moment; nothing where it is no expression, or a function of the program decides.
#[must_use]
pub fn explain(
    system: RunnableSystem,
    condition: &ChartCondition,
    moment: &ConditionContext<'_>,
    strict_taint: bool,
) -> Option<Explanation> {
    let language = condition.language?;
    let names = language.names(&condition.text);
    if names.iter().any(|named| named.role == NamedRole::Function) {
        return None;
    }
    let circumstances = circumstances(system, moment, strict_taint);
    let evaluation = assist::evaluate(language, &condition.text, &circumstances);
    let mut parts: Vec<(SmolStr, Result<Value, String>)> = Vec::new();
    for part in evaluation.parts {
        let text = condition.text.get(Range::<usize>::from(part.range)).unwrap_or_default();
        if parts.iter().all(|(known, _)| known != text) {
            parts.push((SmolStr::new(text), part.value));
        }
    }
    Some(Explanation { value: evaluation.value.map_err(|failure| failure.message), parts })
}

/// In what the conditions of a moment are evaluated.
pub(crate) fn circumstances(
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
