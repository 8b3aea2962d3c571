//! The values that expressions read and result in.
//!
//! Input: a host's data; output: plain trees of values. Invariant: a [`Map`] keeps the order of insertion and
//! holds each key once; two maps are equal when they hold equal values under equal keys, in any order. A copy of
//! a list or mapping is the same list or mapping, which languages with identity can tell ([`Value::is_same`]).

mod map;

use std::sync::Arc;

use smol_str::SmolStr;

use crate::ast::Pattern;
pub use map::Map;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Not there, in languages that distinguish it from nothing.
    Undefined,
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A 64-bit float.
    Number(f64),
    Text(SmolStr),
    List(Arc<[Value]>),
    /// A mapping from texts.
    Map(Arc<Map>),
    /// A regular expression.
    Pattern(Pattern),
    /// A function of the language's own runtime that a name refers to. It can be passed on and compared.
    Function(SmolStr),
}

impl Value {
    /// The type's name in messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Undefined => "undefined",
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(_) => "text",
            Value::List(_) => "list",
            Value::Map(_) => "mapping",
            Value::Pattern(_) => "regular expression",
            Value::Function(_) => "function",
        }
    }

    /// Whether two values are the same: equal if they are simple, the very same object if they are lists or mappings.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::List(one), Value::List(other)) => Arc::ptr_eq(one, other),
            (Value::Map(one), Value::Map(other)) => Arc::ptr_eq(one, other),
            (one, other) => one == other,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Number(value)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Value::Map(Arc::new(map))
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Value::List(items.into_iter().collect())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.into())
    }
}
