//! The engine that someone names, for threads that wait for its answers.
//!
//! Input: a name of the configuration, or an address. Output: what the engine has. Invariant: an error names the engine, and nothing is
//! sent before someone asks for something.

use std::path::Path;

use anyhow::{Context, Result, bail};
use nodewise_live::driver::Taken;
use nodewise_live::environment::Environment;
use nodewise_live::secrets::{NeededKeys, Secrets};
use nodewise_live::store::{NewRun, RunId};
use nodewise_project::config::live::Live;
use tokio::runtime::{Builder, Runtime};

use crate::client::{DecisionAnswer, EngineClient, ListedRun, RemoteRun, RunStanding, StuckItem};

/// A client for an engine, with the runtime on which a thread waits for answers.
#[derive(Debug)]
pub struct Engine {
    client: EngineClient,
    runtime: Runtime,
}

impl Engine {
    /// Finds an engine by its name in the configuration of a project, or by its address.
    ///
    /// # Errors
    /// Where it is not configured, or its address or its key cannot be read.
    pub fn named(on: &str, folder: &Path, live: &Live) -> Result<Engine> {
        let client = match live.engines.get(on) {
            Some(engine) => {
                let key = match &engine.key {
                    None => None,
                    Some(key) => {
                        let needed = NeededKeys {
                            servers: vec![(on.to_owned(), key.clone())],
                            ..NeededKeys::default()
                        };
                        let secrets = Secrets::resolve_in(&needed, Environment::of_folder(folder)?);
                        secrets.of_server(on)?.map(str::to_owned)
                    }
                };
                EngineClient::new(on, engine.url.all(), engine.admin.as_deref(), key)?
            }
            None if on.contains("://") => EngineClient::new(on, &[on.to_owned()], None, None)?,
            None => bail!(
                "no engine `{on}` is configured\n  help: write `url = \"http://localhost:8080\"` under [live.engines.{on}] in \
                 nodewise.toml, or name the address of the engine"
            ),
        };
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Engine { client, runtime: runtime.context("cannot wait for the engine")? })
    }

    /// The name or address by which the user refers to the engine.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.client.name
    }

    /// Ends the client at once. It does not wait for work that is still under way, such as a question that a person has not
    /// answered.
    pub fn leave(self) {
        self.runtime.shutdown_background();
    }

    /// Blocks the thread until the future is ready.
    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    pub(crate) fn client(&self) -> &EngineClient {
        &self.client
    }

    /// Starts a run under a new id, which no other run has.
    ///
    /// # Errors
    /// Where the engine does not answer, or has no worker.
    pub fn start(&self, new: &NewRun) -> Result<RunId> {
        self.wait(self.client.start(new))
    }

    /// Finds a run by its whole id. If runs can be listed, also by the first letters of the id, by its name, or by `last`.
    ///
    /// # Errors
    /// Where there is no such run, or runs cannot be listed.
    pub fn find(&self, name: &str) -> Result<RunId> {
        let whole = RunId::of_text(name).filter(RunId::is_unique);
        if let Some(id) = whole {
            return Ok(id);
        }
        let runs = self.list().with_context(|| format!("`{name}` is not the whole id of a run"))?;
        let is_it = |run: &&ListedRun| {
            name == "last" || run.id.as_str().starts_with(name) || run.name.as_deref() == Some(name)
        };
        match runs.iter().find(is_it) {
            Some(run) => Ok(run.id.clone()),
            None => bail!(
                "`{}` has no run `{name}`\n  help: `nodewise runs --on {}` lists the runs",
                self.name(),
                self.name()
            ),
        }
    }

    /// Reads a run.
    ///
    /// # Errors
    /// Where there is no such run, the engine does not answer, or the record cannot be read.
    pub fn read(&self, id: &RunId) -> Result<RemoteRun> {
        match self.wait(self.client.read(id))? {
            Some(run) => Ok(run),
            None => bail!(self.lacks(id)),
        }
    }

    /// Checks that the engine has a run.
    ///
    /// # Errors
    /// Where there is no such run, or the engine does not answer.
    pub fn must_have(&self, id: &RunId) -> Result<()> {
        match self.standing(id, None)? {
            Some(_) => Ok(()),
            None => bail!(self.lacks(id)),
        }
    }

    fn lacks(&self, id: &RunId) -> String {
        format!("`{}` has no run `{id}`, or no worker has begun it yet", self.name())
    }

    /// The status of a run, and who decided at this place, if someone did. `None` if the engine has no such run.
    ///
    /// # Errors
    /// Where the engine does not answer.
    pub fn standing(&self, id: &RunId, place: Option<&str>) -> Result<Option<RunStanding>> {
        self.wait(self.client.standing(id, place))
    }

    /// Sends a decision about what a run waits for.
    ///
    /// # Errors
    /// Where the engine does not answer, or the decision cannot be read.
    pub fn decide(&self, id: &RunId, taken: &Taken, place: Option<&str>, by: &str) -> Result<DecisionAnswer> {
        self.wait(self.client.decide(id, taken, place, by))
    }

    /// The runs of the engine, the newest first.
    ///
    /// # Errors
    /// Where the administration does not answer, or its address is not set.
    pub fn list(&self) -> Result<Vec<ListedRun>> {
        self.wait(self.client.list())
    }

    /// Cancels a run.
    ///
    /// # Errors
    /// Where it is not under way, the administration does not answer, or its address is not set.
    pub fn cancel(&self, id: &RunId) -> Result<()> {
        match self.wait(self.client.cancel(id))? {
            true => Ok(()),
            false => bail!("the run {id} is not under way on `{}`", self.name()),
        }
    }

    /// Runs and calls that do not continue by themselves, with what is wrong and what helps.
    ///
    /// # Errors
    /// Where the administration does not answer, or its address is not set.
    pub fn stuck_items(&self) -> Result<Vec<StuckItem>> {
        self.wait(self.client.stuck_items())
    }
}
