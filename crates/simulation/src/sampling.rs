//! The results of many random runs of a target.
//!
//! Input: a snapshot, what is to run, how often, and which share of the runs; output: counts, and what they come to.
//! Invariant: neither the number of threads nor the number of shards changes the result.

use std::sync::atomic::{AtomicU32, Ordering};

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::explore::sample::{Sample, SampleCounts, by_chance, seed_of_run};
use nodewise_model::scenario::Scenario;

use crate::exploration::says_something;
use crate::prepare::setting;
use crate::run::{Facts, Run};
use crate::runtime::Setting;
use crate::system::RunnableSystem;
use crate::target::{SimulationTarget, TargetError};

/// The results of many random runs.
#[derive(Debug)]
pub struct Sampled {
    /// What ran.
    pub subject: SampledTarget,
    /// How the results are distributed.
    pub sample: Sample,
}

/// What ran many times, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledTarget {
    /// Whose graph it is.
    pub system: RunnableSystem,
    /// What runs, in words.
    pub title: String,
    pub seed: u64,
    /// Further remarks for people.
    pub notes: Vec<String>,
    /// Whether a script gave the answers. Otherwise each possible alternative was equally likely.
    pub is_scripted: bool,
}

/// A part of many runs: the runs whose number modulo `of` is `index`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 0 to below `of`.
    pub index: u32,
    /// How many shards there are; at least 1.
    pub of: u32,
}

/// How many runs a thread takes at a time.
const CHUNK: u32 = 64;

impl Shard {
    /// All runs.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// How many of the runs with numbers below `runs` belong to the shard.
    #[must_use]
    pub fn share(self, runs: u32) -> u32 {
        runs.saturating_sub(self.index).div_ceil(self.of)
    }

    /// Whether the run with a number belongs to the shard.
    #[must_use]
    pub fn has(self, number: u32) -> bool {
        number % self.of == self.index
    }

    /// The number of the run at a position in the shard.
    fn number(self, position: u32) -> u32 {
        position * self.of + self.index
    }
}

/// Runs a target many times with random choices, on all cores. If the scenario has no answers, each alternative that the
/// exploration would try is equally likely.
///
/// # Errors
/// If a run cannot be prepared.
pub fn sample(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
    runs: u32,
) -> Result<Sampled, TargetError> {
    let (subject, counts) = count(snapshot, target, scenario, (runs, Shard::WHOLE))?;
    Ok(Sampled { subject, sample: counts.sample() })
}

/// Does the runs of a shard on all cores, and counts their results.
///
/// # Errors
/// If a run cannot be prepared.
pub(crate) fn count(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
    (runs, shard): (u32, Shard),
) -> Result<(SampledTarget, SampleCounts), TargetError> {
    let first = SampleRunner::new(setting(snapshot, target, scenario)?);
    let subject = first.subject();
    let mut counts = SampleCounts::new(first.guide.as_ref());
    drop(first);
    let share = shard.share(runs);
    let next = AtomicU32::new(0);
    // A run belongs to one thread, so each thread prepares its own.
    let counted = nodewise_platform::threads::broadcast(|_| {
        let mut counts = SampleCounts::default();
        let mut runner: Option<SampleRunner> = None;
        while let Some(chunk) = take_chunk(&next, share) {
            let runner = match &mut runner {
                Some(runner) => runner,
                none => none.insert(SampleRunner::new(setting(snapshot, target, scenario)?)),
            };
            for number in chunk.map(|position| shard.number(position)) {
                runner.play(number, &mut counts);
            }
        }
        Ok(counts)
    });
    for part in counted {
        counts.merge(part?);
    }
    Ok((subject, counts))
}

/// Takes the next positions below `share`. `None` if all are taken.
fn take_chunk(next: &AtomicU32, share: u32) -> Option<std::ops::Range<u32>> {
    let from = next
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |from| {
            (from < share).then(|| from.saturating_add(CHUNK).min(share))
        })
        .ok()?;
    Some(from..from.saturating_add(CHUNK).min(share))
}

/// Does runs in one thread.
struct SampleRunner {
    guide: Box<dyn nodewise_engine::explore::Guide>,
    template: Run,
    facts: Facts,
    is_scripted: bool,
}

impl SampleRunner {
    fn new(setting: Setting<'_>) -> SampleRunner {
        let Setting { running, scripting, facts, guide } = setting;
        let is_scripted = says_something(&scripting);
        SampleRunner {
            guide: guide(),
            template: Run::new(running, scripting, facts.clone()),
            facts,
            is_scripted,
        }
    }

    fn subject(&self) -> SampledTarget {
        let mut notes = self.facts.notes.clone();
        if !self.is_scripted {
            notes.push("no answers are scripted: each alternative is equally likely".to_owned());
        }
        SampledTarget {
            system: self.facts.system,
            title: self.facts.title.clone(),
            seed: self.facts.seed,
            notes,
            is_scripted: self.is_scripted,
        }
    }

    /// Does the run with this number, and counts its result.
    fn play(&mut self, number: u32, counts: &mut SampleCounts) {
        let own = seed_of_run(self.facts.seed, number);
        match self.is_scripted {
            true => {
                let mut run = self.template.reseeded(own);
                let outcome = run.drive(|_| true);
                counts.add(number, run.running(), &outcome);
            }
            false => {
                let (run, outcome) = by_chance(self.template.running(), self.guide.as_ref(), own);
                counts.add(number, run.as_ref(), &outcome);
            }
        }
    }
}
