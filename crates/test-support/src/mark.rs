//! One caret line: `#   ^^^^ error[unknown-target]: text` labels the line above it.
//!
//! Input is a line of a fixture; output is its columns, severity, rule and text. Invariant: a line
//! that begins like a caret line is a mark or a mistake of the fixture's author, never file text.

use text_size::TextRange;

/// How grave a finding is, spelled as the fixtures spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// `error`
    Error,
    /// `warning`
    Warning,
    /// `info`
    Info,
    /// `hint`
    Hint,
}

impl Severity {
    const ALL: [Self; 4] = [Self::Error, Self::Warning, Self::Info, Self::Hint];

    /// The word that fixtures use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Hint => "hint",
        }
    }
}

/// A finding that a fixture expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The labelled line of the stripped text, from 1.
    pub line: usize,
    /// The labelled range of the stripped text; empty where the caret stands behind the line's end.
    pub range: TextRange,
    /// The severity in front of the brackets.
    pub severity: Severity,
    /// The rule between the brackets.
    pub rule: String,
    /// What follows the colon; `None` where the fixture leaves the wording open.
    pub text: Option<String>,
}

/// A caret line before it is placed under a line of text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CaretLine {
    pub(crate) first_column: usize,
    pub(crate) width: usize,
    pub(crate) severity: Severity,
    pub(crate) rule: String,
    pub(crate) text: Option<String>,
}

/// Reads a caret line: `None` for ordinary text, `Err` for a caret line with a mistake in it.
///
/// The `#` cannot stand under a line's first column together with a caret, so a range that begins
/// there is written without it: the caret line then begins with `^`.
pub(crate) fn parse_caret_line(line: &str) -> Option<Result<CaretLine, String>> {
    let before_carets = line.find('^')?;
    let (lead, carets_on) = line.split_at_checked(before_carets)?;
    let lead_is_blank = lead.chars().all(|character| matches!(character, ' ' | '#'));
    let one_hash = lead.is_empty() || lead.matches('#').count() == 1;
    if !lead_is_blank || !one_hash {
        return None;
    }
    let after_carets = carets_on.trim_start_matches('^');
    let width = carets_on.len() - after_carets.len();
    let label = after_carets.trim();
    Some(parse_label(label).map(|(severity, rule, text)| CaretLine {
        first_column: lead.len(),
        width,
        severity,
        rule,
        text,
    }))
}

fn parse_label(label: &str) -> Result<(Severity, String, Option<String>), String> {
    let mistake =
        || format!("expected `severity[rule]` or `severity[rule]: text` behind the carets, found `{label}`");
    let (severity_word, rest) = label.split_once('[').ok_or_else(mistake)?;
    let severity = Severity::ALL
        .into_iter()
        .find(|severity| severity.as_str() == severity_word)
        .ok_or_else(|| format!("`{severity_word}` is none of error, warning, info, hint"))?;
    let (rule, rest) = rest.split_once(']').ok_or_else(mistake)?;
    if rest.is_empty() {
        return Ok((severity, rule.to_owned(), None));
    }
    let text = rest.strip_prefix(':').ok_or_else(mistake)?.trim();
    Ok((severity, rule.to_owned(), Some(text.to_owned())))
}
