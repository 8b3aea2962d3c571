//! Texts as scalars.
//!
//! Input: a text and where it shall stand. Output: its source. Invariant: the source reads back as exactly that
//! text, for YAML 1.2 and for the loaders of YAML 1.1, to which `yes` and `1:30` are no texts.

use crate::node::{Scalar, ScalarStyle};
use crate::resolve;

/// Where a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarPosition {
    /// In a block collection.
    Block,
    /// Inside brackets.
    Flow,
    /// In a JSON file.
    Json,
}

/// Writes a text as a scalar: plain if that is safe, else quoted.
pub fn scalar_text(text: &str, setting: ScalarPosition) -> String {
    if setting != ScalarPosition::Json && is_plain(text, setting) {
        return text.to_owned();
    }
    let is_easier_single =
        setting != ScalarPosition::Json && text.contains(['"', '\\']) && !text.contains('\'');
    match is_easier_single && !text.chars().any(needs_escape) {
        true => format!("'{text}'"),
        false => format!("\"{}\"", escaped(text)),
    }
}

/// Writes a text in the place of a scalar, with the same quotes if possible.
pub fn scalar_like(scalar: Scalar<'_>, text: &str, setting: ScalarPosition) -> String {
    match scalar.style() {
        ScalarStyle::SingleQuoted if !text.chars().any(needs_escape) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => format!("\"{}\"", escaped(text)),
        _ => scalar_text(text, setting),
    }
}

/// Writes a text as a part of a scalar. `None` if the style cannot contain it, or if that depends on the rest of the
/// scalar.
pub fn fragment_text(style: ScalarStyle, text: &str) -> Option<String> {
    match style {
        ScalarStyle::DoubleQuoted => Some(escaped(text)),
        _ if text.chars().any(needs_escape) => None,
        ScalarStyle::SingleQuoted => Some(text.replace('\'', "''")),
        ScalarStyle::Literal | ScalarStyle::Folded => Some(text.to_owned()),
        ScalarStyle::Plain => {
            let is_harmless =
                !text.contains([':', '#', ',', '[', ']', '{', '}', '"', '\'']) && text.trim() == text;
            is_harmless.then(|| text.to_owned())
        }
    }
}

/// True when a loader reads the unquoted text as the same text.
fn is_plain(text: &str, setting: ScalarPosition) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let is_indicator = "-?:,[]{}#&*!|>'\"%@`=<~.".contains(first);
    let is_trimmed = text.trim() == text;
    let is_cut =
        text.contains(": ") || text.contains(" #") || text.ends_with(':') || text.contains(char::is_control);
    let is_bracketed = setting == ScalarPosition::Flow && text.contains([',', '[', ']', '{', '}']);
    !is_indicator
        && is_trimmed
        && !is_cut
        && !is_bracketed
        && !text.chars().any(needs_escape)
        && resolve::is_text(text)
        && !is_value_to_old_loaders(text)
}

/// True for texts that YAML 1.1 reads as a boolean, a number, a date or a time.
fn is_value_to_old_loaders(text: &str) -> bool {
    const WORDS: [&str; 7] = ["y", "n", "yes", "no", "on", "off", "null"];
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        || ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '+')
        && text.chars().all(|letter| letter.is_ascii_hexdigit() || "xXoObB_.:+-tTzZ ".contains(letter));
    is_word || is_number
}

/// True for characters that need an escape: line breaks, control characters, byte order marks.
fn needs_escape(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// The content of a double-quoted scalar. All escapes are valid in JSON too.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            other if needs_escape(other) => result.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => result.push(other),
        }
    }
    result
}
