//! `nodewise serve --decisions`: the page for decisions, and the runs that continue with them.
//!
//! Input: the runs of a project or of an engine. Output: pages; lines about the runs that continue. Invariant: a decision is kept before its run
//! continues, so that it is not lost if this process ends.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use anyhow::{Context, Result, bail};
use nodewise_durable::decisions::EngineRuns;
use nodewise_durable::engine::Engine;
use nodewise_engine::outcome::Status;
use nodewise_live::answering::Unwatched;
use nodewise_live::decisions::{DecisionServer, Links, LocalRuns};
use nodewise_live::driver::{Observer, RunEnd};
use nodewise_live::people::Nobody;
use nodewise_live::planning::plan;
use nodewise_live::restore::RestoredRun;
use nodewise_live::session::{Continuation, Finished, RunLocation, RunObservers, Session};
use nodewise_live::store::{RunId, Store};
use nodewise_live::tools::Notes;
use nodewise_live::trust::{Plan, Trust};
use nodewise_project::config::live::Live;

use super::ServeOptions;
use super::stop::Stop;
use crate::live::configuration::configuration;
use crate::live::run::wiring;
use crate::live::runs::StoreOptions;
use crate::outcome::Outcome;
use crate::output::complain;

/// Where the page is by default.
const LISTEN: &str = "127.0.0.1:9081";

/// The runs that this process continues.
struct Continuing {
    folder: PathBuf,
    is_trusted: bool,
    stopped: Arc<AtomicBool>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// Serves the page until SIGTERM or Ctrl-C.
pub(super) fn serve(options: &ServeOptions) -> Result<Outcome> {
    let folder = StoreOptions::at(options.project.clone()).folder()?;
    let live = configuration(&folder)?.live;
    let engine = options.on.as_deref().map(|on| engine(on, &folder, &live)).transpose()?;
    // The store's folder is made here if the project has none yet: the key of links is in it.
    drop(Store::open(&folder)?);
    let listen = options.listen.as_deref().unwrap_or(LISTEN);
    let address: SocketAddr = listen.parse().with_context(|| {
        format!(
            "`{listen}` is not an address to listen on\n  help: write an IP address and a port, like {LISTEN}"
        )
    })?;
    let listener = DecisionServer::bind(address)?;
    let address = listener.local_addr().context("the address is not known")?;
    let base = live.decisions.url.clone().unwrap_or_else(|| format!("http://{address}"));
    let links = Links::of_folder(&folder, &live.decisions, &base)?;
    let stopped = stopped()?;
    if !address.ip().is_loopback() {
        complain(
            "warning: other machines can reach this address, and nothing is encrypted\n  help: listen at 127.0.0.1, and put a server with \
             HTTPS before it",
        );
    }
    let (link, valid) = links.to_list();
    let greeting = || {
        complain(&format!("listening at http://{address}"));
        complain(&format!(
            "waiting runs: {link}\n  valid until {valid} UTC; anyone who has the link can decide"
        ));
    };
    if let Some(engine) = engine {
        greeting();
        let on = engine.name().to_owned();
        let decided = move |run: &str| complain(&format!("the run {run} continues on `{on}`"));
        let runs = Arc::new(EngineRuns(engine));
        // The server ends in a runtime of its own, where that of the engine cannot end.
        let kept = Arc::clone(&runs);
        let server = DecisionServer::new(listener, runs, links, Box::new(decided));
        server.serve(&stopped)?;
        drop(kept);
        return Ok(Outcome::Clean);
    }
    let runs = Arc::new(LocalRuns::of_folder(&folder)?);
    let continuing = Arc::new(Continuing {
        folder,
        is_trusted: options.trust,
        stopped: Arc::clone(&stopped),
        threads: Mutex::default(),
    });
    greeting();
    // Continue what was decided before this process began.
    for run in runs.decided()? {
        continuing.begin(run.as_str());
    }
    let begin = Arc::clone(&continuing);
    let server = DecisionServer::new(listener, runs, links, Box::new(move |run| begin.begin(run)));
    server.serve(&stopped)?;
    continuing.end();
    Ok(Outcome::Clean)
}

/// The engine whose runs are shown, if its runs can be listed.
fn engine(on: &str, folder: &Path, live: &Live) -> Result<Engine> {
    let engine = Engine::named(on, folder, live)?;
    engine.list()?;
    Ok(engine)
}

/// A flag that SIGTERM and Ctrl-C set. The second one of them ends the process.
fn stopped() -> Result<Arc<AtomicBool>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot wait for Ctrl-C")?;
    let mut stop = {
        let _entered = runtime.enter();
        Stop::new()?
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    std::thread::spawn(move || {
        runtime.block_on(stop.wait());
        flag.store(true, Ordering::Relaxed);
        runtime.block_on(stop.wait());
        std::process::exit(130);
    });
    Ok(stopped)
}

impl Continuing {
    /// Continues a run that was decided, on a thread of its own.
    fn begin(self: &Arc<Continuing>, run: &str) {
        let (continuing, name) = (Arc::clone(self), run.to_owned());
        let thread = std::thread::spawn(move || {
            if let Err(error) = continuing.go_on(&name) {
                complain(&format!(
                    "the decision for the run {name} is kept, but it cannot continue here: {error:#}"
                ));
            }
        });
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|thread| !thread.is_finished());
        threads.push(thread);
    }

    fn go_on(&self, name: &str) -> Result<()> {
        let store = Store::open(&self.folder)?;
        let stored = store.read(&store.find(name)?)?;
        let live = configuration(&self.folder)?.live;
        let again = RestoredRun::of(&stored)?;
        let wiring = wiring(&again.inputs(), &live)?;
        self.check_allowed(&stored.id, &plan(&live, &wiring, &self.folder)?)?;
        complain(&format!("the run {} continues", stored.id));
        let notes = Arc::new(Lines { run: stored.id.clone() });
        let place = RunLocation { folder: &self.folder, live: &live, notes };
        let session = Session::resume(store, &stored, Continuation::default(), &place)?;
        let mut observer = Stopping(Arc::clone(&self.stopped));
        let watch = Arc::new(Unwatched);
        let company = RunObservers { people: Arc::new(Nobody), observer: &mut observer, watch };
        report(&session.drive(company)?);
        Ok(())
    }

    /// Returns an error if the user has not allowed everything.
    fn check_allowed(&self, run: &RunId, plan: &Plan) -> Result<()> {
        if self.is_trusted || plan.is_empty() {
            return Ok(());
        }
        let missing = Trust::of_user()?.missing(&self.folder, plan)?;
        if !missing.is_empty() {
            bail!(
                "you have not allowed yet what it starts and calls:\n{}  help: `nodewise resume {run}` in a terminal asks you, and \
                 continues with the decision",
                missing.text()
            );
        }
        Ok(())
    }

    /// Waits until the runs have stopped.
    fn end(&self) {
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A thread that failed has said so.
            thread.join().ok();
        }
    }
}

/// Reports how a run ended or why it waits.
fn report(finished: &Finished) {
    let id = &finished.id;
    if let Some(reason) = &finished.webhook_fault {
        complain(&format!("warning: the webhook did not learn that the run {id} waits: {reason}"));
    }
    match &finished.rest {
        RunEnd::Ended(outcome) if outcome.status == Status::Completed => {
            complain(&format!("the run {id} completed"))
        }
        RunEnd::Ended(outcome) => complain(&format!("the run {id} ended: {}", outcome.status.word())),
        RunEnd::Waiting(matters) => {
            let nodes: Vec<String> = matters.iter().map(|matter| format!("`{}`", matter.node)).collect();
            complain(&format!("the run {id} waits for a decision at {}", nodes.join(", ")));
        }
        RunEnd::Cancelled => complain(&format!("the run {id} was cancelled")),
        RunEnd::Interrupted => {
            complain(&format!(
                "the run {id} was interrupted\n  help: continue it with `nodewise resume {id}`"
            ));
        }
    }
}

/// Stops runs when the user stops the command.
struct Stopping(Arc<AtomicBool>);

impl Observer for Stopping {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What tools print, with the run.
#[derive(Debug)]
struct Lines {
    run: RunId,
}

impl Notes for Lines {
    fn note(&self, source: &str, line: &str) {
        complain(&format!("{}: {source}: {line}", self.run));
    }
}
