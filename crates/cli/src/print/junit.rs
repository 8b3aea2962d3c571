//! JUnit XML for build servers: a file is a suite, a finding is a failed case.
//!
//! Input: the diagnostics of all projects. Output: the report. Invariant: the counts equal the number of cases. Control
//! characters, which XML does not allow, are replaced with symbols.

use std::collections::BTreeMap;

use nodewise_analysis::diagnostic::{Diagnostic, Severity};

use super::Summary;
use crate::project::Judged;
use crate::screen;

/// Cases by file, in output order.
#[derive(Default)]
pub(super) struct Report {
    files: Vec<(String, Vec<String>)>,
    numbers: BTreeMap<String, usize>,
}

impl Report {
    /// Adds a finding. Hints are not failures and are left out.
    pub(super) fn add(&mut self, judged: &Judged, diagnostic: &Diagnostic) {
        if diagnostic.severity == Severity::Hint {
            return;
        }
        let finding = &diagnostic.finding;
        let place = judged.place(finding.at);
        let path = place.map_or("", |place| place.path);
        let (line, column) = place.map_or((1, 1), |place| (place.start.at.line, place.start.at.column));
        let mut text = format!("{path}:{line}:{column}: {}", finding.message);
        if let Some(help) = &finding.help {
            text.push_str(&format!("\nhelp: {help}"));
        }
        let case = format!(
            "    <testcase name=\"{rule} at {line}:{column}\" classname=\"{file}\">\n      \
             <failure message=\"{message}\" type=\"{severity}\">{text}</failure>\n    </testcase>\n",
            rule = diagnostic.rule,
            file = escaped(path),
            message = escaped(&finding.message),
            severity = diagnostic.severity.word(),
            text = escaped(&text),
        );
        let next = self.files.len();
        let number = *self.numbers.entry(path.to_owned()).or_insert(next);
        match self.files.get_mut(number) {
            Some((_, cases)) => cases.push(case),
            None => self.files.push((path.to_owned(), vec![case])),
        }
    }

    /// The whole report. Without findings it has one passed case, because an empty report counts as an error.
    pub(super) fn text(&self, summary: &Summary) -> String {
        let failures: usize = self.files.iter().map(|(_, cases)| cases.len()).sum();
        let tests = failures.max(1);
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites name=\"nodewise\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n"
        );
        for (path, cases) in &self.files {
            let (path, count) = (escaped(path), cases.len());
            out.push_str(&format!(
                "  <testsuite name=\"{path}\" tests=\"{count}\" failures=\"{count}\" errors=\"0\">\n"
            ));
            cases.iter().for_each(|case| out.push_str(case));
            out.push_str("  </testsuite>\n");
        }
        if self.files.is_empty() {
            let text = escaped(&summary.without_findings());
            out.push_str(&format!(
                "  <testsuite name=\"nodewise\" tests=\"1\" failures=\"0\" errors=\"0\">\n    \
                 <testcase name=\"{text}\" classname=\"nodewise\"/>\n  </testsuite>\n"
            ));
        }
        out.push_str("</testsuites>\n");
        out
    }
}

fn escaped(text: &str) -> String {
    screen::lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
