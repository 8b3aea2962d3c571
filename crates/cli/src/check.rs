//! `nodewise check`: diagnostics for every declaration below the paths.
//!
//! Input: paths. Output: diagnostics in one of the formats, a summary, an exit code. Invariant: the same files
//! give the same bytes, whatever the order of the arguments and the number of threads.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use nodewise_analysis::diagnostic::{Diagnostic, Fix, Severity};
use nodewise_analysis::rules::rule;
use nodewise_analysis::settings::Pin;
use nodewise_dialect::tables::DIALECTS;
use nodewise_project::config;
use nodewise_project::discovery::{self, Request};
use nodewise_project::notice::Notice;

use crate::fixing;
use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::print::{Format, Printer, Summary};
use crate::progress::Progress;
use crate::project::{Judge, Judged};
use crate::screen::ColorChoice;

/// What stands for standard input among the paths.
const STDIN: &str = "-";
/// What standard input is called when nobody names it.
const STDIN_NAME: &str = "<stdin>";

/// Report what is wrong with declarations.
///
/// The files of a project are judged together: the project of a file is the nearest folder upward
/// with a `nodewise.toml`, else the folder that is given.
#[derive(Args)]
pub(crate) struct Options {
    /// Folders and files to check; `-` is standard input, as if it were a file of the current folder.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// How to print diagnostics; may be given several times, each with an `-o` behind it but for one.
    #[arg(long = "format", value_enum, value_name = "FORMAT", default_value = "full")]
    formats: Vec<Format>,
    /// Write the format before this option into a file.
    #[arg(short = 'o', long = "output-file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The formats with their files, in the order of the command line.
    #[arg(skip)]
    routes: Vec<(Format, Option<PathBuf>)>,
    /// Whether to use colours.
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Report only these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Do not report these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Read every file as this dialect.
    #[arg(long)]
    dialect: Option<String>,
    /// Use this configuration instead of each project's `nodewise.toml`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Mend what can be mended safely, then report what is left.
    #[arg(long)]
    fix: bool,
    /// Mend too where the meaning that was wanted is only likely; with `--fix` or `--diff`.
    #[arg(long)]
    unsafe_fixes: bool,
    /// Show what `--fix` would change; write and report nothing, end with 1 if there is anything.
    #[arg(long)]
    diff: bool,
    /// Show hints too; they never change the exit code.
    #[arg(long)]
    hints: bool,
    /// The path that standard input stands for; its project is read as context.
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,
    /// Never show a progress bar.
    #[arg(long)]
    no_progress: bool,
    /// End with 0 even if there are findings.
    #[arg(long)]
    exit_zero: bool,
}

/// Checks the paths.
pub(crate) fn run(options: &Options, output: &mut Output) -> Result<Outcome> {
    options.check_rules()?;
    options.check_fixes()?;
    options.check_routes()?;
    let forced = options.dialect.as_deref().map(dialect_pin).transpose()?;
    let request = options.request()?;
    let progress = Progress::new(!options.no_progress);
    let found = discovery::find(&request, options.config.as_deref())?;
    let judge = Judge { forced, stdin: request.stdin.as_ref(), progress: &progress };
    if options.diff {
        return fixing::show(&found.projects, forced, &options.wanted_fixes(), output);
    }
    if options.fix {
        fixing::write(&found.projects, forced, &options.wanted_fixes())?;
    }
    let mut notices = found.notices;
    let mut summary = Summary::default();
    let mut reports = Reports::begin(options, output)?;
    for project in &found.projects {
        let mut judged = judge.project(project, &mut notices);
        progress.finish();
        judged.diagnostics.retain(|diagnostic| options.wants(diagnostic));
        summary.add(&judged);
        reports.project(&judged, output)?;
        leave(judged);
    }
    output.finish()?;
    notices.sort();
    notices.dedup();
    notices.iter().for_each(print_notice);
    reports.end(&summary, output)?;
    if notices.iter().any(|notice| notice.is_failure) {
        return Ok(Outcome::Failed);
    }
    let is_clean = summary.errors + summary.warnings == 0 || options.exit_zero;
    Ok(if is_clean { Outcome::Clean } else { Outcome::Findings })
}

/// Says on standard error what a run has to say about itself.
fn print_notice(notice: &Notice) {
    let level = if notice.is_failure { "error" } else { "warning" };
    complain(&format!("{level}: {}: {}\n  help: {}", notice.path, notice.reason, notice.help));
}

/// The process ends when all is printed; freeing every tree before costs time for nothing.
fn leave(judged: Judged) {
    std::mem::forget(judged);
}

impl Options {
    fn check_rules(&self) -> Result<()> {
        for id in self.select.iter().chain(&self.ignore) {
            if rule(id).is_none() {
                bail!("no rule is called `{id}`\n  help: {}", config::rule_suggestion(id));
            }
        }
        Ok(())
    }

    fn check_fixes(&self) -> Result<()> {
        let has_stdin = self.paths.iter().any(|path| path == Path::new(STDIN));
        if has_stdin && (self.fix || self.diff) {
            bail!(
                "standard input cannot be mended\n  help: name a file, or take the fixes of `--format json`"
            );
        }
        if self.unsafe_fixes && !self.fix && !self.diff {
            bail!("`--unsafe-fixes` alone mends nothing\n  help: add `--fix` or `--diff`");
        }
        Ok(())
    }

    /// Which fixes are carried out: of findings that are reported, those whose meaning is certain, or all.
    fn wanted_fixes(&self) -> impl Fn(&Diagnostic, &Fix) -> bool {
        |diagnostic, fix| {
            let is_shown = self.hints || diagnostic.severity != Severity::Hint;
            is_shown && self.wants(diagnostic) && (fix.safe || self.unsafe_fixes)
        }
    }

    fn request(&self) -> Result<Request> {
        let (stdin, paths): (Vec<_>, Vec<_>) =
            self.paths.iter().cloned().partition(|path| path == Path::new(STDIN));
        if stdin.is_empty() && self.stdin_filename.is_some() {
            bail!("`--stdin-filename` names a text that is not read\n  help: add `-` to the paths");
        }
        if stdin.is_empty() {
            return Ok(Request::new(&paths, None)?);
        }
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("standard input cannot be read")?;
        let name = self.stdin_filename.as_deref();
        Ok(Request::new(&paths, Some((name.unwrap_or(Path::new(STDIN_NAME)), bytes)))?)
    }

    /// Which format goes where: a file belongs to the format before it.
    pub(crate) fn route(&mut self, matches: &ArgMatches) {
        let formats = matches.indices_of("formats").into_iter().flatten().zip(&self.formats);
        let mut files: Vec<(usize, &PathBuf)> =
            matches.indices_of("files").into_iter().flatten().zip(&self.files).collect();
        let mut routes: Vec<(usize, Format, Option<PathBuf>)> =
            formats.map(|(index, format)| (index, *format, None)).collect();
        let is_default = matches.value_source("formats") == Some(ValueSource::DefaultValue);
        if is_default {
            routes.iter_mut().for_each(|route| route.0 = 0);
        }
        files.sort_unstable();
        for (index, file) in files {
            let before = routes.iter_mut().rfind(|(format, _, taken)| *format < index && taken.is_none());
            if let Some((_, _, taken)) = before {
                *taken = Some(file.clone());
            }
        }
        self.routes = routes.into_iter().map(|(_, format, file)| (format, file)).collect();
    }

    fn check_routes(&self) -> Result<()> {
        if self.routes.iter().filter(|(_, file)| file.is_none()).count() > 1 {
            bail!("two formats would go to standard output\n  help: put `-o FILE` behind one of them");
        }
        if self.routes.iter().filter(|(_, file)| file.is_some()).count() < self.files.len() {
            bail!("`-o` has no format\n  help: put `--format` before it: `--format sarif -o report.sarif`");
        }
        Ok(())
    }

    fn wants(&self, diagnostic: &Diagnostic) -> bool {
        let names = |rules: &[String]| rules.iter().any(|rule| rule == diagnostic.rule);
        (self.select.is_empty() || names(&self.select)) && !names(&self.ignore)
    }
}

/// The reports of a run, each with its file unless it goes to standard output.
struct Reports {
    reports: Vec<(Printer, Option<Output>)>,
}

impl Reports {
    fn begin(options: &Options, output: &mut Output) -> Result<Reports> {
        let mut reports = Vec::with_capacity(options.routes.len());
        for (format, file) in &options.routes {
            let is_coloured = file.is_none() && options.color.is_wanted();
            let printer = Printer::new(*format, options.hints, is_coloured);
            let mut file = file.as_deref().map(Output::file).transpose()?;
            printer.begin(file.as_mut().unwrap_or(output))?;
            reports.push((printer, file));
        }
        Ok(Reports { reports })
    }

    fn project(&mut self, judged: &Judged, output: &mut Output) -> Result<()> {
        for (printer, file) in &mut self.reports {
            printer.project(judged, file.as_mut().unwrap_or(output))?;
        }
        Ok(())
    }

    fn end(&mut self, summary: &Summary, output: &mut Output) -> Result<()> {
        for (printer, file) in &mut self.reports {
            printer.end(summary, file.as_mut().unwrap_or(output))?;
            if let Some(file) = file {
                file.finish()?;
            }
        }
        Ok(())
    }
}

impl Summary {
    fn add(&mut self, judged: &Judged) {
        self.files += judged.reported_files;
        for diagnostic in &judged.diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Hint => self.hints += 1,
            }
        }
    }
}

fn dialect_pin(word: &str) -> Result<Pin> {
    match DIALECTS.iter().find(|dialect| dialect.id == word) {
        Some(dialect) => Ok(Pin::Dialect(dialect.id)),
        None => {
            let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.id).collect();
            bail!("no dialect is called `{word}`\n  help: {}", config::suggestion(word, &known))
        }
    }
}
