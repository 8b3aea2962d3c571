//! JSON that is not quite JSON: comments, trailing commas, single quotes, keys without quotes.
//!
//! Input: the text of a file whose name says JSON; output: where it departs, and the edits that make JSON of it. Invariant:
//! [`masked`] has the length of the text, so that places in it are places in the text.

use nodewise_platform::sorting::Sorting;
use text_size::{TextRange, TextSize};

use crate::edit::TextEdit;

/// A place in a text that is not valid JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonViolation {
    pub kind: JsonViolationKind,
    pub range: TextRange,
    /// The edit that makes it valid JSON.
    pub edit: TextEdit,
}

/// The kinds of text that JSON does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonViolationKind {
    /// `// ...`, `/* ... */` or `# ...`.
    Comment,
    /// A comma before a closing bracket.
    TrailingComma,
    /// A text in single quotes.
    SingleQuotes,
    /// A key or a word without quotes.
    Unquoted,
    /// A literal that JSON spells differently, such as `True` or `None`.
    Literal,
    /// `...`, with which examples omit a part.
    Ellipsis,
}

impl JsonViolationKind {
    /// The text of the finding.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            JsonViolationKind::Comment => "JSON has no comments",
            JsonViolationKind::TrailingComma => "JSON has no comma behind the last member",
            JsonViolationKind::SingleQuotes => "JSON has double quotes only",
            JsonViolationKind::Unquoted => "JSON wants quotes around this",
            JsonViolationKind::Ellipsis => "JSON has no `...`",
            JsonViolationKind::Literal => "JSON writes this word in another way",
        }
    }

    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            JsonViolationKind::Comment => "remove the comment, or rename the file to `.yaml` and write `#`",
            JsonViolationKind::TrailingComma => "remove the comma",
            JsonViolationKind::SingleQuotes => "write it in double quotes",
            JsonViolationKind::Unquoted => "put it in double quotes",
            JsonViolationKind::Ellipsis => "write what belongs here, or remove it",
            JsonViolationKind::Literal => "write `true`, `false` or `null`",
        }
    }
}

/// All violations, in reading order. Other mistakes are reported by the parser.
#[must_use]
pub fn violations(text: &str) -> Vec<JsonViolation> {
    let mut found = Vec::new();
    let mut comma: Option<usize> = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let length = match first {
            '"' => quoted_length(rest, '"'),
            '\'' => {
                let length = quoted_length(rest, '\'');
                let inner = rest.get(1..length - 1).unwrap_or_default();
                let inner = inner.replace("\\'", "'").replace('"', "\\\"");
                found.push(violation(JsonViolationKind::SingleQuotes, at, length, format!("\"{inner}\"")));
                length
            }
            '/' if rest.starts_with("//") => {
                let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
                found.push(violation(JsonViolationKind::Comment, at, length, String::new()));
                length
            }
            '/' if rest.starts_with("/*") => {
                let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
                found.push(violation(JsonViolationKind::Comment, at, length, String::new()));
                length
            }
            '#' => {
                let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
                found.push(violation(JsonViolationKind::Comment, at, length, String::new()));
                length
            }
            _ if first.is_alphabetic() || first == '_' || first == '$' => {
                let is_word =
                    |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '-' | '.');
                let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
                found.extend(bare_word(rest, at, length));
                length
            }
            '.' if rest.starts_with("...") => {
                found.push(violation(JsonViolationKind::Ellipsis, at, 3, "...".to_owned()));
                3
            }
            ']' | '}' => {
                if let Some(comma) = comma {
                    found.push(violation(JsonViolationKind::TrailingComma, comma, 1, String::new()));
                }
                1
            }
            _ if first.is_ascii_digit() || matches!(first, '-' | '+') => rest
                .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '+' | '.'))
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let is_blank =
            first.is_whitespace() || rest.starts_with("//") || rest.starts_with("/*") || first == '#';
        if !is_blank {
            comma = (first == ',').then_some(at);
        }
        at += length.max(1);
    }
    found.arrange_by_key(|violation| violation.range.start());
    found
}

/// The violation that an unquoted word is, if it is one.
fn bare_word(rest: &str, at: usize, length: usize) -> Option<JsonViolation> {
    let (word, behind) = rest.split_at_checked(length)?;
    let literal = match word {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "None" | "Null" | "NULL" | "undefined" | "nil" => Some("null"),
        _ => None,
    };
    // A word before a colon is a key.
    let is_key = behind.trim_start().starts_with(':');
    match literal {
        Some(literal) if !is_key => {
            Some(violation(JsonViolationKind::Literal, at, length, literal.to_owned()))
        }
        _ if !is_key && matches!(word, "true" | "false" | "null") => None,
        _ => Some(violation(JsonViolationKind::Unquoted, at, length, format!("\"{word}\""))),
    }
}

/// The text with its comments replaced by spaces, so that the YAML parser can read it. `None` if there are no
/// comments.
#[must_use]
pub fn masked(text: &str) -> Option<String> {
    let comments: Vec<TextRange> = violations(text)
        .into_iter()
        .filter(|violation| violation.kind == JsonViolationKind::Comment)
        .map(|violation| violation.range)
        .collect();
    if comments.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for comment in comments {
        let (start, end) = (usize::from(comment.start()), usize::from(comment.end()));
        masked.push_str(text.get(done..start)?);
        let blank = |byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
        masked.extend(text.get(start..end)?.bytes().map(blank));
        done = end;
    }
    masked.push_str(text.get(done..)?);
    Some(masked)
}

fn violation(kind: JsonViolationKind, at: usize, length: usize, text: String) -> JsonViolation {
    let size = |length: usize| TextSize::try_from(length).unwrap_or_default();
    let range = TextRange::at(size(at), size(length));
    JsonViolation { kind, range, edit: TextEdit { range, text } }
}

/// The length of a quoted text with its quotes. If the closing quote is missing, the text ends with the line.
fn quoted_length(rest: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == mark => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{masked, violations};
    use crate::edit::apply_edits;

    #[test]
    fn what_is_nearly_json_becomes_json() {
        let text = "// top\n{'a': 1, b: [1, 2,], /* x */ \"c\": \"it's # no // comment\", # end\n}";
        let mut edits: Vec<_> = violations(text).into_iter().map(|found| found.edit).collect();
        let fixed = apply_edits(text, &mut edits).expect("edits apart");
        assert_eq!(fixed.trim_start(), "{\"a\": 1, \"b\": [1, 2],  \"c\": \"it's # no // comment\" \n}");
    }

    #[test]
    fn comments_are_blanks_of_the_same_length() {
        let text = "{ // ä\n \"a\": 1 }";
        assert_eq!(masked(text).map(|masked| masked.len()), Some(text.len()));
        assert_eq!(masked("{\"a\": \"//\"}"), None);
    }

    #[test]
    fn line_breaks_stay_as_they_are() {
        let text = "{ // a\r\n # b\r\n \"a\": /* c\r\n */ 1 }";
        assert_eq!(masked(text).as_deref(), Some("{     \r\n    \r\n \"a\":     \r\n    1 }"));
        let mut edits: Vec<_> = violations(text).into_iter().map(|found| found.edit).collect();
        let fixed = apply_edits(text, &mut edits).expect("edits apart");
        assert_eq!(fixed, "{ \r\n \r\n \"a\":  1 }");
    }
}
