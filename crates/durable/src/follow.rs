//! A run on an engine as it is followed from here: what happens, who is asked, and where it comes to.
//!
//! Input: what a run begins with, or the id of a run; who decides, who looks on. Output: the run where it ended or waits. Invariant:
//! what is shown is replayed here from the record of the engine, and to stop looking changes nothing.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use futures::future::BoxFuture;
use nodewise_engine::ask::Decision;
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

use crate::client::{DecisionAnswer, EngineClient, RemoteRun};
use crate::engine::Engine;

/// Why following a run stopped.
#[derive(Debug)]
pub enum Followed {
    /// The run has ended.
    Ended(Box<RemoteRun>),
    /// The run waits for a person, and nobody here decides now.
    Waiting(Box<RemoteRun>),
    /// The observer stopped following; the run continues on its engine.
    Left,
}

/// Who takes part when you follow a run.
pub struct Followers<'f> {
    /// Answers the questions that the run has for people.
    pub people: Arc<dyn People>,
    /// Sees the events of the run. If it stops, only the following stops, not the run.
    pub observer: &'f mut dyn Observer,
    /// Places that were decided already. The engine may still report them as open for a moment.
    pub settled: Vec<String>,
    /// How many events of the run are old: the observer gets them as `happened_before`.
    pub before: usize,
}

/// The pause between two requests for news.
const LOOK: Duration = Duration::from_millis(300);
/// How many requests a worker may take to begin a run: about a minute.
const LOOKS_TO_BEGIN: u32 = 200;

/// What a run on an engine begins with, with all secrets masked that are known on this machine.
///
/// # Errors
/// Where the run cannot be prepared, or prompts of the configuration cannot be read.
pub fn new_run(subject: &RunSetup<'_>, wiring: &Wiring, folder: &Path, live: &Live) -> Result<NewRun> {
    let secrets = Secrets::resolve_in(&needed_keys(live, wiring), Environment::of_folder(folder)?);
    let RunSetup { snapshot, target, scenario, .. } = *subject;
    let inputs = RunInputs { snapshot, target, scenario };
    let replaced = prompts::from_files(&inputs, &subject.sources, live, folder)?;
    Ok(session::new_run(subject, scenario, replaced.as_ref(), &|text| secrets.mask_text(text))?.0)
}

/// The places of those open questions that these decisions answer.
#[must_use]
pub fn places_of(decisions: &[Taken], matters: &[Json]) -> Vec<String> {
    let is_decided = |matter: &&Json| {
        let node = matter.get("node").and_then(Json::as_str);
        decisions.iter().any(|taken| taken.node.is_none() || taken.node.as_deref() == node)
    };
    matters.iter().filter(is_decided).map(place_of).collect()
}

impl Engine {
    /// Sends decisions about what a run waits for.
    ///
    /// # Errors
    /// Where the run does not wait for it, someone else has decided, or the engine does not answer.
    pub fn decide_all(&self, id: &RunId, decisions: &[Taken]) -> Result<()> {
        for taken in decisions {
            let refusal = match self.decide(id, taken, None, "")? {
                DecisionAnswer::Kept(_) => continue,
                DecisionAnswer::DecidedBefore(_) => "someone has decided already".to_owned(),
                DecisionAnswer::NotWaiting(reason) => reason,
            };
            bail!(
                "{refusal}\n  help: `nodewise runs show {id} --on {}` shows what it waits for",
                self.name()
            );
        }
        Ok(())
    }

    /// Follows a run until it ends, waits for someone who is not here, or the observer stops looking.
    ///
    /// # Errors
    /// Where the engine does not answer, no worker begins the run, workers refuse it, or its record cannot be replayed.
    pub fn follow<'f>(&'f self, id: &RunId, followers: Followers<'f>) -> Result<Followed> {
        match self.begun(id, followers.observer)? {
            Some(run) => self.follow_begun(run, followers),
            None => Ok(Followed::Left),
        }
    }

    /// Waits until a worker has begun a run; `None` where the observer stopped looking before.
    ///
    /// # Errors
    /// Where the engine does not answer, no worker begins the run, or workers refuse it.
    pub fn begun(&self, id: &RunId, observer: &dyn Observer) -> Result<Option<RemoteRun>> {
        self.wait(begun(self.client(), id, observer))
    }

    /// Follows a run that a worker has begun, as [`Engine::follow`] does.
    ///
    /// # Errors
    /// Where the engine does not answer, or the record of the run cannot be replayed.
    pub fn follow_begun<'f>(&'f self, run: RemoteRun, followers: Followers<'f>) -> Result<Followed> {
        let id = run.stored.id.clone();
        let following = Following { client: self.client(), id, followers, seen: 0, open: None };
        self.wait(following.go(run))
    }
}

async fn begun(client: &EngineClient, id: &RunId, observer: &dyn Observer) -> Result<Option<RemoteRun>> {
    for _ in 0..=LOOKS_TO_BEGIN {
        if observer.is_stopped() {
            return Ok(None);
        }
        match client.read(id).await? {
            Some(RemoteRun { refusal: Some(refusal), .. }) => bail!("the run {id} was refused: {refusal}"),
            Some(run) => return Ok(Some(run)),
            None => tokio::time::sleep(LOOK).await,
        }
    }
    bail!(
        "no worker has begun the run {id} yet\n  help: check that a worker runs; `nodewise runs doctor --on {}` may say more; the run \
         begins as soon as one is there",
        client.name
    )
}

/// The state while a run is followed.
struct Following<'f> {
    client: &'f EngineClient,
    id: RunId,
    followers: Followers<'f>,
    /// How many events the observer has seen.
    seen: usize,
    /// The place that a person decides about now, and the pending decision.
    open: Option<(String, BoxFuture<'static, Option<Decision>>)>,
}

impl Following<'_> {
    async fn go(mut self, mut run: RemoteRun) -> Result<Followed> {
        loop {
            self.show(&run)?;
            if matches!(run.stored.status, RunStatus::Ended { .. }) {
                return Ok(Followed::Ended(Box::new(run)));
            }
            self.ask(&run);
            if !self.decided().await? {
                return Ok(Followed::Waiting(Box::new(run)));
            }
            self.client.read_on(&mut run).await?;
            if self.followers.observer.is_stopped() {
                return Ok(Followed::Left);
            }
        }
    }

    /// Shows new events to the observer. The run is replayed from its record, because observers get events of a run, not JSON.
    fn show(&mut self, run: &RemoteRun) -> Result<()> {
        let events = run.stored.events();
        if events.len() <= self.seen {
            return Ok(());
        }
        let past = Past::read(run.stored.new.seed, &events)?.accepting(true);
        let replayed = past.end(RestoredRun::of(&run.stored)?.run()?)?;
        let log = replayed.log();
        let log = log.get(..events.len()).unwrap_or(log);
        let before = self.followers.before.clamp(self.seen, log.len());
        let (old, new) = log.split_at(before);
        let (old, observer) = (old.get(self.seen..).unwrap_or_default(), &mut self.followers.observer);
        if !old.is_empty() {
            observer.happened_before(old);
        }
        if !new.is_empty() {
            observer.happened(new);
        }
        self.seen = log.len();
        Ok(())
    }

    /// Asks a person if the run waits for one. Takes the question back if the run does not wait for it any more.
    fn ask(&mut self, run: &RemoteRun) {
        let is_there = |place: &str| run.matters.iter().any(|matter| place_of(matter) == place);
        self.open.take_if(|(place, _)| !is_there(place));
        if self.open.is_some() || !matches!(run.stored.status, RunStatus::Waiting(_)) {
            return;
        }
        let settled = &self.followers.settled;
        if let Some(matter) = run.matters.iter().find(|matter| !settled.contains(&place_of(matter))) {
            self.open = Some((place_of(matter), self.followers.people.decide(matter_of(matter))));
        }
    }

    /// Waits a moment, or until a person has decided, and sends the decision. Returns `false` if nobody decides now.
    async fn decided(&mut self) -> Result<bool> {
        let Some((place, decision)) = &mut self.open else {
            tokio::time::sleep(LOOK).await;
            return Ok(true);
        };
        let decision = tokio::select! {
            decision = decision => decision,
            () = tokio::time::sleep(LOOK) => return Ok(true),
        };
        let place = place.clone();
        self.open = None;
        let Some(decision) = decision else { return Ok(false) };
        let taken = Taken { node: None, ask: None, decision };
        match self.client.decide(&self.id, &taken, Some(&place), "").await? {
            DecisionAnswer::Kept(_) => {}
            // Someone else was quicker. The next request shows what the run does with that decision.
            DecisionAnswer::DecidedBefore(_) | DecisionAnswer::NotWaiting(_) => {
                tracing::info!(run = %self.id, "someone else has decided already");
            }
        }
        self.followers.settled.push(place);
        Ok(true)
    }
}

/// Reads an open question as [`Standing::to_json`](crate::host::Standing::to_json) writes it.
#[must_use]
pub fn matter_of(matter: &Json) -> Matter {
    let is_again = matter.get("again").and_then(Json::as_bool).unwrap_or_default();
    Matter {
        ask: None,
        node: matter.get("node").and_then(Json::as_str).unwrap_or_default().into(),
        question: matter.get("question").cloned().unwrap_or_default(),
        review: matter.get("review").filter(|review| !review.is_null()).cloned(),
        topic: if is_again { Topic::Again } else { Topic::Approval },
    }
}

/// The place of an open question, as one word; empty if it has none.
pub(crate) fn place_of(matter: &Json) -> String {
    matter.get("place").and_then(Json::as_str).unwrap_or_default().to_owned()
}
