//! What conditions ask of a graph's state, and where in the graph a condition still reads it.
//!
//! Input: conditions and how nodes follow one another; output: what tells states apart at a node, and the values that
//! keys can usefully have. Invariant: two states that agree in everything that is live at a node go the same ways from
//! there, as far as the state decides.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use nodewise_expr::ast::Expr;
use nodewise_expr::value::{Map, Value};
use rustc_hash::{FxHashMap, FxHasher};
use smol_str::SmolStr;

use super::locality::{Locality, NodeParts, StatePart};
use super::values;

/// A set of live variables: one bit for the position of each.
pub(crate) type Set = Vec<u64>;
/// How many members one word of a set has room for.
const BITS: usize = 64;
/// The most values of a key that crosses over to another graph.
const CROSSING_MAX: usize = 16;

/// How a system's conditions read its state.
pub(crate) trait StateReader {
    /// The key of the state that a path begins at, and the rest of the path; `None` if the path does not begin at a key.
    fn locate(&self, path: &[SmolStr]) -> Option<(SmolStr, Vec<SmolStr>)>;

    /// A number for the result of a test in a state. Equal numbers mean equal results.
    fn class(&self, test: &Expr, state: &Arc<Map>) -> u64;

    /// Whether the result of a test of one key depends only on that key's value.
    fn reads_by_key(&self) -> bool {
        false
    }
}

/// Something that is asked of the state: the result of a part of a condition, or a value.
#[derive(Debug)]
pub(crate) struct LiveVariable {
    /// The keys that the question is about.
    keys: Vec<SmolStr>,
    kind: Kind,
    /// The values that it distinguishes, for each key and path in the key.
    candidates: Vec<(SmolStr, Vec<SmolStr>, Vec<Value>)>,
}

#[derive(Debug)]
enum Kind {
    /// The result of a part of a condition.
    Test(Box<Expr>),
    /// The value at this path in the key.
    Value(Vec<SmolStr>),
}

/// What is live before and after a node: what is asked there, or later.
#[derive(Debug, Default)]
pub(crate) struct NodeLiveness {
    /// What the node's own work asks.
    pub(crate) own: Set,
    /// What is live when the node begins.
    pub(crate) before: Set,
    /// What is live when the node is left.
    pub(crate) after: Set,
    /// What the node's own edges ask. [`NodeLiveness::after`] also has what later nodes ask.
    pub(crate) asked: Set,
    /// The nodes that may come next.
    pub(crate) next: Vec<usize>,
    /// The keys that the node always gives a new value.
    pub(crate) settles: BTreeSet<SmolStr>,
}

/// Everything that is asked of the state of a graph.
#[derive(Debug, Default)]
pub(crate) struct LiveVariables {
    all: Vec<LiveVariable>,
    known: BTreeMap<String, usize>,
    pub(crate) places: Vec<NodeLiveness>,
    /// What conditions read beside keys of the state.
    pub(crate) foreign: BTreeSet<SmolStr>,
    /// The greatest number in conditions that read more than keys of the state.
    pub(crate) greatest: f64,
    /// Results of tests of one key, by the test and the hash of the key's value, so that each is computed once.
    classes: RwLock<FxHashMap<(usize, u64), u64>>,
}

/// The values of a key that are worth trying.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub(crate) list: Vec<Value>,
    /// Whether the absence of the key makes a difference that no value in the list makes.
    pub(crate) absence_matters: bool,
    /// Whether values were left out because there are too many.
    pub(crate) is_cut: bool,
}

fn add(set: &mut Set, member: usize) {
    let word = member / BITS;
    if set.len() <= word {
        set.resize(word + 1, 0);
    }
    if let Some(word) = set.get_mut(word) {
        *word |= 1 << (member % BITS);
    }
}

/// Adds all members of another set; returns whether any of them is new.
pub(crate) fn add_all(set: &mut Set, other: &[u64]) -> bool {
    if set.len() < other.len() {
        set.resize(other.len(), 0);
    }
    let mut is_new = false;
    for (word, other) in set.iter_mut().zip(other) {
        is_new |= *other & !*word != 0;
        *word |= other;
    }
    is_new
}

fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    let words = set.iter().enumerate();
    words.flat_map(|(word, bits)| {
        (0..BITS).filter(move |bit| bits & (1 << bit) != 0).map(move |bit| word * BITS + bit)
    })
}

impl LiveVariables {
    /// Registers a condition; returns what it asks.
    pub(crate) fn condition(&mut self, expr: &Expr, reader: &dyn StateReader) -> Set {
        let mut asked = Set::new();
        for test in values::tests(expr) {
            let candidates = values::candidates(test);
            let mut parts = Vec::new();
            for path in values::paths(test) {
                match reader.locate(&path) {
                    Some((key, rest)) => parts.push((key, rest, candidates.clone())),
                    None => {
                        self.foreign.extend(path.first().cloned());
                        let numbers = candidates.iter().filter_map(values::number);
                        self.greatest = numbers.fold(self.greatest, f64::max);
                    }
                }
            }
            let mut keys: Vec<SmolStr> = parts.iter().map(|(key, ..)| key.clone()).collect();
            keys.sort_unstable();
            keys.dedup();
            if !keys.is_empty() {
                let kind = Kind::Test(Box::new(test.clone()));
                let variable = LiveVariable { keys, kind, candidates: parts };
                add(&mut asked, self.push(nodewise_expr::sexpr::sexpr(test), variable));
            }
        }
        asked
    }

    /// Registers that the value at a path in a key matters as such; returns what is asked.
    pub(crate) fn value(&mut self, key: &SmolStr, path: Vec<SmolStr>, candidates: Vec<Value>) -> Set {
        let mut asked = Set::new();
        let name = format!("{key} {path:?} {candidates:?}");
        let parts = vec![(key.clone(), path.clone(), candidates)];
        let variable = LiveVariable { keys: vec![key.clone()], kind: Kind::Value(path), candidates: parts };
        add(&mut asked, self.push(name, variable));
        asked
    }

    fn push(&mut self, name: String, variable: LiveVariable) -> usize {
        let all = &mut self.all;
        *self.known.entry(name).or_insert_with(|| {
            all.push(variable);
            all.len() - 1
        })
    }

    /// Computes what is live at each node: what is asked there, or later before the key gets a new value.
    pub(crate) fn settle(&mut self) {
        // Until now, `before` has only what the node's own work asks.
        self.places.iter_mut().for_each(|place| place.own.clone_from(&place.before));
        let settled: Vec<Set> = self.places.iter().map(|place| self.settled(place)).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.places.len()];
        for (position, place) in self.places.iter().enumerate() {
            for next in &place.next {
                before.get_mut(*next).into_iter().for_each(|before| before.push(position));
            }
        }
        let mut open: VecDeque<usize> = (0..self.places.len()).rev().collect();
        // Each change may make more live at the nodes before, so they are looked at again until nothing changes.
        while let Some(position) = open.pop_front() {
            let Some(place) = self.places.get(position) else { continue };
            let mut after = place.after.clone();
            for next in place.next.iter().filter_map(|next| self.places.get(*next)) {
                add_all(&mut after, &next.before);
            }
            let gone = settled.get(position).map_or(&[] as &[u64], Vec::as_slice);
            let kept: Set = after
                .iter()
                .enumerate()
                .map(|(word, bits)| bits & !gone.get(word).copied().unwrap_or_default())
                .collect();
            let Some(place) = self.places.get_mut(position) else { continue };
            let is_new = add_all(&mut place.before, &kept);
            place.after = after;
            if is_new {
                open.extend(before.get(position).into_iter().flatten());
            }
        }
    }

    /// The variables for which the node gives every key a new value.
    fn settled(&self, place: &NodeLiveness) -> Set {
        let mut settled = Set::new();
        for (position, variable) in self.all.iter().enumerate() {
            if variable.keys.iter().all(|key| place.settles.contains(key)) {
                add(&mut settled, position);
            }
        }
        settled
    }

    /// What each node depends on by itself. `names` are those of the nodes, in the order of the places.
    pub(crate) fn locality(&self, names: Vec<SmolStr>) -> Locality {
        let mut locality = Locality::default();
        let parts_of: Vec<Vec<usize>> = self
            .all
            .iter()
            .map(|variable| {
                let parts = variable.parts().into_iter();
                parts.map(|(key, part)| locality.add(&key, part)).collect()
            })
            .collect();
        let parts = |set: &[u64]| -> Vec<usize> {
            let all: BTreeSet<usize> =
                members(set).filter_map(|member| parts_of.get(member)).flatten().copied().collect();
            all.into_iter().collect()
        };
        for (name, place) in names.into_iter().zip(&self.places) {
            let node = NodeParts { name, work: parts(&place.own), edges: parts(&place.asked) };
            locality.nodes.push(node);
        }
        locality
    }

    /// A hash for the result of each part of a key if the key has this value.
    pub(crate) fn part_classes(
        &self,
        (key, parts): (&SmolStr, &[StatePart]),
        value: &Value,
        reader: &dyn StateReader,
    ) -> Vec<u64> {
        let mut state = Map::new();
        if *value != Value::Undefined {
            state.insert(key.clone(), value.clone());
        }
        let state = Arc::new(state);
        let class = |part: &StatePart| match part {
            StatePart::Test(test) => reader.class(test, &state),
            StatePart::Value(path) => {
                let mut hasher = DefaultHasher::new();
                feed_at(key, path, &state, &mut hasher);
                hasher.finish()
            }
        };
        parts.iter().map(class).collect()
    }

    /// The keys that the conditions of a node's own edges read.
    pub(crate) fn asked_after(&self, place: usize) -> Vec<SmolStr> {
        self.places.get(place).map(|place| self.keys(&place.asked)).unwrap_or_default()
    }

    /// Values of a key that some test or node distinguishes, wherever they are in the key.
    pub(crate) fn candidates(&self, key: &SmolStr) -> Vec<Value> {
        let about: Vec<&LiveVariable> = self.all.iter().filter(|one| one.keys.contains(key)).collect();
        assembled(key, &about, CROSSING_MAX).0
    }

    /// Everything that is asked anywhere.
    pub(crate) fn everything(&self) -> Set {
        let mut all = Set::new();
        (0..self.all.len()).for_each(|member| add(&mut all, member));
        all
    }

    /// The keys that a set is about, in the order in which they were registered.
    pub(crate) fn keys(&self, set: &[u64]) -> Vec<SmolStr> {
        let mut keys = Vec::new();
        for key in members(set).filter_map(|member| self.all.get(member)).flat_map(|variable| &variable.keys)
        {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        keys
    }

    /// Feeds the hasher with the class that each member of a set has in a state.
    pub(crate) fn digest(
        &self,
        set: &[u64],
        state: &Arc<Map>,
        reader: &dyn StateReader,
        hasher: &mut dyn Hasher,
    ) {
        let mut values: FxHashMap<&SmolStr, u64> = FxHashMap::default();
        let mut new = Vec::new();
        let classes = self.classes.read().unwrap_or_else(PoisonError::into_inner);
        for member in members(set) {
            let Some(variable) = self.all.get(member) else { continue };
            let class = match variable.keys.as_slice() {
                [key] if reader.reads_by_key() => {
                    let value = *values.entry(key).or_insert_with(|| {
                        let mut hasher = FxHasher::default();
                        feed_at(key, &[], state, &mut hasher);
                        hasher.finish()
                    });
                    classes.get(&(member, value)).copied().unwrap_or_else(|| {
                        let class = variable.class(state, reader);
                        new.push(((member, value), class));
                        class
                    })
                }
                _ => variable.class(state, reader),
            };
            hasher.write_u64(class);
        }
        drop(classes);
        if !new.is_empty() {
            self.classes.write().unwrap_or_else(PoisonError::into_inner).extend(new);
        }
    }

    /// The values of a key that a set distinguishes, one from each class.
    pub(crate) fn values(&self, key: &SmolStr, set: &[u64], most: usize, reader: &dyn StateReader) -> Values {
        let about: Vec<&LiveVariable> = members(set)
            .filter_map(|member| self.all.get(member))
            .filter(|one| one.keys.contains(key))
            .collect();
        let (all, is_cut) = assembled(key, &about, most);
        let is_alone = about.iter().all(|variable| variable.keys.len() == 1);
        if !is_alone {
            return Values { list: all, absence_matters: true, is_cut };
        }
        let classes = |value: &Value| -> Vec<u64> {
            let mut state = Map::new();
            if *value != Value::Undefined {
                state.insert(key.clone(), value.clone());
            }
            let state = Arc::new(state);
            about.iter().map(|variable| variable.class(&state, reader)).collect()
        };
        let mut seen = BTreeSet::new();
        let list: Vec<Value> = all.into_iter().filter(|value| seen.insert(classes(value))).collect();
        let absence_matters = !list.is_empty() && !seen.contains(&classes(&Value::Undefined));
        Values { list, absence_matters, is_cut }
    }
}

impl LiveVariable {
    /// The parts of the state that the variable is about, each of one key.
    fn parts(&self) -> Vec<(SmolStr, StatePart)> {
        match (&self.kind, self.keys.as_slice()) {
            (Kind::Test(test), [key]) => vec![(key.clone(), StatePart::Test(test.clone()))],
            (Kind::Value(path), [key]) => vec![(key.clone(), StatePart::Value(path.clone()))],
            _ => {
                let each = self.candidates.iter();
                each.map(|(key, path, _)| (key.clone(), StatePart::Value(path.clone()))).collect()
            }
        }
    }

    fn class(&self, state: &Arc<Map>, reader: &dyn StateReader) -> u64 {
        match &self.kind {
            // If one of several keys changes, the result may change too: so all their values count, not the result.
            Kind::Test(_) if self.keys.len() > 1 => {
                let mut hasher = DefaultHasher::new();
                for (key, path, _) in &self.candidates {
                    feed_at(key, path, state, &mut hasher);
                }
                hasher.finish()
            }
            Kind::Test(test) => reader.class(test, state),
            Kind::Value(path) => {
                let mut hasher = DefaultHasher::new();
                if let Some(key) = self.keys.first() {
                    feed_at(key, path, state, &mut hasher);
                }
                hasher.finish()
            }
        }
    }
}

/// Feeds the hasher with the value at a path in a key.
fn feed_at(key: &SmolStr, path: &[SmolStr], state: &Map, hasher: &mut dyn Hasher) {
    let part = path.iter().fold(state.get(key), |value, step| match value? {
        Value::Map(map) => map.get(step),
        _ => None,
    });
    values::feed(part.unwrap_or(&Value::Undefined), hasher);
}

/// Whole values of a key, made from the values of its parts; and whether some were left out because of the bound.
fn assembled(key: &SmolStr, about: &[&LiveVariable], most: usize) -> (Vec<Value>, bool) {
    let mut parts: BTreeMap<Vec<SmolStr>, Vec<Value>> = BTreeMap::new();
    for (of, path, candidates) in about.iter().flat_map(|variable| &variable.candidates) {
        if of == key {
            parts.entry(path.clone()).or_default().extend(candidates.iter().cloned());
        }
    }
    let whole = values::unique(parts.remove(&Vec::new()).unwrap_or_default());
    let mut nested = Vec::new();
    let mut is_cut = false;
    for (path, candidates) in parts {
        let candidates = values::unique(candidates);
        let bases = if nested.is_empty() { vec![Value::Undefined] } else { std::mem::take(&mut nested) };
        is_cut |= bases.len() * candidates.len() > most;
        // Beyond the bound, each value occurs at least once, combined with only a few of the others.
        for (position, candidate) in candidates.iter().enumerate() {
            let room = (most / candidates.len().max(1)).max(1);
            let bases = bases.iter().skip(if bases.len() > room { position % bases.len() } else { 0 });
            nested.extend(bases.take(room).map(|base| values::with(base, &path, candidate.clone())));
        }
    }
    nested.extend(whole);
    (values::unique(nested), is_cut)
}
