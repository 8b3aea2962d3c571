//! The tests of a project's rules, in the notation of fixtures.
//!
//! Input: a rule with a test. Output: whether it has exactly the expected findings, and otherwise both, as texts that can be
//! compared line by line. Invariant: nothing but the files of the test is looked at.

use std::sync::Arc;

use nodewise_model::SourceId;
use nodewise_model::project_rule::RuleTest;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::fixture::{Fixture, MarkSeverity, ReportedFinding};

use super::judge;
use crate::diagnostic::{Diagnostic, Severity};
use crate::facts::FileFacts;
use crate::files::Files;
use crate::index::{Index, View};
use crate::project_rules::ActiveRule;
use crate::rule::{Context, OwnFacts};
use crate::settings::Settings;
use crate::workspace::ModuleTexts;

/// What a test came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleTestResult {
    /// The findings are the expected ones.
    Passed,
    /// They are others.
    Failed {
        /// The files with the expected findings.
        expected: String,
        /// The files with those that the rule has.
        actual: String,
    },
    /// The files of the test cannot be read; why.
    Malformed(String),
}

/// Runs a test of a rule.
#[must_use]
pub fn run(rule: &ActiveRule, test: &RuleTest) -> RuleTestResult {
    let fixture = match Fixture::read(&test.text.value) {
        Ok(fixture) => fixture,
        Err(mistake) => return RuleTestResult::Malformed(mistake),
    };
    let other = fixture.files.iter().flat_map(|file| &file.marks).find(|mark| mark.rule != rule.id);
    if let Some(other) = other {
        return RuleTestResult::Malformed(format!(
            "line {}: the rule is called `{}`, not `{}`",
            other.line, rule.id, other.rule
        ));
    }
    let files = files(&fixture);
    let diagnostics = diagnostics(&files, rule);
    let actual = fixture.actual(|file| {
        let source = files.at_path(file.path.trim_start_matches('/')).map(|facts| facts.source);
        let of_file = diagnostics.iter().filter(|one| Some(one.finding.at.source) == source);
        of_file.map(reported).collect()
    });
    let expected = fixture.expected();
    if actual == expected { RuleTestResult::Passed } else { RuleTestResult::Failed { expected, actual } }
}

/// The files of a fixture, in load order.
fn files(fixture: &Fixture) -> Files {
    let settings = Arc::new(Settings::default());
    let mut files: Vec<(&str, Arc<str>)> = fixture
        .files
        .iter()
        .map(|file| (file.path.trim_start_matches('/'), Arc::from(file.text.as_str())))
        .collect();
    files.arrange();
    files.dedup_by(|one, other| one.0 == other.0);
    let modules = files.iter().map(|(path, text)| (*path, text)).collect::<ModuleTexts<'_>>();
    let facts = (0..).zip(&files).map(|(number, (path, text))| {
        let (path, text) = ((*path).to_owned(), Arc::clone(text));
        FileFacts::read(SourceId(number), path.into(), text, Arc::clone(&settings), false, &modules)
    });
    facts.collect()
}

fn diagnostics(files: &Files, rule: &ActiveRule) -> Vec<Diagnostic> {
    let index = Index::build(files);
    let of_file = |file: &Arc<FileFacts>| {
        let own = OwnFacts::new(file, &index);
        let context = Context::new(file, files, View::new(&index, file.source, None), &own);
        judge(context, std::slice::from_ref(rule))
    };
    let is_silenced = |one: &Diagnostic| {
        let file = files.get(one.finding.at.source);
        file.is_some_and(|file| {
            file.suppressions.silencing(rule.id, &[], one.finding.at.range.start()).next().is_some()
        })
    };
    files.iter().flat_map(of_file).filter(|one| !is_silenced(one)).collect()
}

/// A finding in the notation of fixtures.
pub(crate) fn reported(diagnostic: &Diagnostic) -> ReportedFinding {
    let severity = match diagnostic.severity {
        Severity::Error => MarkSeverity::Error,
        Severity::Warning => MarkSeverity::Warning,
        Severity::Hint => MarkSeverity::Hint,
    };
    ReportedFinding {
        range: diagnostic.finding.at.range,
        severity,
        rule: diagnostic.rule.to_owned(),
        message: diagnostic.finding.message.clone(),
    }
}

/// A line that is in one of two texts only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferingLine {
    /// The line of the files above which it is not the same, from 1; lines of carets are not counted.
    pub number: usize,
    /// Whether it is expected, and not reported.
    pub is_expected: bool,
    /// The line.
    pub text: String,
}

/// The lines that differ between the expected files and those with what the rule reports.
#[must_use]
pub fn difference(expected: &str, actual: &str) -> Vec<DifferingLine> {
    let is_mark = |line: &str| line.trim_start_matches(['#', ' ']).starts_with('^');
    let (mut wanted, mut found) = (expected.lines().peekable(), actual.lines().peekable());
    let mut lines = Vec::new();
    let mut number = 1;
    loop {
        let (want, have) = (wanted.peek().copied(), found.peek().copied());
        let (text, is_expected) = match (want, have) {
            (None, None) => return lines,
            (Some(want), Some(have)) if want == have => {
                number += usize::from(!is_mark(want));
                wanted.next();
                found.next();
                continue;
            }
            (Some(want), have) if is_mark(want) || have.is_none() => {
                wanted.next();
                (want, true)
            }
            (_, Some(have)) => {
                found.next();
                (have, false)
            }
            (Some(want), None) => {
                wanted.next();
                (want, true)
            }
        };
        lines.push(DifferingLine { number: number - 1, is_expected, text: text.to_owned() });
    }
}
