//! A shard of many random runs as a file, so that several machines can share the runs.
//!
//! Input: a shard of runs, or the files of all shards; output: a file, or what one machine would have counted. Invariant:
//! shards of other files, another script, another seed or another nodewise are never added up, and no run is counted twice or
//! left out.

use std::collections::BTreeMap;

use nodewise_analysis::facts::Ownership;
use nodewise_analysis::fingerprint::Fingerprint;
use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::explore::sample::{Histogram, SampleCounts, Tally};
use nodewise_model::scenario::Scenario;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::sampling::{Sampled, SampledTarget, Shard, count};
use crate::setup;
use crate::system::RunnableSystem;
use crate::systems::SYSTEMS;
use crate::target::{SimulationTarget, TargetError};

/// The counts of a shard.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleShard {
    /// What ran.
    pub subject: SampledTarget,
    /// The version of nodewise that ran it.
    pub version: String,
    /// Identifies the declarations, the script and the input, to merge only shards of the same runs.
    pub digest: String,
    /// How many runs all shards have together.
    pub runs: u32,
    /// Which of them were counted.
    pub shard: Shard,
    pub counts: SampleCounts,
}

/// The name and the version of the format.
const FORMAT: &str = "nodewise-sample/1";
/// How the name of the format begins in every version.
const FORMAT_NAME: &str = "nodewise-sample/";

/// Does the runs of a shard, on all cores. `uses` is the path of the script or scenario that `scenario` was read from, if
/// the project has it.
///
/// # Errors
/// If a run cannot be prepared.
pub fn sample_shard(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
    uses: Option<&str>,
    (runs, shard): (u32, Shard),
) -> Result<SampleShard, TargetError> {
    let (subject, counts) = count(snapshot, target, scenario, (runs, shard))?;
    let uses: Vec<String> = uses.map(str::to_owned).into_iter().collect();
    let start = setup::text(snapshot, target, scenario, &subject.title, &uses);
    let is_ours = |ownership: &Ownership| matches!(ownership, Ownership::Ours(_));
    let mut files: Vec<[&str; 2]> = snapshot
        .files()
        .iter()
        .filter(|file| is_ours(&file.ownership))
        .map(|file| [file.path.as_ref(), file.text.as_ref()])
        .collect();
    files.sort_unstable();
    let texts = files.iter().flatten().copied().chain([start.as_str()]);
    let digest = Fingerprint::of_texts(texts).to_string();
    Ok(SampleShard { subject, version: env!("CARGO_PKG_VERSION").to_owned(), digest, runs, shard, counts })
}

/// Merges all shards, given with the names of their files.
///
/// # Errors
/// If they do not belong together, or if one is given twice or is missing.
pub fn merge(shards: Vec<(String, SampleShard)>) -> Result<Sampled, TargetError> {
    let mut shards = shards.into_iter();
    let Some((first_name, first)) = shards.next() else {
        return Err(TargetError::new("no shards to merge".to_owned()));
    };
    let of = first.shard.of;
    let mut merged = first.clone();
    let mut names = BTreeMap::from([(first.shard.index, first_name.clone())]);
    for (name, shard) in shards {
        if let Some(differs) = difference(&first, &shard) {
            return Err(TargetError {
                message: format!("`{name}` and `{first_name}` are not shards of the same runs: {differs}"),
                help: Some("run all shards with the same nodewise, files, script and options".to_owned()),
            });
        }
        if let Some(other) = names.insert(shard.shard.index, name.clone()) {
            return Err(TargetError {
                message: format!("`{other}` and `{name}` both have the shard {}/{of}", shard.shard.index),
                help: Some("give each shard once".to_owned()),
            });
        }
        merged.counts.merge(shard.counts);
    }
    if names.len() < of as usize {
        return Err(missing(&names, of));
    }
    Ok(Sampled { subject: merged.subject, sample: merged.counts.sample() })
}

/// The maximum number of missing shards that are named.
const MISSING_SHOWN: usize = 8;

fn missing(names: &BTreeMap<u32, String>, of: u32) -> TargetError {
    let count = of as usize - names.len();
    let missing = (0..of).filter(|index| !names.contains_key(index)).take(MISSING_SHOWN);
    let shown: Vec<String> = missing.map(|index| format!("{index}/{of}")).collect();
    let more = if count > shown.len() { format!(" and {} more", count - shown.len()) } else { String::new() };
    let (noun, verb) = if count == 1 { ("shard", "is") } else { ("shards", "are") };
    TargetError {
        message: format!("the {noun} {}{more} {verb} missing", shown.join(", ")),
        help: Some("run what is missing with `--shard`, and give the files of all shards".to_owned()),
    }
}

/// How two shards differ in something that must be equal. `None` if they can be merged.
fn difference(one: &SampleShard, other: &SampleShard) -> Option<String> {
    let differs = |what: &str, one: &dyn std::fmt::Display, other: &dyn std::fmt::Display| {
        Some(format!("{what} {other} and {one}"))
    };
    if one.version != other.version {
        return differs("the versions of nodewise are", &one.version, &other.version);
    }
    if one.runs != other.runs {
        return differs("`--runs` is", &one.runs, &other.runs);
    }
    if one.shard.of != other.shard.of {
        return differs("the numbers of shards are", &one.shard.of, &other.shard.of);
    }
    if one.subject.seed != other.subject.seed {
        return differs("the seeds are", &one.subject.seed, &other.subject.seed);
    }
    if one.subject != other.subject || one.digest != other.digest {
        return Some("the declarations, the script or the start of the runs differ".to_owned());
    }
    None
}

impl SampleShard {
    /// The shard as the text of a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let (subject, counts) = (&self.subject, &self.counts);
        let outcomes = counts
            .outcomes
            .iter()
            .map(|(outcome, tally)| json!({"outcome": outcome, "runs": tally.runs, "first": tally.first}));
        let paths = counts.paths.iter().map(|(path, tally)| {
            let path: Vec<&str> = path.iter().map(SmolStr::as_str).collect();
            json!({"path": path, "runs": tally.runs, "first": tally.first})
        });
        let visits = counts.visits.iter().map(|(node, visits)| (node.to_string(), histogram(visits)));
        let document = json!({
            "format": FORMAT,
            "nodewise": self.version,
            "digest": self.digest,
            "system": subject.system.dialect().id,
            "title": subject.title,
            "seed": subject.seed,
            "scripted": subject.is_scripted,
            "notes": subject.notes,
            "runs": self.runs,
            "shard": {"index": self.shard.index, "of": self.shard.of},
            "counts": {
                "runs": counts.runs,
                "outcomes": outcomes.collect::<Vec<Json>>(),
                "paths": paths.collect::<Vec<Json>>(),
                "time_ms": histogram(&counts.time_ms),
                "tokens": histogram(&counts.tokens),
                "cost_usd": histogram(&counts.cost_usd),
                "visits": visits.collect::<serde_json::Map<String, Json>>(),
            },
        });
        format!("{document}\n")
    }

    /// Reads the file of a shard.
    ///
    /// # Errors
    /// Where it is not the whole file of a shard.
    pub fn read(name: &str, text: &str) -> Result<SampleShard, TargetError> {
        let refusal = |reason: &str, help: &str| TargetError {
            message: format!("`{name}` {reason}"),
            help: Some(help.to_owned()),
        };
        const AGAIN: &str = "write it again with `nodewise simulate TARGET --runs N --shard I/N`";
        if text.trim().is_empty() {
            return Err(refusal("is empty: its shard did not run to the end", AGAIN));
        }
        let document: Option<Json> = serde_json::from_str(text).ok();
        let format = document.as_ref().and_then(|document| document.get("format")?.as_str());
        match (&document, format) {
            (Some(document), Some(FORMAT)) => {
                let shard = read_shard(document).filter(SampleShard::is_sound);
                shard.ok_or_else(|| refusal("is damaged: its counts do not add up", AGAIN))
            }
            (_, Some(other)) if other.starts_with(FORMAT_NAME) => Err(refusal(
                &format!("has the format {other}, and this nodewise reads {FORMAT}"),
                "merge shards with the nodewise that wrote them",
            )),
            _ => Err(refusal("is not the file of a shard", AGAIN)),
        }
    }

    /// Whether the counts are those of the runs that belong to the shard.
    fn is_sound(&self) -> bool {
        let (counts, runs) = (&self.counts, u64::from(self.counts.runs));
        let is_whole = |tallies: Vec<&Tally>| {
            let is_ours = |tally: &&Tally| tally.first < self.runs && self.shard.has(tally.first);
            let sum: u64 = tallies.iter().map(|tally| u64::from(tally.runs)).sum();
            sum == runs && tallies.iter().all(is_ours)
        };
        let of_each = [&counts.time_ms, &counts.tokens, &counts.cost_usd];
        counts.runs == self.shard.share(self.runs)
            && is_whole(counts.outcomes.values().collect())
            && is_whole(counts.paths.values().collect())
            && of_each.iter().all(|numbers| numbers.count() == runs)
            && counts.visits.values().all(|visits| visits.count() <= runs)
    }
}

fn read_shard(document: &Json) -> Option<SampleShard> {
    let text = |key: &str| Some(document.get(key)?.as_str()?.to_owned());
    let (counts, shard) = (document.get("counts")?, document.get("shard")?);
    let shard = Shard { index: natural(shard.get("index")?)?, of: natural(shard.get("of")?)? };
    if shard.index >= shard.of {
        return None;
    }
    let id = text("system")?;
    let system = SYSTEMS.iter().copied().find(|system| system.dialect().id == id)?;
    let note = |note: &Json| Some(note.as_str()?.to_owned());
    let subject = SampledTarget {
        system: RunnableSystem::new(system),
        title: text("title")?,
        seed: document.get("seed")?.as_u64()?,
        notes: document.get("notes")?.as_array()?.iter().map(note).collect::<Option<_>>()?,
        is_scripted: document.get("scripted")?.as_bool()?,
    };
    let outcome = |entry: &Json| Some((entry.get("outcome")?.as_str()?.to_owned(), read_tally(entry)?));
    let path = |entry: &Json| {
        let path = entry.get("path")?.as_array()?.iter();
        Some((path.map(|node| node.as_str().map(SmolStr::new)).collect::<Option<_>>()?, read_tally(entry)?))
    };
    let visits = counts.get("visits")?.as_object()?.iter();
    let counts = SampleCounts {
        runs: natural(counts.get("runs")?)?,
        outcomes: counts.get("outcomes")?.as_array()?.iter().map(outcome).collect::<Option<_>>()?,
        paths: counts.get("paths")?.as_array()?.iter().map(path).collect::<Option<_>>()?,
        visits: visits
            .map(|(node, visits)| Some((SmolStr::new(node), read_histogram(visits)?)))
            .collect::<Option<_>>()?,
        cost_usd: read_histogram(counts.get("cost_usd")?)?,
        tokens: read_histogram(counts.get("tokens")?)?,
        time_ms: read_histogram(counts.get("time_ms")?)?,
    };
    let runs = natural(document.get("runs")?)?;
    Some(SampleShard { subject, version: text("nodewise")?, digest: text("digest")?, runs, shard, counts })
}

fn natural(number: &Json) -> Option<u32> {
    u32::try_from(number.as_u64()?).ok()
}

fn read_tally(entry: &Json) -> Option<Tally> {
    Some(Tally { runs: natural(entry.get("runs")?)?, first: natural(entry.get("first")?)? })
}

/// Each value with how often it occurred. A number that JSON cannot express becomes a text.
fn histogram(numbers: &Histogram) -> Json {
    let value = |value: f64| match serde_json::Number::from_f64(value) {
        Some(number) => Json::Number(number),
        None => Json::from(value.to_string()),
    };
    numbers.values().map(|(number, times)| json!([value(number), times])).collect()
}

fn read_histogram(written: &Json) -> Option<Histogram> {
    let mut numbers = Histogram::default();
    for entry in written.as_array()? {
        let value = entry.get(0)?;
        let value = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
        numbers.add(value, natural(entry.get(1)?)?);
    }
    Some(numbers)
}
