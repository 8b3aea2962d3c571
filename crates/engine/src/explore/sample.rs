//! Many runs by chance: how often they end in which way, where they go, what they use.
//!
//! Input: a run that has not begun, who answers it, how many runs, a seed; output: distributions. Invariant: a run's
//! chances derive from the seed and its number alone, so that the order of runs changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::SmolStr;

use super::guide::Guide;
use crate::ask::{Answer, Ask, Decision};
use crate::event::{AskId, EventKind};
use crate::provider::{Provider, drive};
use crate::random::Random;
use crate::running::Running;
use crate::script::{Script, Scripted};
use nodewise_expr::value::Value;

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

/// Answers by chance: from a script where it has something, else one of the guide's choices.
struct Chance<'g> {
    scripted: Option<Scripted>,
    guide: &'g dyn Guide,
    random: Random,
}

/// How many alternatives of a question are drawn from.
const ALTERNATIVES: usize = 48;
/// What is drawn a run's own seed with.
const STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Runs so many times. Without a script each of the guide's choices is as likely as the others.
pub fn sample(
    run: &dyn Running,
    guide: &dyn Guide,
    script: Option<&Arc<Script>>,
    runs: u32,
    seed: u64,
    goes_on: &mut dyn FnMut() -> bool,
) -> Sample {
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    let mut paths: BTreeMap<Vec<SmolStr>, u32> = BTreeMap::new();
    let mut visits: BTreeMap<SmolStr, Vec<f64>> = BTreeMap::new();
    let (mut cost, mut tokens, mut time) = (Vec::new(), Vec::new(), Vec::new());
    let mut done = 0;
    while done < runs && goes_on() {
        let own = Random::new(seed ^ u64::from(done).wrapping_mul(STRIDE)).bits();
        let scripted = script.map(|script| Scripted::seeded(script.clone(), own));
        let mut chance = Chance { scripted, guide, random: Random::new(own) };
        let mut copy = run.copied();
        let outcome = drive(copy.as_mut(), &mut chance);
        let class = outcome.failure.as_ref().map(|failure| format!(" {}", failure.class)).unwrap_or_default();
        *outcomes.entry(format!("{}{class}", outcome.status.word())).or_default() += 1;
        let path: Vec<SmolStr> = copy
            .log()
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::VisitStarted { node, .. } => Some(node.clone()),
                _ => None,
            })
            .collect();
        let mut counts: BTreeMap<&SmolStr, f64> = BTreeMap::new();
        path.iter().for_each(|node| *counts.entry(node).or_default() += 1.0);
        for (node, count) in counts {
            visits.entry(node.clone()).or_default().push(count);
        }
        *paths.entry(path).or_default() += 1;
        let spent = copy.spent();
        cost.push(spent.cost_usd);
        tokens.push(spent.tokens());
        time.push(copy.now().0 as f64);
        done += 1;
    }
    let nodes = guide.outlines().iter().flat_map(|outline| &outline.nodes).map(|node| node.id.clone());
    for node in nodes {
        visits.entry(node).or_default();
    }
    let padded = |mut counts: Vec<f64>| {
        counts.resize(done as usize, 0.0);
        spread(counts)
    };
    Sample {
        runs: done,
        outcomes: most_frequent(outcomes),
        paths: most_frequent(paths),
        visits: visits.into_iter().map(|(node, counts)| (node, padded(counts))).collect(),
        cost_usd: spread(cost),
        tokens: spread(tokens),
        time_ms: spread(time),
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

impl Provider for Chance<'_> {
    fn answer(&mut self, id: AskId, ask: &Ask) -> Answer {
        if let Some(scripted) = &mut self.scripted {
            return scripted.answer(id, ask);
        }
        let mut choices = self.guide.choices(ask, ALTERNATIVES).list;
        let drawn = (self.random.fraction() * choices.len() as f64) as usize;
        match drawn < choices.len() {
            true => choices.swap_remove(drawn).answer,
            false => crate::script::echo::answer(ask),
        }
    }

    fn decide(&mut self, question: &Value) -> Option<Decision> {
        if let Some(scripted) = &mut self.scripted {
            return scripted.decide(question);
        }
        let mut decisions = self.guide.decisions(question);
        let drawn = (self.random.fraction() * decisions.len() as f64) as usize;
        (drawn < decisions.len()).then(|| decisions.swap_remove(drawn))
    }
}
