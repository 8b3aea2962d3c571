//! What a scenario shows, in words, and why something is not reached.

use super::atoms::{Atom, AtomSet, Atoms, GoalItem, Goals, Wanted};
use super::explored::SeenInRuns;
use crate::coverage::result_of;
use crate::words::shortened;

/// The maximum number of edges, keys and decisions in a title.
const NAMED_MAX: usize = 3;
const DECISIONS_MAX: usize = 2;
/// The maximum number of characters of a condition's part in a title.
const PART_MAX: usize = 60;

/// The title of a scenario: what only this scenario shows, or else everything that it shows.
pub(super) fn title(goals: &Goals, atoms: &Atoms, shown: &AtomSet, by_others: &AtomSet) -> String {
    let is_wanted = |number: &&u32| atoms.get(**number).is_some_and(|atom| words(goals, atom).is_some());
    let shown: AtomSet = shown.iter().filter(is_wanted).copied().collect();
    let alone: AtomSet = shown.difference(by_others).copied().collect();
    let named = if alone.is_empty() { &shown } else { &alone };
    let found = named.iter().filter_map(|number| atoms.get(*number));
    let parts: Vec<String> = found.filter_map(|atom| words(goals, atom)).collect();
    let first = named.first().and_then(|number| atoms.get(*number));
    let (lead, joint, noun) = match first {
        Some(Atom::Edge(..)) => ("Follows ", ", ", "edges"),
        Some(Atom::Key(..)) => ("Reads ", ", ", "keys"),
        Some(Atom::Row(..)) => ("", "; ", "decisions"),
        None => return "A run.".to_owned(),
    };
    let most = if matches!(first, Some(Atom::Row(..))) { DECISIONS_MAX } else { NAMED_MAX };
    let rest = parts.len().saturating_sub(most);
    let listed = parts.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(joint);
    match rest {
        0 => format!("{lead}{listed}."),
        1 => format!("{lead}{listed}{joint}and one more of the {noun}."),
        rest => format!("{lead}{listed}{joint}and {rest} more {noun}."),
    }
}

/// An atom in words. `None` if it belongs to no part of the goal.
fn words(goals: &Goals, atom: &Atom) -> Option<String> {
    if let Atom::Row(site, row) = atom {
        let (title, parts) = goals.sites.get(site)?;
        let values = parts
            .iter()
            .zip(&row.values)
            .filter_map(|(text, value)| Some(format!("{} is {}", shortened(text, PART_MAX), (*value)?)));
        let values: Vec<String> = values.collect();
        let result = match site.is_node() {
            true => format!("{title} chooses {}", row.result),
            false if row.result == result_of(true) => format!("{title} is followed"),
            false => format!("{title} is not followed"),
        };
        return Some(match values.is_empty() {
            true => result,
            false => format!("{result} if {}", values.join(" and ")),
        });
    }
    let is_it = |item: &&GoalItem| matches!(&item.wanted, Wanted::Atom(wanted) if wanted == atom);
    goals.items.iter().find(is_it).map(|item| item.words.clone())
}

/// Why goals are not reached.
pub(super) struct Reasons<'r> {
    pub(super) goals: &'r Goals,
    pub(super) atoms: &'r Atoms,
    pub(super) seen: Vec<&'r SeenInRuns>,
    pub(super) possible: &'r AtomSet,
    /// Whether conditions depend on what runs begin with.
    pub(super) depends_on_start: bool,
    /// How many states were explored. `None` if that is everything.
    pub(super) states: Option<usize>,
}

impl Reasons<'_> {
    /// Why no scenario reaches an item.
    pub(super) fn of(&self, position: usize, item: &GoalItem) -> String {
        if self.goals.reached(self.atoms, self.possible).contains(&position) {
            return "a run reaches it, but no scenario can repeat that run".to_owned();
        }
        let reason = match &item.wanted {
            Wanted::Atom(Atom::Edge(graph, edge)) => {
                let (.., from) = edge;
                let is_seen = |sees: &dyn Fn(&SeenInRuns) -> bool| self.seen.iter().any(|seen| sees(seen));
                match (
                    is_seen(&|seen| seen.has_edge(graph, edge)),
                    is_seen(&|seen| seen.has_node(graph, from)),
                ) {
                    (true, _) => "its condition never holds".to_owned(),
                    (false, false) if !from.is_empty() => format!("no run visits `{from}`"),
                    (false, _) => "no run evaluates it".to_owned(),
                }
            }
            Wanted::Atom(_) => "no run reads it after something wrote it".to_owned(),
            Wanted::Part { site, position } => {
                let values = self.goals.values_of(self.atoms, site, *position, self.possible);
                let missing = match (values.contains(&true), values.contains(&false)) {
                    (false, false) => "is never evaluated",
                    (false, true) => "is never true",
                    (true, false) => "is never false",
                    (true, true) => "never decides the result alone",
                };
                missing.to_owned()
            }
        };
        let start = if self.depends_on_start { ", with the inputs that were tried" } else { "" };
        match self.states {
            Some(states) => format!("{reason}{start}, within {states} states"),
            None => reason + start,
        }
    }
}
