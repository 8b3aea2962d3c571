//! A table in which each column is a program, and each row a figure of it.
//!
//! Input is the figures of each program. Output is Markdown. Invariant: rows are in the order of the first program that has them; a
//! program without a figure has an empty cell.

use super::client::PATIENCE;
use super::megabytes;

/// The figures of a program: the name of each, and its value with the unit.
#[derive(Debug, Default)]
pub(super) struct Column(Vec<(String, String)>);

impl Column {
    pub(super) fn add(&mut self, what: impl Into<String>, figure: impl Into<String>) {
        self.0.push((what.into(), figure.into()));
    }

    pub(super) fn time(&mut self, what: impl Into<String>, milliseconds: f64) {
        self.add(what, shown(milliseconds));
    }

    /// The median and the 99th percentile.
    pub(super) fn times(&mut self, what: &str, mut times: Vec<f64>) {
        times.sort_by(f64::total_cmp);
        let (median, late) = (shown(quantile(&times, 0.5)), shown(quantile(&times, 0.99)));
        self.add(what, format!("{median} ({late})"));
    }

    pub(super) fn memory(&mut self, what: &str, bytes: u64) {
        self.add(what, format!("{:.0} MB", megabytes(bytes)));
    }

    fn figure(&self, what: &str) -> &str {
        self.0.iter().find(|(known, _)| known == what).map_or("", |(_, figure)| figure)
    }
}

/// The table. `title` is what all figures are about.
pub(super) fn table(title: &str, columns: &[(&str, Column)]) -> String {
    let mut rows: Vec<&str> = Vec::new();
    for (_, Column(figures)) in columns {
        for (what, _) in figures {
            if !rows.contains(&what.as_str()) {
                rows.push(what);
            }
        }
    }
    let names: String = columns.iter().map(|(name, _)| format!(" {name} |")).collect();
    let mut table = format!("| {title} |{names}\n|---|{}\n", "---:|".repeat(columns.len()));
    for what in rows {
        let cells: String = columns.iter().map(|(_, column)| format!(" {} |", column.figure(what))).collect();
        table.push_str(&format!("| {what} |{cells}\n"));
    }
    table
}

pub(super) fn shown(time: f64) -> String {
    match time.is_finite() {
        true if time >= 100.0 => format!("{time:.0} ms"),
        true => format!("{time:.2} ms"),
        false => format!("over {} s", PATIENCE.as_secs()),
    }
}

pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get(((sorted.len() as f64 * share) as usize).min(last)).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_a_column() {
        let (mut one, mut other) = (Column::default(), Column::default());
        one.times("hover", vec![3.0, 1.0, 2.0]);
        one.memory("memory", 5_000_000);
        other.time("start", f64::INFINITY);
        other.memory("memory", 7_000_000);
        let found = table("50 files", &[("one", one), ("other", other)]);
        let expected = "\
| 50 files | one | other |
|---|---:|---:|
| hover | 2.00 ms (3.00 ms) |  |
| memory | 5 MB | 7 MB |
| start |  | over 60 s |
";
        assert_eq!(found, expected);
    }
}
