//! The door of every rule test: a fixture with marks, checked as a project.

use std::sync::Arc;

use nodewise_model::SourceId;
use nodewise_platform::sorting::Sorting;
use nodewise_test_support::Fixture;

use crate::check;
use crate::diagnostic::{Diagnostic, Severity};
use crate::facts::FileFacts;
use crate::file_text::{TextMark, TextSource};
use crate::files::Files;
use crate::rule_application::rule_test::reported;
use crate::settings::Settings;
use crate::workspace::ModuleTexts;

/// Checks a fixture as one project and compares all findings but hints with its marks.
pub(crate) fn check_findings(fixture: &str) {
    let fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let files = project(&fixture, &Settings::default());
    let diagnostics = checked(&fixture, &Settings::default());
    let actual = fixture.actual(|file| {
        let source = files.at_path(file.path.trim_start_matches('/')).map(|facts| facts.source);
        let is_of_file = |one: &&Diagnostic| Some(one.finding.at.source) == source;
        let is_reported = |one: &&Diagnostic| one.severity != Severity::Hint;
        diagnostics.iter().filter(is_of_file).filter(is_reported).map(reported).collect()
    });
    assert_eq!(actual, fixture.expected());
}

/// Checks a fixture as one project and compares the findings of `rule` with its marks.
pub(crate) fn check_rule(rule: &str, fixture: &str) {
    check_rule_with(rule, &Settings::default(), fixture);
}

/// The same under settings of its own.
pub(crate) fn check_rule_with(rule: &str, settings: &Settings, fixture: &str) {
    let fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let files = project(&fixture, settings);
    let diagnostics = checked(&fixture, settings);
    let actual = fixture.actual(|file| {
        let source = files
            .iter()
            .find(|facts| *facts.path == *file.path.trim_start_matches('/'))
            .map(|facts| facts.source);
        let of_file =
            diagnostics.iter().filter(|one| one.rule == rule && Some(one.finding.at.source) == source);
        of_file.map(reported).collect()
    });
    assert_eq!(actual, fixture.expected());
}

/// Applies the first fix that `rule` offers in a fixture, compares the fixture's text with `fixed`, and
/// makes sure that the finding is gone and that the text is still YAML.
pub(crate) fn check_fix(rule: &str, fixture: &str, fixed: &str) {
    let mut fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let fixed = Fixture::parse(fixed.strip_prefix('\n').unwrap_or(fixed));
    let settings = Settings::default();
    let files = project(&fixture, &settings);
    let before = checked(&fixture, &settings);
    let fix = before.iter().filter(|one| one.rule == rule).find_map(|one| one.finding.fixes.first());
    let mut edits = fix.expect("the rule offers no fix").edits.clone();
    edits.arrange_by_key(|edit| std::cmp::Reverse(edit.at.reading_order()));
    for edit in edits {
        let path = &files.get(edit.at.source).unwrap().path;
        let file =
            fixture.files.iter_mut().find(|file| file.path.trim_start_matches('/') == &**path).unwrap();
        file.text.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
    }
    let texts = |fixture: &Fixture| -> Vec<(String, String)> {
        fixture.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect()
    };
    assert_eq!(texts(&fixture), texts(&fixed));
    let after = check::check(&project(&fixture, &settings));
    let count = |all: &[Diagnostic], rule: &str| all.iter().filter(|one| one.rule == rule).count();
    assert_eq!(count(&after, rule) + 1, count(&before, rule), "the finding is still there: {after:#?}");
    assert!(count(&after, "invalid-yaml") <= count(&before, "invalid-yaml"), "the fix breaks the YAML");
}

/// Makes sure that `rule` has findings in a fixture, and a fix for none of them.
pub(crate) fn check_no_fix(rule: &str, fixture: &str) {
    let fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let diagnostics = checked(&fixture, &Settings::default());
    let own: Vec<_> = diagnostics.iter().filter(|one| one.rule == rule).collect();
    assert!(!own.is_empty(), "no finding");
    assert!(own.iter().all(|one| one.finding.fixes.is_empty()), "{own:#?}");
}

/// Holds what is advised at the findings of `rule` in a fixture against `expected`.
#[track_caller]
pub(crate) fn check_help(rule: &str, fixture: &str, expected: &[&str]) {
    let fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let diagnostics = checked(&fixture, &Settings::default());
    let own = diagnostics.iter().filter(|one| one.rule == rule);
    let found: Vec<&str> = own.map(|one| one.finding.help.as_deref().unwrap_or_default()).collect();
    assert_eq!(found, expected);
}

/// The findings in a fixture, which are the same if its files are condensed.
fn checked(fixture: &Fixture, settings: &Settings) -> Vec<Diagnostic> {
    let diagnostics = check::check(&project(fixture, settings));
    let all = facts(fixture, settings);
    let texts = all.iter().map(|file| Arc::clone(file.text.shared())).collect();
    let source: Arc<dyn TextSource> = Arc::new(KnownTexts(texts));
    let condensed = |file: FileFacts| {
        let number = file.source;
        file.condensed(number, &source)
    };
    let condensed: Files = all.into_iter().map(condensed).collect();
    assert_eq!(check::check(&condensed), diagnostics, "findings in condensed files");
    diagnostics
}

/// Texts by the numbers of their files.
#[derive(Debug)]
struct KnownTexts(Vec<Arc<str>>);

impl TextSource for KnownTexts {
    fn text(&self, file: SourceId, mark: TextMark) -> Option<Arc<str>> {
        self.0.get(file.0 as usize).filter(|text| TextMark::of(text) == mark).cloned()
    }
}

/// The files of a fixture in load order.
pub(crate) fn project(fixture: &Fixture, settings: &Settings) -> Files {
    facts(fixture, settings).into_iter().collect()
}

fn facts(fixture: &Fixture, settings: &Settings) -> Vec<FileFacts> {
    let settings = Arc::new(settings.clone());
    let mut files: Vec<_> =
        fixture.files.iter().map(|file| (file.path.trim_start_matches('/'), &file.text)).collect();
    files.arrange();
    let files: Vec<(&str, Arc<str>)> =
        files.into_iter().map(|(path, text)| (path, Arc::from(text.as_str()))).collect();
    let modules = files.iter().map(|(path, text)| (*path, text)).collect::<ModuleTexts<'_>>();
    let facts = files.iter().enumerate().map(|(number, (path, text))| {
        let source = SourceId(u32::try_from(number).unwrap());
        let (path, text) = (Arc::from(*path), Arc::clone(text));
        FileFacts::read(source, path, text, Arc::clone(&settings), false, &modules)
    });
    facts.collect()
}
