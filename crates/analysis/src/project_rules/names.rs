//! What the rules of a project are called. In: the name in a rule; out: its name in findings, comments and
//! configuration. Invariant: names of rules that ship never begin like these.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use nodewise_dialect::tables::rule::PREFIX;

/// The word for all project rules, used where a category can be named.
pub const GROUP: &str = "project";

/// The maximum length of a rule's name.
const LENGTH_MAX: usize = 60;

/// The maximum number of names that are kept. They are kept forever, because findings refer to their rules by a static
/// string. An editor adds a few for each rule that is being typed.
const NAMES_MAX: usize = 100_000;

static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Whether `name` is a valid name for a project rule.
#[must_use]
pub fn is_rule_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.len() <= LENGTH_MAX
        && name.bytes().all(is_letter)
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && !name.ends_with('-')
}

/// The id that findings of the rule `name` have; `None` if the name is not valid, or if too many names were used.
#[must_use]
pub fn finding_id(name: &str) -> Option<&'static str> {
    if !is_rule_name(name) {
        return None;
    }
    let id = format!("{PREFIX}{name}");
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(id.as_str()) {
        return Some(known);
    }
    if names.len() >= NAMES_MAX {
        return None;
    }
    let id: &'static str = Box::leak(id.into_boxed_str());
    names.insert(id);
    Some(id)
}

/// Whether an id is that of a project rule.
#[must_use]
pub fn is_project_rule(id: &str) -> bool {
    name_of(id).is_some()
}

/// The name in the id of a project rule; `None` for other ids.
#[must_use]
pub fn name_of(id: &str) -> Option<&str> {
    id.strip_prefix(PREFIX).filter(|name| is_rule_name(name))
}

#[cfg(test)]
mod tests {
    use super::{finding_id, is_rule_name, name_of};

    #[test]
    fn names() {
        for name in ["a", "approval-before-payment", "r2"] {
            assert!(is_rule_name(name), "{name}");
            let id = finding_id(name).unwrap();
            assert_eq!(name_of(id), Some(name));
            assert!(std::ptr::eq(id, finding_id(name).unwrap()));
        }
        for name in ["", "-a", "a-", "A", "a b", "2a", "größe", &"a".repeat(61)] {
            assert!(!is_rule_name(name) && finding_id(name).is_none(), "{name}");
        }
    }
}
