//! What the nodes of a graph were seen to do: what each visit writes, and where it leads.
//!
//! Input: the events of visits, one visit after another; output: for each node what its work writes with which answers, and
//! where its edges lead. Invariant: what is kept depends only on the parts of the state that the guide names
//! ([`Locality`]). Each visit is compared with earlier ones that must do the same. If one does not, nothing is concluded
//! from any of them.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use rustc_hash::{FxHashMap, FxHasher};
use smol_str::SmolStr;

use super::guide::{Ending, Guide};
use super::locality::Locality;
use super::values;
use super::view::Observation;
use crate::event::{Event, EventKind};
use crate::outcome::Outcome;

/// The number of a class: of values of a key that nothing distinguishes, or of equal results of a part of the state.
pub(super) type Class = u16;
/// Where a node leads, with a hash of the edges that were evaluated.
type Seen = (Exit, u64);

/// What the nodes of a graph were seen to do, in all visits so far.
pub(super) struct Behaviors<'g> {
    guide: &'g dyn Guide,
    pub(super) locality: &'g Locality,
    keys: Vec<KeyClasses>,
    /// For each part, how many classes it has.
    pub(super) widths: Vec<usize>,
    pub(super) nodes: Vec<NodeBehavior>,
    /// The first node of a run, and the classes of the keys there.
    pub(super) start: Option<(usize, Arc<[Class]>)>,
    expansions: Vec<Expansion>,
    /// Whether an observation contradicts the others. Nothing can be concluded then.
    pub(super) is_broken: bool,
}

/// The classes of a key's values: two values are in one class if no part tells them apart.
#[derive(Default)]
struct KeyClasses {
    by_value: FxHashMap<u64, Class>,
    by_parts: FxHashMap<Vec<Class>, Class>,
    parts: Vec<Vec<Class>>,
    /// For each part, the class of each result, by the result's hash.
    numbers: Vec<FxHashMap<u64, Class>>,
}

/// What one node was seen to do.
#[derive(Default)]
pub(super) struct NodeBehavior {
    /// What the work does, by the classes of what it reads and the positions of the answers that it gets.
    pub(super) works: BTreeMap<(Vec<Class>, Vec<usize>), Work>,
    /// Where the edges lead, by the classes of what they read.
    pub(super) routes: BTreeMap<Vec<Class>, Seen>,
    /// The classes of what the work read in visits for which every answer was tried.
    pub(super) tried: BTreeSet<Vec<Class>>,
    /// The classes of what work and edges read in all states that are or were in the queue.
    queued: BTreeSet<Vec<Class>>,
}

/// What a node's work does if it gets certain answers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Work {
    /// The position of each key that gets a value, and the class of the value.
    pub(super) writes: Vec<(usize, Class)>,
    pub(super) is_fault: bool,
    /// Where the work leads; `None` if the edges decide.
    pub(super) exit: Option<Seen>,
}

/// Where a visit leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    Node(usize),
    /// The run ends, or waits forever.
    End,
}

/// A visit that is being continued with every answer.
struct Expansion {
    node: usize,
    reads: Vec<Class>,
    /// How many moments of the visit are not yet continued.
    waiting: usize,
    /// Whether it is unknown what comes after some moment of the visit.
    is_partial: bool,
}

/// A visit under way, up to one of its moments.
#[derive(Debug, Clone)]
pub(super) struct VisitProgress {
    node: usize,
    /// The classes of all keys when the visit began.
    before: Arc<[Class]>,
    expansion: usize,
    answers: Vec<usize>,
    writes: BTreeMap<usize, Class>,
    is_fault: bool,
    is_judged: bool,
    is_over: bool,
}

/// Whether such an event matters when visits are compared.
pub(super) fn is_compared(event: &Event) -> bool {
    matches!(
        event.kind,
        EventKind::Wrote { .. }
            | EventKind::EdgeJudged { .. }
            | EventKind::VisitStarted { .. }
            | EventKind::GraphStarted { .. }
    )
}

impl VisitProgress {
    /// Continues with the answer at this position.
    pub(super) fn with(&self, answer: usize) -> VisitProgress {
        let mut next = self.clone();
        next.answers.push(answer);
        next
    }

    pub(super) fn node(&self) -> usize {
        self.node
    }

    /// The node, and the classes of the keys when the visit began.
    pub(super) fn at(&self) -> (usize, &[Class]) {
        (self.node, &self.before)
    }

    pub(super) fn expansion(&self) -> usize {
        self.expansion
    }

    pub(super) fn failed(&mut self, is_fault: bool) {
        self.is_fault |= is_fault;
    }

    fn after(&self) -> Arc<[Class]> {
        let after = self.before.iter().enumerate();
        after.map(|(key, class)| self.writes.get(&key).copied().unwrap_or(*class)).collect()
    }
}

impl<'g> Behaviors<'g> {
    /// Nothing seen yet. `None` if the guide does not say what nodes depend on.
    pub(super) fn new(guide: &'g dyn Guide) -> Option<Behaviors<'g>> {
        let locality = guide.locality()?;
        let classes = |key: &super::locality::KeyParts| KeyClasses {
            numbers: vec![FxHashMap::default(); key.parts.len()],
            ..KeyClasses::default()
        };
        Some(Behaviors {
            guide,
            locality,
            keys: locality.keys.iter().map(classes).collect(),
            widths: vec![0; locality.parts.len()],
            nodes: locality.nodes.iter().map(|_| NodeBehavior::default()).collect(),
            start: None,
            expansions: Vec::new(),
            is_broken: false,
        })
    }

    /// A visit that begins. `lone` is its node and state if nothing else is under way, and `last` is the visit before
    /// it, if any. Without `lone`, visits cannot be compared: nothing is concluded from now on, and the result is
    /// `None`.
    pub(super) fn began(
        &mut self,
        lone: Option<(&SmolStr, &Map)>,
        last: Option<&VisitProgress>,
    ) -> Option<VisitProgress> {
        let found = lone.and_then(|(node, state)| Some((self.locality.node(node)?, state)));
        let Some((node, state)) = found else {
            self.is_broken = true;
            return None;
        };
        let before = match last {
            Some(last) => last.after(),
            None => self.classes(state),
        };
        if last.is_none() && self.start.is_none() {
            self.start = Some((node, before.clone()));
        }
        Some(VisitProgress {
            node,
            before,
            expansion: usize::MAX,
            answers: Vec::new(),
            writes: BTreeMap::new(),
            is_fault: false,
            is_judged: false,
            is_over: false,
        })
    }

    /// How much is known. The number only grows.
    pub(super) fn size(&self) -> usize {
        self.nodes.iter().map(|node| node.routes.len() + node.tried.len()).sum()
    }

    /// Records what a visit reads. `true` if no visit before it read the same.
    pub(super) fn is_new(&mut self, progress: &VisitProgress) -> bool {
        let Some(node) = self.locality.nodes.get(progress.node) else { return false };
        let reads = self.reads(&progress.before, node.work.iter().chain(&node.edges));
        self.nodes.get_mut(progress.node).is_some_and(|node| node.queued.insert(reads))
    }

    /// Records that a visit is now being continued with every answer.
    pub(super) fn expand(&mut self, progress: &mut VisitProgress) {
        self.is_new(progress);
        let Some(node) = self.locality.nodes.get(progress.node) else { return };
        let reads = self.reads(&progress.before, &node.work);
        progress.expansion = self.expansions.len();
        self.expansions.push(Expansion { node: progress.node, reads, waiting: 1, is_partial: false });
    }

    /// Records that another moment of a visit waits to be continued.
    pub(super) fn wait(&mut self, progress: &VisitProgress) {
        self.expansions.get_mut(progress.expansion).into_iter().for_each(|expansion| expansion.waiting += 1);
    }

    /// Records that it is unknown what comes after this moment of a visit.
    pub(super) fn miss(&mut self, progress: &VisitProgress) {
        self.expansions.get_mut(progress.expansion).into_iter().for_each(|one| one.is_partial = true);
    }

    /// Records that a moment of a visit was continued with every answer. If it was the last moment, all answers are tried.
    pub(super) fn continued(&mut self, expansion: usize) {
        let Some(expansion) = self.expansions.get_mut(expansion) else { return };
        expansion.waiting = expansion.waiting.saturating_sub(1);
        if expansion.waiting == 0 && !expansion.is_partial {
            let reads = std::mem::take(&mut expansion.reads);
            self.nodes.get_mut(expansion.node).into_iter().for_each(|node| {
                node.tried.insert(reads.clone());
            });
        }
    }

    /// Updates a visit by one of its events. Only events for which [`is_compared`] holds matter.
    pub(super) fn apply(&mut self, progress: &mut VisitProgress, event: &Event) {
        match &event.kind {
            EventKind::Wrote { key, value, .. } => {
                let Some(key) = self.locality.key(key) else { return };
                // What edges read must be what the visit leaves.
                self.is_broken |= progress.is_judged || progress.is_over;
                let class = self.class(key, value);
                progress.writes.insert(key, class);
            }
            EventKind::EdgeJudged { .. } => progress.is_judged = true,
            EventKind::VisitStarted { .. } => progress.is_over = true,
            // A graph that waited continues with the state that it had.
            EventKind::GraphStarted { state: Value::Map(state), .. } => {
                self.is_broken |= self.classes(state) != progress.after();
            }
            EventKind::GraphStarted { .. } => self.is_broken = true,
            _ => {}
        }
    }

    /// Records where a visit led: to the node of the next visit, or to an end.
    pub(super) fn ended(
        &mut self,
        progress: &VisitProgress,
        observations: &[Observation],
        end: Result<usize, &Outcome>,
    ) {
        let mut hasher = FxHasher::default();
        for observation in observations {
            match observation {
                Observation::Judged { number, is_followed, .. } => (number, is_followed).hash(&mut hasher),
                Observation::HandedOver(handed) => handed.1.hash(&mut hasher),
                _ => {}
            }
        }
        let exit = match end {
            Ok(node) => Exit::Node(node),
            Err(outcome) => {
                if self.guide.judge(outcome) == Ending::Limit {
                    return self.miss(progress);
                }
                let class = outcome.failure.as_ref().map(|failure| &failure.class);
                (outcome.status.word(), class, self.guide.judge(outcome) as u8).hash(&mut hasher);
                Exit::End
            }
        };
        let seen = (exit, hasher.finish());
        let Some(parts) = self.locality.nodes.get(progress.node) else { return };
        let reads = self.reads(&progress.before, &parts.work);
        let routed = progress.is_judged.then(|| self.reads(&progress.after(), &parts.edges));
        let writes = progress.writes.iter().map(|(key, class)| (*key, *class)).collect();
        let exit = if progress.is_judged { None } else { Some(seen) };
        let work = Work { writes, is_fault: progress.is_fault, exit };
        let Some(node) = self.nodes.get_mut(progress.node) else { return };
        if let Some(routed) = routed {
            self.is_broken |= *node.routes.entry(routed).or_insert(seen) != seen;
        }
        match node.works.entry((reads, progress.answers.clone())) {
            std::collections::btree_map::Entry::Occupied(known) => self.is_broken |= *known.get() != work,
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert(work);
            }
        }
    }

    /// The classes of these parts if the keys have these classes.
    pub(super) fn reads<'p>(
        &self,
        classes: &[Class],
        parts: impl IntoIterator<Item = &'p usize>,
    ) -> Vec<Class> {
        let class = |part: &usize| {
            let (key, _) = self.locality.parts.get(*part)?;
            self.part(*part, *classes.get(*key)?)
        };
        parts.into_iter().filter_map(class).collect()
    }

    /// The class of a part if its key has this class.
    pub(super) fn part(&self, part: usize, class: Class) -> Option<Class> {
        let (key, position) = self.locality.parts.get(part)?;
        self.keys.get(*key)?.parts.get(usize::from(class))?.get(*position).copied()
    }

    fn classes(&mut self, state: &Map) -> Arc<[Class]> {
        let locality = self.locality;
        let keys = locality.keys.iter().enumerate();
        keys.map(|(key, parts)| self.class(key, state.get(&parts.name).unwrap_or(&Value::Undefined)))
            .collect()
    }

    /// The class of this value of a key; a new class if no earlier value has the same parts.
    fn class(&mut self, key: usize, value: &Value) -> Class {
        let mut hasher = FxHasher::default();
        values::feed(value, &mut hasher);
        let hash = hasher.finish();
        let Some(known) = self.keys.get_mut(key) else { return 0 };
        if let Some(class) = known.by_value.get(&hash) {
            return *class;
        }
        let found = self.guide.part_classes(key, value);
        let mut parts = Vec::with_capacity(found.len());
        let numbers = self.locality.keys.get(key).map_or(&[] as &[usize], |key| &key.numbers);
        for ((class, known), part) in found.into_iter().zip(&mut known.numbers).zip(numbers) {
            let next = Class::try_from(known.len()).unwrap_or(Class::MAX);
            parts.push(*known.entry(class).or_insert(next));
            self.widths.get_mut(*part).into_iter().for_each(|width| *width = known.len());
        }
        let next = Class::try_from(known.by_parts.len()).unwrap_or(Class::MAX);
        self.is_broken |= next == Class::MAX;
        let class = *known.by_parts.entry(parts.clone()).or_insert(next);
        if class == next {
            known.parts.push(parts);
        }
        known.by_value.insert(hash, class);
        class
    }
}
