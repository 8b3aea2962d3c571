//! The values that expressions read and yield.
//!
//! Input: a host's data; output: plain trees of values. Invariant: a [`Map`] keeps the order of insertion and
//! holds each key once; two maps are equal when they hold equal values under equal keys, in any order. A copy of
//! a list or mapping is the same list or mapping, which languages with identity can tell ([`Value::is_same`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::ast::Pattern;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Not there, in languages that tell it from nothing.
    Undefined,
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A 64-bit float.
    Number(f64),
    /// A text.
    Text(SmolStr),
    /// A list.
    List(Arc<[Value]>),
    /// A mapping from texts.
    Map(Arc<Map>),
    /// A regular expression.
    Pattern(Pattern),
    /// A function that a name reached in the language's own runtime; it can be passed on and compared.
    Function(SmolStr),
}

/// A mapping from texts to values.
#[derive(Debug, Clone, Default)]
pub struct Map {
    entries: Vec<(SmolStr, Value)>,
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

    /// Whether two values are one: equal if they are simple, the very same list or mapping if not.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::List(one), Value::List(other)) => Arc::ptr_eq(one, other),
            (Value::Map(one), Value::Map(other)) => Arc::ptr_eq(one, other),
            (one, other) => one == other,
        }
    }
}

impl Map {
    /// An empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Sets the value under a key; a key that exists keeps its place.
    pub fn insert(&mut self, key: impl Into<SmolStr>, value: Value) {
        let key = key.into();
        match self.entries.iter_mut().find(|(name, _)| *name == key) {
            Some((_, old)) => *old = value,
            None => self.entries.push((key, value)),
        }
    }

    /// Takes a key away, if it is there.
    pub fn remove(&mut self, key: &str) {
        self.entries.retain(|(name, _)| name != key);
    }

    /// Keys and values in order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (&SmolStr, &Value)> {
        self.entries.iter().map(|(name, value)| (name, value))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl FromIterator<(SmolStr, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (SmolStr, Value)>>(entries: I) -> Self {
        let mut map = Map::new();
        // A mapping that a user wrote may be large: its keys are compared once, not each with each.
        let mut places: BTreeMap<SmolStr, usize> = BTreeMap::new();
        for (key, value) in entries {
            match places.get(&key).and_then(|place| map.entries.get_mut(*place)) {
                Some((_, old)) => *old = value,
                None => {
                    places.insert(key.clone(), map.entries.len());
                    map.entries.push((key, value));
                }
            }
        }
        map
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
