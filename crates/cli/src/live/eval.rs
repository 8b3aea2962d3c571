//! `nodewise eval`: runs cases with real models, judges the results, and compares them.
//!
//! Input: paths. Output: a report, an exit code. Invariant: nothing is started or called without the user's permission, which is
//! asked for once, before the first run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_live::eval::judging;
use nodewise_live::eval::report::{self, EvalReport};
use nodewise_live::eval::results::Sums;
use nodewise_live::eval::runner::{self, RunResult, RunnerOptions};
use nodewise_live::eval::saved::{EarlierResults, SavedResults};
use nodewise_live::eval::table::{Cell, Table};
use nodewise_live::planning::plan;
use nodewise_live::restore;
use nodewise_live::store::{Kept, Store};
use nodewise_live::tools::Notes;
use nodewise_live::trust::Plan;
use nodewise_project::discovery::{self, DiscoveryRequest, Project};
use nodewise_project::notice::Notice;
use nodewise_simulation::scenario::{broken, evals_of};

use super::configuration::broken as broken_config;
use super::run::trust;
use crate::outcome::Outcome;
use crate::output::{Output, complain, is_quiet, remark};
use crate::print::count;
use crate::workspace::asked;
use crate::{notices, screen};

/// Run cases with real models, judge the results, and compare them.
///
/// An eval is a document of a `*.eval.yaml` file: cases, the models and prompts to compare, and what judges the results.
/// `[live]` in `nodewise.toml` says how to reach the models. Each run is saved as `nodewise run` saves it.
///
/// Ends with 0 if everything passes, and with 1 if a judge, an expectation or the comparison fails.
#[derive(Args)]
#[group(skip)]
pub(crate) struct EvalOptions {
    /// Files and folders with evals.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// List the evals with the number of their runs, and run nothing.
    #[arg(long)]
    list: bool,
    /// Run only what has this text in the name of its case, prompt or model.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Run each case this often, whatever the file says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// The number of runs at once.
    #[arg(short, long, value_name = "N", default_value_t = 4)]
    jobs: usize,
    /// Start no run that could exceed this cost, in US dollars; judges count.
    #[arg(long, value_name = "USD")]
    limit_cost: Option<f64>,
    /// Accept the results: later evals are compared with them.
    #[arg(long)]
    accept: bool,
    /// Accept the results of the last eval, and run nothing.
    #[arg(long, conflicts_with_all = ["accept", "list", "dry_run"])]
    accept_last: bool,
    /// Save the results in a file, for `--against`.
    ///
    /// A build server keeps no store, but it can keep a file. What does not run keeps the results that the file has.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["accept_last", "list", "dry_run"])]
    save: Option<PathBuf>,
    /// Compare with results that `--save` wrote, not with the accepted ones.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Allow everything that the runs start and call, without asking you.
    #[arg(long)]
    trust: bool,
    /// Show what the runs would start and call, without doing it.
    #[arg(long)]
    dry_run: bool,
    /// Output format of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the report to a file, and print it as text.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Hide the line for each run that ends.
    #[arg(long)]
    no_progress: bool,
    /// Follow symbolic links that lead out of the project.
    #[arg(long)]
    follow_links: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The table, what failed, and what changed.
    Text,
    /// One JSON document.
    Json,
    /// JUnit XML.
    Junit,
    /// Markdown, for a comment on a pull request.
    Markdown,
}

/// The evals of a project.
struct Evals {
    project: Project,
    tables: Vec<Table>,
}

/// Files of results.
struct ResultFiles {
    /// What results are compared with.
    against: Option<SavedResults>,
    /// What is saved.
    saved: SavedResults,
}

impl Evals {
    /// Each eval with its project.
    fn each(self) -> impl Iterator<Item = (Arc<Project>, Table)> {
        let project = Arc::new(self.project);
        self.tables.into_iter().map(move |table| (Arc::clone(&project), table))
    }
}

/// Runs the evals.
pub(crate) fn run(options: &EvalOptions, output: &mut Output) -> Result<Outcome> {
    let (all, has_failed) = options.find()?;
    if all.iter().all(|evals| evals.tables.is_empty()) && !has_failed {
        bail!("no evals found\n  help: name a folder or a file whose name ends with `.eval.yaml`");
    }
    if options.list {
        return options.list(&all, output).map(|()| outcome(true, has_failed));
    }
    if options.accept_last {
        return accept_last(&all).map(|()| outcome(true, has_failed));
    }
    // What cannot be compared later is reported before anything is paid for.
    let mut files = options.result_files()?;
    let mut plans = Vec::new();
    for evals in &all {
        plans.push(options.plan(evals)?);
    }
    if options.dry_run {
        plans.iter().try_for_each(|plan| output.write(&trust::shown(plan)))?;
        return Ok(outcome(true, has_failed));
    }
    for (evals, plan) in all.iter().zip(&plans) {
        trust::ask(&evals.project.root, plan, options.trust)?;
    }
    let stopped = Arc::new(AtomicBool::new(false));
    stop_on_ctrl_c(&stopped)?;
    let mut reports: Vec<EvalReport> = Vec::new();
    let mut error = None;
    for (project, table) in all.into_iter().flat_map(Evals::each) {
        if error.is_some() || stopped.load(Ordering::Relaxed) {
            break;
        }
        let spent = reports.iter().map(EvalReport::cost_usd).sum();
        match options.report_of(&project, table, spent, (&stopped, &mut files)) {
            Ok(report) => reports.extend(report),
            Err(failed) => error = Some(failed),
        }
    }
    if let Some(path) = &options.save {
        files.saved.write(path)?;
    }
    // What was paid for is reported, also if a later eval cannot start.
    if !reports.is_empty() {
        options.write(&reports, output)?;
    }
    if let Some(error) = error {
        return Err(error);
    }
    if reports.is_empty() {
        bail!("no case, prompt or model contains the text of `--filter`");
    }
    let is_passed = reports.iter().all(EvalReport::is_passed) && !stopped.load(Ordering::Relaxed);
    Ok(outcome(is_passed, has_failed))
}

fn outcome(is_passed: bool, has_failed: bool) -> Outcome {
    match (has_failed, is_passed) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Clean,
        (false, false) => Outcome::Findings,
    }
}

/// Lets the first Ctrl-C end the runs, and the second one the process.
fn stop_on_ctrl_c(stopped: &Arc<AtomicBool>) -> Result<()> {
    let flag = Arc::clone(stopped);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).context("Ctrl-C cannot be handled")
}

impl EvalOptions {
    /// The evals of the paths, and whether a file of them cannot be read.
    fn find(&self) -> Result<(Vec<Evals>, bool)> {
        let request = DiscoveryRequest::new(&self.paths, None)?.follow_links(self.follow_links);
        let found = discovery::find(&request, None)?;
        let mut notices = found.notices;
        let mut all = Vec::new();
        for project in found.projects {
            let tables = self.tables(&project, &mut notices)?;
            if !tables.is_empty() {
                if let Some(problem) = project.config_problems.first() {
                    return Err(broken_config(problem));
                }
                all.push(Evals { project, tables });
            }
        }
        Ok((all, notices::print_all(notices)))
    }

    /// The tables of a project's evals.
    fn tables(&self, project: &Project, notices: &mut Vec<Notice>) -> Result<Vec<Table>> {
        let snapshot = asked(project, None, None, notices).snapshot;
        let is_ours = |file: &&Arc<FileFacts>| matches!(file.ownership, Ownership::Ours(_));
        let texts = snapshot.files().iter().filter(is_ours);
        let texts = texts.map(|file| (file.path.to_string(), Arc::clone(file.text.shared())));
        let sources = restore::sources(&project.root, texts);
        let mut tables = Vec::new();
        for found in project.files.iter().filter(|file| file.is_reported) {
            let Some(file) = snapshot.source(&found.relative).and_then(|source| snapshot.file(source)) else {
                continue;
            };
            for (position, eval) in evals_of(&snapshot, file).enumerate() {
                if let Some(broken) = broken(&snapshot, &eval) {
                    bail!(
                        "{}:{}: {}\n  help: fix the eval first: nodewise does not run a part of it",
                        project.shown.join(&broken.place.path).display(),
                        broken.place.line,
                        broken.message
                    );
                }
                let mut table = Table::read(&sources, &file.path, position)?;
                table.repeat = self.repeat.unwrap_or(table.repeat);
                tables.push(table);
            }
        }
        Ok(tables)
    }

    fn list(&self, all: &[Evals], output: &mut Output) -> Result<()> {
        for Evals { project, tables } in all {
            for table in tables {
                let parts = [
                    count(table.prompts.len(), "prompt"),
                    count(table.models.len(), "model"),
                    count(table.cases.len(), "case"),
                ];
                let runs = count(table.cells(self.filter.as_deref()).len(), "run");
                output.write(&screen::lines(&format!(
                    "{}:{}  {}  ({}: {runs})\n",
                    shown(project, table),
                    table.line,
                    table.title,
                    parts.join(" × ")
                )))?;
            }
        }
        Ok(())
    }

    /// What all runs of a project's evals would start and call, judges included.
    fn plan(&self, evals: &Evals) -> Result<Plan> {
        let (live, folder) = (&evals.project.config.live, &evals.project.root);
        let mut all = Plan::default();
        for table in &evals.tables {
            let mut wirings = Vec::new();
            for cell in table.cells(self.filter.as_deref()).into_iter().filter(|cell| cell.repetition == 0) {
                wirings.push(table.wiring(cell, live)?);
            }
            wirings.extend(judging::wiring(table));
            for wiring in wirings {
                plan(live, &wiring, folder)?.parts().for_each(|part| all.add(part.clone()));
            }
        }
        Ok(all)
    }

    /// Runs an eval; `None` if nothing of it is wanted.
    fn report_of(
        &self,
        project: &Project,
        table: Table,
        spent_usd: f64,
        (stopped, files): (&AtomicBool, &mut ResultFiles),
    ) -> Result<Option<EvalReport>> {
        let cells: Vec<Cell> = table.cells(self.filter.as_deref());
        if cells.is_empty() {
            return Ok(None);
        }
        let progress = |result: &RunResult| {
            if !self.no_progress && !is_quiet() {
                complain(&screen::line(&report::run_line(&table, result)));
            }
        };
        let runner_options = RunnerOptions {
            folder: &project.root,
            live: &project.config.live,
            jobs: self.jobs,
            limit_usd: self.limit_cost.map(|limit| limit - spent_usd),
            stopped,
            notes: Arc::new(ToolNotes),
            progress: &progress,
        };
        let ran = runner::run(&table, &cells, &runner_options)?;
        for note in &ran.notes {
            remark(&format!("note: {note}"));
        }
        let sums = Sums::of(&table, &ran.results);
        let file = shown(project, &table);
        let is_complete = ran.stop.is_none();
        let mut accepted = self.keep(&project.root, &table, &sums, is_complete)?;
        if let Some(against) = &files.against {
            accepted = self.saved(against, &file, &table.title);
        }
        match &self.save {
            Some(_) if is_complete => files.saved.put(&file, &table.title, &sums, self.filter.is_some()),
            Some(_) => remark("note: the results are not saved, because not all runs are finished"),
            None => {}
        }
        Ok(Some(EvalReport { file, table, ran, sums, accepted }))
    }

    /// The files that results are compared with and saved in.
    fn result_files(&self) -> Result<ResultFiles> {
        let against = self.against.as_deref().map(SavedResults::read).transpose()?;
        // What does not run now keeps what the file has.
        let saved = match self.save.as_deref().filter(|path| path.exists()) {
            Some(path) => SavedResults::read(path)?,
            None => SavedResults::default(),
        };
        Ok(ResultFiles { against, saved })
    }

    /// The results of an eval in the file of `--against`.
    fn saved(&self, against: &SavedResults, file: &str, title: &str) -> Option<EarlierResults> {
        let path = self.against.as_ref()?.display().to_string();
        let Some((sums, moment)) = against.find(file, title) else {
            remark(&format!("note: `{path}` has no results of {title:?} in {file}, so nothing is compared"));
            return None;
        };
        Some(EarlierResults { sums: sums.clone(), moment, file: Some(path) })
    }

    /// Keeps the results, and accepts them if that is wanted. Returns those that were accepted before.
    fn keep(
        &self,
        folder: &Path,
        table: &Table,
        sums: &Sums,
        is_complete: bool,
    ) -> Result<Option<EarlierResults>> {
        let mut store = Store::open(folder)?;
        let id = table.id.as_str();
        let read = |kept: Kept| -> Result<_> {
            let Some((moment, text)) = store.results(id, kept)? else { return Ok(None) };
            match Sums::read(&text) {
                Ok(sums) => Ok(Some(EarlierResults { sums, moment, file: None })),
                Err(error) => {
                    remark(&format!("note: earlier results of {:?} do not count: {error:#}", table.title));
                    Ok(None)
                }
            }
        };
        let (last, accepted) = (read(Kept::Last)?, read(Kept::Accepted)?);
        let over = |known: &Option<EarlierResults>| match known {
            Some(known) if !is_complete || self.filter.is_some() => sums.clone().over(known.sums.clone()),
            _ => sums.clone(),
        };
        store.keep_results(id, Kept::Last, &over(&last).text())?;
        if self.accept && is_complete {
            store.keep_results(id, Kept::Accepted, &over(&accepted).text())?;
            remark(&format!("accepted the results of {:?}", table.title));
        } else if self.accept {
            remark("note: the results are not accepted, because not all runs are finished");
        }
        Ok(accepted)
    }

    fn write(&self, reports: &[EvalReport], output: &mut Output) -> Result<()> {
        let formatted = match self.format {
            Format::Text => report::text(reports),
            Format::Json => report::json(reports),
            Format::Junit => report::junit(reports),
            Format::Markdown => report::markdown(reports),
        };
        match &self.output {
            Some(path) => {
                std::fs::write(path, formatted)
                    .with_context(|| format!("`{}` cannot be written", path.display()))?;
                output.write(&screen::lines(&report::text(reports)))
            }
            None if self.format == Format::Text => output.write(&screen::lines(&formatted)),
            None => output.write(&formatted),
        }
    }
}

/// Accepts what the last eval stored.
fn accept_last(all: &[Evals]) -> Result<()> {
    let mut by_folder: BTreeMap<&Path, Vec<&Table>> = BTreeMap::new();
    for evals in all {
        by_folder.entry(&evals.project.root).or_default().extend(&evals.tables);
    }
    let mut accepted = 0;
    for (folder, tables) in by_folder {
        let Some(mut store) = Store::open_existing(folder)? else { continue };
        for table in tables {
            if let Some((_, results)) = store.results(&table.id, Kept::Last)? {
                store.keep_results(&table.id, Kept::Accepted, &results)?;
                remark(&format!("accepted the results of {:?}", table.title));
                accepted += 1;
            }
        }
    }
    if accepted == 0 {
        bail!("there are no results to accept\n  help: run `nodewise eval` first");
    }
    Ok(())
}

/// The file of an eval, as it is shown.
fn shown(project: &Project, table: &Table) -> String {
    let folder = project.shown.to_string_lossy().replace('\\', "/");
    match folder.trim_end_matches('/') {
        "" | "." => table.path.clone(),
        folder => format!("{folder}/{}", table.path),
    }
}

/// Shows what tools print.
#[derive(Debug)]
struct ToolNotes;

impl Notes for ToolNotes {
    fn note(&self, source: &str, line: &str) {
        if !is_quiet() {
            complain(&screen::line(&format!("{source}: {line}")));
        }
    }
}
