//! The engine that `--on` names, for commands that wait for its answers.
//!
//! Input: a name of the configuration, or an address. Output: what the engine has. Invariant: an error names the engine.

use std::path::Path;

use anyhow::{Context, Result, bail};
use nodewise_durable::client::{EngineClient, ListedRun, RemoteRun, Trouble};
use nodewise_live::driver::Taken;
use nodewise_live::environment::Environment;
use nodewise_live::secrets::{NeededKeys, Secrets};
use nodewise_live::store::{NewRun, RunId};
use nodewise_project::config::live::Live;
use tokio::runtime::{Builder, Runtime};

/// An engine, and the thread that waits for it.
pub(super) struct Engine {
    client: EngineClient,
    runtime: Runtime,
}

/// Finds an engine by its name in the configuration, or by its address.
pub(super) fn find(on: &str, folder: &Path, live: &Live) -> Result<Engine> {
    let client = match live.engines.get(on) {
        Some(engine) => {
            let key = match &engine.key {
                None => None,
                Some(key) => {
                    let needed =
                        NeededKeys { servers: vec![(on.to_owned(), key.clone())], ..NeededKeys::default() };
                    let secrets = Secrets::resolve_in(&needed, Environment::of_folder(folder)?);
                    secrets.of_server(on)?.map(str::to_owned)
                }
            };
            EngineClient::new(on, engine.url.all(), engine.admin.as_deref(), key)?
        }
        None if on.contains("://") => EngineClient::new(on, &[on.to_owned()], None, None)?,
        None => bail!(
            "no engine `{on}` is configured\n  help: write `url = \"http://localhost:8080\"` under [live.engines.{on}] in nodewise.toml, \
             or name the address of the engine"
        ),
    };
    Engine::of(client)
}

impl Engine {
    /// An engine whose answers are waited for.
    pub(super) fn of(client: EngineClient) -> Result<Engine> {
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Engine { client, runtime: runtime.context("cannot wait for the engine")? })
    }

    /// What its user calls it.
    pub(super) fn name(&self) -> &str {
        &self.client.name
    }

    /// Waits for something.
    pub(super) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    pub(super) fn start(&self, new: &NewRun) -> Result<RunId> {
        self.wait(self.client.start(new))
    }

    /// A run by its id; by the first letters of its id, its name or `last` where runs can be listed.
    pub(super) fn find(&self, name: &str) -> Result<RunId> {
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

    pub(super) fn read(&self, id: &RunId) -> Result<RemoteRun> {
        match self.wait(self.client.read(id))? {
            Some(run) => Ok(run),
            None => bail!("`{}` has no run `{id}`, or no worker has begun it yet", self.name()),
        }
    }

    pub(super) fn read_on(&self, id: &RunId, run: &mut Option<RemoteRun>) -> Result<()> {
        self.wait(self.client.read_on(id, run))
    }

    pub(super) fn decide(&self, id: &RunId, taken: &Taken) -> Result<()> {
        self.wait(self.client.decide(id, taken))
    }

    pub(super) fn list(&self) -> Result<Vec<ListedRun>> {
        self.wait(self.client.list())
    }

    pub(super) fn cancel(&self, id: &RunId) -> Result<()> {
        match self.wait(self.client.cancel(id))? {
            true => Ok(()),
            false => bail!("the run {id} is not under way on `{}`", self.name()),
        }
    }

    pub(super) fn troubles(&self) -> Result<Vec<Trouble>> {
        self.wait(self.client.troubles())
    }
}
