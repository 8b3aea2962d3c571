//! The place that a path has reached.
//!
//! Input: a value and a name; output: the place one step further. Invariant: a trail begins with `$`, and copying a
//! place copies no list or mapping.

use std::rc::Rc;

use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

use super::has_part;
use crate::javascript::{member, to_text};
use crate::value::{Map, Value};

/// A value, and how the path got there.
#[derive(Clone)]
pub(super) struct SelectedNode {
    pub(super) value: Value,
    pub(super) trail: Trail,
    /// The list or mapping that contains the value.
    pub(super) parent: Value,
    /// The name of the value in its parent.
    pub(super) name: Value,
}

/// The names on the path. Places that branch off share them.
#[derive(Clone)]
pub(super) struct Trail(Option<Rc<Link>>);

struct Link {
    before: Trail,
    name: Value,
}

impl Trail {
    fn then(&self, name: Value) -> Trail {
        Trail(Some(Rc::new(Link { before: self.clone(), name })))
    }

    /// The trail without its last name.
    pub(super) fn before(&self) -> Trail {
        self.0.as_ref().map_or(Trail(None), |link| link.before.clone())
    }

    /// The last name.
    pub(super) fn last(&self) -> Value {
        self.0.as_ref().map_or(Value::Undefined, |link| link.name.clone())
    }

    /// The path as the library writes it: `$['a'][0]`.
    pub(super) fn written(&self) -> String {
        let mut names = Vec::new();
        let mut link = self.0.as_ref();
        while let Some(found) = link {
            names.push(to_text(&found.name));
            link = found.before.0.as_ref();
        }
        let mut out = "$".to_owned();
        for name in names.iter().rev().skip(1) {
            if matches!(name.as_str(), "~" | "^") || (name.starts_with('@') && name.ends_with("()")) {
                continue;
            }
            let is_bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*');
            out.push_str(&if is_bare { format!("[{name}]") } else { format!("['{name}']") });
        }
        out
    }
}

impl SelectedNode {
    /// The place where every path begins.
    pub(super) fn root(value: &Value) -> SelectedNode {
        let trail = Trail(None).then(Value::from("$"));
        SelectedNode { value: value.clone(), trail, parent: Value::Null, name: Value::Null }
    }

    /// The same place, as if the path began here.
    pub(super) fn as_root(&self) -> SelectedNode {
        SelectedNode { parent: Value::Null, name: Value::Null, ..self.clone() }
    }

    /// The same place as a child, for a script that decides about it.
    pub(super) fn itself(&self) -> SelectedNode {
        SelectedNode { name: self.trail.last(), ..self.clone() }
    }

    /// The part with this name, if the value has it itself.
    pub(super) fn own(&self, name: &str) -> Option<SelectedNode> {
        self.own_under(&Value::Text(SmolStr::new(name)))
    }

    /// The same for a name of any type.
    pub(super) fn own_under(&self, name: &Value) -> Option<SelectedNode> {
        let key = to_text(name);
        if !has_part(&self.value, &key) {
            return None;
        }
        let value = member(&self.value, &key)?.into_owned();
        Some(self.child(name.clone(), value))
    }

    fn child(&self, name: Value, value: Value) -> SelectedNode {
        SelectedNode { value, trail: self.trail.then(name.clone()), parent: self.value.clone(), name }
    }
}

/// The children of a place in JavaScript's order: in a mapping, keys that are indices come first.
pub(super) fn children(place: &SelectedNode) -> Vec<SelectedNode> {
    match &place.value {
        Value::List(items) => {
            let numbered = items.iter().enumerate();
            numbered.map(|(index, item)| place.child(Value::Number(index as f64), item.clone())).collect()
        }
        Value::Map(map) => ordered(map)
            .into_iter()
            .map(|(key, value)| place.child(Value::Text(key.clone()), value.clone()))
            .collect(),
        _ => Vec::new(),
    }
}

fn ordered(map: &Map) -> Vec<(&SmolStr, &Value)> {
    let mut entries: Vec<(&SmolStr, &Value)> = map.iter().collect();
    // The sort is stable, so other keys keep their order.
    entries.arrange_by_key(|(key, _)| index(key).map_or((1, 0), |index| (0, index)));
    entries
}

/// The index that a key means: a whole number below 2^32 - 1, without superfluous zeros.
fn index(key: &str) -> Option<u32> {
    let index = key.parse::<u32>().ok().filter(|index| *index < u32::MAX)?;
    (index.to_string() == key).then_some(index)
}
