//! Keys that are read before anything has written them, though something may. In: transitions and who reads and writes;
//! out: findings of the main graph. Invariant: a visit of a node that may write a key counts as a write of it.

use std::collections::{BTreeSet, VecDeque};

use nodewise_platform::sorting::Sorting;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::FindingInputs;
use crate::explore::explored::Target;
use crate::explore::guide::Outline;
use crate::explore::paths::Paths;
use crate::explore::thread_pool::{ThreadPool, map_all};
use crate::explore::view::Observation;
use crate::explore::{ExplorationFinding, ExplorationFindingKind};

pub(super) fn findings(inputs: &FindingInputs<'_>) -> Vec<ExplorationFinding> {
    let Some(main) = inputs.guide.outlines().first() else { return Vec::new() };
    let ways = Successors::new(&inputs.paths, main);
    let keys = keys_read(main).into_iter().collect();
    let found = map_all(inputs.pool, keys, |key| of_key(inputs, main, &ways, key));
    let mut found: Vec<(usize, ExplorationFinding)> = found.into_iter().flatten().collect();
    found.arrange_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Whether every early read on a path from node to node is also on the path of a run. `next` has the nodes that each
/// node leads to, as positions in `names`.
pub(in crate::explore) fn early_reads_are_known(
    main: &Outline,
    paths: &Paths<'_>,
    names: &[SmolStr],
    (start, next): (usize, &[BTreeSet<usize>]),
    pool: &dyn ThreadPool,
) -> bool {
    let ways = Successors::new(paths, main);
    let numbers: Vec<Option<u32>> = names.iter().map(|name| ways.nodes.get(name).copied()).collect();
    let is_known = |key: &SmolStr| {
        let users = Users::of(key, main);
        if users.nodes.iter().all(|used| !used.writes) {
            return true;
        }
        let (early, _) = early(main, &ways, &users);
        let found: BTreeSet<u32> = early.into_iter().map(|(_, touch)| touch.node).collect();
        let mut is_known = true;
        let mut reached = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let Some(node) = numbers.get(at).copied().flatten() else { continue };
            let touches = [false, true].map(|is_over| Touch { node, is_over });
            let is_written = users.reads_before(touches, |touch| is_known &= found.contains(&touch.node));
            if !is_written {
                open.extend(next.get(at).into_iter().flatten().filter(|next| reached.insert(**next)));
            }
        }
        is_known
    };
    map_all(pool, keys_read(main).into_iter().collect(), is_known).into_iter().all(|is_known| is_known)
}

/// The keys that nodes or their edges read, without those that have a value from the beginning.
fn keys_read(main: &Outline) -> BTreeSet<&SmolStr> {
    let read = main.nodes.iter().flat_map(|node| node.reads.iter().chain(&node.tests));
    read.filter(|key| !main.given.contains(*key)).collect()
}

/// The moment when a node of the main graph begins, or is over.
#[derive(Clone, Copy)]
struct Touch {
    node: u32,
    is_over: bool,
}

/// What the search for early reads needs of a transition.
struct Passage {
    position: usize,
    to: Option<usize>,
    /// The range of its touches in `Successors::touches`.
    touches: (usize, usize),
}

/// The transitions without failures, sorted by the state that they leave. They are collected once, and every key uses them.
struct Successors {
    touches: Vec<Touch>,
    ways: Vec<Passage>,
    /// For each state, where its transitions begin in `ways`. The last number is where all end.
    from: Vec<usize>,
    nodes: FxHashMap<SmolStr, u32>,
}

impl Successors {
    fn new(paths: &Paths<'_>, main: &Outline) -> Successors {
        let number =
            |(position, id): (usize, &SmolStr)| (id.clone(), u32::try_from(position).unwrap_or(u32::MAX));
        let nodes = main.nodes.iter().map(|node| &node.id).enumerate().map(number).collect();
        let mut all = Successors { touches: Vec::new(), ways: Vec::new(), from: vec![0], nodes };
        for state in 0..paths.explored.states.len() {
            for (position, transition) in paths.from(state).filter(|(_, one)| !one.is_fault) {
                let begin = all.touches.len();
                let touches = transition
                    .observations
                    .iter()
                    .filter_map(|observation| touch(observation, main, &all.nodes));
                all.touches.extend(touches);
                let to = match transition.to {
                    Target::State(to) => Some(to),
                    Target::End(_) | Target::Unknown => None,
                };
                all.ways.push(Passage { position, to, touches: (begin, all.touches.len()) });
            }
            all.from.push(all.ways.len());
        }
        all
    }

    fn of(&self, state: usize) -> &[Passage] {
        let bound = |state: usize| self.from.get(state).copied().unwrap_or(self.ways.len());
        self.ways.get(bound(state)..bound(state + 1)).unwrap_or_default()
    }

    fn touches(&self, way: &Passage) -> &[Touch] {
        self.touches.get(way.touches.0..way.touches.1).unwrap_or_default()
    }
}

fn touch(observation: &Observation, main: &Outline, nodes: &FxHashMap<SmolStr, u32>) -> Option<Touch> {
    let (at, is_over) = match observation {
        Observation::Began(at) => (at, false),
        Observation::Ended(at) => (at, true),
        _ => return None,
    };
    let node = nodes.get(&at.node).filter(|_| at.graph == main.id)?;
    Some(Touch { node: *node, is_over })
}

/// What the nodes do with a key.
struct Users {
    nodes: Vec<Use>,
}

/// What a node does with a key.
#[derive(Clone, Copy, Default)]
struct Use {
    /// Whether the node's own work reads the key.
    reads: bool,
    /// Whether conditions of the node's edges read it.
    tests: bool,
    writes: bool,
}

impl Users {
    fn of(key: &SmolStr, main: &Outline) -> Users {
        let of_node = |node: &crate::explore::guide::NodeOutline| {
            let writes = node.writes.contains(key);
            // A node that reads what it writes itself begins with nothing on purpose.
            Use { reads: node.reads.contains(key) && !writes, tests: node.tests.contains(key), writes }
        };
        Users { nodes: main.nodes.iter().map(of_node).collect() }
    }

    fn by(&self, touch: Touch) -> Use {
        self.nodes.get(touch.node as usize).copied().unwrap_or_default()
    }

    /// Reports each read before the first write to `read`; returns whether there is a write.
    fn reads_before(&self, touches: impl IntoIterator<Item = Touch>, mut read: impl FnMut(Touch)) -> bool {
        for touch in touches {
            let used = self.by(touch);
            if touch.is_over && used.writes {
                return true;
            }
            if if touch.is_over { used.tests } else { used.reads } {
                read(touch);
            }
        }
        false
    }
}

/// The first read of a key by each node, on paths without a write of it; and for each state on such a path, the
/// transition that first led there.
fn early(main: &Outline, ways: &Successors, users: &Users) -> (Vec<(usize, Touch)>, Vec<Option<usize>>) {
    let mut reached: Vec<Option<usize>> = vec![None; ways.from.len().saturating_sub(1)];
    let mut early: Vec<(usize, Touch)> = Vec::new();
    let mut is_known = vec![false; main.nodes.len()];
    let mut open = VecDeque::from([0]);
    while let Some(state) = open.pop_front() {
        for way in ways.of(state) {
            let is_written = users.reads_before(ways.touches(way).iter().copied(), |touch| {
                if let Some(known @ false) = is_known.get_mut(touch.node as usize) {
                    *known = true;
                    early.push((way.position, touch));
                }
            });
            if let Some(to) = way.to.filter(|to| !is_written && *to != 0)
                && let Some(slot @ None) = reached.get_mut(to)
            {
                *slot = Some(way.position);
                open.push_back(to);
            }
        }
    }
    (early, reached)
}

/// The findings about a key.
fn of_key(
    inputs: &FindingInputs<'_>,
    main: &Outline,
    ways: &Successors,
    key: &SmolStr,
) -> Vec<(usize, ExplorationFinding)> {
    let users = Users::of(key, main);
    if users.nodes.iter().all(|used| !used.writes) {
        return Vec::new();
    }
    let (early, reached) = early(main, ways, &users);
    let finding = |(position, touch): (usize, Touch)| {
        let node = main.nodes.get(touch.node as usize).map(|node| node.id.clone()).unwrap_or_default();
        let witness = inputs.paths.witness(&inputs.paths.way(&reached, position));
        let witness = inputs.checked(witness, |observations, _, _| {
            let touches =
                observations.iter().filter_map(|observation| self::touch(observation, main, &ways.nodes));
            let mut is_read = false;
            users.reads_before(touches, |read| is_read |= read.node == touch.node);
            is_read
        });
        let kind =
            ExplorationFindingKind::ReadBeforeWrite { node, key: key.clone(), by_condition: touch.is_over };
        (position, ExplorationFinding { kind, graph: main.id.clone(), witness })
    };
    early.into_iter().map(finding).collect()
}
