//! GitLab's code quality report: a list of findings with fingerprints.
//!
//! Input: a finding with its fingerprint. Output: its entry. Invariant: the entry has every key that GitLab requires.

use nodewise_analysis::diagnostic::Severity;
use serde::Serialize;

use super::json::to_json;
use crate::project::{FingerprintedFinding, Judged};

pub(super) const HEAD: &str = "[";
pub(super) const TAIL: &str = "\n]\n";

#[derive(Serialize)]
struct Entry<'d> {
    description: &'d str,
    check_name: &'d str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'d>,
}

#[derive(Serialize)]
struct Location<'d> {
    path: &'d str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// The entry of a diagnostic.
pub(super) fn text(judged: &Judged, found: &FingerprintedFinding) -> String {
    let diagnostic = &found.diagnostic;
    let place = judged.place(diagnostic.finding.at);
    to_json(&Entry {
        description: &diagnostic.finding.message,
        check_name: diagnostic.rule,
        fingerprint: found.fingerprint.at(place.map_or("", |place| place.path)).to_string(),
        severity: match diagnostic.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Hint => "info",
        },
        location: Location {
            path: place.map_or("", |place| place.path),
            lines: Lines {
                begin: place.map_or(1, |place| place.start.at.line),
                end: place.map_or(1, |place| place.end.at.line),
            },
        },
    })
}
