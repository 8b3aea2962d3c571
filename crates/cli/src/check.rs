//! `nodewise check`: diagnostics for every declaration below the paths.
//!
//! Input: paths. Output: diagnostics in one of the formats, a summary, an exit code. Invariant: the same files give the
//! same bytes, with any order of arguments and any number of threads.

mod listing;
mod reports;
mod round;
mod watch;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{ArgMatches, Args, ValueEnum};
use nodewise_analysis::diagnostic::{Diagnostic, Fix, Severity};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::rules::{OUTDATED_RULE_ID, RuleSelector, renamed_note};
use nodewise_analysis::settings::Pin;
use nodewise_dialect::tables::DIALECTS;
use nodewise_project::cache::CheckCache;
use nodewise_project::config;
use nodewise_project::discovery::{self, DiscoveryRequest, Project};

use self::round::Round;
use crate::baseline::{self, Baselines};
use crate::fixing;
use crate::input;
use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::print::Style;
use crate::progress::Progress;
use crate::project::{Judge, Judged};
use crate::screen::ColorChoice;
use crate::words;

/// Check files and report problems.
///
/// All files of a project are checked together. The project of a file is the nearest parent folder with a
/// `nodewise.toml`. Without one, it is the folder that you name.
#[derive(Args)]
pub(crate) struct CheckOptions {
    /// Files and folders to check; `-` reads standard input.
    ///
    /// Standard input counts as a file of the current folder, unless `--stdin-filename` names another one.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    reports: reports::ReportOptions,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Report only these rules, or the rules of these categories.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = words::rules_and_categories(), hide_possible_values = true)]
    select: Vec<String>,
    /// Do not report these rules, or the rules of these categories.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = words::rules_and_categories(), hide_possible_values = true)]
    ignore: Vec<String>,
    /// Read every file as a file of this system.
    #[arg(long, value_parser = words::dialects())]
    dialect: Option<String>,
    /// Use this file instead of each project's `nodewise.toml`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    baseline: baseline::BaselineOptions,
    /// Apply the exclusions in `nodewise.toml` to named files too.
    #[arg(long)]
    force_exclude: bool,
    /// Follow symbolic links that lead out of the project.
    ///
    /// `--fix` never writes through such a link.
    #[arg(long)]
    follow_links: bool,
    /// Apply safe fixes, then report what is left.
    #[arg(long)]
    fix: bool,
    /// Also apply fixes that may not match your intent.
    ///
    /// Needs `--fix` or `--diff`.
    #[arg(long)]
    unsafe_fixes: bool,
    /// Show what `--fix` would change, without changing it.
    ///
    /// Reports no findings. Ends with 1 if there is anything to change.
    #[arg(long)]
    diff: bool,
    /// Check again whenever a file changes, until Ctrl-C.
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline"])]
    watch: bool,
    /// Count the findings of each rule instead of listing them.
    ///
    /// `--format json` has the counts and the findings.
    #[arg(long, conflicts_with_all = ["diff", "write_baseline"])]
    statistics: bool,
    /// List the files instead of checking them, and say how each is read.
    ///
    /// For each file: its system, its project and the reason, or why it is skipped. `--format json` is for programs.
    #[arg(long, conflicts_with_all = ["fix", "diff", "watch", "write_baseline", "statistics"])]
    list_files: bool,
    /// Show hints too; they do not change the exit code.
    #[arg(long)]
    hints: bool,
    /// Report only findings of this severity or higher.
    ///
    /// `--min-severity hint` is the same as `--hints`.
    #[arg(long, value_enum, value_name = "SEVERITY", conflicts_with = "hints")]
    min_severity: Option<Least>,
    /// End with 0 if there are no errors and at most N warnings.
    #[arg(long, value_name = "N")]
    max_warnings: Option<usize>,
    /// Read standard input as if it were this file.
    ///
    /// The other files of its project are read as context.
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,
    /// Check all files again, even if nothing changed.
    ///
    /// Without it, nodewise keeps the result of a project with 500 files or more, and prints it again while the files, the
    /// configuration and nodewise are the same. If files have changed, it checks only these and what depends on them.
    /// `nodewise cache` shows where results are.
    #[arg(long)]
    no_cache: bool,
    /// Hide the progress bar.
    #[arg(long)]
    no_progress: bool,
    /// End with 0 even if there are findings.
    #[arg(long)]
    exit_zero: bool,
}

/// The severities, as words of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Least {
    Error,
    Warning,
    Hint,
}

/// Checks the paths.
pub(crate) fn run(options: &CheckOptions, output: &mut Output) -> Result<Outcome> {
    options.check()?;
    let forced = options.dialect.as_deref().map(dialect_pin).transpose()?;
    if options.watch {
        return watch::run(options, forced, output);
    }
    let request = options.request()?;
    let progress = Progress::new(!options.no_progress);
    let mut found = discovery::find(&request, options.config.as_deref())?;
    if options.list_files {
        let is_json = options.reports.is_json_list()?;
        let chosen = listing::Chosen { forced, config: options.config.as_deref(), is_json };
        return listing::run(&request, found, &chosen, output);
    }
    let baselines = Baselines::open(&options.baseline, options.config.as_deref(), &found.projects)?;
    let listed = baseline::paths(&options.baseline, options.config.as_deref(), &found.projects)?;
    for project in found.projects.iter_mut().filter(|_| !listed.is_empty()) {
        project.leave_out(|path| listed.contains(path));
    }
    let cache = if options.no_cache { None } else { CheckCache::of_user() };
    let judge = Judge { forced, stdin: request.stdin.as_ref(), progress: &progress, cache: cache.as_ref() };
    let choose = |project: &Project, file: &FileFacts, found| {
        options.wanted_fixes(baselines.unlisted(project, file, found))
    };
    if options.diff {
        return fixing::show(&found.projects, forced, &choose, output);
    }
    if options.fix {
        fixing::write(&found.projects, forced, &choose)?;
    }
    let mut notices = found.notices;
    let mut round = Round::begin(options, &request, baselines, output)?;
    for project in &found.projects {
        let mut judged = judge.project(project, &mut notices);
        progress.finish();
        round.project(project, &mut judged, output)?;
        leave(judged);
    }
    round.end(notices, output).map(|(outcome, _)| outcome)
}

/// The process ends after printing. Dropping every tree before that takes time and has no use.
fn leave(judged: Judged) {
    std::mem::forget(judged);
}

impl CheckOptions {
    /// Returns an error for options that do not fit together.
    fn check(&self) -> Result<()> {
        self.check_rules()?;
        self.check_fixes()?;
        if self.baseline.writes() && self.has_stdin() {
            bail!("a baseline cannot list findings of standard input\n  help: name files or folders");
        }
        if self.watch && self.has_stdin() {
            bail!("standard input cannot be watched\n  help: name files or folders");
        }
        self.reports.check(self.statistics)
    }

    fn check_rules(&self) -> Result<()> {
        for id in self.select.iter().chain(&self.ignore) {
            match RuleSelector::of(id) {
                Some(RuleSelector::Former(rule)) => remark(&format!("note: {}", renamed_note(id, rule))),
                Some(RuleSelector::Rule(_) | RuleSelector::Category(_) | RuleSelector::Project(_)) => {}
                None => bail!("no rule is called `{id}`\n  help: {}", config::rule_suggestion(id)),
            }
        }
        Ok(())
    }

    fn check_fixes(&self) -> Result<()> {
        if self.has_stdin() && (self.fix || self.diff) {
            bail!(
                "standard input cannot be fixed in place\n  help: name a file, or use the fixes in `--format json`"
            );
        }
        if self.unsafe_fixes && !self.fix && !self.diff {
            bail!("`--unsafe-fixes` does nothing on its own\n  help: add `--fix` or `--diff`");
        }
        Ok(())
    }

    /// The fixes to apply: those of reported findings, and only safe ones unless the user wants all.
    fn wanted_fixes(&self, found: Vec<Diagnostic>) -> Vec<Fix> {
        // Former ids in comments are reported only as a note, but are still rewritten.
        let is_former_id = |one: &Diagnostic| self.min_severity.is_none() && one.rule == OUTDATED_RULE_ID;
        let is_reported = |one: &Diagnostic| {
            (one.severity <= self.least_shown() || is_former_id(one)) && self.wants(one.rule)
        };
        let wanted =
            |one: Diagnostic| one.finding.fixes.into_iter().find(|fix| fix.safe || self.unsafe_fixes);
        found.into_iter().filter(is_reported).filter_map(wanted).collect()
    }

    /// The lowest severity that people see.
    fn least_shown(&self) -> Severity {
        match self.min_severity {
            Some(Least::Error) => Severity::Error,
            Some(Least::Warning) => Severity::Warning,
            Some(Least::Hint) => Severity::Hint,
            None if self.hints => Severity::Hint,
            None => Severity::Warning,
        }
    }

    /// The lowest severity in any report. Reports for programs include hints by default.
    fn least_reported(&self) -> Severity {
        if self.min_severity.is_some() { self.least_shown() } else { Severity::Hint }
    }

    fn has_stdin(&self) -> bool {
        self.paths.iter().any(|path| input::is_stdin(path))
    }

    fn style(&self) -> Style {
        Style {
            shows_hints: self.least_shown() == Severity::Hint,
            is_coloured: self.color.is_wanted(),
            has_statistics: self.statistics,
        }
    }

    fn request(&self) -> Result<DiscoveryRequest> {
        let request = input::request(&self.paths, self.stdin_filename.as_deref())?;
        Ok(request.force_exclusions(self.force_exclude).follow_links(self.follow_links))
    }

    /// Assigns output files to formats, by their order on the command line.
    pub(crate) fn route(&mut self, matches: &ArgMatches) {
        self.reports.route(matches);
    }

    fn wants(&self, rule: &str) -> bool {
        let names = |rules: &[String]| {
            rules.iter().any(|one| RuleSelector::of(one).is_some_and(|named| named.covers(rule)))
        };
        (self.select.is_empty() || names(&self.select)) && !names(&self.ignore)
    }
}

/// The dialect with this name.
pub(crate) fn dialect_pin(word: &str) -> Result<Pin> {
    match DIALECTS.iter().find(|dialect| dialect.id == word) {
        Some(dialect) => Ok(Pin::Dialect(dialect.id)),
        None => {
            let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.id).collect();
            bail!("no dialect is called `{word}`\n  help: {}", config::suggestion(word, &known))
        }
    }
}
