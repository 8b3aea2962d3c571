//! A map that is cheap to copy, for what snapshots share: many small maps behind counted pointers, of which a change
//! copies one. In and out: keys and values. Invariant: a copy never sees what is changed in another.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use nodewise_platform::threads::prelude::*;
use rustc_hash::FxBuildHasher;

/// How many entries a small map holds on average before there are more maps.
const ENTRIES_MAX: usize = 32;
/// How many it holds on average where their number is known.
const ENTRIES_USUAL: usize = 20;
/// For how many more entries a small map makes room.
const ROOM: usize = 4;
/// From so many items on, a change is worth several threads.
const MANY: usize = 1 << 12;

/// A map in parts that copies share.
#[derive(Debug)]
pub(crate) struct Shards<K, V> {
    parts: Arc<Vec<Arc<SmallMap<K, V>>>>,
    len: usize,
}

/// A few entries in the order of their keys. There are tens of thousands of such maps, so they have little room to spare.
#[derive(Debug, Clone)]
pub(crate) struct SmallMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for Shards<K, V> {
    fn default() -> Shards<K, V> {
        Shards { parts: Arc::default(), len: 0 }
    }
}

impl<K, V> Clone for Shards<K, V> {
    fn clone(&self) -> Shards<K, V> {
        Shards { parts: Arc::clone(&self.parts), len: self.len }
    }
}

impl<K: Clone + Ord + Hash, V: Clone> Shards<K, V> {
    /// An empty map with room for `entries`.
    pub(crate) fn with_capacity(entries: usize) -> Shards<K, V> {
        let count = (entries / ENTRIES_USUAL).max(1);
        Shards { parts: Arc::new((0..count).map(|_| Arc::default()).collect()), len: 0 }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a key.
    pub(crate) fn get<Q: Ord + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.parts.get(self.place(key))?.get(key)
    }

    /// Whether the key is there.
    pub(crate) fn contains<Q: Ord + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// The value of a key, to be changed.
    pub(crate) fn get_mut<Q: Ord + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key);
        let position = self.parts.get(place)?.position(key).ok()?;
        self.part_mut(place)?.0.get_mut(position).map(|(_, value)| value)
    }

    /// Sets the value of a key; gives back what it was.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.make_room();
        let place = self.place(&key);
        let part = self.part_mut(place)?;
        let before = match part.position(&key) {
            Ok(position) => part.0.get_mut(position).map(|(_, before)| std::mem::replace(before, value)),
            Err(position) => {
                part.insert(position, key, value);
                None
            }
        };
        self.len += usize::from(before.is_none());
        before
    }

    /// Takes a key out; gives back its value.
    pub(crate) fn remove<Q: Ord + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key);
        let position = self.parts.get(place)?.position(key).ok()?;
        let (_, before) = self.part_mut(place)?.0.remove(position);
        self.len -= 1;
        Some(before)
    }

    /// The entries in no particular order, for what does not depend on one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.parts.iter().flat_map(|part| &part.0).map(|(key, value)| (key, value))
    }

    /// A part, to be changed.
    fn part_mut(&mut self, place: usize) -> Option<&mut SmallMap<K, V>> {
        Arc::make_mut(&mut self.parts).get_mut(place).map(Arc::make_mut)
    }

    fn place<Q: Hash + ?Sized>(&self, key: &Q) -> usize {
        place(key, self.parts.len())
    }

    fn make_room(&mut self) {
        if self.len < self.parts.len() * ENTRIES_MAX {
            return;
        }
        let count = (2 * self.parts.len()).max(self.len / ENTRIES_USUAL).max(1);
        let mut parts: Vec<SmallMap<K, V>> = (0..count).map(|_| SmallMap::default()).collect();
        let old = std::mem::take(&mut self.parts);
        for part in Arc::try_unwrap(old).unwrap_or_else(|shared| (*shared).clone()) {
            let entries = Arc::try_unwrap(part).unwrap_or_else(|shared| (*shared).clone());
            for (key, value) in entries.0 {
                let Some(part) = parts.get_mut(place(&key, count)) else { continue };
                if let Err(position) = part.position(&key) {
                    part.insert(position, key, value);
                }
            }
        }
        self.parts = Arc::new(parts.into_iter().map(Arc::new).collect());
    }
}

impl<K, V> Shards<K, V>
where
    K: Clone + Ord + Hash + Send + Sync,
    V: Clone + Default + Send + Sync,
{
    /// The value of a key, to be changed; it is there from now on.
    pub(crate) fn entry(&mut self, key: K) -> &mut V {
        self.make_room();
        let place = self.place(&key);
        // INVARIANT: there is room, so there are parts, and the place is one of them.
        let part = Arc::make_mut(&mut Arc::make_mut(&mut self.parts)[place]);
        self.len += usize::from(part.position(&key).is_err());
        part.entry(&key)
    }

    /// Changes the values of keys, which are there from now on, one item after another; on all cores where they are
    /// many.
    pub(crate) fn change_all<T: Sync>(&mut self, items: &[(&K, T)], change: impl Fn(&mut V, &T) + Sync) {
        if items.len() < MANY {
            items.iter().for_each(|(key, item)| change(self.entry((*key).clone()), item));
            return;
        }
        self.make_room();
        let count = self.parts.len();
        let places: Vec<usize> = items.par_iter().map(|(key, _)| place(*key, count)).collect();
        let together = count.div_ceil(4 * nodewise_platform::threads::current_num_threads());
        Arc::make_mut(&mut self.parts).par_chunks_mut(together).enumerate().for_each(|(position, parts)| {
            let first = position * together;
            for (place, (key, item)) in places.iter().zip(items) {
                if let Some(part) = place.checked_sub(first).and_then(|place| parts.get_mut(place)) {
                    change(Arc::make_mut(part).entry(key), item);
                }
            }
        });
        self.len = self.parts.iter().map(|part| part.0.len()).sum();
        self.make_room();
    }

    /// The small maps, to be shared out to threads.
    pub(crate) fn parts(&self) -> &[Arc<SmallMap<K, V>>] {
        &self.parts
    }
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> SmallMap<K, V> {
        SmallMap(Vec::new())
    }
}

impl<K: Ord, V> SmallMap<K, V> {
    /// The values, in the order of their keys.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(self.position(key).ok()?).map(|(_, value)| value)
    }

    /// The value of a key, which is there from now on.
    fn entry(&mut self, key: &K) -> &mut V
    where
        K: Clone,
        V: Default,
    {
        let position = self.position(key).unwrap_or_else(|position| {
            self.insert(position, key.clone(), V::default());
            position
        });
        // INVARIANT: the key stands at its position now.
        &mut self.0[position].1
    }

    /// Where the key stands, or would stand.
    fn position<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    fn insert(&mut self, position: usize, key: K, value: V) {
        if self.0.len() == self.0.capacity() {
            self.0.reserve_exact(ROOM);
        }
        self.0.insert(position, (key, value));
    }
}

/// The part of a key among `count`.
fn place<Q: Hash + ?Sized>(key: &Q, count: usize) -> usize {
    let hash = FxBuildHasher.hash_one(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    // Less than `count`, and spread evenly over all numbers below.
    ((hash * count as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::Shards;

    #[test]
    fn a_copy_stays_what_it_was() {
        let mut map: Shards<u32, u32> = Shards::default();
        (0..1_000).for_each(|number| assert!(map.insert(number, number).is_none()));
        let copy = map.clone();
        (0..500).for_each(|number| assert!(map.remove(&number).is_some()));
        *map.entry(700) += 1;
        *map.entry(2_000) += 1;
        assert_eq!((map.iter().count(), copy.iter().count()), (501, 1_000));
        assert_eq!((map.len, copy.len), (501, 1_000));
        assert_eq!((map.get(&700), copy.get(&700)), (Some(&701), Some(&700)));
        assert_eq!((map.get(&3), copy.get(&3)), (None, Some(&3)));
        assert!(map.get_mut(&3).is_none() && !copy.contains(&2_000));
    }
}
