//! Recorded runs of cycgraph's graphs.
//!
//! Input is a folder with scenarios `*.yaml` (a graph, scripted answers, a start) and `expected.json`, which has the
//! results of the release. Output is the results of the engine, in the format of the recording. Invariant: a scenario
//! without a recording is not run, and a recording without its scenario is an error.

mod report;
mod scenario;
mod scenario_provider;
mod values;

use std::path::Path;

use anyhow::{Context, Result};
use nodewise_engine::ask::ModelQuestion;
use nodewise_engine::kernel::Kernel;
use nodewise_engine::limits::Limits;
use nodewise_engine::systems::cycgraph;
use serde_json::Value;

pub(crate) use scenario::Scenario;

use super::{Exception, Replayed, differences, orders};

/// The file with the recordings.
const EXPECTED: &str = "expected.json";

/// The differences that we keep.
pub(super) const LEDGER: &[Exception] = &[
    Exception {
        run: "",
        place: ORDER,
        recorded: "",
        reason: "the package's streams and timers decide the order in which concurrent agents ask",
    },
    parsers_words("error.message", "Parse error on line"),
    parsers_words("last_error", "Parse error on line"),
    parsers_words("failures[", "Parse error on line"),
    parsers_words("error.message", "Lexical error on line"),
    parsers_words("last_error", "Lexical error on line"),
    parsers_words("failures[", "Lexical error on line"),
];

/// The place of a difference that is only a matter of order.
const ORDER: &str = "order of concurrent agents";
/// The lists with the order of calls.
const CALLS: &[&str] = &["model_calls", "tool_calls", "queries"];

const fn parsers_words(place: &'static str, recorded: &'static str) -> Exception {
    Exception { run: "", place, recorded, reason: PARSERS_WORDS }
}

const PARSERS_WORDS: &str =
    "the error text for an expression that does not compile comes from the package's parser";

/// Runs every recorded scenario of a folder.
pub(super) fn replay(folder: &Path) -> Result<Vec<Replayed>> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let expected: Value = serde_json::from_str(&read(EXPECTED)?).context(EXPECTED)?;
    let recordings = expected.get("results").and_then(Value::as_object).into_iter().flatten();
    let mut replayed = Vec::new();
    for (name, recorded) in recordings {
        let scenario = Scenario::read(&read(name)?, &read).with_context(|| name.clone())?;
        let ours = run(&scenario, recorded.get("events").is_some());
        let mut found = differences("", &comparable(recorded), &comparable(&ours));
        if !found.is_empty() && scenario.has_concurrency && is_other_order(&scenario, recorded, comparable) {
            found = differences(ORDER, &"as the event loop had it".into(), &"as in the graph".into());
        }
        replayed.push(Replayed { name: name.clone(), differences: found });
    }
    Ok(replayed)
}

/// The result of the engine for a scenario, in the format of the recordings. With the entries of the event log if
/// wanted.
pub(crate) fn run(scenario: &Scenario, with_events: bool) -> Value {
    let mut kernel = begin(scenario);
    let outcome = super::drive(&mut kernel, scenario.provider.clone());
    report::report(kernel.log(), &outcome, with_events)
}

/// What a scenario's models are asked, in the order of asking.
pub(crate) fn questions(scenario: &Scenario) -> Vec<ModelQuestion> {
    let mut kernel = begin(scenario);
    super::drive(&mut kernel, scenario.provider.clone());
    super::model_questions(kernel.log())
}

/// Whether the engine gives this report if concurrent agents ask in another order. `form` converts both to a form that
/// can be compared.
pub(crate) fn is_other_order(scenario: &Scenario, recorded: &Value, form: impl Fn(&Value) -> Value) -> bool {
    let with_events = recorded.get("events").is_some();
    let wanted = orders::without_order(&form(recorded), CALLS);
    orders::any(&begin(scenario), &scenario.provider, |log, outcome| {
        let ours = report::report(log, outcome, with_events);
        orders::without_order(&form(&ours), CALLS) == wanted
    })
}

fn begin(scenario: &Scenario) -> Kernel<cycgraph::Cycgraph> {
    cycgraph::begin(scenario.program.clone(), &scenario.start, Limits::default(), 0)
}

/// A report without the milliseconds of real time until a time limit, and without the text of prompts, which the
/// package writes differently.
fn comparable(value: &Value) -> Value {
    const TAKEN: &str = ") timed out after ";
    const PROMPT: &str = "prompt";
    match value {
        Value::String(text) => match text.split_once(TAKEN) {
            Some((run, _)) if run.starts_with("Workflow ") => format!("{run}{TAKEN}<time>").into(),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(comparable).collect(),
        Value::Object(members) => {
            let is_call = members.contains_key("agent") && members.contains_key("temperature");
            let kept = members.iter().filter(|(key, _)| !(is_call && *key == PROMPT));
            kept.map(|(key, value)| (key.clone(), comparable(value)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::replay;
    use xtask::checkout::checkout_root;

    #[test]
    fn the_recorded_runs_agree() {
        let folder = checkout_root().join("tests/data/corpus/cycgraph/scenarios");
        let tally = replay("cycgraph", &folder).unwrap();
        assert_eq!((tally.agreed, tally.total), (120, 120), "{}", tally.report.join("\n"));
    }

    /// Runs in which attempts continue, and are repeated, although the time limit of their node has passed.
    #[test]
    fn what_goes_on_behind_a_time_limit_agrees() {
        let tally = replay("cycgraph", &checkout_root().join("tests/data/replays/cycgraph")).unwrap();
        assert_eq!(tally.report, Vec::<String>::new());
        assert_eq!((tally.agreed, tally.total), (13, 13));
    }
}
