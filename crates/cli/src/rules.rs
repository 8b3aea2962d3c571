//! `nodewise rules`: the tests of the rules that a project declares itself, and copies of rules from elsewhere.
//!
//! Input: paths. Output: each test with its result, the lines that differ, and a summary. Invariant: the same files give the
//! same bytes, and no rule runs code.

mod fetch;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use nodewise_analysis::facts::{DocumentFacts, FileFacts};
use nodewise_analysis::project_rules::{ActiveRule, of_declaration};
use nodewise_analysis::rule_application::rule_test::{
    DifferingLine, RuleTestResult, difference, run as run_test,
};
use nodewise_project::discovery;
use serde_json::{Value, json};

use crate::outcome::Outcome;
use crate::output::Output;
use crate::print::json::to_json;
use crate::{input, notices, workspace};

/// Test your own rules, and share them between projects.
#[derive(Args)]
pub(crate) struct RulesOptions {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Subcommand)]
enum RulesCommand {
    Test(RuleTestOptions),
    Fetch(fetch::FetchOptions),
}

/// Run the tests in the files of your rules.
///
/// A test is a project in the rule's own file, with the findings that the
/// rule must have in it. Nothing else is read, and no code runs.
#[derive(Args)]
struct RuleTestOptions {
    /// Files and folders with rules.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Use this file instead of each project's `nodewise.toml`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line for each test, and the lines that differ.
    Text,
    /// One JSON document, with a version.
    Json,
}

/// What a test, or a rule that cannot be tested, came to.
struct TestedRule {
    file: String,
    rule: String,
    title: String,
    result: Result<(), Vec<String>>,
}

/// Runs the command.
pub(crate) fn run(options: &RulesOptions, output: &mut Output) -> Result<Outcome> {
    match &options.command {
        RulesCommand::Test(options) => test(options, output),
        RulesCommand::Fetch(options) => fetch::run(options, output),
    }
}

fn test(options: &RuleTestOptions, output: &mut Output) -> Result<Outcome> {
    let request = input::request(&options.paths, None)?;
    let found = discovery::find(&request, options.config.as_deref())?;
    let mut notices = found.notices;
    let mut tested = Vec::new();
    for project in &found.projects {
        let asked = workspace::asked(project, None, None, &mut notices);
        for file in project.files.iter().filter(|file| file.is_reported) {
            let source =
                asked.snapshot.source(&file.relative).filter(|source| asked.sources.contains(source));
            let Some(facts) = source.and_then(|source| asked.snapshot.file(source)) else { continue };
            tested.extend(of_file(facts, &project.shown_path(file)));
        }
    }
    match options.format {
        Format::Text => output.write(&text(&tested))?,
        Format::Json => output.write(&format!("{}\n", to_json(&value(&tested))))?,
    }
    let has_failed = notices::print_all(notices);
    Ok(match (has_failed, tested.iter().any(|one| one.result.is_err())) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Findings,
        (false, false) => Outcome::Clean,
    })
}

fn of_file(facts: &FileFacts, shown: &str) -> Vec<TestedRule> {
    facts.documents.iter().flat_map(|document| of_document(document, shown)).collect()
}

fn of_document(document: &DocumentFacts, shown: &str) -> Vec<TestedRule> {
    let effective = document.effective.as_ref();
    let declaration = effective.and_then(|effective| effective.declaration.as_ref());
    let Some(rule) = declaration.and_then(of_declaration) else { return Vec::new() };
    let name = rule.id.as_ref().map_or("?", |id| id.value.as_str()).to_owned();
    let Some(active) = ActiveRule::of_document(document) else {
        let why = vec!["the rule cannot be applied: `nodewise check` says why".to_owned()];
        return vec![TestedRule {
            file: shown.to_owned(),
            rule: name,
            title: String::new(),
            result: Err(why),
        }];
    };
    let test = |(number, test): (usize, &_)| {
        let test: &nodewise_model::project_rule::RuleTest = test;
        let title =
            test.title.as_ref().map_or_else(|| format!("test {number}"), |title| title.value.to_string());
        let result = match run_test(&active, test) {
            RuleTestResult::Passed => Ok(()),
            RuleTestResult::Malformed(mistake) => Err(vec![mistake]),
            RuleTestResult::Failed { expected, actual } => {
                Err(difference(&expected, &actual).iter().map(shown_line).collect())
            }
        };
        TestedRule { file: shown.to_owned(), rule: name.clone(), title, result }
    };
    (1..).zip(&rule.tests).map(test).collect()
}

/// A line that differs: with `-` if it is expected, and with `+` if it is reported.
fn shown_line(line: &DifferingLine) -> String {
    let sign = if line.is_expected { '-' } else { '+' };
    format!("line {}: {sign} {}", line.number, line.text)
}

fn text(tested: &[TestedRule]) -> String {
    let mut text = String::new();
    for one in tested {
        let word = if one.result.is_ok() { "ok  " } else { "FAIL" };
        let title = if one.title.is_empty() { String::new() } else { format!(": {}", one.title) };
        text.push_str(&format!("{word}  {}  {}{title}\n", one.file, one.rule));
        for line in one.result.as_ref().err().into_iter().flatten() {
            text.push_str(&format!("      {line}\n"));
        }
    }
    let failed = tested.iter().filter(|one| one.result.is_err()).count();
    text.push_str(&format!("{} passed, {failed} failed\n", tested.len() - failed));
    text
}

fn value(tested: &[TestedRule]) -> Value {
    let test = |one: &TestedRule| {
        let lines = one.result.as_ref().err();
        json!({
            "file": one.file, "rule": one.rule, "test": one.title, "passed": one.result.is_ok(), "difference": lines,
        })
    };
    let failed = tested.iter().filter(|one| one.result.is_err()).count();
    json!({
        "version": 1,
        "tests": tested.iter().map(test).collect::<Vec<_>>(),
        "summary": {"passed": tested.len() - failed, "failed": failed},
    })
}
