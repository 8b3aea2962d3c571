//! Where things stand first, for rules that report what comes again.

use std::hash::Hash;

use nodewise_model::Origin;
use rustc_hash::FxHashMap;

/// Up to this many different things are compared one by one. Most lists are this short, so they need no hash table.
const FEW: usize = 8;

/// For each thing, the first place where it occurs.
#[derive(Debug)]
pub(in crate::rules) struct FirstPlaces<K> {
    few: Vec<(K, Origin)>,
    others: FxHashMap<K, Origin>,
}

impl<K: Eq + Hash> FirstPlaces<K> {
    pub(in crate::rules) fn new() -> FirstPlaces<K> {
        FirstPlaces { few: Vec::new(), others: FxHashMap::default() }
    }

    /// The first place of the thing, if it occurred before. Otherwise records `at` as its first place and returns `None`.
    pub(in crate::rules) fn before(&mut self, thing: K, at: Origin) -> Option<Origin> {
        let first = match self.few.iter().find(|(known, _)| *known == thing) {
            Some((_, first)) => *first,
            None if self.few.len() < FEW => {
                self.few.push((thing, at));
                at
            }
            None => *self.others.entry(thing).or_insert(at),
        };
        (first != at).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use nodewise_model::{Origin, SourceId};
    use nodewise_syntax::{TextRange, TextSize};

    use super::{FEW, FirstPlaces};

    #[test]
    fn the_first_place_of_few_and_of_many_is_known() {
        let place = |at: u32| Origin::new(SourceId::default(), TextRange::empty(TextSize::new(at)));
        let mut places = FirstPlaces::new();
        let names = 0..3 * FEW as u32;
        for name in names.clone() {
            assert_eq!(places.before(name, place(name)), None, "new: {name}");
        }
        for name in names {
            assert_eq!(places.before(name, place(name)), None, "in its place again: {name}");
            assert_eq!(places.before(name, place(name + 100)), Some(place(name)), "elsewhere: {name}");
        }
    }
}
