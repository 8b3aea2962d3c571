//! Many random runs: how often they have which outcome, where they go, what they use.
//!
//! Input: who plays a run, how many, a seed; output: distributions. Invariant: a run's
//! chances derive from the seed and its number alone, so that the order of runs changes nothing.

use std::collections::BTreeMap;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::guide::Guide;
use crate::ask::{Answer, Ask, Decision};
use crate::event::{AskId, EventKind};
use crate::outcome::Outcome;
use crate::provider::{Provider, drive};
use crate::random::Random;
use crate::running::Running;

/// What many runs came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// How many runs there were.
    pub runs: u32,
    /// How often they ended in each way: the status, with the class of the error.
    pub outcomes: Vec<(String, u32)>,
    /// How often they went each way, the most frequent first.
    pub paths: Vec<(Vec<SmolStr>, u32)>,
    /// How many visits each node had, over all runs: the distribution over the runs.
    pub visits: Vec<(SmolStr, Spread)>,
    /// Money, in US dollars.
    pub cost_usd: Spread,
    /// Tokens.
    pub tokens: Spread,
    /// Virtual time, in milliseconds.
    pub time_ms: Spread,
}

/// How a number is spread over the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    /// The middle.
    pub p50: f64,
    /// What nine of ten runs do not exceed.
    pub p90: f64,
    /// What 99 of 100 runs do not exceed.
    pub p99: f64,
    /// The most.
    pub most: f64,
}

/// Draws from a guide's choices.
struct Chance<'g> {
    guide: &'g dyn Guide,
    random: Random,
}

/// How many alternatives of a question are drawn from.
const ALTERNATIVES: usize = 48;
/// What a run's own seed is drawn with.
const STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Runs so many times; `play` plays a run with the chances of a seed, from its beginning to its end. `goes_on` is asked
/// before each run.
pub fn sample(
    guide: &dyn Guide,
    (runs, seed): (u32, u64),
    play: &mut dyn FnMut(u64) -> (Box<dyn Running>, Outcome),
    goes_on: &mut dyn FnMut() -> bool,
) -> Sample {
    let mut counts = Counts::default();
    while counts.runs < runs && goes_on() {
        let (run, outcome) = play(Random::new(seed ^ u64::from(counts.runs).wrapping_mul(STRIDE)).bits());
        counts.add(run.as_ref(), &outcome);
    }
    counts.sample(guide)
}

/// Plays a run with a seed's chances: each of the guide's choices is as likely as the others.
#[must_use]
pub fn by_chance(run: &dyn Running, guide: &dyn Guide, seed: u64) -> (Box<dyn Running>, Outcome) {
    let mut run = run.copied();
    run.reseed(seed);
    let outcome = drive(run.as_mut(), &mut Chance { guide, random: Random::new(seed) });
    (run, outcome)
}

/// What is counted, run by run.
#[derive(Default)]
struct Counts {
    runs: u32,
    outcomes: BTreeMap<String, u32>,
    paths: BTreeMap<Vec<SmolStr>, u32>,
    visits: BTreeMap<SmolStr, Vec<f64>>,
    cost: Vec<f64>,
    tokens: Vec<f64>,
    time: Vec<f64>,
}

impl Counts {
    fn add(&mut self, run: &dyn Running, outcome: &Outcome) {
        let class = outcome.failure.as_ref().map(|failure| format!(" {}", failure.class)).unwrap_or_default();
        *self.outcomes.entry(format!("{}{class}", outcome.status.word())).or_default() += 1;
        let begun = run.log().iter().filter_map(|event| match &event.kind {
            EventKind::VisitStarted { node, .. } => Some(node.clone()),
            _ => None,
        });
        let path: Vec<SmolStr> = begun.collect();
        let mut counts: BTreeMap<&SmolStr, f64> = BTreeMap::new();
        path.iter().for_each(|node| *counts.entry(node).or_default() += 1.0);
        for (node, count) in counts {
            self.visits.entry(node.clone()).or_default().push(count);
        }
        *self.paths.entry(path).or_default() += 1;
        let spent = run.spent();
        self.cost.push(spent.cost_usd);
        self.tokens.push(spent.tokens());
        self.time.push(run.now().0 as f64);
        self.runs += 1;
    }

    fn sample(mut self, guide: &dyn Guide) -> Sample {
        for node in guide.outlines().iter().flat_map(|outline| &outline.nodes) {
            self.visits.entry(node.id.clone()).or_default();
        }
        let padded = |mut counts: Vec<f64>| {
            counts.resize(self.runs as usize, 0.0);
            spread(counts)
        };
        Sample {
            runs: self.runs,
            outcomes: most_frequent(self.outcomes),
            paths: most_frequent(self.paths),
            visits: self.visits.into_iter().map(|(node, counts)| (node, padded(counts))).collect(),
            cost_usd: spread(self.cost),
            tokens: spread(self.tokens),
            time_ms: spread(self.time),
        }
    }
}

fn most_frequent<K: Ord>(counts: BTreeMap<K, u32>) -> Vec<(K, u32)> {
    let mut counts: Vec<(K, u32)> = counts.into_iter().collect();
    // The sort is stable: equal counts stay in the order of what is counted.
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn spread(mut numbers: Vec<f64>) -> Spread {
    numbers.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let rank = (part * numbers.len() as f64).ceil() as usize;
        numbers.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    };
    Spread { p50: at(0.5), p90: at(0.9), p99: at(0.99), most: at(1.0) }
}

impl Chance<'_> {
    /// One of so many.
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
