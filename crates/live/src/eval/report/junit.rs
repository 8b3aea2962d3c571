//! Results as JUnit's XML: an eval is a suite, a place of its table a case.

use nodewise_simulation::report::escaped_xml as escaped;

use super::{EvalReport, change_words, complaints};
use crate::eval::results::{Sum, SumChange};
use crate::eval::saved::EarlierResults;

/// The reports as XML.
#[must_use]
pub fn junit(reports: &[EvalReport]) -> String {
    let suites: String = reports.iter().map(suite).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nodewise eval\">\n{suites}</testsuites>\n"
    )
}

fn suite(report: &EvalReport) -> String {
    let changes = report.changes();
    let mut cases = String::new();
    let (mut failed, mut time) = (0, 0.0);
    for sum in &report.sums.places {
        let worse = changes.iter().find(|change| change.is_worse() && change.now == *sum);
        let failures = failures(report, sum, worse);
        failed += usize::from(!failures.is_empty());
        time += sum.time_ms * f64::from(sum.runs);
        let (name, file) = (escaped(&report.place(sum)), escaped(&report.file));
        let seconds = seconds(sum.time_ms);
        cases.push_str(&format!("    <testcase name=\"{name}\" classname=\"{file}\" time=\"{seconds}\""));
        match failures.is_empty() {
            true => cases.push_str("/>\n"),
            false => cases.push_str(&format!(">\n{failures}    </testcase>\n")),
        }
    }
    let mut errors = 0;
    if let Some(stopped) = report.stopped() {
        errors = 1;
        let (file, stopped) = (escaped(&report.file), escaped(&stopped));
        cases.push_str(&format!(
            "    <testcase name=\"all runs\" classname=\"{file}\" time=\"0.000\">\n      <error message=\"{stopped}\" \
             type=\"stopped\"/>\n    </testcase>\n"
        ));
    }
    let count = report.sums.places.len() + errors;
    format!(
        "  <testsuite name=\"{}\" tests=\"{count}\" failures=\"{failed}\" errors=\"{errors}\" time=\"{}\">\n{cases}  \
         </testsuite>\n",
        escaped(&report.table.title),
        seconds(time)
    )
}

fn failures(report: &EvalReport, sum: &Sum, worse: Option<&SumChange>) -> String {
    let mut out = String::new();
    if !sum.is_enough(report.table.pass_rate) {
        for result in report.runs_of(sum) {
            for (of, message) in complaints(result) {
                let (of, message) = (escaped(&of), escaped(&message));
                let run = result.run.as_ref().map(|run| format!("run {run}")).unwrap_or_default();
                out.push_str(&format!(
                    "      <failure message=\"{message}\" type=\"{of}\">{run}</failure>\n"
                ));
            }
        }
    }
    if let Some(change) = worse {
        let message = escaped(&change_words(change));
        let before = escaped(&report.accepted.as_ref().map(EarlierResults::words).unwrap_or_default());
        out.push_str(&format!(
            "      <failure message=\"worse than {before}: {message}\" type=\"worse\"/>\n"
        ));
    }
    out
}

fn seconds(milliseconds: f64) -> String {
    format!("{:.3}", milliseconds / 1000.0)
}
