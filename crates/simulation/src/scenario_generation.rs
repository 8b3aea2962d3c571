//! Scenarios that reach a goal: every edge, every part of every condition, every key.
//!
//! Input: the graphs of a file, and a goal; output: few scenarios that reach it together, and what no scenario reaches.
//! Reading order: `atoms` (what is wanted), `starts` (what runs begin with), `explored` (what can happen), `walk` (paths that show much), `cover` (few of
//! them), `wording` (titles and reasons). Invariant: a scenario was read back and run again before it is handed out, and what it shows
//! was read off its run.

mod atoms;
mod cover;
mod explored;
mod starts;
mod walk;
mod wording;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::explore::ExplorationBounds;
use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

use self::atoms::{AtomSet, Atoms, Goals};
use self::explored::{Candidate, Explored};
use crate::chart::SourceLocation;
use crate::export_scenario::{Beginning, titled_scenario_text};
use crate::target::{SimulationTarget, TargetError};
use crate::testing::main_path;

/// What scenarios must reach together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Every edge is followed.
    Edges,
    /// Every part of every condition decides (MC/DC).
    Conditions,
    /// Every key that something reads is read with a value.
    Keys,
}

/// The scenarios for a goal, and what they do not reach.
#[derive(Debug)]
pub struct Generated {
    pub scenarios: Vec<GeneratedScenario>,
    /// How many edges, parts of conditions or keys the goal has.
    pub all: usize,
    /// The parts of the goal that no scenario reaches.
    pub unreached: Vec<UnreachedGoal>,
    /// Whether everything that can happen was explored. Then no scenario can reach the rest.
    pub is_exhaustive: bool,
    /// Why not everything was explored.
    pub gaps: Vec<String>,
}

#[derive(Debug)]
pub struct GeneratedScenario {
    /// What the scenario shows, in words.
    pub title: String,
    /// The content of the document.
    pub text: String,
    /// The nodes that the main graph visits.
    pub path: Vec<SmolStr>,
}

/// A part of the goal that no scenario reaches.
#[derive(Debug)]
pub struct UnreachedGoal {
    pub what: String,
    pub why: String,
    pub place: Option<SourceLocation>,
}

/// The number of states that are explored by default.
pub const STATES: usize = 5_000;

/// Up to this many scenarios, two of them may be replaced by one. Each pair costs a search.
const MERGED_MAX: usize = 16;

impl Goal {
    pub const ALL: [Goal; 3] = [Goal::Edges, Goal::Conditions, Goal::Keys];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Goal::Edges => "edges",
            Goal::Conditions => "conditions",
            Goal::Keys => "keys",
        }
    }
}

impl Generated {
    /// How many parts of the goal are reached.
    #[must_use]
    pub fn reached(&self) -> usize {
        self.all - self.unreached.len()
    }

    /// The scenarios as a file.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.scenarios.iter().map(|scenario| scenario.text.as_str()).collect();
        texts.join("---\n")
    }
}

/// Generates scenarios for these targets, for a file at `path` in the project.
///
/// # Errors
/// If a target cannot run.
pub fn generate(
    snapshot: &Snapshot,
    targets: &[SimulationTarget],
    goal: Goal,
    states: usize,
    path: &str,
) -> Result<Generated, TargetError> {
    let bounds = ExplorationBounds { states, ..ExplorationBounds::default() };
    let mut work = Work::new(snapshot, targets, goal, &bounds)?;
    work.fill();
    let scenarios = work.scenarios(path);
    Ok(work.generated(scenarios))
}

/// The explored targets, and the runs that may become scenarios.
struct Work<'w> {
    snapshot: &'w Snapshot,
    goal: Goal,
    explored: Vec<Explored<'w>>,
    goals: Goals,
    atoms: Atoms,
    pool: Vec<Candidate>,
    /// Whether conditions depend on the input of runs, of which only some values were tried.
    depends_on_start: bool,
}

/// The written scenarios, and what they show together.
struct Written {
    scenarios: Vec<GeneratedScenario>,
    shown: AtomSet,
}

impl<'w> Work<'w> {
    fn new(
        snapshot: &'w Snapshot,
        targets: &'w [SimulationTarget],
        goal: Goal,
        bounds: &ExplorationBounds,
    ) -> Result<Work<'w>, TargetError> {
        let (mut atoms, mut goals) = (Atoms::default(), Goals::default());
        let (mut explored, mut depends_on_start) = (Vec::new(), false);
        for target in targets {
            let (starts, is_varied) = starts::starts(snapshot, target)?;
            depends_on_start |= is_varied;
            for start in starts {
                let one = Explored::new(snapshot, target, start, goal, bounds, &mut atoms)?;
                one.add_goals(goal, &mut goals);
                explored.push(one);
            }
        }
        Ok(Work { snapshot, goal, explored, goals, atoms, pool: Vec::new(), depends_on_start })
    }

    /// Everything that the explored runs can show.
    fn possible(&self) -> AtomSet {
        self.explored.iter().flat_map(|one| one.states.possible()).collect()
    }

    /// Collects runs until they show everything that is wanted and possible. A graph that another one runs comes after that
    /// one.
    fn fill(&mut self) {
        let wanted = self.goals.wanted(&self.atoms, &self.possible());
        let is_inner = |number: usize| {
            let main = self.explored.get(number).and_then(Explored::main);
            let runs = |other: &Explored<'_>| {
                other.main() != main && main.is_some_and(|main| other.seen.graphs.contains(main))
            };
            self.explored.iter().any(runs)
        };
        let mut order: Vec<(bool, usize)> =
            (0..self.explored.len()).map(|number| (is_inner(number), number)).collect();
        order.sort_unstable();
        for (is_inner, number) in order {
            // What runs of the outer graph show need not be shown by the inner graph alone.
            let known = match is_inner {
                true => self.pool.iter().flat_map(|candidate| candidate.shown.iter().copied()).collect(),
                false => AtomSet::new(),
            };
            let missing = wanted.difference(&known).copied().collect();
            self.fill_from(number, &missing);
        }
    }

    fn fill_from(&mut self, number: usize, wanted: &AtomSet) {
        let Some(explored) = self.explored.get(number) else { return };
        let mut missing: AtomSet = wanted.intersection(&explored.states.possible()).copied().collect();
        while let Some(first) = missing.first().copied() {
            let mut found: Vec<Candidate> = Vec::new();
            for is_sound in [true, false] {
                let way = explored.states.walk(&missing, is_sound);
                found.push(explored.candidate(number, &way, self.goal, &mut self.atoms));
            }
            let new = |candidate: &Candidate| candidate.shown.intersection(&missing).count();
            if found.iter().all(|candidate| new(candidate) == 0) {
                let way = explored.states.shortest(first).unwrap_or_default();
                found.push(explored.candidate(number, &way, self.goal, &mut self.atoms));
            }
            found.retain(|candidate| new(candidate) > 0);
            let best = found.iter().min_by_key(|candidate| {
                (std::cmp::Reverse(new(candidate)), candidate.faults, candidate.visits)
            });
            match best {
                Some(best) => missing = missing.difference(&best.shown).copied().collect(),
                None => drop(missing.remove(&first)),
            }
            self.pool.extend(found);
        }
    }

    /// Writes the chosen runs as scenarios. A run that the format cannot express is removed, and others are chosen.
    fn scenarios(&mut self, path: &str) -> Written {
        loop {
            let chosen = self.chosen();
            let mut written = Written { scenarios: Vec::new(), shown: AtomSet::new() };
            let mut inexpressible = None;
            for position in &chosen {
                match self.written(*position, &chosen, path) {
                    Some(scenario) => written.scenarios.push(scenario),
                    None => inexpressible = inexpressible.or(Some(*position)),
                }
                written
                    .shown
                    .extend(self.pool.get(*position).iter().flat_map(|one| one.shown.iter().copied()));
            }
            match inexpressible {
                Some(position) => drop(self.pool.remove(position)),
                None => return written,
            }
        }
    }

    /// Chooses few candidates that reach as much of the goal as all do, and returns their positions.
    fn chosen(&mut self) -> Vec<usize> {
        let known: AtomSet = self.pool.iter().flat_map(|one| one.shown.iter().copied()).collect();
        let wanted = self.goals.wanted(&self.atoms, &known);
        let mut chosen = cover::chosen(&self.pool, &wanted);
        while self.merged(&wanted, &chosen) {
            chosen = cover::chosen(&self.pool, &wanted);
        }
        self.shorten(&wanted, &mut chosen);
        let all = self.reached_by(&chosen);
        // Replaced runs can show more than was needed of them, so another one may have become superfluous.
        for position in chosen.clone() {
            let fewer: Vec<usize> = chosen.iter().copied().filter(|other| *other != position).collect();
            if self.reached_by(&fewer) == all {
                chosen = fewer;
            }
        }
        let cost = |position: &usize| {
            let candidate = self.pool.get(*position);
            (candidate.map(|one| (one.target, one.faults, one.visits)), *position)
        };
        chosen.arrange_by_key(cost);
        chosen
    }

    fn reached_by(&self, chosen: &[usize]) -> BTreeSet<usize> {
        let candidates = chosen.iter().filter_map(|position| self.pool.get(*position));
        let shown: AtomSet = candidates.flat_map(|one| one.shown.iter().copied()).collect();
        self.goals.reached(&self.atoms, &shown)
    }

    /// Looks for a run that shows alone what two of the chosen ones show together, and adds it. Returns whether there is
    /// one.
    fn merged(&mut self, wanted: &AtomSet, chosen: &[usize]) -> bool {
        if chosen.len() > MERGED_MAX {
            return false;
        }
        for (place, one) in chosen.iter().enumerate() {
            for other in chosen.iter().skip(place + 1) {
                let needed = cover::only_shown_by(&self.pool, wanted, chosen, &[*one, *other]);
                if let Some(found) = self.showing(&needed, &[*one, *other]) {
                    self.pool.push(found);
                    return true;
                }
            }
        }
        false
    }

    /// Replaces chosen runs by shorter ones that show what is needed of them.
    fn shorten(&mut self, wanted: &AtomSet, chosen: &mut [usize]) {
        for place in 0..chosen.len() {
            let Some(position) = chosen.get(place).copied() else { return };
            let needed = cover::only_shown_by(&self.pool, wanted, chosen, &[position]);
            let cost = |candidate: &Candidate| (candidate.faults, candidate.visits);
            if let Some(found) = self.showing(&needed, &[position])
                && self.pool.get(position).is_some_and(|known| cost(&found) < cost(known))
            {
                chosen.get_mut(place).into_iter().for_each(|slot| *slot = self.pool.len());
                self.pool.push(found);
            }
        }
    }

    /// Looks for a run that shows all of `needed`, in the targets of the candidates `of`.
    fn showing(&mut self, needed: &AtomSet, of: &[usize]) -> Option<Candidate> {
        let targets: BTreeSet<usize> =
            of.iter().filter_map(|position| self.pool.get(*position)).map(|one| one.target).collect();
        for number in targets {
            let explored = self.explored.get(number)?;
            for is_sound in [true, false] {
                let way = explored.states.walk(needed, is_sound);
                let found = explored.candidate(number, &way, self.goal, &mut self.atoms);
                if needed.is_subset(&found.shown) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Writes a candidate as a scenario. `None` if the format cannot express it.
    fn written(&self, position: usize, chosen: &[usize], path: &str) -> Option<GeneratedScenario> {
        let candidate = self.pool.get(position)?;
        let explored = self.explored.get(candidate.target)?;
        let others = chosen.iter().filter(|other| **other != position);
        let others: AtomSet = others
            .filter_map(|other| self.pool.get(*other))
            .flat_map(|one| one.shown.iter().copied())
            .collect();
        let title = wording::title(&self.goals, &self.atoms, &candidate.shown, &others);
        let recording = explored.recording(candidate);
        let beginning = Beginning { target: explored.target, scenario: &explored.start, uses: &[] };
        let text = titled_scenario_text(self.snapshot, &recording, &beginning, path, &title).ok()?;
        Some(GeneratedScenario { title, text, path: main_path(&recording) })
    }

    fn generated(&self, written: Written) -> Generated {
        let reached = self.goals.reached(&self.atoms, &written.shown);
        let possible = self.possible();
        let is_exhaustive = self.explored.iter().all(Explored::is_exhaustive);
        let reasons = wording::Reasons {
            goals: &self.goals,
            atoms: &self.atoms,
            seen: self.explored.iter().map(|one| &one.seen).collect(),
            possible: &possible,
            depends_on_start: self.depends_on_start,
            states: (!is_exhaustive)
                .then(|| self.explored.iter().map(Explored::state_count).max().unwrap_or_default()),
        };
        let items = self.goals.items.iter().enumerate().filter(|(position, _)| !reached.contains(position));
        let unreached = items.map(|(position, item)| UnreachedGoal {
            what: item.words.clone(),
            why: reasons.of(position, item),
            place: item.place.clone(),
        });
        let gaps: BTreeSet<&String> = self.explored.iter().flat_map(Explored::gaps).collect();
        Generated {
            scenarios: written.scenarios,
            all: self.goals.items.len(),
            unreached: unreached.collect(),
            is_exhaustive,
            gaps: gaps.into_iter().cloned().collect(),
        }
    }
}
