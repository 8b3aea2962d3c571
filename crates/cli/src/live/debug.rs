//! Live and stored runs for the debugger.
//!
//! Input: a debug configuration. Output: a run with its files, and where its events come from. Invariant: nothing is started or called
//! that the user has not allowed before, and a run of the store is only read unless it shall continue.

mod feed;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use nodewise_dap::launch::{Launched, RunBeginning, RunSource, StoredRunArguments};
use nodewise_dap::refusal::{Refusal, RefusalKind};
use nodewise_live::followed_run::{FollowTimes, FollowedRun};
use nodewise_live::planning::plan;
use nodewise_live::restore::RestoredRun;
use nodewise_live::session::{Continuation, RunLocation, RunSetup, Session};
use nodewise_live::store::{RunStatus, Store, Stored};
use nodewise_live::tools::Notes;
use nodewise_live::trust::{Plan, Trust};
use nodewise_project::config::live::Live;
use nodewise_simulation::RunInputs;

use self::feed::{LiveFeed, Place, Shared};
use super::configuration::{broken, configuration};
use super::run::{sources, wiring};
use super::runs::StoreOptions;
use crate::subject::FoundTarget;

fn no_target(error: &anyhow::Error) -> Refusal {
    Refusal::new(RefusalKind::NoTarget, format!("{error:#}"))
}

/// Begins a live run of what a configuration names.
pub(crate) fn launch(found: FoundTarget, root: PathBuf, program: &str) -> Result<Launched, Refusal> {
    let project = &found.opened.project;
    if let Some(problem) = project.config_problems.first() {
        return Err(Refusal::new(RefusalKind::Broken, format!("{:#}", broken(problem))));
    }
    let live = &project.config.live;
    let (snapshot, scenario) = (&found.opened.snapshot, &found.scenario);
    let inputs = RunInputs { snapshot, target: &found.target, scenario };
    check_allowed(&inputs, live, &root, &format!("nodewise run {program}"))?;
    let uses: Vec<String> = found.uses().map(str::to_owned).into_iter().collect();
    let subject = RunSetup {
        snapshot,
        target: &found.target,
        scenario,
        uses: &uses,
        models: None,
        is_scripted: false,
        sources: sources(snapshot, &root),
        name: None,
        tags: Vec::new(),
        pins: &[],
    };
    let shared = Arc::new(Shared::default());
    let place = RunLocation { folder: &root, live, notes: Arc::clone(&shared) as Arc<dyn Notes> };
    let session = Session::begin(&subject, &place).map_err(|error| no_target(&error))?;
    let beginning = RunBeginning { target: found.target.clone(), scenario: scenario.clone(), uses };
    let place = Place { folder: root.clone(), live: live.clone() };
    live_run(session, place, shared, found.opened.snapshot.clone(), beginning)
}

/// Opens a stored run.
pub(crate) fn attach(arguments: &StoredRunArguments) -> Result<Launched, Refusal> {
    let options = StoreOptions::at(arguments.folder.as_ref().map(PathBuf::from));
    let (store, folder, stored) =
        read(&options, arguments.run.as_deref().unwrap_or("last")).map_err(|error| no_target(&error))?;
    let folder = std::path::absolute(&folder).map_err(|error| no_target(&error.into()))?;
    let again = RestoredRun::of(&stored).map_err(|error| no_target(&error))?;
    let is_driven = matches!(stored.status, RunStatus::Running);
    if arguments.go_on {
        if is_driven {
            let text = format!("another process is running `{}`: leave out `goOn` to follow it", stored.id);
            return Err(Refusal::new(RefusalKind::Driven, text));
        }
        return go_on(store, &stored, again, folder);
    }
    let start = again.run().map_err(|error| no_target(&error))?;
    let mut notes = vec![format!("run {}: {}", stored.id, stored.status.word())];
    let source = if is_driven {
        notes.push("Another process runs it. This session follows it, and does not stop it.".to_owned());
        let followed = FollowedRun::new(store, stored.id.clone(), start.clone(), FollowTimes::default());
        RunSource::Live(Box::new(followed))
    } else {
        let (at_end, outcome) = again.at_end(&stored).map_err(|error| no_target(&error))?;
        RunSource::Recorded(Box::new(at_end), outcome)
    };
    Ok(Launched {
        root: folder.clone(),
        snapshot: again.snapshot.clone(),
        run: start,
        source,
        beginning: Some(beginning(again)),
        stored: Some((stored.id.to_string(), folder)),
        notes,
    })
}

fn read(options: &StoreOptions, name: &str) -> Result<(Store, PathBuf, Stored)> {
    let (store, folder) = options.store()?;
    let stored = store.read(&store.find(name)?)?;
    Ok((store, folder, stored))
}

fn beginning(again: RestoredRun) -> RunBeginning {
    let uses = again.scenario.uses.iter().map(|name| name.value.trim_start_matches('/').to_owned());
    RunBeginning { uses: uses.collect(), target: again.target, scenario: again.scenario }
}

/// Continues a stored run where its record ends.
fn go_on(store: Store, stored: &Stored, again: RestoredRun, folder: PathBuf) -> Result<Launched, Refusal> {
    let live = configuration(&folder).map_err(|error| no_target(&error))?.live;
    check_allowed(&again.inputs(), &live, &folder, &format!("nodewise resume {}", stored.id))?;
    let shared = Arc::new(Shared::default());
    let place = RunLocation { folder: &folder, live: &live, notes: Arc::clone(&shared) as Arc<dyn Notes> };
    let session = Session::resume(store, stored, Continuation::default(), &place);
    let session = session.map_err(|error| no_target(&error))?;
    let snapshot = again.snapshot.clone();
    let place = Place { folder: folder.clone(), live: live.clone() };
    live_run(session, place, shared, snapshot, beginning(again))
}

fn live_run(
    session: Session,
    place: Place,
    shared: Arc<Shared>,
    snapshot: nodewise_analysis::workspace::Snapshot,
    beginning: RunBeginning,
) -> Result<Launched, Refusal> {
    let mut notes: Vec<String> = session.notes().iter().map(|note| format!("note: {note}")).collect();
    let id = session.id().clone();
    notes.insert(
        0,
        format!("live run {id}: models and tools are asked. `nodewise resume {id}` continues it."),
    );
    let root = place.folder.clone();
    let run = session.run().clone();
    let stored = Some((id.to_string(), root.clone()));
    let feed = LiveFeed::start(session, place, shared).map_err(|error| no_target(&error))?;
    let source = RunSource::Live(Box::new(feed));
    Ok(Launched { root, snapshot, run, source, beginning: Some(beginning), stored, notes })
}

/// Refuses a run that starts or calls what the user has not allowed. Editors have no terminal in which nodewise could ask.
fn check_allowed(inputs: &RunInputs<'_>, live: &Live, folder: &Path, command: &str) -> Result<(), Refusal> {
    let missing = || -> Result<Plan> {
        let plan = plan(live, &wiring(inputs, live)?, folder)?;
        match plan.is_empty() {
            true => Ok(plan),
            false => Trust::of_user()?.missing(folder, &plan),
        }
    };
    let missing = missing().map_err(|error| no_target(&error))?;
    if missing.is_empty() {
        return Ok(());
    }
    let text = format!(
        "you have not allowed yet what this run starts and calls:\n{}help: start `{command}` in a terminal, which asks you once \
         per project",
        missing.text()
    );
    Err(Refusal::new(RefusalKind::NotAllowed, text))
}
