//! Whether the visits that were seen are all that can be seen: a proof that needs no more runs.
//!
//! Input: what nodes were seen to do (`behavior`), the states found so far; output: whether every further state can only
//! repeat what is in the report. What a visit writes depends on the parts of the state that its work reads; where its
//! edges lead, on the parts that they read. So it is enough to know which combinations of *these* parts a run can bring to
//! each node. They are worked out for a few parts together, a *cluster*: what all other parts are is left open, so more
//! combinations are found than there are, never fewer. If each of them was seen at its node, then, by induction over the
//! visits of a run, no run shows anything else. Loops, early reads and the longest run do not follow from single visits; each
//! is proven by itself, or nothing is. Invariant: unsure is no.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::behavior::{Behaviors, Class, Exit, Work};
use super::explored::Explored;
use super::findings::early_reads_are_known;
use super::guide::{Guide, Outline};
use super::paths::Paths;
use super::thread_pool::{ThreadPool, map_all};

/// The proof gives up if a cluster has more combinations than this.
const COMBINATIONS_MAX: usize = 1_000_000;

/// The result of an attempt to prove it.
pub(super) enum Verdict {
    /// No further state can show anything new.
    Closed,
    /// Runs may bring combinations to nodes where they were not seen. The list tells which states lead to them.
    Open(Vec<Wanted>),
    /// It cannot be proven, and more states of the same kind will not help.
    Unknown,
}

/// Says which visits may lead to a combination that was not seen.
pub(super) struct Wanted {
    cluster: Cluster,
    /// For each node and combination, how many visits it is away from the nearest combination that was not seen.
    distances: FxHashMap<(usize, u64), usize>,
}

/// Parts of the state that the proof looks at together. A combination of their classes is encoded as one number.
struct Cluster {
    parts: Vec<usize>,
    /// For each part, how many classes it has, and by how much the encoded number grows with each class.
    digits: Vec<(u64, u64)>,
}

/// Classes of some parts, each with the position of its part in the cluster.
type Digits = Vec<(usize, Class)>;

/// What a cluster shows of a node.
struct Place<'b> {
    groups: Vec<Group<'b>>,
    /// Whether the cluster has all parts that the node reads.
    is_whole: bool,
    /// For each part that the edges read and that is in the cluster: its position there, and its position among the
    /// parts that the edges read.
    edges: Vec<(usize, usize)>,
}

/// Ways in which a node's work behaves that look the same in a cluster.
struct Group<'b> {
    /// What the work must have read: classes by position in the cluster.
    reads: Digits,
    /// What the work changes: classes by position in the cluster.
    effect: Digits,
    works: Vec<Settled<'b>>,
    /// Where the node leads, by the classes that its edges read in the cluster.
    next: BTreeMap<Vec<Class>, Next>,
}

/// Where a group leads.
#[derive(Default)]
struct Next {
    nodes: BTreeSet<usize>,
    /// Whether it was never seen where one of the works leads.
    is_partial: bool,
}

/// One behaviour of the work. `edges` has the class of each part that the edges read; `None` if it depends on more
/// than what the work reads and writes.
struct Settled<'b> {
    work: &'b Work,
    edges: Vec<Option<Class>>,
}

/// Where a node can lead from one combination of what it reads, if no model, tool or person fails.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Successors {
    ends: bool,
    nodes: BTreeSet<usize>,
}

/// Whether further states can show anything new.
pub(super) fn verdict(
    behaviors: &Behaviors<'_>,
    explored: &Explored,
    guide: &dyn Guide,
    pool: &dyn ThreadPool,
) -> Verdict {
    let Some(main) = guide.outlines().first() else { return Verdict::Unknown };
    // A failure that a run survives would need paths of its own.
    let survives = |work: &Work| work.is_fault && !matches!(work.exit, Some((Exit::End, _)));
    let works = || behaviors.nodes.iter().flat_map(|node| node.works.values());
    if behaviors.is_broken || works().any(survives) {
        return Verdict::Unknown;
    }
    let Some((ways, wanted)) = combinations(behaviors, pool) else { return Verdict::Unknown };
    if !wanted.is_empty() {
        return Verdict::Open(wanted);
    }
    let paths = Paths::new(explored);
    // A graph without circles has a longest run, which is known only if every state is.
    let is_closed = leads_on(&ways)
        && paths.in_order().is_none()
        && reads_are_known(behaviors, &ways, (main, &paths), pool);
    if is_closed { Verdict::Closed } else { Verdict::Unknown }
}

impl Wanted {
    /// How many visits it takes from a visit that begins with these classes to one that was not seen; `None` if it
    /// leads to none.
    pub(super) fn distance(
        &self,
        behaviors: &Behaviors<'_>,
        (node, classes): (usize, &[Class]),
    ) -> Option<usize> {
        let code = self.cluster.coded(behaviors.reads(classes, &self.cluster.parts));
        self.distances.get(&(node, code)).copied()
    }
}

/// What the proof finds for one cluster.
enum ClusterProof {
    /// Visits may lead to combinations that were not seen.
    Wanted(Wanted),
    /// All combinations were seen: where each node can lead.
    Ways(BTreeMap<usize, BTreeSet<Successors>>),
}

/// For each node, where it can lead from each combination of what it reads; and what may lead to combinations that
/// were not seen. `None` if the proof gives up.
fn combinations(
    behaviors: &Behaviors<'_>,
    pool: &dyn ThreadPool,
) -> Option<(Vec<BTreeSet<Successors>>, Vec<Wanted>)> {
    let mut ways: Vec<Option<BTreeSet<Successors>>> = behaviors.nodes.iter().map(|_| None).collect();
    let mut wanted = Vec::new();
    let clusters = clusters(behaviors)?;
    // The first cluster that has all parts of a node says where the node leads.
    let mut nodes: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); clusters.len()];
    for node in 0..behaviors.nodes.len() {
        let first = clusters.iter().position(|cluster| is_whole(behaviors, node, cluster));
        nodes.get_mut(first?)?.insert(node);
    }
    let clusters = clusters.into_iter().zip(nodes).collect();
    for shown in map_all(pool, clusters, |(cluster, nodes)| shown_by(behaviors, cluster, &nodes)) {
        match shown? {
            ClusterProof::Wanted(more) => wanted.push(more),
            ClusterProof::Ways(found) => {
                for (node, found) in found {
                    *ways.get_mut(node)? = Some(found);
                }
            }
        }
    }
    Some((ways.into_iter().map(Option::unwrap_or_default).collect(), wanted))
}

fn shown_by(behaviors: &Behaviors<'_>, cluster: Cluster, nodes: &BTreeSet<usize>) -> Option<ClusterProof> {
    let mut places: Vec<Place<'_>> =
        (0..behaviors.nodes.len()).map(|node| place(behaviors, node, &cluster)).collect();
    let found = reachable(behaviors, &cluster, &mut places)?;
    if !found.unseen.is_empty() {
        return Some(ClusterProof::Wanted(Wanted { distances: found.distances(), cluster }));
    }
    let mut ways: BTreeMap<usize, BTreeSet<Successors>> = BTreeMap::new();
    for (node, code) in found.states {
        if let Some(place) = places.get(node).filter(|_| nodes.contains(&node)) {
            let from = ways_from(behaviors, node, place, &cluster.decoded(code))?;
            ways.entry(node).or_default().insert(from);
        }
    }
    Some(ClusterProof::Ways(ways))
}

/// One cluster for each set of parts that a node reads, without sets that are inside another one. `None` if the
/// combinations of a cluster do not fit in a number.
fn clusters(behaviors: &Behaviors<'_>) -> Option<Vec<Cluster>> {
    let read = behaviors.locality.nodes.iter();
    let all: BTreeSet<BTreeSet<usize>> =
        read.map(|node| node.work.iter().chain(&node.edges).copied().collect()).collect();
    let is_within = |one: &BTreeSet<usize>| all.iter().any(|other| other != one && one.is_subset(other));
    let cluster = |parts: &BTreeSet<usize>| {
        let mut digits = Vec::new();
        let mut step = 1_u64;
        for part in parts {
            let width = behaviors.widths.get(*part).copied().unwrap_or_default().max(1) as u64;
            digits.push((width, step));
            step = step.checked_mul(width)?;
        }
        Some(Cluster { parts: parts.iter().copied().collect(), digits })
    };
    // A cluster shows every node whose parts it has, so smaller sets need no cluster of their own.
    all.iter().filter(|one| !is_within(one)).map(cluster).collect()
}

impl Cluster {
    fn position(&self, part: usize) -> Option<usize> {
        self.parts.binary_search(&part).ok()
    }

    fn digit(&self, code: u64, position: usize) -> Class {
        let (width, step) = self.digits.get(position).copied().unwrap_or((1, 1));
        Class::try_from(code / step % width).unwrap_or(Class::MAX)
    }

    fn decoded(&self, code: u64) -> Vec<Class> {
        (0..self.parts.len()).map(|position| self.digit(code, position)).collect()
    }

    fn coded(&self, digits: impl IntoIterator<Item = Class>) -> u64 {
        digits.into_iter().zip(&self.digits).map(|(digit, (_, step))| u64::from(digit) * step).sum()
    }

    fn changed(&self, code: u64, effect: &[(usize, Class)]) -> u64 {
        effect.iter().fold(code, |code, (position, class)| {
            let step = self.digits.get(*position).map_or(1, |(_, step)| *step);
            code - u64::from(self.digit(code, *position)) * step + u64::from(*class) * step
        })
    }
}

/// Whether a cluster has all parts that a node reads.
fn is_whole(behaviors: &Behaviors<'_>, node: usize, cluster: &Cluster) -> bool {
    let Some(parts) = behaviors.locality.nodes.get(node) else { return false };
    parts.work.iter().chain(&parts.edges).all(|part| cluster.position(*part).is_some())
}

fn place<'b>(behaviors: &'b Behaviors<'_>, node: usize, cluster: &Cluster) -> Place<'b> {
    let mut place = Place { groups: Vec::new(), is_whole: false, edges: Vec::new() };
    let (Some(parts), Some(behavior)) = (behaviors.locality.nodes.get(node), behaviors.nodes.get(node))
    else {
        return place;
    };
    place.is_whole = is_whole(behaviors, node, cluster);
    let edges = parts.edges.iter().enumerate();
    place.edges = edges.filter_map(|(position, part)| Some((cluster.position(*part)?, position))).collect();
    let mut groups: BTreeMap<(Digits, Digits), Vec<Settled<'b>>> = BTreeMap::new();
    for ((reads, _), work) in &behavior.works {
        let written = |part: usize| {
            let (key, _) = behaviors.locality.parts.get(part)?;
            let (_, class) = work.writes.iter().find(|(written, _)| written == key)?;
            behaviors.part(part, *class)
        };
        let read = |part: usize| {
            let position = parts.work.iter().position(|read| *read == part)?;
            reads.get(position).copied()
        };
        let edges: Vec<Option<Class>> =
            parts.edges.iter().map(|part| written(*part).or_else(|| read(*part))).collect();
        let effect = cluster.parts.iter().enumerate();
        let effect = effect.filter_map(|(position, part)| Some((position, written(*part)?))).collect();
        let in_cluster = parts.work.iter().zip(reads);
        let in_cluster = in_cluster.filter_map(|(part, class)| Some((cluster.position(*part)?, *class)));
        let works = groups.entry((in_cluster.collect(), effect)).or_default();
        let is_known = |known: &Settled<'_>| {
            known.edges == edges && known.work.exit == work.exit && known.work.is_fault == work.is_fault
        };
        if !works.iter().any(is_known) {
            works.push(Settled { work, edges });
        }
    }
    let group = |((reads, effect), works)| Group { reads, effect, works, next: BTreeMap::new() };
    place.groups = groups.into_iter().map(group).collect();
    place
}

/// The combinations that runs can bring to nodes.
#[derive(Default)]
struct Reachable {
    states: Vec<(usize, u64)>,
    /// Pairs of positions in `states`: a visit leads from the first to the second.
    steps: Vec<(usize, usize)>,
    /// The positions in `states` of what was not seen.
    unseen: Vec<usize>,
}

impl Reachable {
    /// For each combination, how many visits it is away from the nearest one that was not seen.
    fn distances(&self) -> FxHashMap<(usize, u64), usize> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (from, to) in &self.steps {
            before.get_mut(*to).into_iter().for_each(|before| before.push(*from));
        }
        let mut distances = FxHashMap::default();
        let mut open: VecDeque<(usize, usize)> = self.unseen.iter().map(|state| (*state, 0)).collect();
        while let Some((state, distance)) = open.pop_front() {
            let Some(at) = self.states.get(state) else { continue };
            if !distances.contains_key(at) {
                distances.insert(*at, distance);
                open.extend(before.get(state).into_iter().flatten().map(|before| (*before, distance + 1)));
            }
        }
        distances
    }
}

fn reachable(behaviors: &Behaviors<'_>, cluster: &Cluster, places: &mut [Place<'_>]) -> Option<Reachable> {
    let (start, classes) = behaviors.start.as_ref()?;
    let first = (*start, cluster.coded(behaviors.reads(classes, &cluster.parts)));
    let mut known = FxHashMap::from_iter([(first, 0)]);
    let mut found = Reachable { states: vec![first], ..Reachable::default() };
    let mut position = 0;
    while let Some((node, code)) = found.states.get(position).copied() {
        let Place { groups, is_whole, edges } = places.get_mut(node)?;
        let mut is_unseen = *is_whole && !is_tried(behaviors, node, cluster, code)?;
        let is_read = |group: &Group<'_>| {
            group.reads.iter().all(|(position, class)| cluster.digit(code, *position) == *class)
        };
        for group in groups.iter_mut().filter(|group| is_read(group)) {
            let after = cluster.changed(code, &group.effect);
            let shown: Vec<Class> =
                edges.iter().map(|(position, _)| cluster.digit(after, *position)).collect();
            if !group.next.contains_key(&shown) {
                let next = led_to(behaviors, node, group, edges, &shown)?;
                group.next.insert(shown.clone(), next);
            }
            let next = group.next.get(&shown)?;
            is_unseen |= *is_whole && next.is_partial;
            for next in &next.nodes {
                let next = (*next, after);
                let number = *known.entry(next).or_insert_with(|| {
                    found.states.push(next);
                    found.states.len() - 1
                });
                found.steps.push((position, number));
            }
        }
        if is_unseen {
            found.unseen.push(position);
        }
        if found.states.len() > COMBINATIONS_MAX {
            return None;
        }
        position += 1;
    }
    Some(found)
}

/// Whether every answer was tried at the node when its work read what this combination says.
fn is_tried(behaviors: &Behaviors<'_>, node: usize, cluster: &Cluster, code: u64) -> Option<bool> {
    let read = behaviors.locality.nodes.get(node)?.work.iter();
    let reads: Vec<Class> =
        read.filter_map(|part| Some(cluster.digit(code, cluster.position(*part)?))).collect();
    Some(behaviors.nodes.get(node)?.tried.contains(&reads))
}

/// Where a group leads if its edges read the classes `shown` in the cluster.
fn led_to(
    behaviors: &Behaviors<'_>,
    node: usize,
    group: &Group<'_>,
    edges: &[(usize, usize)],
    shown: &[Class],
) -> Option<Next> {
    let routes = &behaviors.nodes.get(node)?.routes;
    let mut next = Next::default();
    for settled in &group.works {
        if let Some((exit, _)) = settled.work.exit {
            next.nodes.extend(node_of(exit));
            continue;
        }
        let mut wanted = settled.edges.clone();
        for ((_, position), class) in edges.iter().zip(shown) {
            *wanted.get_mut(*position)? = Some(*class);
        }
        let fits = |reads: &&Vec<Class>| {
            reads.iter().zip(&wanted).all(|(class, wanted)| wanted.is_none_or(|wanted| wanted == *class))
        };
        let mut is_seen = false;
        for (_, (exit, _)) in routes.iter().filter(|(reads, _)| fits(reads)) {
            is_seen = true;
            next.nodes.extend(node_of(*exit));
        }
        next.is_partial |= !is_seen;
    }
    Some(next)
}

fn node_of(exit: Exit) -> Option<usize> {
    match exit {
        Exit::Node(node) => Some(node),
        Exit::End => None,
    }
}

/// Where a node can lead from one combination of everything that it reads, if no model, tool or person fails.
fn ways_from(
    behaviors: &Behaviors<'_>,
    node: usize,
    place: &Place<'_>,
    combination: &[Class],
) -> Option<Successors> {
    let routes = &behaviors.nodes.get(node)?.routes;
    let mut ways = Successors::default();
    let is_read = |group: &&Group<'_>| {
        group.reads.iter().all(|(position, class)| combination.get(*position) == Some(class))
    };
    for group in place.groups.iter().filter(is_read) {
        for settled in group.works.iter().filter(|settled| !settled.work.is_fault) {
            let exit = match settled.work.exit {
                Some((exit, _)) => exit,
                None => {
                    let mut wanted = settled.edges.clone();
                    for (in_cluster, position) in &place.edges {
                        let slot = wanted.get_mut(*position)?;
                        *slot = slot.or(combination.get(*in_cluster).copied());
                    }
                    routes.get(&wanted.into_iter().collect::<Option<Vec<Class>>>()?)?.0
                }
            };
            match exit {
                Exit::Node(next) => {
                    ways.nodes.insert(next);
                }
                Exit::End => ways.ends = true,
            }
        }
    }
    Some(ways)
}

/// Whether each node, with whatever it reads, has answers without a failure that lead to an end.
fn leads_on(ways: &[BTreeSet<Successors>]) -> bool {
    let mut leads = vec![false; ways.len()];
    let mut is_new = true;
    while is_new {
        is_new = false;
        for (node, ways) in ways.iter().enumerate() {
            let is_led = |node: &usize| leads.get(*node) == Some(&true);
            let does = ways.iter().all(|ways| ways.ends || ways.nodes.iter().any(is_led));
            if let Some(slot @ false) = leads.get_mut(node)
                && does
            {
                *slot = true;
                is_new = true;
            }
        }
    }
    leads.into_iter().all(|leads| leads)
}

/// Whether every early read on any path from node to node was also found on the path of a run.
fn reads_are_known(
    behaviors: &Behaviors<'_>,
    ways: &[BTreeSet<Successors>],
    (main, paths): (&Outline, &Paths<'_>),
    pool: &dyn ThreadPool,
) -> bool {
    let Some((start, _)) = behaviors.start else { return false };
    let next: Vec<BTreeSet<usize>> =
        ways.iter().map(|ways| ways.iter().flat_map(|ways| ways.nodes.iter().copied()).collect()).collect();
    let names: Vec<_> = behaviors.locality.nodes.iter().map(|node| node.name.clone()).collect();
    early_reads_are_known(main, paths, &names, (start, &next), pool)
}
