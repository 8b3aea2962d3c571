//! Lists of what systems bring along, to which a program can add before it uses them.
//!
//! The systems that ship are the list of [`for_each_system`](crate::for_each_system). Every layer makes its own list of it:
//! dialects, rules, runtimes. A program with another system adds the parts of that system to these lists first. Invariant: a
//! list does not change once someone has read it.

use std::ops::Deref;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Calls a macro with the name of each system: the module of its places, and the constant of its dialect.
///
/// `for_each_system!(m)` is `m!(liman LIMAN, …)`.
#[macro_export]
macro_rules! for_each_system {
    ($each:ident) => {
        $each!(liman LIMAN, cycgraph CYCGRAPH, agentos AGENTOS)
    };
}

/// A list that ships with nodewise. A program can add to it until someone reads it.
pub struct Registry<T: ?Sized + 'static> {
    shipped: &'static [&'static T],
    /// The added items; `None` as soon as the list is read, because it must not change after that.
    added: Mutex<Option<Vec<&'static T>>>,
    all: OnceLock<Vec<&'static T>>,
}

impl<T: ?Sized> Registry<T> {
    /// A list with the items that ship.
    #[must_use]
    pub const fn new(shipped: &'static [&'static T]) -> Registry<T> {
        Registry { shipped, added: Mutex::new(Some(Vec::new())), all: OnceLock::new() }
    }

    /// Adds to the end of the list. Returns `false`, and adds nothing, if someone has read the list already.
    pub fn add(&self, item: &'static T) -> bool {
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        let added = added.as_mut();
        added.map(|added| added.push(item)).is_some()
    }
}

impl<T: ?Sized> Deref for Registry<T> {
    type Target = [&'static T];

    fn deref(&self) -> &Self::Target {
        self.all.get_or_init(|| {
            let added = self.added.lock().unwrap_or_else(PoisonError::into_inner).take();
            self.shipped.iter().copied().chain(added.into_iter().flatten()).collect()
        })
    }
}

impl<'r, T: ?Sized> IntoIterator for &'r Registry<T> {
    type Item = &'r &'static T;
    type IntoIter = std::slice::Iter<'r, &'static T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Registry;

    #[test]
    fn a_list_grows_until_it_is_read() {
        static LIST: Registry<str> = Registry::new(&["a"]);
        assert!(LIST.add("b"));
        assert_eq!(LIST.to_vec(), ["a", "b"]);
        assert!(!LIST.add("c"));
        assert_eq!(LIST.len(), 2);
    }
}
