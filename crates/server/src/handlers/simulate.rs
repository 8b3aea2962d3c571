//! The command that runs a graph dry.
//!
//! Input: a file, names of what is to run in it, and what counts more than its script. Output: the versioned trace, the
//! timeline, and the run in one line. Invariant: a run stops soon after nobody wants it any more, and holds up nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nodewise_analysis::cancel::Cancel;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::tables::scenario::DOCUMENTED;
use nodewise_expr::json::from_json;
use nodewise_model::Located;
use nodewise_model::scenario::Scenario;
use nodewise_simulation::prepare;
use nodewise_simulation::render::{json as trace, summary, text};
use nodewise_simulation::run::Run;
use nodewise_simulation::scenario::{documents_of, empty, whole};
use nodewise_simulation::target::{Fault, Target, folder_of, joined};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types::{NumberOrString, Uri};

use super::file::File;
use crate::backend::Asked;
use crate::transport::Outbox;

/// What is to run.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Subject {
    /// The file with the graph, the nodes or the scenario.
    uri: Uri,
    /// The graph.
    graph: Option<String>,
    /// The node that the run begins at.
    node: Option<String>,
    /// Which document of the file, where that is a scenario; without, the first.
    scenario: Option<u32>,
    /// The file of the script that answers.
    script: Option<Uri>,
    /// What the run is given.
    input: Option<Value>,
    /// The seed.
    seed: Option<f64>,
    /// Liman: the version that is followed.
    profile: Option<String>,
    /// AgentOS: whether the documentation counts where the release does something else.
    #[serde(default)]
    as_documented: bool,
    /// What the run may take.
    #[serde(default)]
    limits: Limits,
    /// Whether the run in one line is shown to the user.
    #[serde(default)]
    pub(crate) announce: bool,
}

/// What a run may take.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Limits {
    visits: Option<f64>,
    time_ms: Option<f64>,
    tokens: Option<f64>,
    cost_usd: Option<f64>,
    events: Option<f64>,
}

/// The runs that the client shows progress of, so that it can stop them by their tokens.
#[derive(Debug, Clone, Default)]
pub(crate) struct Underway(Arc<Mutex<BTreeMap<String, Cancel>>>);

/// How far a run is, told to the client under its token; the end is told when this goes away.
pub(crate) struct Progress {
    token: Option<NumberOrString>,
    outbox: Outbox,
    underway: Underway,
    told: Instant,
}

/// The most events that a run in an editor leaves behind, if nobody says otherwise.
const EVENTS_MAX: f64 = 1e6;
/// A request that was understood and failed.
const REQUEST_FAILED: i64 = -32803;
/// How often progress is told.
const PAUSE: Duration = Duration::from_millis(100);

/// `nodewise.simulate`
pub(crate) fn simulate(asked: &Asked<'_>, subject: &Subject, progress: &mut Progress) -> Result<Value> {
    let file = asked.file(&subject.uri).ok_or_else(|| unknown(&subject.uri))?;
    let script = match &subject.script {
        Some(uri) => Some(asked.file(uri).ok_or_else(|| unknown(uri))?),
        None => None,
    };
    let mut run = begun(&file, script.as_ref(), subject).map_err(|fault| Error {
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: fault.to_string().into(),
        data: None,
    })?;
    let outcome = run.drive(|run| {
        progress.tell(run);
        !asked.cancel.is_cancelled()
    });
    if asked.cancel.is_cancelled() {
        return Err(Error::request_cancelled());
    }
    let recording = run.recording(outcome);
    let line = format!("{}: {}", recording.title, summary(&recording));
    Ok(json!({ "trace": trace::trace(&recording), "text": text(&recording), "summary": line }))
}

fn unknown(uri: &Uri) -> Error {
    Error::invalid_params(format!("no project has the file `{}`", uri.as_str()))
}

/// The run at its beginning.
fn begun(file: &File<'_>, script: Option<&File<'_>>, subject: &Subject) -> std::result::Result<Run, Fault> {
    let snapshot = file.snapshot();
    let own = documents_of(snapshot, file.facts).find(|found| match subject.scenario {
        Some(position) => found.document.position == position,
        None => true,
    });
    if subject.scenario.is_some() && own.is_none() {
        return Err(failed("the file has no such scenario"));
    }
    // A script that is named answers instead of what stands beside the graph.
    let (said, path) = match script {
        Some(script) => {
            let facts = snapshot.source(&script.facts.path).and_then(|source| snapshot.file(source));
            let facts = facts.ok_or_else(|| failed("the script is a file of another project"))?;
            let found = documents_of(snapshot, facts).next();
            let found = found.ok_or_else(|| failed("the file that is named holds no script"))?;
            (Some(found.scenario), facts.path.as_str())
        }
        None => (own.as_ref().map(|found| found.scenario), file.facts.path.as_str()),
    };
    let mut scenario = match said {
        Some(said) => whole(snapshot, said, path)?,
        None => empty(),
    };
    subject.overrule(&mut scenario);
    let target = find(snapshot, &scenario, (path, own.is_some()), file, subject.graph.as_deref())?;
    prepare(snapshot, &target, &scenario)
}

fn failed(message: &str) -> Fault {
    Fault { message: message.to_owned(), help: None }
}

/// What is to run: as the scenario says where the file is one, else in the file.
fn find(
    snapshot: &Snapshot,
    scenario: &Scenario,
    (path, is_scenario): (&str, bool),
    file: &File<'_>,
    graph: Option<&str>,
) -> std::result::Result<Target, Fault> {
    let names = &scenario.target;
    let named = names.file.as_ref().filter(|_| is_scenario);
    let source = match named {
        Some(named) => {
            let path = joined(folder_of(path), &named.value);
            let source = snapshot.source(&path);
            Some(source.ok_or_else(|| failed(&format!("there is no file `{path}` in the project")))?)
        }
        None => (!is_scenario).then(|| file.source()),
    };
    let graph = graph.or(names.graph.as_ref().map(|graph| graph.name.as_str()));
    Target::named(snapshot, source, graph, names.node.as_ref().map(|node| node.value.as_str()))
}

impl Subject {
    /// What the client says counts more than what the script says.
    fn overrule(&self, scenario: &mut Scenario) {
        let at = scenario.head;
        if let Some(node) = &self.node {
            scenario.target.node = Some(Located::new(node.as_str().into(), at));
        }
        if let Some(input) = &self.input {
            scenario.start.turns.clear();
            scenario.start.input = Some(Located::new(from_json(input.clone()), at));
        }
        if let Some(profile) = &self.profile {
            scenario.host.profile = Some(Located::new(profile.as_str().into(), at));
        }
        if self.as_documented {
            scenario.host.reading = Some(Located::new(DOCUMENTED.into(), at));
        }
        scenario.seed = self.seed.or(scenario.seed);
        let (own, wanted) = (&mut scenario.limits, &self.limits);
        own.visits = wanted.visits.or(own.visits);
        own.time_ms = wanted.time_ms.or(own.time_ms);
        own.tokens = wanted.tokens.or(own.tokens);
        own.cost_usd = wanted.cost_usd.or(own.cost_usd);
        own.events = wanted.events.or(own.events).or(Some(EVENTS_MAX));
    }
}

impl Underway {
    /// Stops the run that is shown under a token.
    pub(crate) fn stop(&self, token: &NumberOrString) {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancel) = runs.get(&key(token)) {
            cancel.cancel();
        }
    }

    /// Begins to tell how far a run is, if the client gave a token for that.
    pub(crate) fn begin(&self, token: Option<NumberOrString>, cancel: &Cancel, outbox: &Outbox) -> Progress {
        if let Some(token) = &token {
            let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            runs.insert(key(token), cancel.clone());
            let begin = json!({"kind": "begin", "title": "Simulating", "cancellable": true});
            outbox.notify("$/progress", json!({"token": token, "value": begin}));
        }
        Progress { token, outbox: outbox.clone(), underway: self.clone(), told: Instant::now() }
    }
}

fn key(token: &NumberOrString) -> String {
    json!(token).to_string()
}

impl Progress {
    fn tell(&mut self, run: &Run) {
        let Some(token) = self.token.as_ref().filter(|_| self.told.elapsed() >= PAUSE) else { return };
        self.told = Instant::now();
        let report = json!({"kind": "report", "message": format!("{} events", run.log().len())});
        self.outbox.notify("$/progress", json!({"token": token, "value": report}));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let Some(token) = &self.token else { return };
        self.underway.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&key(token));
        self.outbox.notify("$/progress", json!({"token": token, "value": {"kind": "end"}}));
    }
}
