//! Runs of all examples on an engine that crashes wherever it can: each leaves the log of the run that nothing interrupted.

use std::path::Path;
use std::sync::Arc;

use futures::executor::block_on;
use nodewise_analysis::workspace::Snapshot;
use nodewise_durable::host::{Arrival, DecisionPlace, HostedRun, Standing};
use nodewise_live::restore::snapshot;
use nodewise_simulation::prepare;
use nodewise_simulation::render::json::trace_text;
use nodewise_simulation::run::Run;
use nodewise_simulation::scenario::{scenarios_of, whole};
use nodewise_simulation::target::{SimulationTarget, folder_of};
use nodewise_simulation::trace::Replay;
use serde_json::Value as Json;

use crate::memory::{BEGAN, Crash, Engine};

/// The files of an example, with their paths in it.
fn files(folder: &Path, under: &str, found: &mut Vec<(String, Arc<str>)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().unwrap();
        let path = if under.is_empty() { name.clone() } else { format!("{under}/{name}") };
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), &path, found);
        } else if [".yaml", ".json", ".toml"].iter().any(|ending| name.ends_with(ending)) {
            found.push((path, std::fs::read_to_string(entry.path()).unwrap().into()));
        }
    }
}

/// The scenarios of an example, each with its run.
fn runs(system: &str) -> Vec<(String, Run)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(system);
    let mut sources = Vec::new();
    files(&folder, "", &mut sources);
    let snapshot: Snapshot = snapshot(&sources);
    let found = snapshot.files().iter().flat_map(|file| scenarios_of(&snapshot, file));
    let run = |found: nodewise_simulation::scenario::FoundScenario<'_>| {
        let scenario = whole(&snapshot, found.scenario, found.path).unwrap();
        let target = SimulationTarget::find(&snapshot, &scenario.target, folder_of(found.path)).unwrap();
        let title = found.scenario.title.as_ref().map(|title| title.value.to_string()).unwrap_or_default();
        (title, prepare(&snapshot, &target, &scenario).unwrap())
    };
    found.map(run).collect()
}

/// What a run leaves behind: its trace, and the events that were reported.
#[derive(PartialEq)]
struct Left {
    trace: String,
    reported: Vec<Json>,
    outcome: String,
}

/// Carries a run once; nothing where the engine crashed.
fn carried(run: &Run, engine: &mut Engine, crash: Crash) -> Option<Left> {
    let mut attempt = engine.attempt(crash);
    let recording = block_on(HostedRun::new(run.clone(), BEGAN, &mut attempt).drive());
    let Ok(recording) = recording else {
        assert!(attempt.has_crashed, "only a crash ends the run");
        return None;
    };
    let Some(Standing::Ended(outcome, _)) = &attempt.standing else { panic!("{:?}", attempt.standing) };
    let (outcome, reported) = (outcome.status.word().to_owned(), std::mem::take(&mut attempt.reported));
    Some(Left { trace: trace_text(&recording), reported, outcome })
}

/// The simulator goes the same way with what was reported.
#[track_caller]
fn check_replay(title: &str, run: &Run, left: &Left) {
    let mut again = run.clone();
    again.recall(Replay::of_events(run.facts().seed, &left.reported).unwrap());
    let outcome = again.drive(|_| true);
    assert_eq!(outcome.status.word(), left.outcome, "{title}");
    assert_eq!(trace_text(&again.recording(outcome)), left.trace, "{title}");
}

/// Runs the scenarios of a system, with a crash at every position, before and behind the entry, and behind all entries.
#[track_caller]
fn check_crashes(system: &str, is_skewed: bool) {
    let mut positions = 0;
    let runs = runs(system);
    assert!(runs.len() > 1, "{}", runs.len());
    for (title, run) in &runs {
        let begin = || {
            let mut engine = Engine::new(run.clone());
            engine.is_skewed = is_skewed;
            engine
        };
        let mut engine = begin();
        let whole = carried(run, &mut engine, Crash::Never).expect("nothing crashes");
        let entries = engine.entries.len();
        positions += entries;
        check_replay(title, run, &whole);
        let crashes = (0..entries).flat_map(|position| [Crash::Behind(position), Crash::Before(position)]);
        for crash in crashes {
            let mut engine = begin();
            assert!(carried(run, &mut engine, crash).is_none(), "{title}: {crash:?}");
            let left = carried(run, &mut engine, Crash::Never).expect("nothing crashes");
            assert!(left == whole, "{title}: {crash:?}\n{}\n{}", left.trace, whole.trace);
            let repeated = engine.effects.values().filter(|times| **times > 1).count();
            let most = usize::from(matches!(crash, Crash::Before(_)));
            assert!(repeated <= most, "{title}: {crash:?} repeats {repeated} questions");
        }
        let mut engine = begin();
        let mut times = 0;
        let left = loop {
            match carried(run, &mut engine, Crash::Always) {
                Some(left) => break left,
                None => times += 1,
            }
        };
        assert_eq!(times, entries, "{title}");
        assert!(left == whole, "{title}: a crash behind each entry");
        assert!(engine.effects.values().all(|times| *times == 1), "{title}: {:?}", engine.effects);
    }
    assert!(positions >= 10, "{positions}");
}

#[test]
fn cycgraph_survives_a_crash_at_every_position() {
    check_crashes("cycgraph", false);
}

#[test]
fn agentos_survives_a_crash_at_every_position() {
    check_crashes("agentos", false);
}

#[test]
fn liman_survives_a_crash_at_every_position() {
    check_crashes("liman", false);
}

#[test]
fn clocks_of_machines_may_be_ten_minutes_apart() {
    for system in ["cycgraph", "agentos", "liman"] {
        check_crashes(system, true);
    }
}

#[test]
fn a_person_decides_about_calls_that_may_have_had_their_effect() {
    for (title, run) in runs("cycgraph") {
        let mut engine = Engine::new(run.clone());
        carried(&run, &mut engine, Crash::Never).expect("nothing crashes");
        for position in 0..engine.entries.len() {
            let mut engine = Engine::new(run.clone());
            engine.asks_before_repeating = true;
            assert!(carried(&run, &mut engine, Crash::Before(position)).is_none());
            let calls = |engine: &Engine| engine.effects.values().sum::<u32>();
            let before = calls(&engine);
            let left = carried(&run, &mut engine, Crash::Never).expect("nothing crashes");
            check_replay(&title, &run, &left);
            let asked = engine
                .entries
                .iter()
                .any(|entry| matches!(entry, Arrival::Decided { place: DecisionPlace::Again(_), .. }));
            let repeats = engine.effects.values().any(|times| *times > 1);
            assert_eq!(asked, repeats, "{title}: {before} calls before the crash at {position}");
        }
    }
}
