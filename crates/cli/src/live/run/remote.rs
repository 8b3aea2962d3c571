//! Runs on a durable engine: started, followed and decided from the terminal.
//!
//! Input: what a run begins with, an engine. Output: the run as it would be shown here, and an exit code. Invariant: to stop looking
//! changes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use nodewise_durable::engine::Engine;
use nodewise_durable::follow::{Followed, Followers, matter_of, places_of};
use nodewise_engine::outcome::Status;
use nodewise_live::driver::Taken;
use nodewise_live::people::{Nobody, People};
use nodewise_live::restore::RestoredRun;
use nodewise_live::store::{NewRun, RunId};
use serde_json::Value as Json;

use super::SharedRunOptions;
use super::display::Display;
use super::terminal::Terminal;
use crate::outcome::Outcome;
use crate::output::{Output, complain};

/// Starts a run, and follows it.
pub(super) fn start(
    engine: Engine,
    new: &NewRun,
    shared_options: &SharedRunOptions,
    output: &mut Output,
) -> Result<Outcome> {
    let id = engine.start(new)?;
    if shared_options.detach {
        output.line(id.as_str())?;
        return Ok(Outcome::Clean);
    }
    follow(engine, &id, (Vec::new(), 0), shared_options, output)
}

/// Takes decisions, and follows the run.
pub(super) fn resume(
    engine: Engine,
    id: &RunId,
    decisions: &[Taken],
    shared_options: &SharedRunOptions,
    output: &mut Output,
) -> Result<Outcome> {
    if shared_options.detach {
        // Nobody looks at what happened so far, so it is not read: a long run has megabytes of it.
        engine.must_have(id)?;
        engine.decide_all(id, decisions)?;
        return Ok(Outcome::Clean);
    }
    let before = engine.read(id)?;
    engine.decide_all(id, decisions)?;
    let settled = places_of(decisions, &before.matters);
    follow(engine, id, (settled, before.stored.events.len()), shared_options, output)
}

/// Shows what happens in a run until it ends, waits for someone who is not here, or the user stops looking.
fn follow(
    engine: Engine,
    id: &RunId,
    (settled, before): (Vec<String>, usize),
    shared_options: &SharedRunOptions,
    output: &mut Output,
) -> Result<Outcome> {
    let display = Arc::new(Display::new(!shared_options.no_progress));
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = stopped.clone();
    ctrlc::set_handler(move || {
        // The second Ctrl-C ends the process.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("Ctrl-C cannot be handled")?;
    let people: Arc<dyn People> = match shared_options.no_ask || !Terminal::is_there() {
        true => Arc::new(Nobody),
        false => Arc::new(Terminal::new(display.clone())),
    };
    display.begin(id);
    let mut observer = display.observer(stopped);
    let followed = engine.follow(id, Followers { people, observer: &mut observer, settled, before });
    display.end();
    let on = engine.name().to_owned();
    engine.leave();
    let run = match followed? {
        Followed::Left => {
            complain(&format!(
                "the run {id} continues on `{on}`\n  help: follow it again with `nodewise resume {id} --on {on}`; end it with \
                 `nodewise runs cancel {id} --on {on}`"
            ));
            return Ok(Outcome::Findings);
        }
        Followed::Waiting(run) => return Ok(waits(&on, id, &run.matters)),
        Followed::Ended(run) => run,
    };
    let recording = RestoredRun::of(&run.stored)?.recorded(&run.stored)?;
    output.write(&shared_options.format.rendered(&recording))?;
    output.finish()?;
    Ok(match recording.outcome.status == Status::Completed {
        true => Outcome::Clean,
        false => Outcome::Findings,
    })
}

/// Says what a run waits for, and what to do.
fn waits(on: &str, id: &RunId, matters: &[Json]) -> Outcome {
    for matter in matters {
        complain(&format!("the run {id} waits for a decision at `{}`", matter_of(matter).node));
    }
    complain(&format!(
        "  help: decide with `nodewise resume {id} --on {on} --approve` or `--reject`; `nodewise runs show {id} --on {on}` shows the run"
    ));
    Outcome::Findings
}
