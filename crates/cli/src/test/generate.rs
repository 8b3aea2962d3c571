//! `nodewise test --generate`: writes scenarios that reach a goal, beside the files of the graphs.
//!
//! Input: files with graphs, and a goal. Output: a file of scenarios for each of them, and what no scenario reaches. Invariant: a
//! file that exists with another text is only replaced if the user says so.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use nodewise_project::discovery::{self, DiscoveryRequest, FoundFile, Project};
use nodewise_project::notice::Notice;
use nodewise_simulation::scenario_generation::{
    Generated, GeneratedScenario, Goal, STATES, UnreachedGoal, generate,
};
use nodewise_simulation::target::targets_of_file;
use rayon::prelude::*;
use serde::Serialize;

use crate::notices;
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};
use crate::print::count;
use crate::print::json::to_json;
use crate::screen;
use crate::workspace::asked;

/// The options for scenarios that are written.
#[derive(Args)]
#[group(skip)]
pub(super) struct GenerateOptions {
    /// Write few scenarios that reach every edge, condition or key.
    ///
    /// Each graph file gets a file of scenarios beside it: `claims.edges.scenario.yaml` for `claims.yaml`. Each scenario is run before
    /// it is written.
    #[arg(long, value_name = "GOAL", value_enum, conflicts_with_all = ["recorded", "filter", "coverage", "min_coverage", "output"])]
    pub(super) generate: Option<GoalWord>,
    /// With `--generate`: replace files that have other scenarios.
    #[arg(long, requires = "generate")]
    overwrite: bool,
    /// With `--generate`: explore at most this many states.
    #[arg(long, value_name = "N", requires = "generate", value_parser = clap::value_parser!(u32).range(1..))]
    max_states: Option<u32>,
}

/// A goal on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GoalWord {
    /// Every edge is followed.
    Edges,
    /// Every part of every condition decides the result (MC/DC).
    Conditions,
    /// Every key that something reads is read with a value.
    Keys,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileChange {
    Written,
    Unchanged,
    /// There is nothing to write.
    Nothing,
    /// It exists with another text.
    Kept,
}

/// The scenarios for a file with graphs.
struct GeneratedFile {
    graphs: String,
    scenarios: PathBuf,
    project: String,
    generated: Result<Generated, String>,
}

/// The report for programs.
#[derive(Serialize)]
struct ReportDocument<'g> {
    version: u8,
    goal: &'static str,
    files: Vec<FileDocument<'g>>,
}

#[derive(Serialize)]
struct FileDocument<'g> {
    graphs: &'g str,
    /// Why nothing was generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'g str>,
    #[serde(flatten)]
    generated: Option<GeneratedDocument<'g>>,
}

#[derive(Serialize)]
struct GeneratedDocument<'g> {
    file: String,
    is_written: bool,
    all: usize,
    reached: usize,
    is_exhaustive: bool,
    gaps: &'g [String],
    scenarios: Vec<ScenarioDocument<'g>>,
    unreached: Vec<UnreachedDocument<'g>>,
}

#[derive(Serialize)]
struct ScenarioDocument<'g> {
    title: &'g str,
    path: Vec<&'g str>,
}

#[derive(Serialize)]
struct UnreachedDocument<'g> {
    what: &'g str,
    why: &'g str,
    place: Option<PlaceDocument>,
}

#[derive(Serialize)]
struct PlaceDocument {
    file: String,
    line: u32,
    column: u32,
}

impl<'g> ScenarioDocument<'g> {
    fn of(scenario: &'g GeneratedScenario) -> ScenarioDocument<'g> {
        ScenarioDocument {
            title: &scenario.title,
            path: scenario.path.iter().map(|node| node.as_str()).collect(),
        }
    }
}

impl GoalWord {
    fn goal(self) -> Goal {
        match self {
            GoalWord::Edges => Goal::Edges,
            GoalWord::Conditions => Goal::Conditions,
            GoalWord::Keys => Goal::Keys,
        }
    }
}

impl GenerateOptions {
    /// Writes the scenarios, and reports what they reach.
    pub(super) fn run(
        &self,
        goal: GoalWord,
        request: &DiscoveryRequest,
        is_json: bool,
        output: &mut Output,
    ) -> Result<Outcome> {
        let goal = goal.goal();
        let found = discovery::find(request, None)?;
        let mut notices = found.notices;
        let mut files = Vec::new();
        for project in &found.projects {
            files.extend(self.generated(project, goal, &mut notices));
        }
        let mut outcome = if notices::print_all(notices) { Outcome::Failed } else { Outcome::Clean };
        if files.is_empty() {
            bail!(
                "no graphs to generate scenarios for\n  help: name a file with a graph, or a folder with such files"
            );
        }
        let mut documents = Vec::new();
        for file in &files {
            let (change, is_whole) = match &file.generated {
                Ok(generated) => (self.write(file, generated)?, generated.unreached.is_empty()),
                Err(_) => (FileChange::Nothing, false),
            };
            if !is_whole {
                outcome = outcome.max(Outcome::Findings);
            }
            if change == FileChange::Kept {
                outcome = outcome.max(Outcome::Failed);
                complain(&format!(
                    "error: `{}` exists and has other scenarios; nothing was written\n  help: add `--overwrite` to replace it",
                    shown(&file.scenarios)
                ));
            }
            match is_json {
                true => documents.push(file.document(change)),
                false => output.write(&screen::lines(&file.text(goal, change)))?,
            }
        }
        if is_json {
            let report = ReportDocument { version: 1, goal: goal.word(), files: documents };
            output.line(&to_json(&report))?;
        }
        Ok(outcome)
    }

    fn generated(&self, project: &Project, goal: Goal, notices: &mut Vec<Notice>) -> Vec<GeneratedFile> {
        let snapshot = asked(project, None, None, notices).snapshot;
        let states = self.max_states.map_or(STATES, |states| states as usize);
        let one = |file: &FoundFile| {
            let facts = snapshot.file(snapshot.source(&file.relative)?)?;
            let targets = targets_of_file(&snapshot, facts);
            if targets.is_empty() {
                return None;
            }
            let path = scenario_path(&file.relative, goal);
            let generated = generate(&snapshot, &targets, goal, states, &path);
            Some(GeneratedFile {
                graphs: shown(&project.shown.join(&*file.relative)),
                scenarios: project.shown.join(&path),
                project: project.shown.to_string_lossy().replace('\\', "/"),
                generated: generated.map_err(|refusal| refusal.to_string()),
            })
        };
        let asked_for: Vec<&FoundFile> = project.files.iter().filter(|file| file.is_reported).collect();
        asked_for.par_iter().filter_map(|file| one(file)).collect()
    }

    fn write(&self, file: &GeneratedFile, generated: &Generated) -> Result<FileChange> {
        let text = generated.text();
        if text.is_empty() {
            return Ok(FileChange::Nothing);
        }
        match std::fs::read(&file.scenarios) {
            Ok(known) if known == text.as_bytes() => return Ok(FileChange::Unchanged),
            Ok(_) if !self.overwrite => return Ok(FileChange::Kept),
            Ok(_) => remark(&format!("replaced `{}`", shown(&file.scenarios))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("`{}` cannot be read", shown(&file.scenarios)));
            }
        }
        std::fs::write(&file.scenarios, text)
            .with_context(|| format!("`{}` cannot be written", shown(&file.scenarios)))?;
        Ok(FileChange::Written)
    }
}

impl GeneratedFile {
    fn text(&self, goal: Goal, change: FileChange) -> String {
        let generated = match &self.generated {
            Ok(generated) => generated,
            Err(refusal) => return format!("{}: cannot run: {refusal}\n", self.graphs),
        };
        let (reached, all) = (generated.reached(), generated.all);
        let scenarios = count(generated.scenarios.len(), "scenario");
        let reach = if generated.scenarios.len() == 1 { "reaches" } else { "reach" };
        let what = if goal == Goal::Conditions { "parts of conditions" } else { goal.word() };
        let mut text = match generated.scenarios.len() {
            0 if all == 0 => format!("{}: there are no {what}\n", self.graphs),
            0 => format!("{}: no scenario reaches any of {all} {what}\n", self.graphs),
            _ => format!("{}: {scenarios} {reach} {reached} of {all} {what}\n", self.graphs),
        };
        for scenario in &generated.scenarios {
            text.push_str(&format!("  {}  [{}]\n", scenario.title, scenario.path.join(", ")));
        }
        for missing in &generated.unreached {
            let place = missing.place.as_ref();
            let place = place.map(|place| format!("  {}:{}", self.shown(&place.path), place.line));
            text.push_str(&format!(
                "  not reached   {}: {}{}\n",
                missing.what,
                missing.why,
                place.unwrap_or_default()
            ));
        }
        if !generated.unreached.is_empty() {
            for gap in &generated.gaps {
                text.push_str(&format!("  note: {gap}\n"));
            }
        }
        match change {
            FileChange::Written => text.push_str(&format!("  wrote {}\n", shown(&self.scenarios))),
            FileChange::Unchanged => text.push_str(&format!("  {} is up to date\n", shown(&self.scenarios))),
            FileChange::Nothing | FileChange::Kept => {}
        }
        text
    }

    fn document(&self, change: FileChange) -> FileDocument<'_> {
        let generated = self.generated.as_ref().map(|generated| GeneratedDocument {
            file: shown(&self.scenarios),
            is_written: change == FileChange::Written,
            all: generated.all,
            reached: generated.reached(),
            is_exhaustive: generated.is_exhaustive,
            gaps: &generated.gaps,
            scenarios: generated.scenarios.iter().map(ScenarioDocument::of).collect(),
            unreached: generated.unreached.iter().map(|missing| self.unreached(missing)).collect(),
        });
        let error = self.generated.as_ref().err().map(String::as_str);
        FileDocument { graphs: &self.graphs, error, generated: generated.ok() }
    }

    fn unreached<'g>(&self, missing: &'g UnreachedGoal) -> UnreachedDocument<'g> {
        let place = missing.place.as_ref().map(|place| PlaceDocument {
            file: self.shown(&place.path),
            line: place.line,
            column: place.column,
        });
        UnreachedDocument { what: &missing.what, why: &missing.why, place }
    }

    fn shown(&self, path: &str) -> String {
        match self.project.trim_end_matches('/') {
            "" | "." => path.to_owned(),
            folder => format!("{folder}/{path}"),
        }
    }
}

/// The file of scenarios for a file with graphs.
fn scenario_path(path: &str, goal: Goal) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}{stem}.{}.scenario.yaml", goal.word())
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    path.display().to_string().replace('\\', "/")
}
