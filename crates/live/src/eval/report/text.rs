//! Results as text for people: the table, what failed, what changed.

use std::collections::BTreeSet;

use super::{EvalReport, amounts, change_word, change_words, complaints, seconds, summary, usd};
use crate::eval::results::Sum;
use crate::eval::runner::RunResult;
use crate::eval::saved::EarlierResults;
use crate::eval::table::Table;

#[must_use]
pub fn text(reports: &[EvalReport]) -> String {
    reports.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// A line about a run that has just ended.
#[must_use]
pub fn run_line(table: &Table, result: &RunResult) -> String {
    let cell = result.cell;
    let mut names = vec![table.cases.get(cell.case).map_or("", |case| &case.title).to_owned()];
    if table.prompts.len() > 1 {
        names.extend(table.prompts.get(cell.prompt).map(|prompts| prompts.name.clone()));
    }
    if table.models.len() > 1 {
        names.extend(table.models.get(cell.model).map(|models| models.name.clone()));
    }
    if table.repeat > 1 {
        names.push(format!("{} of {}", cell.repetition + 1, table.repeat));
    }
    let word = if result.is_passed() { "ok    " } else { "FAILED" };
    let mut amounts = vec![seconds(result.time.as_secs_f64() * 1000.0)];
    let cost = result.usage.cost_usd + result.judging.cost_usd;
    if cost > 0.0 {
        amounts.push(usd(cost));
    }
    format!("{word}  {}  ({})", names.join(" · "), amounts.join(", "))
}

fn one(report: &EvalReport) -> String {
    let mut out = format!("{}:{}  {}\n", report.file, report.table.line, report.table.title);
    for sum in &report.sums.places {
        let is_enough = sum.is_enough(report.table.pass_rate);
        let mut complained: BTreeSet<Vec<(String, String)>> = BTreeSet::new();
        for result in report.runs_of(sum).filter(|result| !result.is_passed()) {
            let complaints = complaints(result);
            // Repetitions that fail in the same way are shown once.
            if !complained.insert(complaints.clone()) {
                continue;
            }
            let word = if is_enough { "missed" } else { "FAILED" };
            let run = result.run.as_ref().map(|run| format!("  (run {run})")).unwrap_or_default();
            out.push_str(&format!("{word}  {}{run}\n", report.place(sum)));
            for (_, message) in complaints {
                out.push_str(&format!("        {}\n", message.replace('\n', "\n        ")));
            }
        }
    }
    out.push_str(&table(report));
    if let Some(before) = report.accepted.as_ref().map(EarlierResults::words) {
        let changes = report.changes();
        if changes.is_empty() {
            out.push_str(&format!("as {before}\n"));
        } else {
            out.push_str(&format!("compared with the results {before}:\n"));
            let rows = changes.iter().map(|change| {
                vec![change_word(change).to_owned(), report.place(&change.now), change_words(change)]
            });
            out.push_str(&aligned(&rows.collect::<Vec<_>>()));
        }
    }
    out.push_str(&format!("{}\n", summary(report)));
    if let Some(stopped) = report.stopped() {
        out.push_str(&format!("{stopped}\n"));
    }
    out
}

/// The table of results: a row for each case and prompt, a column for each model.
fn table(report: &EvalReport) -> String {
    let has_prompts = report.table.prompts.len() > 1;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head = vec!["case".to_owned()];
    if has_prompts {
        head.push("prompt".to_owned());
    }
    head.extend(report.table.models.iter().map(|models| models.name.clone()));
    rows.push(head);
    for case in &report.table.cases {
        for prompts in &report.table.prompts {
            let of = |model: &str| {
                let fits =
                    |sum: &&Sum| sum.case == case.title && sum.prompt == prompts.name && sum.model == model;
                report.sums.places.iter().find(fits)
            };
            let cells: Vec<Option<&Sum>> =
                report.table.models.iter().map(|models| of(&models.name)).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let mut row = vec![case.title.clone()];
            if has_prompts {
                row.push(prompts.name.clone());
            }
            row.extend(cells.into_iter().map(|sum| sum.map_or("-".to_owned(), amounts)));
            rows.push(row);
        }
    }
    aligned(&rows)
}

/// Rows whose columns are aligned.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("    ");
        out.push_str(&format!("  {}\n", line.trim_end()));
    }
    out
}
