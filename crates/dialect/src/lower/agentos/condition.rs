//! Conditions of AgentOS: of edges, and of nodes that route.

use nodewise_model::Condition;
use nodewise_model::graph::EdgeCondition;

use super::text_at;
use crate::value::SpannedValue;

/// Converts a condition; `None` if it is missing. Everything that is not a function is treated as an expression.
pub(super) fn condition(value: &SpannedValue<'_>) -> Option<EdgeCondition> {
    let member = value.get("condition").filter(|member| !member.value.is_null())?;
    if member.value.get("type").is_some_and(|word| word.value.as_text() == Some("function")) {
        return Some(EdgeCondition::Function(member.value.at));
    }
    let text = text_at(&member.value, "expr");
    let condition = text.map(|text| Condition { text: text.value.as_str().into(), at: text.at });
    Some(EdgeCondition::Expression(condition))
}
