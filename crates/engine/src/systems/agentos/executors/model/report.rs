//! What a node reports about its tools when its model said nothing.
//!
//! Input: what tools gave back, and their errors; output: a text. Invariant: the text and each piece of it are bounded,
//! counted as the runtime counts, in UTF-16 units; a piece stands in it whole or not at all.

use nodewise_expr::javascript;
use nodewise_expr::json;
use nodewise_expr::value::Value;

/// The results and errors of a node's tools.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings {
    results: Vec<(String, String)>,
    errors: Vec<(String, String)>,
}

const MAX_RESULT: usize = 4000;
const MAX_ERROR: usize = 1000;
const MAX_NAME: usize = 80;
const MAX_TEXT: usize = 16_000;

impl Findings {
    pub(super) fn is_empty(&self) -> bool {
        self.results.is_empty() && self.errors.is_empty()
    }

    pub(super) fn results(&self) -> usize {
        self.results.len()
    }

    pub(super) fn errors(&self) -> usize {
        self.errors.len()
    }

    /// Records the result of a tool.
    pub(super) fn result(&mut self, tool: &str, output: &Value) {
        let text = match output {
            Value::Text(text) => text.to_string(),
            Value::Undefined => String::new(),
            output => json::to_json(output).to_string(),
        };
        self.results.push((tool.to_owned(), cut(&text, MAX_RESULT)));
    }

    /// Records the error of a tool.
    pub(super) fn error(&mut self, tool: &str, error: &str) {
        self.errors.push((tool.to_owned(), cut(error, MAX_ERROR)));
    }

    /// The report as text. `is_exhausted` says that the rounds were used up.
    pub(super) fn report(&self, is_exhausted: bool) -> String {
        let head = match is_exhausted {
            true => "[max_iterations_reached before final summary; surfacing raw tool activity]",
            false => "[no text response from model; surfacing raw tool activity]",
        };
        let mut text = format!("{head}\n");
        let results = self
            .results
            .iter()
            .map(|(tool, content)| format!("\nTool: {}\nResult:\n{content}\n", plain_name(tool)));
        let errors =
            self.errors.iter().map(|(tool, error)| format!("\nTool: {}\nError: {error}\n", plain_name(tool)));
        let mut length = javascript::length(&text);
        for piece in results.chain(errors) {
            length += javascript::length(&piece);
            if length > MAX_TEXT {
                text.push_str("\n[fallback truncated]");
                break;
            }
            text.push_str(&piece);
        }
        text.trim_end_matches(javascript::is_blank).to_owned()
    }
}

/// Whether a text has nothing but white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(javascript::is_blank)
}

/// A tool's name without characters that would break the layout of the text around it.
fn plain_name(name: &str) -> String {
    let mut plain = String::new();
    let mut blanks = 0;
    for character in name.chars() {
        let character = if matches!(character, '`' | '\r' | '\n') { ' ' } else { character };
        match javascript::is_blank(character) {
            true => blanks += 1,
            false => blanks = 0,
        }
        // A single space replaces several.
        match blanks {
            0 | 1 => plain.push(character),
            _ => {
                plain.pop();
                plain.push(' ');
            }
        }
    }
    let plain = cut(plain.trim_matches(javascript::is_blank), MAX_NAME);
    if plain.is_empty() { "unnamed-tool".to_owned() } else { plain }
}

/// The beginning of a text, at most this many UTF-16 units long.
fn cut(text: &str, units: usize) -> String {
    let mut left = units;
    let fits = |character: &char| {
        let fits = left >= character.len_utf16();
        left = left.saturating_sub(character.len_utf16());
        fits
    };
    text.chars().take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_report(results: &[(&str, &str)], errors: &[(&str, &str)], expected: &str) {
        let mut findings = Findings::default();
        results.iter().for_each(|(tool, output)| findings.result(tool, &Value::from(*output)));
        errors.iter().for_each(|(tool, error)| findings.error(tool, error));
        let report = findings.report(false);
        let lines: Vec<&str> = report.lines().skip(2).collect();
        assert_eq!(lines.join("\n"), expected);
    }

    #[test]
    fn results_come_before_errors() {
        check_report(
            &[("look", "found")],
            &[("write", "no room")],
            "Tool: look\nResult:\nfound\n\nTool: write\nError: no room",
        );
    }

    #[test]
    fn names_keep_to_their_line() {
        check_report(&[], &[(" a`\r\nb \t c ", "x")], "Tool: a b c\nError: x");
        check_report(&[], &[("``", "x")], "Tool: unnamed-tool\nError: x");
    }

    #[test]
    fn what_does_not_fit_is_left_out_whole() {
        let long = "x".repeat(5000);
        let mut findings = Findings::default();
        (0..5).for_each(|_| findings.result("look", &Value::from(long.as_str())));
        let report = findings.report(true);
        assert_eq!(report.matches("Result:").count(), 3);
        assert!(report.ends_with("x\n\n[fallback truncated]"), "{}", report.len());
        assert!(report.len() < MAX_TEXT);
    }
}
