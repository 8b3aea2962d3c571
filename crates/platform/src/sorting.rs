//! Sorting with little code.
//!
//! Input: a slice and an order. Output: the slice in this order; what is equal keeps its order. Invariant: every platform gives the same
//! result.
//!
//! The standard library compiles its sorting anew for each type and each order, 4 kB each time. A program that is downloaded has
//! it once, for positions, and then moves the items. That takes longer, so other programs use the standard library.

use std::cmp::Ordering;

/// Stable sorting for slices.
pub trait Sorting {
    /// What is sorted.
    type Item;

    /// Sorts by the natural order of the items.
    fn arrange(&mut self)
    where
        Self::Item: Ord,
    {
        self.arrange_by(Self::Item::cmp);
    }

    /// Sorts by the order that `compare` gives.
    fn arrange_by(&mut self, compare: impl FnMut(&Self::Item, &Self::Item) -> Ordering);

    /// Sorts by the natural order of the keys.
    fn arrange_by_key<K: Ord>(&mut self, mut key: impl FnMut(&Self::Item) -> K) {
        self.arrange_by(|one, other| key(one).cmp(&key(other)));
    }
}

#[cfg(not(target_family = "wasm"))]
impl<T> Sorting for [T] {
    type Item = T;

    fn arrange_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.sort_by(compare);
    }
}

#[cfg(target_family = "wasm")]
impl<T> Sorting for [T] {
    type Item = T;

    fn arrange_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        sort_small(self, &mut compare);
    }
}

/// Sorts a list of positions first, and then swaps the items into that order. Only the sort of positions is large
/// code, and it does not depend on the type of the items.
#[cfg(any(target_family = "wasm", test))]
fn sort_small<T>(items: &mut [T], compare: &mut dyn FnMut(&T, &T) -> Ordering) {
    let mut order = sorted(items.len(), &mut |one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    for target in 0..items.len() {
        items.swap(target, source(&mut order, target));
    }
}

/// The positions of the items, sorted.
#[cfg(any(target_family = "wasm", test))]
fn sorted(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Where the item that belongs at `target` is now. All places before `target` must already have their items.
#[cfg(any(target_family = "wasm", test))]
fn source(order: &mut [usize], target: usize) -> usize {
    let mut source = order.get(target).copied().unwrap_or(target);
    // An earlier swap moved the item away from this place. The place now says where it went.
    while source < target {
        source = order.get(source).copied().unwrap_or(target);
    }
    if let Some(known) = order.get_mut(target) {
        *known = source;
    }
    source
}

#[cfg(test)]
mod tests {
    use super::{Sorting, sort_small};

    #[test]
    fn both_give_the_same_order() {
        let mut state = 7_u64;
        for count in 0..200 {
            let mut random = |limit: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % limit
            };
            let items: Vec<(u64, usize)> =
                (0..count).map(|place| (random(1 + count as u64 / 3), place)).collect();
            let (mut small, mut usual) = (items.clone(), items.clone());
            sort_small(&mut small, &mut |one, other| one.0.cmp(&other.0));
            usual.arrange_by_key(|item| item.0);
            assert_eq!(small, usual, "{items:?}");
            let mut descending = items;
            descending.arrange_by(|one, other| other.cmp(one));
            assert!(descending.is_sorted_by(|one, other| one >= other), "{descending:?}");
            usual.arrange();
            assert!(usual.is_sorted(), "{usual:?}");
        }
    }
}
