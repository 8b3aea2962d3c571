//! Mappings from texts to values, whose copies share what they have in common.
//!
//! Input: keys and values; output: values by key, and all of them in the order of insertion. A large mapping is made of
//! blocks that copies share until one of them is written to, so that the states of a long run, each with a few keys more
//! than the one before, do not hold everything again. Invariant: the blocks before the last entries are full, and the
//! index names the position of each of their keys.

use std::fmt;
use std::sync::Arc;

use smol_str::SmolStr;

use super::Value;

/// A mapping from texts to values.
#[derive(Clone, Default)]
pub struct Map {
    /// The last entries. A small mapping has no others.
    last: Vec<Entry>,
    before: Option<Arc<Before>>,
}

type Entry = (SmolStr, Value);

/// The entries before the last ones, in a large mapping.
#[derive(Clone, Default)]
struct Before {
    blocks: Vec<Arc<Vec<Entry>>>,
    /// The positions of all entries in the order of their keys, split into parts that are never empty.
    index: Vec<Arc<Vec<usize>>>,
}

/// How many entries a block has.
const BLOCK: usize = 16;
/// A part of the index is cut in two when it has this many positions.
const PART_MAX: usize = 64;

impl Map {
    /// An empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let last = self.last.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        last.or_else(|| {
            let before = self.before.as_ref()?;
            before.entry(before.find(key).ok()?.position).map(|(_, value)| value)
        })
    }

    /// Sets the value under a key. An existing key keeps its position.
    pub fn insert(&mut self, key: impl Into<SmolStr>, value: Value) {
        let key = key.into();
        if let Some((_, old)) = self.last.iter_mut().find(|(name, _)| *name == key) {
            *old = value;
            return;
        }
        if let Some(before) = &mut self.before
            && let Ok(found) = before.find(&key)
        {
            Arc::make_mut(before).set(found.position, value);
            return;
        }
        if self.last.len() == BLOCK {
            Arc::make_mut(self.before.get_or_insert_default()).push(std::mem::take(&mut self.last));
        }
        self.last.push((key, value));
    }

    /// Removes a key, if it is there.
    pub fn remove(&mut self, key: &str) {
        match &self.before {
            Some(before) if before.find(key).is_ok() => {
                let others = self.iter().filter(|(name, _)| *name != key);
                *self = others.map(|(name, value)| (name.clone(), value.clone())).collect();
            }
            _ => self.last.retain(|(name, _)| name != key),
        }
    }

    /// Keys and values in order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (&SmolStr, &Value)> {
        let before =
            self.before.iter().flat_map(|before| before.blocks.iter().flat_map(|block| block.iter()));
        before.chain(&self.last).map(|(name, value)| (name, value))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.last.len() + self.before.as_ref().map_or(0, |before| before.blocks.len() * BLOCK)
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty() && self.before.is_none()
    }
}

/// The position in the index of a key, or where it would be inserted.
struct Found {
    part: usize,
    place: usize,
    position: usize,
}

impl Before {
    fn entry(&self, position: usize) -> Option<&Entry> {
        self.blocks.get(position / BLOCK)?.get(position % BLOCK)
    }

    fn key(&self, position: usize) -> &str {
        self.entry(position).map_or("", |(name, _)| name.as_str())
    }

    fn find(&self, key: &str) -> Result<Found, Found> {
        let first_key = |part: &Arc<Vec<usize>>| part.first().map_or("", |position| self.key(*position));
        let after = self.index.partition_point(|part| first_key(part) <= key);
        let part = after.saturating_sub(1);
        let positions = self.index.get(part).map_or(&[] as &[usize], |part| part.as_slice());
        match positions.binary_search_by(|position| self.key(*position).cmp(key)) {
            Ok(place) => {
                Ok(Found { part, place, position: positions.get(place).copied().unwrap_or_default() })
            }
            Err(place) => Err(Found { part, place, position: 0 }),
        }
    }

    fn set(&mut self, position: usize, value: Value) {
        let block = self.blocks.get_mut(position / BLOCK).map(Arc::make_mut);
        if let Some((_, old)) = block.and_then(|block| block.get_mut(position % BLOCK)) {
            *old = value;
        }
    }

    /// Adds a full block of entries whose keys are new.
    fn push(&mut self, block: Vec<Entry>) {
        let first = self.blocks.len() * BLOCK;
        let positions = first..first + block.len();
        self.blocks.push(Arc::new(block));
        for position in positions {
            let Err(Found { part, place, .. }) = self.find(self.key(position)) else { continue };
            self.note(part, place, position);
        }
    }

    /// Adds a position to a part of the index.
    fn note(&mut self, part: usize, place: usize, position: usize) {
        let Some(positions) = self.index.get_mut(part) else {
            return self.index.push(Arc::new(vec![position]));
        };
        let positions = Arc::make_mut(positions);
        positions.insert(place.min(positions.len()), position);
        if positions.len() >= PART_MAX {
            let upper = positions.split_off(PART_MAX / 2);
            self.index.insert(part + 1, Arc::new(upper));
        }
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
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
        entries.into_iter().for_each(|(key, value)| map.insert(key, value));
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys in an order that is neither theirs nor its reverse.
    fn keys(count: usize) -> impl Iterator<Item = SmolStr> {
        (0..count).map(move |number| SmolStr::from(format!("k{}", number * 7919 % count)))
    }

    fn check_holds(map: &Map, expected: &[(SmolStr, f64)]) {
        let held: Vec<(SmolStr, f64)> = map
            .iter()
            .map(|(key, value)| match value {
                Value::Number(number) => (key.clone(), *number),
                _ => (key.clone(), f64::NAN),
            })
            .collect();
        assert_eq!(held, expected);
        assert_eq!((map.len(), map.is_empty()), (expected.len(), expected.is_empty()));
        for (key, number) in expected {
            assert_eq!(map.get(key), Some(&Value::Number(*number)), "{key}");
        }
        assert_eq!(map.get("missing"), None);
    }

    #[test]
    fn large_mappings_keep_order_and_find_every_key() {
        for count in [0, 1, BLOCK, BLOCK + 1, 1000] {
            let mut map: Map = keys(count).map(|key| (key, Value::Number(0.0))).collect();
            let mut expected: Vec<(SmolStr, f64)> = keys(count).map(|key| (key, 0.0)).collect();
            check_holds(&map, &expected);
            for (number, (key, value)) in expected.iter_mut().enumerate() {
                *value = number as f64;
                map.insert(key.clone(), Value::Number(*value));
            }
            check_holds(&map, &expected);
            while let Some((key, _)) = expected.pop().filter(|_| expected.len() + 3 > count) {
                map.remove(&key);
                check_holds(&map, &expected);
            }
        }
    }

    #[test]
    fn copies_share_and_do_not_see_each_others_writes() {
        let first: Map = keys(100).map(|key| (key, Value::Null)).collect();
        let mut second = first.clone();
        second.insert("k0", Value::Bool(true));
        second.insert("new", Value::Null);
        assert_eq!((first.get("k0"), first.get("new")), (Some(&Value::Null), None));
        assert_ne!(first, second);
        let blocks = |map: &Map| map.before.as_ref().map(|before| before.blocks.clone()).unwrap_or_default();
        let (first, second) = (blocks(&first), blocks(&second));
        let shared = first.iter().zip(&second).filter(|(one, other)| Arc::ptr_eq(one, other)).count();
        assert_eq!(shared, first.len() - 1);
    }
}
