//! Many random runs: how often they have which outcome, where they go, what they use.
//!
//! Input: runs with their numbers, a seed; output: distributions. Invariant: a run's chances derive from the seed and its
//! number alone, and counts are merged in any order to the same result, so that it does not matter where runs happen.

use std::collections::BTreeMap;

use nodewise_expr::value::Value;
use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

use super::guide::Guide;
use crate::ask::{Answer, Ask, Decision};
use crate::event::{AskId, EventKind};
use crate::outcome::Outcome;
use crate::provider::{Provider, drive};
use crate::random::Random;
use crate::running::Running;

/// The distributions of what many runs did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// How many runs there were.
    pub runs: u32,
    /// How many runs had each outcome: the status, with the class of the error.
    pub outcomes: Vec<(String, u32)>,
    /// How many runs took each path, the most frequent path first.
    pub paths: Vec<(Vec<SmolStr>, u32)>,
    /// How many visits of each node a run has: the distribution over all runs.
    pub visits: Vec<(SmolStr, Spread)>,
    /// Money, in US dollars.
    pub cost_usd: Spread,
    pub tokens: Spread,
    /// Virtual time, in milliseconds.
    pub time_ms: Spread,
}

/// The distribution of a number over the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    /// The median.
    pub p50: f64,
    /// What nine of ten runs do not exceed.
    pub p90: f64,
    /// What 99 of 100 runs do not exceed.
    pub p99: f64,
    pub most: f64,
}

/// A provider that draws from the guide's choices at random.
struct Chance<'g> {
    guide: &'g dyn Guide,
    random: Random,
}

/// The greatest number of alternatives of a question that the draw is from.
const ALTERNATIVES: usize = 48;
/// Multiplied by the number of a run, it makes the seed of the run.
const STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

/// The seed of one of many runs. It derives from the common seed and the number of the run.
#[must_use]
pub fn seed_of_run(seed: u64, number: u32) -> u64 {
    Random::new(seed ^ u64::from(number).wrapping_mul(STRIDE)).bits()
}

/// Completes a copy of a run with random answers from a seed. Each of the guide's choices is equally likely.
#[must_use]
pub fn by_chance(run: &dyn Running, guide: &dyn Guide, seed: u64) -> (Box<dyn Running>, Outcome) {
    let mut run = run.copied();
    run.reseed(seed);
    let outcome = drive(run.as_mut(), &mut Chance { guide, random: Random::new(seed) });
    (run, outcome)
}

/// What is counted, run by run. Counts of different runs can be merged, in any order.
///
/// It has an entry for each value that differs, however many runs there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SampleCounts {
    /// How many runs were counted.
    pub runs: u32,
    /// For each status of the end, with the class of the error: the runs that ended with it.
    pub outcomes: BTreeMap<String, Tally>,
    /// For each sequence of visited nodes: the runs that visited them.
    pub paths: BTreeMap<Vec<SmolStr>, Tally>,
    /// For each node, how often runs visited it. Runs that did not visit it are not counted here.
    pub visits: BTreeMap<SmolStr, Histogram>,
    /// Money, in US dollars.
    pub cost_usd: Histogram,
    pub tokens: Histogram,
    /// Virtual time, in milliseconds.
    pub time_ms: Histogram,
}

/// How many runs have something in common, and the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// How many runs they are.
    pub runs: u32,
    /// The lowest number of such a run.
    pub first: u32,
}

/// How often each value of a number occurred.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram(BTreeMap<TotalOrder, u32>);

/// A number in the order of [`f64::total_cmp`].
#[derive(Debug, Clone, Copy)]
struct TotalOrder(f64);

impl SampleCounts {
    /// Nothing counted yet. The nodes of the guide are in the result even if no run visits them.
    #[must_use]
    pub fn new(guide: &dyn Guide) -> SampleCounts {
        let outlines = guide.outlines();
        let nodes = outlines.iter().flat_map(|outline| &outline.nodes);
        let visits = nodes.map(|node| (node.id.clone(), Histogram::default())).collect();
        SampleCounts { visits, ..SampleCounts::default() }
    }

    /// Counts the run with a number.
    pub fn add(&mut self, number: u32, run: &dyn Running, outcome: &Outcome) {
        let class = outcome.failure.as_ref().map(|failure| format!(" {}", failure.class)).unwrap_or_default();
        let one = Tally { runs: 1, first: number };
        add_tally(&mut self.outcomes, format!("{}{class}", outcome.status.word()), one);
        let begun = run.log().iter().filter_map(|event| match &event.kind {
            EventKind::VisitStarted { node, .. } => Some(node.clone()),
            _ => None,
        });
        let path: Vec<SmolStr> = begun.collect();
        let mut counts: BTreeMap<&SmolStr, f64> = BTreeMap::new();
        path.iter().for_each(|node| *counts.entry(node).or_default() += 1.0);
        for (node, count) in counts {
            self.visits.entry(node.clone()).or_default().add(count, 1);
        }
        add_tally(&mut self.paths, path, one);
        let spent = run.spent();
        self.cost_usd.add(spent.cost_usd, 1);
        self.tokens.add(spent.tokens(), 1);
        self.time_ms.add(run.now().0 as f64, 1);
        self.runs += 1;
    }

    /// Adds the counts of other runs.
    pub fn merge(&mut self, other: SampleCounts) {
        self.runs += other.runs;
        other.outcomes.into_iter().for_each(|(key, tally)| add_tally(&mut self.outcomes, key, tally));
        other.paths.into_iter().for_each(|(key, tally)| add_tally(&mut self.paths, key, tally));
        for (node, visits) in other.visits {
            self.visits.entry(node).or_default().merge(&visits);
        }
        self.cost_usd.merge(&other.cost_usd);
        self.tokens.merge(&other.tokens);
        self.time_ms.merge(&other.time_ms);
    }

    /// The distributions over the counted runs.
    #[must_use]
    pub fn sample(self) -> Sample {
        let visits = self.visits.into_iter().map(|(node, mut visits)| {
            let elsewhere = u64::from(self.runs).saturating_sub(visits.count());
            visits.add(0.0, u32::try_from(elsewhere).unwrap_or_default());
            (node, visits.spread())
        });
        Sample {
            runs: self.runs,
            outcomes: most_frequent(self.outcomes),
            paths: most_frequent(self.paths),
            visits: visits.collect(),
            cost_usd: self.cost_usd.spread(),
            tokens: self.tokens.spread(),
            time_ms: self.time_ms.spread(),
        }
    }
}

impl Histogram {
    /// Counts a value, as often as `times` says.
    pub fn add(&mut self, value: f64, times: u32) {
        if times > 0 {
            let count = self.0.entry(TotalOrder(value)).or_default();
            *count = count.saturating_add(times);
        }
    }

    /// The values in ascending order, with how often each occurred.
    pub fn values(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.0.iter().map(|(value, times)| (value.0, *times))
    }

    /// How many values were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.values().copied().map(u64::from).sum()
    }

    fn merge(&mut self, other: &Histogram) {
        other.values().for_each(|(value, times)| self.add(value, times));
    }

    fn spread(&self) -> Spread {
        let all = self.count() as f64;
        let at = |part: f64| {
            let rank = ((part * all).ceil() as u64).max(1);
            let mut passed = 0;
            let found = self.values().find(|(_, times)| {
                passed += u64::from(*times);
                passed >= rank
            });
            found.map(|(value, _)| value).unwrap_or_default()
        };
        Spread { p50: at(0.5), p90: at(0.9), p99: at(0.99), most: at(1.0) }
    }
}

impl Ord for TotalOrder {
    fn cmp(&self, other: &TotalOrder) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for TotalOrder {
    fn partial_cmp(&self, other: &TotalOrder) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TotalOrder {
    fn eq(&self, other: &TotalOrder) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for TotalOrder {}

fn add_tally<K: Ord>(tallies: &mut BTreeMap<K, Tally>, key: K, more: Tally) {
    let tally = tallies.entry(key).or_insert(Tally { runs: 0, first: more.first });
    tally.runs += more.runs;
    tally.first = tally.first.min(more.first);
}

fn most_frequent<K: Ord>(tallies: BTreeMap<K, Tally>) -> Vec<(K, u32)> {
    let mut counts: Vec<(K, u32)> = tallies.into_iter().map(|(key, tally)| (key, tally.runs)).collect();
    // The sort is stable: equal counts stay in the order of what is counted.
    counts.arrange_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

impl Chance<'_> {
    /// A random position in a list of `count` items.
    fn draw(&mut self, count: usize) -> usize {
        (self.random.fraction() * count as f64) as usize
    }
}

impl Provider for Chance<'_> {
    fn answer(&mut self, _: AskId, ask: &Ask) -> Answer {
        let mut choices = self.guide.choices(ask, ALTERNATIVES).list;
        let drawn = self.draw(choices.len());
        match drawn < choices.len() {
            true => choices.swap_remove(drawn).answer,
            false => crate::script::echo::answer(ask),
        }
    }

    fn decide(&mut self, question: &Value) -> Option<Decision> {
        let mut decisions = self.guide.decisions(None, question);
        let drawn = self.draw(decisions.len());
        (drawn < decisions.len()).then(|| decisions.swap_remove(drawn))
    }
}
