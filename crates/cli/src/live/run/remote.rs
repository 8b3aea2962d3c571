//! Runs on a durable engine: started, followed and decided from here.
//!
//! Input: what a run begins with, an engine. Output: the run as it would be shown here, and an exit code. Invariant: what is shown is
//! replayed here from the record of the engine; to stop looking changes nothing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nodewise_durable::client::RemoteRun;
use nodewise_engine::outcome::Status;
use nodewise_live::driver::{Observer, Past, Taken};
use nodewise_live::environment::Environment;
use nodewise_live::needed_keys::needed_keys;
use nodewise_live::people::{Matter, People, Topic};
use nodewise_live::prompts;
use nodewise_live::restore::RestoredRun;
use nodewise_live::secrets::Secrets;
use nodewise_live::session::{self, RunSetup};
use nodewise_live::store::{NewRun, RunId, RunStatus};
use nodewise_live::wiring::Wiring;
use nodewise_project::config::live::Live;
use nodewise_simulation::RunInputs;
use serde_json::Value as Json;

use super::Manner;
use super::display::{Display, Looking};
use super::terminal::Terminal;
use crate::live::engine::Engine;
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};

/// How often the engine is asked what is new.
const LOOK: Duration = Duration::from_millis(300);
/// How long a worker may take to begin a run, in looks.
const LOOKS_TO_BEGIN: u32 = 200;

/// What a run begins with on an engine, without the secrets that are known here.
pub(super) fn new_run(subject: &RunSetup<'_>, wiring: &Wiring, folder: &Path, live: &Live) -> Result<NewRun> {
    let secrets = Secrets::resolve_in(&needed_keys(live, wiring), Environment::of_folder(folder)?);
    let RunSetup { snapshot, target, scenario, .. } = *subject;
    let inputs = RunInputs { snapshot, target, scenario };
    let replaced = prompts::from_files(&inputs, &subject.sources, live, folder)?;
    Ok(session::new_run(subject, scenario, replaced.as_ref(), &|text| secrets.mask_text(text))?.0)
}

/// Starts a run, and follows it.
pub(super) fn start(engine: &Engine, new: &NewRun, manner: &Manner, output: &mut Output) -> Result<Outcome> {
    let id = engine.start(new)?;
    if manner.detach {
        output.line(id.as_str())?;
        return Ok(Outcome::Clean);
    }
    follow(engine, &id, Vec::new(), manner, output)
}

/// Takes decisions, and follows the run.
pub(super) fn resume(
    engine: &Engine,
    id: &RunId,
    decisions: Vec<Taken>,
    manner: &Manner,
    output: &mut Output,
) -> Result<Outcome> {
    let before = engine.read(id)?;
    for taken in &decisions {
        engine.decide(id, taken)?;
    }
    if manner.detach {
        return Ok(Outcome::Clean);
    }
    let is_decided = |matter: &&Json| decisions.iter().any(|taken| is_about(taken, matter));
    let settled = before.matters.iter().filter(is_decided).map(place_of).collect();
    follow(engine, id, settled, manner, output)
}

fn is_about(taken: &Taken, matter: &Json) -> bool {
    taken.node.as_ref().is_none_or(|node| matter.get("node").and_then(Json::as_str) == Some(node))
}

fn place_of(matter: &Json) -> String {
    matter.get("place").and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// Shows what happens in a run until it ends, waits for someone who is not here, or the user stops looking.
fn follow(
    engine: &Engine,
    id: &RunId,
    mut settled: Vec<String>,
    manner: &Manner,
    output: &mut Output,
) -> Result<Outcome> {
    let display = Arc::new(Display::new(!manner.no_progress));
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = stopped.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("Ctrl-C cannot be handled")?;
    display.begin(id);
    let mut observer = display.observer(stopped.clone());
    let mut run: Option<RemoteRun> = None;
    let (mut seen, mut looks) = (0, 0);
    let run = loop {
        engine.read_on(id, &mut run)?;
        if stopped.load(Ordering::Relaxed) {
            display.end();
            complain(&format!(
                "the run {id} continues on `{on}`\n  help: follow it again with `nodewise resume {id} --on {on}`; end it with \
                 `nodewise runs cancel {id} --on {on}`",
                on = engine.name()
            ));
            return Ok(Outcome::Findings);
        }
        if let Some(known) = &run {
            seen = show(known, seen, &mut observer)?;
            match &known.stored.status {
                RunStatus::Ended { .. } => break known,
                RunStatus::Waiting(_) => {
                    let open = known.matters.iter().find(|matter| !settled.contains(&place_of(matter)));
                    if let Some(matter) = open {
                        if !ask(engine, id, matter, manner, &display)? {
                            display.end();
                            return Ok(waits(engine, id, &known.matters));
                        }
                        settled.push(place_of(matter));
                    }
                }
                RunStatus::Running | RunStatus::Interrupted => {}
            }
        } else {
            looks += 1;
            if looks > LOOKS_TO_BEGIN {
                bail!(
                    "no worker has begun the run {id} yet\n  help: check that a worker runs; `nodewise runs doctor --on {}` may \
                     say more; the run begins as soon as one is there",
                    engine.name()
                );
            }
        }
        std::thread::sleep(LOOK);
    };
    display.end();
    if let Some(refusal) = &run.refusal {
        bail!("the run {id} was refused: {refusal}");
    }
    let recording = RestoredRun::of(&run.stored)?.recorded(&run.stored)?;
    output.write(&manner.format.rendered(&recording))?;
    output.finish()?;
    Ok(match recording.outcome.status == Status::Completed {
        true => Outcome::Clean,
        false => Outcome::Findings,
    })
}

/// Shows the events that are new.
fn show(run: &RemoteRun, seen: usize, observer: &mut Looking) -> Result<usize> {
    let events = run.stored.events();
    if events.len() <= seen {
        return Ok(seen);
    }
    let past = Past::read(run.stored.new.seed, &events)?.accepting(true);
    let replayed = past.end(RestoredRun::of(&run.stored)?.run()?)?;
    observer.happened(replayed.log().get(seen..events.len()).unwrap_or_default());
    Ok(events.len())
}

/// Lets the user decide, if there is one; whether the run has a decision.
fn ask(engine: &Engine, id: &RunId, matter: &Json, manner: &Manner, display: &Arc<Display>) -> Result<bool> {
    if manner.no_ask || !Terminal::is_there() {
        return Ok(false);
    }
    let node = matter.get("node").and_then(Json::as_str).unwrap_or_default();
    let is_again = matter.get("again").and_then(Json::as_bool).unwrap_or_default();
    let asked = Matter {
        ask: None,
        node: node.into(),
        question: matter.get("question").cloned().unwrap_or_default(),
        review: matter.get("review").cloned(),
        topic: if is_again { Topic::Again } else { Topic::Approval },
    };
    let decision = engine.wait(Terminal::new(display.clone()).decide(asked));
    let Some(decision) = decision else { return Ok(false) };
    let node = (!node.is_empty()).then(|| node.into());
    if let Err(error) = engine.decide(id, &Taken { node, ask: None, decision }) {
        // Someone else was quicker.
        remark(&format!("note: {error:#}"));
    }
    Ok(true)
}

/// Says what a run waits for, and what to do.
fn waits(engine: &Engine, id: &RunId, matters: &[Json]) -> Outcome {
    for matter in matters {
        let node = matter.get("node").and_then(Json::as_str).unwrap_or_default();
        complain(&format!("the run {id} waits for a decision at `{node}`"));
    }
    complain(&format!(
        "  help: decide with `nodewise resume {id} --on {on} --approve` or `--reject`; `nodewise runs show {id} --on {on}` shows the run",
        on = engine.name()
    ));
    Outcome::Findings
}
