//! The door of every rule test: a fixture with marks, checked as a project.

use std::sync::Arc;

use nodewise_model::SourceId;
use nodewise_test_support::{Fixture, Found, Severity as MarkSeverity};

use crate::check;
use crate::diagnostic::{Diagnostic, Severity};
use crate::facts::FileFacts;
use crate::settings::Settings;

/// Checks a fixture as one project and compares the findings of `rule` with its marks.
pub(crate) fn check_rule(rule: &str, fixture: &str) {
    check_rule_with(rule, &Settings::default(), fixture);
}

/// The same under settings of its own.
pub(crate) fn check_rule_with(rule: &str, settings: &Settings, fixture: &str) {
    let fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let files = project(&fixture, settings);
    let diagnostics = check::check(&files);
    let actual = fixture.actual(|file| {
        let source = files
            .iter()
            .find(|facts| facts.path == file.path.trim_start_matches('/'))
            .map(|facts| facts.source);
        let of_file =
            diagnostics.iter().filter(|one| one.rule == rule && Some(one.finding.at.source) == source);
        of_file.map(found).collect()
    });
    assert_eq!(actual, fixture.expected());
}

/// The files of a fixture in load order.
pub(crate) fn project(fixture: &Fixture, settings: &Settings) -> Vec<FileFacts> {
    let settings = Arc::new(settings.clone());
    let mut files: Vec<_> =
        fixture.files.iter().map(|file| (file.path.trim_start_matches('/'), &file.text)).collect();
    files.sort();
    let facts = files.into_iter().enumerate().map(|(number, (path, text))| {
        let source = SourceId(u32::try_from(number).unwrap());
        FileFacts::new(source, path.to_owned(), text.as_str().into(), Arc::clone(&settings))
    });
    facts.collect()
}

fn found(diagnostic: &Diagnostic) -> Found {
    let severity = match diagnostic.severity {
        Severity::Error => MarkSeverity::Error,
        Severity::Warning => MarkSeverity::Warning,
        Severity::Hint => MarkSeverity::Hint,
    };
    Found {
        range: diagnostic.finding.at.range,
        severity,
        rule: diagnostic.rule.to_owned(),
        message: diagnostic.finding.message.clone(),
    }
}
