//! What runs can show for a goal, and what is wanted of them.
//!
//! Input: what the events of a run mean, and the graphs; output: numbers for what was shown, and the goals that a set of
//! them reaches. Invariant: numbers follow the order in which things were first seen, so that equal input gives equal numbers.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use crate::chart::SourceLocation;
use crate::coverage::{Conditions, Coverage, CoverageFact, GraphKey, Row, Spot, result_of};

use super::Goal;

/// Something that a run shows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// An edge is followed.
    Edge(GraphKey, Spot),
    /// The parts of a condition have these values in an evaluation.
    Row(ConditionSite, Row),
    /// A key with a value is read.
    Key(GraphKey, SmolStr),
}

/// Where a condition stands: at an edge, or at a node that chooses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ConditionSite {
    graph: GraphKey,
    spot: Spot,
    is_node: bool,
}

/// Numbers everything that runs show.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    numbers: BTreeMap<Atom, u32>,
    list: Vec<Atom>,
}

/// Numbers of atoms.
pub(super) type AtomSet = BTreeSet<u32>;

/// A part of the goal: something that scenarios must show.
#[derive(Debug)]
pub(super) struct GoalItem {
    pub(super) words: String,
    pub(super) place: Option<SourceLocation>,
    pub(super) wanted: Wanted,
}

/// What a run must show for it.
#[derive(Debug)]
pub(super) enum Wanted {
    /// A single event.
    Atom(Atom),
    /// Two evaluations of a condition that differ only in this part and in the result.
    Part { site: ConditionSite, position: usize },
}

/// All that scenarios must show.
#[derive(Debug, Default)]
pub(super) struct Goals {
    pub(super) items: Vec<GoalItem>,
    /// The edge or the node of each condition, with the texts of its parts.
    pub(super) sites: BTreeMap<ConditionSite, (String, Vec<SmolStr>)>,
    known: BTreeSet<(GraphKey, Spot, SmolStr)>,
}

impl ConditionSite {
    /// Whether a node chooses by the condition.
    pub(super) fn is_node(&self) -> bool {
        self.is_node
    }
}

impl Atoms {
    pub(super) fn number(&mut self, atom: Atom) -> u32 {
        if let Some(number) = self.numbers.get(&atom) {
            return *number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(atom.clone());
        self.numbers.insert(atom, number);
        number
    }

    pub(super) fn get(&self, number: u32) -> Option<&Atom> {
        self.list.get(number as usize)
    }

    fn find(&self, atom: &Atom) -> Option<u32> {
        self.numbers.get(atom).copied()
    }

    /// The number of what a fact shows for a goal. `None` if it shows nothing.
    pub(super) fn of_fact(&mut self, goal: Goal, fact: CoverageFact) -> Option<u32> {
        let atom = match (goal, fact) {
            (Goal::Edges, CoverageFact::Judged { graph, edge, is_followed: true, .. })
            | (Goal::Edges, CoverageFact::Followed(graph, edge)) => Atom::Edge(graph, edge),
            (Goal::Conditions, CoverageFact::Judged { graph, edge, is_followed, values: Some(values) }) => {
                let site = ConditionSite { graph, spot: edge, is_node: false };
                Atom::Row(site, Row { values, result: result_of(is_followed) })
            }
            (Goal::Conditions, CoverageFact::Chose { graph, node, target, values }) => {
                let site = ConditionSite { graph, spot: node, is_node: true };
                Atom::Row(site, Row { values, result: target })
            }
            _ => return None,
        };
        Some(self.number(atom))
    }

    /// The evaluations of a condition among these.
    fn rows<'a>(
        &'a self,
        site: &'a ConditionSite,
        among: &'a AtomSet,
    ) -> impl Iterator<Item = (u32, &'a Row)> + Clone {
        among.iter().filter_map(move |number| match self.get(*number)? {
            Atom::Row(of, row) if of == site => Some((*number, row)),
            _ => None,
        })
    }
}

impl Goals {
    /// Adds everything that can be covered in the graphs.
    pub(super) fn add(&mut self, goal: Goal, coverage: &Coverage) {
        for (key, graph) in coverage.keyed() {
            for (spot, edge) in graph.edges_at() {
                let place = edge.place.as_ref();
                match goal {
                    Goal::Edges => {
                        let atom = Atom::Edge(key.clone(), spot.clone());
                        self.atom(key, spot, edge.title(), place, atom);
                    }
                    Goal::Conditions => {
                        let site = ConditionSite { graph: key.clone(), spot: spot.clone(), is_node: false };
                        self.parts(site, edge.title(), edge.condition.as_ref(), place);
                    }
                    Goal::Keys => {}
                }
            }
            for (spot, node) in graph.nodes_at().filter(|_| goal == Goal::Conditions) {
                let site = ConditionSite { graph: key.clone(), spot: spot.clone(), is_node: true };
                self.parts(site, node.label.to_string(), node.condition.as_ref(), node.place.as_ref());
            }
        }
    }

    /// Adds a key that something reads.
    pub(super) fn add_key(&mut self, graph: &GraphKey, key: &SmolStr, place: Option<&SourceLocation>) {
        let atom = Atom::Key(graph.clone(), key.clone());
        self.atom(graph, &Spot::default(), key.to_string(), place, atom);
    }

    fn atom(
        &mut self,
        graph: &GraphKey,
        spot: &Spot,
        words: String,
        place: Option<&SourceLocation>,
        atom: Atom,
    ) {
        let name = if *spot == Spot::default() { SmolStr::new(&words) } else { SmolStr::default() };
        if self.known.insert((graph.clone(), spot.clone(), name)) {
            self.items.push(GoalItem { words, place: place.cloned(), wanted: Wanted::Atom(atom) });
        }
    }

    fn parts(
        &mut self,
        site: ConditionSite,
        title: String,
        condition: Option<&Conditions>,
        place: Option<&SourceLocation>,
    ) {
        let Some(condition) = condition.filter(|_| !self.sites.contains_key(&site)) else { return };
        for (position, text) in condition.part_texts().iter().enumerate() {
            let wanted = Wanted::Part { site: site.clone(), position };
            let words = format!("`{}`", crate::words::shortened(text, TEXT_MAX));
            self.items.push(GoalItem { words, place: place.cloned(), wanted });
        }
        self.sites.insert(site, (title, condition.part_texts().to_vec()));
    }

    /// The positions of the items that are reached if this is shown.
    pub(super) fn reached(&self, atoms: &Atoms, shown: &AtomSet) -> BTreeSet<usize> {
        let is_reached = |item: &GoalItem| match &item.wanted {
            Wanted::Atom(atom) => atoms.find(atom).is_some_and(|number| shown.contains(&number)),
            Wanted::Part { site, position } => pair(atoms, site, *position, shown, &AtomSet::new()).is_some(),
        };
        let items = self.items.iter().enumerate();
        items.filter(|(_, item)| is_reached(item)).map(|(position, _)| position).collect()
    }

    /// The atoms that scenarios must show together, of those that runs can show; for parts of conditions the fewest
    /// evaluations that show them.
    pub(super) fn wanted(&self, atoms: &Atoms, possible: &AtomSet) -> AtomSet {
        let mut wanted = AtomSet::new();
        for item in &self.items {
            match &item.wanted {
                Wanted::Atom(atom) => {
                    wanted.extend(atoms.find(atom).filter(|number| possible.contains(number)));
                }
                Wanted::Part { site, position } => {
                    wanted.extend(pair(atoms, site, *position, possible, &wanted).into_iter().flatten());
                }
            }
        }
        let reached = self.reached(atoms, &wanted);
        for number in wanted.clone() {
            let mut fewer = wanted.clone();
            fewer.remove(&number);
            if self.reached(atoms, &fewer) == reached {
                wanted = fewer;
            }
        }
        wanted
    }

    /// The values that a part of a condition came to in runs.
    pub(super) fn values_of(
        &self,
        atoms: &Atoms,
        site: &ConditionSite,
        position: usize,
        possible: &AtomSet,
    ) -> BTreeSet<bool> {
        let values = atoms.rows(site, possible).filter_map(|(_, row)| row.values.get(position).copied());
        values.flatten().collect()
    }
}

/// Two evaluations that show a part, if possible ones that are wanted already.
fn pair(
    atoms: &Atoms,
    site: &ConditionSite,
    position: usize,
    among: &AtomSet,
    wanted: &AtomSet,
) -> Option<[u32; 2]> {
    let rows = atoms.rows(site, among);
    let mut best: Option<(usize, [u32; 2])> = None;
    for (one, row) in rows.clone() {
        for (other, _) in rows.clone().filter(|(other, against)| one < *other && row.shows(against, position))
        {
            let new = [one, other].iter().filter(|number| !wanted.contains(number)).count();
            if best.is_none_or(|(fewest, _)| new < fewest) {
                best = Some((new, [one, other]));
            }
            if new == 0 {
                return best.map(|(_, pair)| pair);
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// The maximum number of characters that are shown of a condition.
const TEXT_MAX: usize = 60;
