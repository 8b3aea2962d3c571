//! Scenarios run and compared with what they expect.
//!
//! Input: a snapshot and a scenario of it; output: what does not hold, each with the place of the expectation and of the
//! node where the run went another way. Invariant: a scenario that cannot be read as a whole does not pass.

mod asked;
mod expect;
mod path;
mod values;

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::{Map, Value};
use nodewise_model::Origin;
use nodewise_model::scenario::{Expectations, Scenario};
use smol_str::{SmolStr, format_smolstr};

use crate::chart::{Places, SourceLocation};
use crate::continuations::recordings;
use crate::coverage::{Coverage, GraphKey, Share, main_graph};
use crate::recording::Recording;
use crate::render::in_words;
use crate::run::Run;
use crate::scenario::{FoundScenario, broken, whole};
use crate::target::{SimulationTarget, TargetError, folder_of};
pub(crate) use path::{main_path, next_nodes};

/// A scenario that was run.
#[derive(Debug, Clone)]
pub struct Tested {
    /// What it shows, in words.
    pub title: String,
    pub place: SourceLocation,
    /// How the run ended, or why it could not run.
    pub ended: Result<Ended, String>,
    /// What does not hold.
    pub mismatches: Vec<Mismatch>,
    /// What the run went through.
    pub coverage: Coverage,
    wanted: Option<WantedCoverage>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// In words: "completed", "failed: Class: message".
    pub outcome: String,
    /// How long it took, in virtual time.
    pub time: Millis,
    /// How many nodes it visited.
    pub visits: usize,
    /// What it used.
    pub spent: Usage,
}

/// An expectation that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// What the expectation is about: `path`, `state.letter`, `cost`.
    pub subject: SmolStr,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The difference, line by line.
    pub difference: Vec<String>,
    /// What was expected, for programs.
    pub expected: Value,
    /// What was found, for programs.
    pub found: Value,
    /// The place of the expectation.
    pub at: Option<SourceLocation>,
    /// The place of the node where the run took another path or failed.
    pub node: Option<SourceLocation>,
}

/// How much of its graph the scenarios of a file must cover together.
#[derive(Debug, Clone)]
struct WantedCoverage {
    graph: GraphKey,
    at: Option<SourceLocation>,
    /// The least percentage of nodes, edges and parts of conditions.
    least: [Option<f64>; 3],
}

/// Runs a scenario and compares it with what it expects.
#[must_use]
pub fn test(snapshot: &Snapshot, found: &FoundScenario<'_>) -> Tested {
    watched(snapshot, found, |_| true)
}

/// Like [`test`]. `look` sees the run from time to time, and returns whether to continue.
pub fn watched(snapshot: &Snapshot, found: &FoundScenario<'_>, look: impl FnMut(&Run) -> bool) -> Tested {
    let ended = match unreliable(snapshot, found) {
        Some(reason) => Err(reason),
        None => recorded(snapshot, found, look),
    };
    judged(snapshot, found, ended.as_deref())
}

/// The path and the end of a scenario's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioResult {
    /// The nodes that it visited in its main graph, phase by phase, as people call them.
    pub path: Vec<SmolStr>,
    /// The word for how it ended.
    pub status: &'static str,
    /// How it ended, in words.
    pub ended: String,
}

/// Runs a scenario without checking its expectations.
///
/// # Errors
/// If its text has an error, or if it cannot run.
pub fn course(snapshot: &Snapshot, found: &FoundScenario<'_>) -> Result<ScenarioResult, String> {
    let recordings = match unreliable(snapshot, found) {
        Some(reason) => return Err(reason),
        None => recorded(snapshot, found, |_| true)?,
    };
    let last = recordings.last().ok_or_else(|| "nothing ran".to_owned())?;
    Ok(ScenarioResult {
        path: recordings.iter().flat_map(main_path).collect(),
        status: last.outcome.status.word(),
        ended: in_words(&last.outcome),
    })
}

/// Checks a recorded run of a scenario against its expectations.
#[must_use]
pub fn held(snapshot: &Snapshot, found: &FoundScenario<'_>, recording: &Recording) -> Tested {
    let unreliable = unreliable(snapshot, found);
    judged(snapshot, found, unreliable.as_ref().map_or(Ok(std::slice::from_ref(recording)), Err))
}

/// Checks a run against expectations. `head` is the place of a mismatch if there are no expectations.
#[must_use]
pub fn compare(
    snapshot: &Snapshot,
    recording: &Recording,
    expect: Option<&Expectations>,
    head: Origin,
) -> Vec<Mismatch> {
    expect::mismatches(recording, expect, head, &mut Places::new(snapshot))
}

/// The state at the end of a run, with the names that expectations use.
#[must_use]
pub fn final_state(recording: &Recording) -> Map {
    expect::final_state(recording)
}

/// A member of the state at the end of a run, by the name that expectations use. Otherwise a part of the output: `output`,
/// with dots for its members. [`Value::Undefined`] if there is neither.
#[must_use]
pub fn final_value(recording: &Recording, key: &str) -> Value {
    let found = expect::member(&expect::final_state(recording), key, recording.system);
    if found != Value::Undefined {
        return found;
    }
    let output: Map = [("output".into(), recording.outcome.output.clone())].into_iter().collect();
    expect::member(&output, key, recording.system)
}

impl Mismatch {
    /// The same mismatch, as one of a phase after the first run.
    fn in_phase(self, number: usize) -> Mismatch {
        Mismatch {
            subject: format_smolstr!("then.{number}.{}", self.subject),
            message: format!("phase {number}: {}", self.message),
            ..self
        }
    }
}

/// Checks how much the scenarios of a file cover together, and adds a mismatch for each expectation that does not hold.
pub fn check_coverage(tests: &mut [Tested]) {
    let mut together = Coverage::default();
    for tested in tests.iter() {
        together.add(&tested.coverage);
    }
    for tested in tests {
        let Some(wanted) = &tested.wanted else { continue };
        let totals = together.graph(&wanted.graph).map(|graph| graph.totals()).unwrap_or_default();
        for ((name, share), least) in totals.named().into_iter().zip(wanted.least) {
            if let Some(least) = least.filter(|least| share.percent() < *least) {
                tested.mismatches.push(uncovered(name, share, least, wanted.at.clone()));
            }
        }
    }
}

impl Tested {
    /// The result for a run of another program.
    pub(crate) fn external(
        title: String,
        place: SourceLocation,
        ended: Result<Ended, String>,
        mismatches: Vec<Mismatch>,
    ) -> Tested {
        Tested { title, place, ended, mismatches, coverage: Coverage::default(), wanted: None }
    }

    /// Whether it expects a coverage of all scenarios in its file together.
    #[must_use]
    pub fn wants_coverage(&self) -> bool {
        self.wanted.is_some()
    }

    /// Whether everything holds.
    #[must_use]
    pub fn is_passed(&self) -> bool {
        self.ended.is_ok() && self.mismatches.is_empty()
    }
}

fn judged(snapshot: &Snapshot, found: &FoundScenario<'_>, ended: Result<&[Recording], &String>) -> Tested {
    let mut places = Places::new(snapshot);
    let scenario = found.scenario;
    let place = places.find(scenario.head);
    let place = place.unwrap_or_else(|| SourceLocation {
        path: SmolStr::new(found.path),
        line: 1,
        column: 1,
        origin: scenario.head,
    });
    let title = match &scenario.title {
        Some(title) if !title.value.is_empty() => title.value.to_string(),
        _ => format!("the scenario of line {}", place.line),
    };
    let mut tested = Tested {
        title,
        place,
        ended: Err(String::new()),
        mismatches: Vec::new(),
        coverage: Coverage::default(),
        wanted: None,
    };
    let recordings = match ended {
        Ok(recordings) => recordings,
        Err(reason) => {
            tested.ended = Err(reason.clone());
            return tested;
        }
    };
    let (Some(first), Some(last)) = (recordings.first(), recordings.last()) else { return tested };
    tested.wanted = wanted(first, scenario, &mut places);
    tested.mismatches = expect::mismatches(first, scenario.expect.as_ref(), scenario.head, &mut places);
    for (number, (recording, phase)) in (1..).zip(recordings.iter().skip(1).zip(&scenario.phases)) {
        let found = expect::mismatches(recording, phase.expect.as_ref(), phase.at, &mut places);
        tested.mismatches.extend(found.into_iter().map(|mismatch| mismatch.in_phase(number)));
    }
    recordings.iter().for_each(|recording| tested.coverage.add(&Coverage::of(recording)));
    tested.ended = Ok(Ended {
        outcome: in_words(&last.outcome),
        time: last.time,
        visits: last.visits().count(),
        spent: last.spent,
    });
    tested
}

/// Why a scenario cannot be relied on: the first error in its text, or in a script that it uses.
fn unreliable(snapshot: &Snapshot, found: &FoundScenario<'_>) -> Option<String> {
    let broken = broken(snapshot, found)?;
    let line = broken.place.line;
    let message = match broken.place.path == found.path {
        true => format!("line {line}: {}", broken.message),
        false => format!("{}:{line}: {}", broken.place.path, broken.message),
    };
    Some(match broken.help {
        Some(help) => format!("{message}\n  help: {help}"),
        None => message,
    })
}

/// The run of a scenario, and those of its phases.
fn recorded(
    snapshot: &Snapshot,
    found: &FoundScenario<'_>,
    mut look: impl FnMut(&Run) -> bool,
) -> Result<Vec<Recording>, String> {
    let mut run = || -> Result<Vec<Recording>, TargetError> {
        let scenario = whole(snapshot, found.scenario, found.path)?;
        let target = SimulationTarget::find(snapshot, &scenario.target, folder_of(found.path))?;
        recordings(snapshot, &target, &scenario, &mut look)
    };
    run().map_err(|fault| fault.to_string())
}

fn wanted(recording: &Recording, scenario: &Scenario, places: &mut Places<'_>) -> Option<WantedCoverage> {
    let coverage = scenario.expect.as_ref()?.coverage?;
    Some(WantedCoverage {
        graph: main_graph(recording)?,
        at: places.find(coverage.at),
        least: [coverage.nodes, coverage.edges, coverage.conditions],
    })
}

fn uncovered(name: &str, share: Share, least: f64, at: Option<SourceLocation>) -> Mismatch {
    let percent = (share.percent() * 10.0).floor() / 10.0;
    Mismatch {
        subject: format!("coverage.{name}").into(),
        message: format!(
            "the scenarios of this file cover {} of {} {name}, {percent} %, expected at least {least} %",
            share.covered, share.all,
        ),
        difference: Vec::new(),
        expected: Value::Number(least),
        found: Value::Number(percent),
        at,
        node: None,
    }
}
