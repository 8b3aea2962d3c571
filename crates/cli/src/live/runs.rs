//! `nodewise runs`: lists, shows, replays, exports, cancels, backs up and deletes the live runs of a project.
//!
//! Input: the project's store. Output: runs as texts, traces, pictures and scenarios. Invariant: nothing is called, and
//! everything that is shown of a run comes from its record.

mod backup;
mod cancel;
mod cost;
mod doctor;
mod export;
mod list;
mod show;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use nodewise_durable::engine::Engine;
use nodewise_live::store::{FOLDER, RunId, Store, Stored};

use super::configuration::configuration;
use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::print::count;

/// List, show, replay, export, back up and delete live runs; sum their costs.
///
/// Runs are kept in the folder `.nodewise` of their project. RUN is the id of a run, the first letters of its id, its name,
/// or `last`.
#[derive(Args)]
#[group(skip)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RunsOptions {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: list::ListOptions,
}

#[derive(Subcommand)]
enum Action {
    Show(show::Show),
    Replay(show::Replay),
    Export(export::ExportOptions),
    #[command(alias = "remove")]
    Delete(Delete),
    Prune(Prune),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Check(backup::Check),
    Cost(cost::CostOptions),
    Cancel(cancel::CancelOptions),
    Doctor(doctor::DoctorOptions),
}

/// The options for the place of the runs.
#[derive(Args, Default)]
#[group(skip)]
pub(crate) struct StoreOptions {
    /// The folder of the project; by default, the nearest parent folder with runs.
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
    /// Use the runs of an engine: a name in `[live.engines]`, or an address.
    #[arg(long, value_name = "ENGINE")]
    on: Option<String>,
}

/// Delete runs.
#[derive(Args)]
#[group(skip)]
struct Delete {
    /// The runs to delete.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    place: StoreOptions,
}

/// Delete finished runs except the latest ones.
#[derive(Args)]
#[group(skip)]
struct Prune {
    /// How many finished runs to keep.
    #[arg(long, value_name = "N")]
    keep: usize,
    #[command(flatten)]
    place: StoreOptions,
}

/// Runs the subcommand.
pub(crate) fn run(options: &RunsOptions, output: &mut Output) -> Result<Outcome> {
    match &options.action {
        None => list::run(&options.list, output),
        Some(Action::Show(show)) => show::show(show, output),
        Some(Action::Replay(replay)) => show::replay(replay, output),
        Some(Action::Export(export)) => export::run(export, output),
        Some(Action::Delete(delete)) => {
            let (mut store, _) = delete.place.store()?;
            let runs = delete.runs.iter().map(|name| store.find(name)).collect::<Result<Vec<RunId>>>()?;
            for run in &runs {
                store.remove(run)?;
            }
            Ok(Outcome::Clean)
        }
        Some(Action::Backup(backup)) => backup::backup(backup),
        Some(Action::Restore(restore)) => backup::restore(restore),
        Some(Action::Check(check)) => backup::check(check),
        Some(Action::Cost(cost)) => cost::run(cost, output),
        Some(Action::Cancel(cancel)) => cancel::run(cancel),
        Some(Action::Doctor(doctor)) => doctor::run(doctor, output),
        Some(Action::Prune(prune)) => {
            let (mut store, _) = prune.place.store()?;
            let removed = store.prune(prune.keep)?;
            remark(&format!("deleted {}", count(removed.len(), "finished run")));
            Ok(Outcome::Clean)
        }
    }
}

impl StoreOptions {
    /// The runs in the folder of a project on this machine.
    pub(crate) fn at(project: Option<PathBuf>) -> StoreOptions {
        StoreOptions { project, on: None }
    }

    /// The project's runs and its folder. `None` if there are no runs.
    pub(crate) fn found(&self) -> Result<Option<(Store, PathBuf)>> {
        let folder = self.folder()?;
        Ok(Store::open_existing(&folder)?.map(|store| (store, folder)))
    }

    /// The engine, if the runs of one are wanted.
    pub(crate) fn wanted_engine(&self) -> Result<Option<Engine>> {
        let Some(on) = &self.on else { return Ok(None) };
        let folder = self.folder()?;
        Ok(Some(Engine::named(on, &folder, &configuration(&folder)?.live)?))
    }

    /// A run of an engine by its name, if the runs of one are wanted.
    pub(crate) fn engine(&self, name: &str) -> Result<Option<(Engine, RunId)>> {
        let Some(engine) = self.wanted_engine()? else { return Ok(None) };
        let run = engine.find(name)?;
        Ok(Some((engine, run)))
    }

    /// The folder of the project.
    pub(crate) fn folder(&self) -> Result<PathBuf> {
        match &self.project {
            Some(folder) => Ok(folder.clone()),
            None => {
                let here = std::env::current_dir().context("the current folder cannot be read")?;
                let with_runs = |folder: &&Path| folder.join(FOLDER).is_dir();
                Ok(here.ancestors().find(with_runs).unwrap_or(&here).to_owned())
            }
        }
    }

    /// The project's runs and its folder.
    pub(crate) fn store(&self) -> Result<(Store, PathBuf)> {
        anyhow::ensure!(
            self.on.is_none(),
            "this works on the runs of a project only\n  help: leave out `--on`; an engine deletes finished runs after `keep_days`"
        );
        match self.found()? {
            Some(found) => Ok(found),
            None => bail!("no runs found here\n  help: {NO_RUNS}"),
        }
    }

    /// A run by its name, and the project's folder.
    pub(crate) fn read(&self, name: &str) -> Result<(Stored, PathBuf)> {
        if let Some((engine, run)) = self.engine(name)? {
            return Ok((engine.read(&run)?.stored, self.folder()?));
        }
        let (store, folder) = self.store()?;
        Ok((store.read(&store.find(name)?)?, folder))
    }
}

/// The help if there are no runs.
const NO_RUNS: &str = "start one with `nodewise run TARGET`, or name another project with `--project FOLDER`";
