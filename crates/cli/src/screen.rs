//! Text that is safe on a terminal.
//!
//! Input: text of files, file names, messages. Output: the same text. Control characters are replaced with symbols, and
//! characters that change the writing direction are escaped. Invariant: the output contains no escape character, no
//! control characters except line breaks, and no bidirectional controls from a file.

use std::borrow::Cow;
use std::io::IsTerminal;

use clap::ValueEnum;

/// Whether to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal; `NO_COLOR` and `CLICOLOR=0` turn colours off, `FORCE_COLOR` and `CLICOLOR_FORCE` turn them on.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Whether standard output has colours.
    pub(crate) fn is_wanted(self) -> bool {
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let says = |name, word: &str| std::env::var_os(name).is_some_and(|value| value == word);
                let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let is_forced = |name| is_set(name) && !says(name, "0");
                let is_off = says("TERM", "dumb") || says("CLICOLOR", "0");
                let is_on = ["FORCE_COLOR", "CLICOLOR_FORCE"].into_iter().any(is_forced);
                !is_set("NO_COLOR") && (is_on || std::io::stdout().is_terminal() && !is_off)
            }
        }
    }
}

/// One line: line breaks and tabs are replaced too.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    clean(text, is_harmful)
}

/// Several lines: line breaks stay.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    clean(text, |character| character != '\n' && is_harmful(character))
}

/// Whether a character is unsafe on a terminal.
pub(crate) fn is_harmful(character: char) -> bool {
    character.is_control() || is_format_control(character)
}

/// A symbol of one column that replaces an unsafe character.
pub(crate) fn picture(character: char) -> char {
    const FIRST_PICTURE: u32 = 0x2400;
    let code = u32::from(character);
    let picture = match code {
        0x00..=0x1f => char::from_u32(FIRST_PICTURE + code),
        0x7f => Some('\u{2421}'),
        _ => None,
    };
    picture.unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Line and paragraph separators, and characters that change the writing direction.
fn is_format_control(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

fn clean(text: &str, is_replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_replaced) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_replaced(character) && is_format_control(character) {
            cleaned.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
        } else if is_replaced(character) {
            cleaned.push(picture(character));
        } else {
            cleaned.push(character);
        }
    }
    Cow::Owned(cleaned)
}

#[cfg(test)]
mod tests {
    use super::{line, lines};

    #[test]
    fn controls_become_pictures_and_direction_marks_are_spelled_out() {
        assert_eq!(line("a\u{1b}[31mb\tc\nd"), "a␛[31mb␉c␊d");
        assert_eq!(line("x\u{7f}\u{9b}y"), "x␡\u{fffd}y");
        assert_eq!(line("a\u{202e}b\u{2066}c"), "a\\u{202e}b\\u{2066}c");
        assert_eq!(lines("one\ntwo\r"), "one\ntwo␍");
    }

    #[test]
    fn ordinary_text_stays() {
        assert_eq!(line("größer 漢字 😀"), "größer 漢字 😀");
    }
}
