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
    /// What the visit is given.
    Inputs,
    /// The state of the graph.
    State,
    /// What the event changed.
    Changes,
    /// What is asked.
    Question,
    /// The answer, which can be changed.
    Answer,
    /// The edges of the visit, with the parts of their conditions.
    Edges,
    /// What the run used.
    Budget,
    /// What conditions see beside the state.
    Surroundings,
    /// The result of the visit, or of the run.
    Result,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    pub value: Value,
    /// What is shown instead of the value.
    pub text: Option<String>,
    /// The expression that has its value.
    pub expression: Option<String>,
    /// The position of the event that wrote it.
    pub writer: Option<usize>,
    /// Whether it can be changed.
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
    /// A variable with a value.
    #[must_use]
    pub fn new(name: impl Into<String>, value: Value) -> Variable {
        Variable { name: name.into(), value, text: None, expression: None, writer: None, is_editable: false }
    }

    /// What is shown for its value.
    #[must_use]
    pub fn shown(&self) -> String {
        self.text.clone().unwrap_or_else(|| shown(&self.value))
    }
}

/// How many members a value has, and whether they are numbered.
#[must_use]
pub fn member_count(value: &Value) -> (usize, bool) {
    match value {
        Value::Map(map) => (map.len(), false),
        Value::List(items) => (items.len(), true),
        _ => (0, false),
    }
}

/// The members of a value, from one on; `expression` has the value itself.
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

/// Whether a key can be a part of a path.
pub(crate) fn is_name(key: &str) -> bool {
    let mut characters = key.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || character == '_')
}
