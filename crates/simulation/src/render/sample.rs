//! What many runs came to, as text for people and as JSON for programs.
//!
//! Input: a sample; output: text, JSON. Invariant: equal samples give equal bytes.

use nodewise_engine::explore::sample::Spread;
use nodewise_engine::time::Millis;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::sampling::Sampled;
use crate::words;

/// The version of the JSON.
const VERSION: u32 = 1;
/// The maximum number of paths that are shown.
const PATHS_SHOWN: usize = 10;
/// The maximum number of nodes that are shown of a path.
const NODES_SHOWN: usize = 16;
/// How wide the columns of numbers are.
const NUMBER_WIDTH: usize = 12;

/// What the runs came to, for people.
#[must_use]
pub fn sample_text(sampled: &Sampled) -> String {
    let (subject, sample) = (&sampled.subject, &sampled.sample);
    let system = subject.system.dialect().title;
    let mut out = format!("{} of {system}, {} runs, seed {}\n", subject.title, sample.runs, subject.seed);
    for note in &subject.notes {
        out.push_str(&format!("note: {note}\n"));
    }
    let part = |count: u32| f64::from(count) * 100.0 / f64::from(sample.runs.max(1));
    out.push_str("\noutcomes\n");
    for (outcome, count) in &sample.outcomes {
        out.push_str(&format!("  {:5.1} %  {count:>7}  {outcome}\n", part(*count)));
    }
    out.push_str("\npaths\n");
    for (path, count) in sample.paths.iter().take(PATHS_SHOWN) {
        out.push_str(&format!("  {:5.1} %  {count:>7}  {}\n", part(*count), way(path)));
    }
    let rest = sample.paths.get(PATHS_SHOWN..).unwrap_or_default();
    if !rest.is_empty() {
        let count: u32 = rest.iter().map(|(_, count)| count).sum();
        out.push_str(&format!("  {:5.1} %  {count:>7}  {} other paths\n", part(count), rest.len()));
    }
    let names = sample.visits.iter().map(|(node, _)| node.chars().count());
    let width = names.max().unwrap_or_default().max("tokens".len());
    let head = ["median", "90 %", "99 %", "max"].map(|name| format!("{name:>NUMBER_WIDTH$}")).concat();
    out.push_str(&format!("\n{:<width$}  {head}\n", "runs use"));
    let mut line = |name: &str, spread: &Spread, shown: &dyn Fn(f64) -> String| {
        let numbers = numbers(spread).map(|number| format!("{:>NUMBER_WIDTH$}", shown(number))).concat();
        let name = format!("{name:<width$}");
        out.push_str(&format!("  {name}{numbers}\n"));
    };
    line("time", &sample.time_ms, &|time| words::time(Millis::from_f64(time)));
    line("tokens", &sample.tokens, &words::amount);
    line("USD", &sample.cost_usd, &words::amount);
    out.push_str(&format!("\n{:<width$}  {head}\n", "visits"));
    let mut line = |name: &str, spread: &Spread| {
        let numbers =
            numbers(spread).map(|number| format!("{:>NUMBER_WIDTH$}", words::amount(number))).concat();
        out.push_str(&format!("  {name:<width$}{numbers}\n"));
    };
    for (node, spread) in &sample.visits {
        line(node, spread);
    }
    out
}

/// What the runs came to, for programs.
#[must_use]
pub fn sample_json(sampled: &Sampled) -> Json {
    let (subject, sample) = (&sampled.subject, &sampled.sample);
    let outcomes = sample.outcomes.iter().map(|(outcome, count)| {
        let (status, class) = outcome.split_once(' ').unwrap_or((outcome, ""));
        match class {
            "" => json!({"status": status, "runs": count}),
            class => json!({"status": status, "error": class, "runs": count}),
        }
    });
    let paths = sample.paths.iter().map(
        |(path, count)| json!({"path": path.iter().map(SmolStr::as_str).collect::<Vec<_>>(), "runs": count}),
    );
    let visits = sample.visits.iter().map(|(node, numbers)| (node.to_string(), spread(numbers)));
    json!({
        "version": VERSION,
        "system": subject.system.dialect().id,
        "title": subject.title,
        "seed": subject.seed,
        "runs": sample.runs,
        "scripted": subject.is_scripted,
        "notes": subject.notes,
        "outcomes": outcomes.collect::<Vec<Json>>(),
        "paths": paths.collect::<Vec<Json>>(),
        "time_ms": spread(&sample.time_ms),
        "tokens": spread(&sample.tokens),
        "cost_usd": spread(&sample.cost_usd),
        "visits": visits.collect::<serde_json::Map<String, Json>>(),
    })
}

fn spread(spread: &Spread) -> Json {
    json!({"p50": spread.p50, "p90": spread.p90, "p99": spread.p99, "max": spread.most})
}

fn numbers(spread: &Spread) -> [f64; 4] {
    [spread.p50, spread.p90, spread.p99, spread.most]
}

fn way(path: &[SmolStr]) -> String {
    let names: Vec<&str> = path.iter().take(NODES_SHOWN).map(SmolStr::as_str).collect();
    let names = names.join(" -> ");
    match path.len().checked_sub(NODES_SHOWN) {
        Some(more) if more > 0 => format!("{names} … {more} more"),
        _ => names,
    }
}
