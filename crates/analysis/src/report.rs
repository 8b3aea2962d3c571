//! A finding as data for programs: an object of the document that `nodewise check --format json` writes.
//!
//! Input: a diagnostic, and where its origins are. Output: a value to serialize. Invariant: within a version of the document, keys
//! are only added. Lines and columns count from 1, byte offsets from 0.

use nodewise_model::Origin;
use nodewise_syntax::LineCol;
use serde::Serialize;

use crate::citation;
use crate::diagnostic::{Diagnostic, Fix, Related};
use crate::project_rules::{GROUP, is_project_rule};
use crate::rules::rule;

/// The location of a finding, for people and for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportPlace<'p> {
    /// The path of the file, as shown to the user.
    pub path: &'p str,
    pub start: ReportPosition,
    pub end: ReportPosition,
}

/// A position in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportPosition {
    /// Line and column, from 1.
    pub at: LineCol,
    /// The byte offset in the file, from 0.
    pub offset: u32,
}

/// A function that returns the location of an origin, or `None` if it has none.
type Places<'p> = &'p dyn Fn(Origin) -> Option<ReportPlace<'p>>;

/// A diagnostic in the form of JSON reports.
#[derive(Debug, Serialize)]
pub struct JsonDiagnostic<'d> {
    file: &'d str,
    rule: &'static str,
    category: Option<&'static str>,
    spec: Option<&'static str>,
    /// The web link to the explanation of the class.
    #[serde(rename = "specUrl", skip_serializing_if = "Option::is_none")]
    spec_url: Option<String>,
    #[serde(rename = "alsoSpec", skip_serializing_if = "Option::is_none")]
    also_spec: Option<&'static str>,
    severity: &'static str,
    message: &'d str,
    range: JsonRange,
    label: Option<&'d str>,
    help: Option<&'d str>,
    related: Vec<JsonRelated<'d>>,
    fixes: Vec<JsonFix<'d>>,
}

#[derive(Debug, Serialize)]
struct JsonRange {
    start: JsonPosition,
    end: JsonPosition,
}

#[derive(Debug, Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    offset: u32,
}

#[derive(Debug, Serialize)]
struct JsonRelated<'d> {
    file: &'d str,
    range: JsonRange,
    message: &'d str,
}

#[derive(Debug, Serialize)]
struct JsonFix<'d> {
    title: &'d str,
    safe: bool,
    edits: Vec<JsonEdit<'d>>,
}

#[derive(Debug, Serialize)]
struct JsonEdit<'d> {
    file: &'d str,
    range: JsonRange,
    text: &'d str,
}

impl<'d> JsonDiagnostic<'d> {
    /// Converts a diagnostic.
    #[must_use]
    pub fn new(diagnostic: &'d Diagnostic, places: Places<'d>) -> JsonDiagnostic<'d> {
        let finding = &diagnostic.finding;
        let (file, range) = range(places, finding.at);
        JsonDiagnostic {
            file,
            rule: diagnostic.rule,
            category: category(diagnostic.rule),
            spec: diagnostic.spec,
            spec_url: diagnostic.spec.and_then(citation::web_link),
            also_spec: finding.also,
            severity: diagnostic.severity.word(),
            message: &finding.message,
            range,
            label: finding.label.as_deref(),
            help: finding.help.as_deref(),
            related: finding.related.iter().map(|one| related(places, one)).collect(),
            fixes: finding.fixes.iter().map(|one| fix(places, one)).collect(),
        }
    }
}

fn related<'d>(places: Places<'d>, related: &'d Related) -> JsonRelated<'d> {
    let (file, range) = range(places, related.at);
    JsonRelated { file, range, message: &related.message }
}

fn fix<'d>(places: Places<'d>, fix: &'d Fix) -> JsonFix<'d> {
    let edits = fix.edits.iter().map(|edit| {
        let (file, range) = range(places, edit.at);
        JsonEdit { file, range, text: &edit.text }
    });
    JsonFix { title: &fix.title, safe: fix.safe, edits: edits.collect() }
}

fn range<'d>(places: Places<'d>, origin: Origin) -> (&'d str, JsonRange) {
    match places(origin) {
        Some(place) => (place.path, JsonRange { start: place.start.into(), end: place.end.into() }),
        None => ("", JsonRange { start: JsonPosition::FIRST, end: JsonPosition::FIRST }),
    }
}

impl JsonPosition {
    const FIRST: JsonPosition = JsonPosition { line: 1, column: 1, offset: 0 };
}

impl From<ReportPosition> for JsonPosition {
    fn from(position: ReportPosition) -> JsonPosition {
        JsonPosition { line: position.at.line, column: position.at.column, offset: position.offset }
    }
}

/// The category of a rule, or of a project rule.
fn category(id: &str) -> Option<&'static str> {
    let own = || is_project_rule(id).then_some(GROUP);
    rule(id).map(|rule| rule.category.word()).or_else(own)
}
