//! `nodewise test`: runs the scenarios of projects, and checks their expectations.
//!
//! Input: paths. Output: a report, coverage, an exit code. Invariant: the same files give the same bytes, with any
//! number of threads.

mod generate;
mod recorded;
mod traces;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use nodewise_project::discovery::{self, DiscoveryRequest, Project};
use nodewise_project::notice::Notice;
use nodewise_simulation::coverage::{self, Coverage, Totals};
use nodewise_simulation::report::{self, Counts, Suite};
use nodewise_simulation::scenario::{FoundScenario, scenarios_of};
use nodewise_simulation::testing::{self, Tested};
use rayon::prelude::*;

use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};
use crate::workspace::asked;
use crate::{notices, screen};

/// Run scenarios and report failures.
///
/// A scenario is a document of a `*.scenario.yaml` file: a graph, scripted answers, and what you expect of the run. No
/// model and no tool is called, and time is virtual.
#[derive(Args)]
pub(crate) struct TestOptions {
    /// Files and folders with scenarios.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Follow symbolic links that lead out of the project.
    #[arg(long)]
    follow_links: bool,
    /// Output format of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Repeat the recorded runs of a folder, and report differences.
    ///
    /// `nodewise runs export` writes a run as a scenario. Traces of other programs are compared with the graphs: event
    /// logs, checkpoints and OpenTelemetry spans, as JSON. The file `accepted.toml` in the folder lists the differences
    /// that are meant; they do not fail.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["paths", "filter"])]
    recorded: Option<PathBuf>,
    /// Accept the differences of recorded runs for this reason.
    #[arg(long, value_name = "REASON", requires = "recorded")]
    accept: Option<String>,
    #[command(flatten)]
    generation: generate::GenerateOptions,
    /// Write the report to a file, and print it as text.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// End with 0 if there are no scenarios.
    #[arg(long)]
    pass_without_scenarios: bool,
    /// Run only scenarios whose title or path contains this text.
    ///
    /// `expect.coverage` is not checked then, because it counts all scenarios of a file.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Report coverage: `text`, `lcov=FILE` or `json=FILE`; can be repeated.
    #[arg(long, value_name = "KIND")]
    coverage: Vec<CoverageReport>,
    /// Fail below this coverage in percent.
    ///
    /// `80` applies to nodes, edges and conditions. `nodes=90,edges=80,conditions=50` sets each of them.
    #[arg(long, value_name = "PERCENT", value_delimiter = ',')]
    min_coverage: Vec<Least>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each scenario, and what failed.
    Text,
    /// One JSON document.
    Json,
    /// JUnit XML.
    Junit,
}

/// A format of coverage reports.
#[derive(Debug, Clone)]
enum CoverageReport {
    Text,
    Lcov(PathBuf),
    Json(PathBuf),
}

/// A minimum coverage: of what, or of everything, and how much.
#[derive(Debug, Clone)]
struct Least {
    of: Option<String>,
    percent: f64,
}

/// The note if files have `expect.coverage`, and only some of their scenarios ran.
const UNJUDGED: &str =
    "note: `expect.coverage` is not checked with `--filter`, because it counts all scenarios of a file";

/// Runs the scenarios.
pub(crate) fn run(options: &TestOptions, output: &mut Output) -> Result<Outcome> {
    let paths = match &options.recorded {
        Some(folder) => {
            recorded::check_folder(folder)?;
            std::slice::from_ref(folder)
        }
        None => options.paths.as_slice(),
    };
    let request = DiscoveryRequest::new(paths, None)?.follow_links(options.follow_links);
    if let Some(goal) = options.generation.generate {
        let is_json = match options.format {
            Format::Text => false,
            Format::Json => true,
            Format::Junit => bail!("`--generate` has no JUnit report\n  help: use `--format json`"),
        };
        return options.generation.run(goal, &request, is_json, output);
    }
    let found = discovery::find(&request, None)?;
    let mut notices = found.notices;
    let mut suites = Vec::new();
    let traces = options.recorded.as_deref().map(traces::find).transpose()?.unwrap_or_default();
    for project in &found.projects {
        suites.extend(options.suite(project, &traces.of(project, &found.projects), &mut notices));
    }
    let has_failed = notices::print_all(notices);
    let repeated = match &options.recorded {
        Some(folder) => Some(recorded::repeated(folder, options.accept.as_deref(), &mut suites)?),
        None => None,
    };
    let counts = Counts::of(suites.iter().flat_map(|suite| &suite.tests));
    if counts.all() == 0 && !has_failed {
        if options.pass_without_scenarios {
            remark("no scenarios to run");
            return Ok(Outcome::Clean);
        }
        bail!("no scenarios to run\n  help: {}", options.advice());
    }
    options.report(&suites, output)?;
    if let Some(repeated) = &repeated {
        options.print_for_people(&repeated.summary(), output)?;
    }
    let is_unjudged = |tested: &Tested| tested.wants_coverage() && options.filter.is_some();
    if suites.iter().flat_map(|suite| &suite.tests).any(is_unjudged) {
        remark(UNJUDGED);
    }
    let is_covered = options.cover(&suites, output)?;
    if has_failed {
        return Ok(Outcome::Failed);
    }
    let holds = counts.passed == counts.all() && is_covered;
    Ok(if holds { Outcome::Clean } else { Outcome::Findings })
}

impl TestOptions {
    /// Runs the scenarios of a project, and compares the traces in it with its graphs. `None` if it has neither.
    fn suite(&self, project: &Project, traces: &[PathBuf], notices: &mut Vec<Notice>) -> Option<Suite> {
        let snapshot = asked(project, None, None, notices).snapshot;
        let found: Vec<FoundScenario<'_>> = project
            .files
            .iter()
            .filter(|file| file.is_reported)
            .filter_map(|file| snapshot.file(snapshot.source(&file.relative)?))
            .flat_map(|file| scenarios_of(&snapshot, file))
            .filter(|found| self.wants(found))
            .collect();
        let compared = traces::compared(project, &snapshot, traces);
        if found.is_empty() && compared.is_empty() {
            return None;
        }
        let mut tests: Vec<Tested> = found.par_iter().map(|found| testing::test(&snapshot, found)).collect();
        if self.filter.is_none() {
            tests
                .chunk_by_mut(|one, other| one.place.path == other.place.path)
                .for_each(testing::check_coverage);
        }
        let mut coverage = Coverage::default();
        tests.iter().for_each(|tested| coverage.add(&tested.coverage));
        tests.extend(compared);
        let folder = project.shown.to_string_lossy().replace('\\', "/");
        Some(Suite { folder, tests, coverage })
    }

    fn wants(&self, found: &FoundScenario<'_>) -> bool {
        self.filter.as_ref().is_none_or(|wanted| {
            let title = found.scenario.title.as_ref();
            found.path.contains(wanted) || title.is_some_and(|title| title.value.contains(wanted.as_str()))
        })
    }

    fn advice(&self) -> &'static str {
        match self.filter {
            Some(_) => "no scenario has the text of `--filter` in its title or path",
            None if self.recorded.is_some() => {
                "`nodewise runs export RUN -o FOLDER/NAME.scenario.yaml` writes a run there, and traces of other programs are \
                 files that end in `.json` or `.jsonl`"
            }
            None => "scenarios are documents of files whose names end in `.scenario.yaml`",
        }
    }

    fn report(&self, suites: &[Suite], output: &mut Output) -> Result<()> {
        let formatted = match self.format {
            Format::Text => report::text(suites) + &report::summary(suites),
            Format::Json => report::json(suites),
            Format::Junit => report::junit(suites),
        };
        match &self.output {
            Some(path) => {
                write_file(path, &formatted)?;
                output.write(&screen::lines(&(report::text(suites) + &report::summary(suites))))
            }
            None if self.format == Format::Text => output.write(&screen::lines(&formatted)),
            None => output.write(&formatted),
        }
    }

    /// Reports coverage, and returns whether it is enough.
    fn cover(&self, suites: &[Suite], output: &mut Output) -> Result<bool> {
        for kind in &self.coverage {
            match kind {
                CoverageReport::Text => {
                    for suite in suites {
                        let text = coverage::text(&suite.coverage, &|path| suite.shown(path));
                        self.print_for_people(&text, output)?;
                    }
                }
                CoverageReport::Lcov(path) => write_file(path, &lcov(suites))?,
                CoverageReport::Json(path) => write_file(path, &json(suites))?,
            }
        }
        let mut totals = Totals::default();
        suites.iter().for_each(|suite| totals.add(suite.coverage.totals()));
        let mut is_enough = true;
        for least in &self.min_coverage {
            let of = |name: &str| least.of.as_ref().is_none_or(|of| of == name);
            for (name, share) in totals.named().into_iter().filter(|(name, _)| of(name)) {
                if share.percent() < least.percent {
                    is_enough = false;
                    let (covered, all, wanted) = (share.covered, share.all, least.percent);
                    self.print_for_people(
                        &format!("{covered} of {all} {name} are covered; you require {wanted} %\n"),
                        output,
                    )?;
                }
            }
        }
        Ok(is_enough)
    }

    /// Prints text for people. If standard output is for programs, it goes to standard error.
    fn print_for_people(&self, text: &str, output: &mut Output) -> Result<()> {
        if self.format == Format::Text || self.output.is_some() {
            return output.write(&screen::lines(text));
        }
        complain(text.trim_end());
        Ok(())
    }
}

fn lcov(suites: &[Suite]) -> String {
    let shown: Vec<_> = suites.iter().map(|suite| move |path: &str| suite.shown(path)).collect();
    let shown = shown.iter().map(|shown| shown as &dyn Fn(&str) -> String);
    coverage::lcov(suites.iter().map(|suite| &suite.coverage).zip(shown))
}

/// The coverage as JSON.
#[derive(serde::Serialize)]
struct CoverageDocument {
    version: u8,
    projects: Vec<serde_json::Value>,
}

fn json(suites: &[Suite]) -> String {
    let of = |suite: &Suite| coverage::json(&suite.coverage, &|path| suite.shown(path));
    let projects: Vec<serde_json::Value> = suites
        .iter()
        .map(|suite| serde_json::json!({"folder": suite.folder, "coverage": of(suite)}))
        .collect();
    let document = CoverageDocument { version: 1, projects };
    format!("{:#}\n", serde_json::json!(document))
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("`{}` cannot be written", path.display()))
}

impl FromStr for CoverageReport {
    type Err = String;

    fn from_str(word: &str) -> Result<CoverageReport, String> {
        match word.split_once('=') {
            None if word == "text" => Ok(CoverageReport::Text),
            Some(("lcov", file)) if !file.is_empty() => Ok(CoverageReport::Lcov(file.into())),
            Some(("json", file)) if !file.is_empty() => Ok(CoverageReport::Json(file.into())),
            _ => Err("expected `text`, `lcov=FILE` or `json=FILE`".to_owned()),
        }
    }
}

impl FromStr for Least {
    type Err = String;

    fn from_str(word: &str) -> Result<Least, String> {
        let (of, percent) = match word.split_once('=') {
            Some((of, percent)) => (Some(of.trim()), percent),
            None => (None, word),
        };
        if let Some(of) = of
            && Totals::default().named().iter().all(|(name, _)| *name != of)
        {
            return Err(format!("`{of}` is not counted; expected `nodes`, `edges` or `conditions`"));
        }
        match percent.trim().parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => {
                Ok(Least { of: of.map(str::to_owned), percent })
            }
            _ => Err(format!("`{percent}` is not a percentage from 0 to 100")),
        }
    }
}
