//! A map that is cheap to copy, for what snapshots share: many small maps behind counted pointers, of which a change
//! copies one. In and out: keys and values. Invariant: a copy never sees what is changed in another.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use nodewise_platform::threads::prelude::*;
use rustc_hash::FxBuildHasher;
use thin_vec::ThinVec;

/// The average number of entries in a shard at which the map gets more shards.
const ENTRIES_MAX: usize = 32;
/// The average number of entries in a shard if the total number is known in advance.
const ENTRIES_USUAL: usize = 20;
/// How many more entries a full shard makes room for.
const ROOM: usize = 4;
/// A change of at least this many items is distributed over several threads.
const MANY: usize = 1 << 10;

/// A hash map that is split into shards. A clone shares all shards; a change copies only the shard that it touches.
#[derive(Debug)]
pub(crate) struct Shards<K, V> {
    parts: Arc<Vec<Arc<SmallMap<K, V>>>>,
    len: usize,
}

/// One shard: a few unordered entries. A map may have tens of thousands of shards, so each one reserves little spare room.
#[derive(Debug, Clone)]
pub(crate) struct SmallMap<K, V> {
    /// One byte of each key's hash, so that a lookup compares only few keys.
    marks: ThinVec<u8>,
    entries: Vec<(K, V)>,
}

/// The hash of a key. Some bits select the shard, others are the mark inside it.
#[derive(Clone, Copy)]
struct KeyHash(u64);

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

impl<K: Clone + Eq + Hash, V: Clone> Shards<K, V> {
    /// An empty map with shards for about this many entries.
    pub(crate) fn with_capacity(entries: usize) -> Shards<K, V> {
        let count = (entries / ENTRIES_USUAL).max(1);
        Shards { parts: Arc::new((0..count).map(|_| Arc::default()).collect()), len: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let hash = KeyHash::of(key);
        self.parts.get(hash.place(self.parts.len()))?.get(hash, key)
    }

    pub(crate) fn contains<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    pub(crate) fn get_mut<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let hash = KeyHash::of(key);
        let place = hash.place(self.parts.len());
        let position = self.parts.get(place)?.position(hash, key)?;
        self.part_mut(place)?.entries.get_mut(position).map(|(_, value)| value)
    }

    /// Sets the value of a key and returns the old value.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.make_room();
        let hash = KeyHash::of(&key);
        let part = self.part_mut(hash.place(self.parts.len()))?;
        let position = part.position(hash, &key);
        if let Some((_, before)) = position.and_then(|position| part.entries.get_mut(position)) {
            return Some(std::mem::replace(before, value));
        }
        part.add(hash, key, value);
        self.len += 1;
        None
    }

    /// Removes a key and returns its value.
    pub(crate) fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let hash = KeyHash::of(key);
        let place = hash.place(self.parts.len());
        let position = self.parts.get(place)?.position(hash, key)?;
        let part = self.part_mut(place)?;
        part.marks.swap_remove(position);
        let (_, before) = part.entries.swap_remove(position);
        self.len -= 1;
        Some(before)
    }

    /// The entries in no particular order. Results must not depend on the order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.parts.iter().flat_map(|part| &part.entries).map(|(key, value)| (key, value))
    }

    /// A shard to change. Copies it first if other maps share it.
    fn part_mut(&mut self, place: usize) -> Option<&mut SmallMap<K, V>> {
        Arc::make_mut(&mut self.parts).get_mut(place).map(Arc::make_mut)
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
            for (key, value) in entries.entries {
                let hash = KeyHash::of(&key);
                if let Some(part) = parts.get_mut(hash.place(count)) {
                    part.add(hash, key, value);
                }
            }
        }
        self.parts = Arc::new(parts.into_iter().map(Arc::new).collect());
    }
}

impl<K, V> Shards<K, V>
where
    K: Clone + Eq + Hash + Send + Sync,
    V: Clone + Default + Send + Sync,
{
    /// The value of a key to change. Inserts the default value if the key is missing.
    pub(crate) fn entry(&mut self, key: K) -> &mut V {
        self.make_room();
        let hash = KeyHash::of(&key);
        let place = hash.place(self.parts.len());
        // INVARIANT: there is room, so there are parts, and the place is one of them.
        let part = Arc::make_mut(&mut Arc::make_mut(&mut self.parts)[place]);
        let before = part.entries.len();
        let position = part.entry(hash, &key);
        self.len += part.entries.len() - before;
        // INVARIANT: an entry stands at its position.
        &mut part.entries[position].1
    }

    /// Calls `change` for each item with the value of its key. Missing keys get the default value. The items of one key are
    /// handled in order; different keys may be handled on different threads.
    pub(crate) fn change_all<T: Sync>(&mut self, lists: &[&[(&K, T)]], change: impl Fn(&mut V, &T) + Sync) {
        if lists.iter().map(|list| list.len()).sum::<usize>() < MANY {
            lists.iter().copied().flatten().for_each(|(key, item)| change(self.entry((*key).clone()), item));
            return;
        }
        self.make_room();
        let count = self.parts.len();
        let hash = |list: &&[(&K, T)]| list.iter().map(|(key, _)| KeyHash::of(*key)).collect();
        let hashes: Vec<Vec<KeyHash>> = lists.par_iter().map(hash).collect();
        // Each thread goes through all items but handles only those in its own shards. So no locks are needed, and the
        // items of a key stay in order.
        let together = count.div_ceil(4 * nodewise_platform::threads::current_num_threads());
        Arc::make_mut(&mut self.parts).par_chunks_mut(together).enumerate().for_each(|(position, parts)| {
            let first = position * together;
            for (hash, (key, item)) in hashes.iter().flatten().zip(lists.iter().copied().flatten()) {
                let place = hash.place(count).checked_sub(first);
                let Some(part) = place.and_then(|place| parts.get_mut(place)).map(Arc::make_mut) else {
                    continue;
                };
                let position = part.entry(*hash, key);
                if let Some((_, value)) = part.entries.get_mut(position) {
                    change(value, item);
                }
            }
        });
        self.len = self.parts.iter().map(|part| part.entries.len()).sum();
        self.make_room();
    }

    /// The shards, for dividing work between threads.
    pub(crate) fn parts(&self) -> &[Arc<SmallMap<K, V>>] {
        &self.parts
    }
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> SmallMap<K, V> {
        SmallMap { marks: ThinVec::new(), entries: Vec::new() }
    }
}

impl<K, V> SmallMap<K, V> {
    /// The values, in no particular order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }
}

impl<K: Eq, V> SmallMap<K, V> {
    fn get<Q: Eq + ?Sized>(&self, hash: KeyHash, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(self.position(hash, key)?).map(|(_, value)| value)
    }

    /// The position of the key's entry. Adds an entry with the default value if there is none.
    fn entry(&mut self, hash: KeyHash, key: &K) -> usize
    where
        K: Clone,
        V: Default,
    {
        self.position(hash, key).unwrap_or_else(|| {
            self.add(hash, key.clone(), V::default());
            self.entries.len() - 1
        })
    }

    fn position<Q: Eq + ?Sized>(&self, hash: KeyHash, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let mut marked = self.marks.iter().zip(&self.entries);
        marked.position(|(mark, (known, _))| *mark == hash.mark() && known.borrow() == key)
    }

    /// Adds a key that must not exist yet.
    fn add(&mut self, hash: KeyHash, key: K, value: V) {
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(ROOM);
        }
        self.entries.push((key, value));
        self.marks.push(hash.mark());
    }
}

impl KeyHash {
    fn of<Q: Hash + ?Sized>(key: &Q) -> KeyHash {
        KeyHash(FxBuildHasher.hash_one(key).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The shard for this hash among `count` shards: scales the upper 32 bits to the range `0..count`.
    fn place(self, count: usize) -> usize {
        (((self.0 >> 32) * count as u64) >> 32) as usize
    }

    /// The mark: bits below those that select the shard, so that keys in the same shard still have different marks.
    fn mark(self) -> u8 {
        (self.0 >> 24) as u8
    }
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
