//! Results as Markdown, for a comment on a pull request.

use super::{EvalReport, amounts, change_word, change_words, complaints, summary};
use crate::eval::results::Sum;
use crate::eval::saved::EarlierResults;

#[must_use]
pub fn markdown(reports: &[EvalReport]) -> String {
    reports.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn one(report: &EvalReport) -> String {
    let sign = if report.is_passed() { "✅" } else { "❌" };
    let mut out = format!("### {sign} {}\n\n", escaped(&report.table.title));
    out.push_str(&table(report));
    out.push_str(&format!("\n{}.", summary(report)));
    if let Some(stopped) = report.stopped() {
        out.push_str(&format!(" {}.", escaped(&stopped)));
    }
    out.push_str("\n\nEach cell: runs that passed, score of the judges, time, cost of a run.\n");
    changes(report, &mut out);
    failures(report, &mut out);
    out
}

fn table(report: &EvalReport) -> String {
    let models = report.table.models.iter().map(|models| escaped(&models.name));
    let models: Vec<String> = models.collect();
    let mut out = format!("| case | prompt | {} |\n", models.join(" | "));
    out.push_str(&format!("|---|---|{}\n", "---|".repeat(models.len())));
    for case in &report.table.cases {
        for prompts in &report.table.prompts {
            let fits = |sum: &&Sum, model: &str| {
                sum.case == case.title && sum.prompt == prompts.name && sum.model == model
            };
            let cell = |model: &str| match report.sums.places.iter().find(|sum| fits(sum, model)) {
                Some(sum) => {
                    let sign = if sum.is_enough(report.table.pass_rate) { "✅" } else { "❌" };
                    format!("{sign} {}", amounts(sum).replace("  ", " · "))
                }
                None => String::new(),
            };
            let cells: Vec<String> = report.table.models.iter().map(|models| cell(&models.name)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                let (case, prompt) = (escaped(&case.title), escaped(&prompts.name));
                out.push_str(&format!("| {case} | {prompt} | {} |\n", cells.join(" | ")));
            }
        }
    }
    out
}

fn changes(report: &EvalReport, out: &mut String) {
    let Some(before) = report.accepted.as_ref().map(EarlierResults::words) else { return };
    let before = escaped(&before);
    let changes = report.changes();
    if changes.is_empty() {
        out.push_str(&format!("\nAs {before}.\n"));
        return;
    }
    out.push_str(&format!("\nCompared with the results {before}:\n\n| | place | change |\n|---|---|---|\n"));
    for change in &changes {
        let place = escaped(&report.place(&change.now));
        out.push_str(&format!("| {} | {place} | {} |\n", change_word(change), change_words(change)));
    }
}

fn failures(report: &EvalReport, out: &mut String) {
    let mut lines = String::new();
    for sum in &report.sums.places {
        for result in report.runs_of(sum).filter(|result| !result.is_passed()) {
            let run = result.run.as_ref().map(|run| format!(" (run `{run}`)")).unwrap_or_default();
            lines.push_str(&format!("- {}{run}\n", escaped(&report.place(sum))));
            for (_, message) in complaints(result) {
                lines.push_str(&format!("  - {}\n", escaped(&message)));
            }
        }
    }
    if !lines.is_empty() {
        out.push_str(&format!("\n<details><summary>What failed</summary>\n\n{lines}\n</details>\n"));
    }
}

/// Escapes a text so that Markdown and HTML show it unchanged, on one line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '#' | '~' => {
                out.push('\\');
                out.push(character);
            }
            // Unescaped, a mention would notify people, and a link from a model could be followed.
            '@' => out.push_str("&#64;"),
            ':' => out.push_str("&#58;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn texts_of_models_are_only_text() {
        assert_eq!(
            escaped("a | <img> [x](http://y) @team\n`z`"),
            "a \\| &lt;img&gt; \\[x\\](http&#58;//y) &#64;team \\`z\\`"
        );
    }
}
