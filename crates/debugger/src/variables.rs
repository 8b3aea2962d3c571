//! What an editor shows of an event: inputs, state, changes, question, answer, edges, budget, result.
//!
//! Input: a frame; output: scopes with variables, and the members of a value. Invariant: values are data of the log, so
//! nothing runs when they are shown.

mod content;
mod preview;

use nodewise_expr::value::Value;

pub use content::{ConditionPart, Contents};
pub use preview::{PREVIEW_MAX, TEXT_MAX, shown, shown_whole};

/// A group of variables of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScopeKind {
    /// The inputs that the visit got.
    Inputs,
    /// The state of the graph.
    State,
    /// What the event changed in the state.
    Changes,
    /// What is asked.
    Question,
    /// The answer, which can be changed.
    Answer,
    /// The edges of the visit, with the parts of their conditions.
    Edges,
    /// What the run has used so far: time, visits, tokens, cost.
    Budget,
    /// Values outside of the state that conditions can read.
    Surroundings,
    /// The result of the visit, or of the run.
    Result,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    pub value: Value,
    /// The text to show instead of the value.
    pub text: Option<String>,
    /// An expression that has this value, if one can be written.
    pub expression: Option<String>,
    /// The position of the event that wrote the value, if it is known.
    pub writer: Option<usize>,
    /// Whether the user can change the value. Only answers can be changed.
    pub is_editable: bool,
}

impl ScopeKind {
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            ScopeKind::Inputs => "Inputs",
            ScopeKind::State => "State",
            ScopeKind::Changes => "Changes",
            ScopeKind::Question => "Question",
            ScopeKind::Answer => "Answer",
            ScopeKind::Edges => "Edges",
            ScopeKind::Budget => "Budget",
            ScopeKind::Surroundings => "Around",
            ScopeKind::Result => "Result",
        }
    }
}

impl Variable {
    /// A variable that is shown by its value and cannot be changed.
    #[must_use]
    pub fn new(name: impl Into<String>, value: Value) -> Variable {
        Variable { name: name.into(), value, text: None, expression: None, writer: None, is_editable: false }
    }

    /// The text that the editor shows for the value.
    #[must_use]
    pub fn shown(&self) -> String {
        self.text.clone().unwrap_or_else(|| shown(&self.value))
    }
}

/// The number of members of a value, and whether they are numbered.
#[must_use]
pub fn member_count(value: &Value) -> (usize, bool) {
    match value {
        Value::Map(map) => (map.len(), false),
        Value::List(items) => (items.len(), true),
        _ => (0, false),
    }
}

/// At most `count` members of a value, from the member at index `start`. If `count` is 0, all members from there.
/// `expression` is an expression for the value itself, from which those of its members are made.
#[must_use]
pub fn members(value: &Value, expression: Option<&str>, start: usize, count: usize) -> Vec<Variable> {
    let count = if count == 0 { usize::MAX } else { count };
    match value {
        Value::Map(map) => {
            let member = |(key, value): (&smol_str::SmolStr, &Value)| Variable {
                expression: expression.filter(|_| is_name(key)).map(|around| format!("{around}.{key}")),
                ..Variable::new(key.as_str(), value.clone())
            };
            map.iter().skip(start).take(count).map(member).collect()
        }
        Value::List(items) => {
            let items = items.iter().enumerate().skip(start).take(count);
            items.map(|(index, value)| Variable::new(format!("[{index}]"), value.clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a key can be written as a name in a path.
pub(crate) fn is_name(key: &str) -> bool {
    let mut characters = key.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || character == '_')
}
