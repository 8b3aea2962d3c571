//! What depends on the environment of the program: its variables, and tests of texts, with which programs look at them.
//!
//! Input: names of variables; patterns and texts. Output: values. Invariant: a variable is unknown, unless the caller asks what the
//! program builds without any.

use crate::evaluate::{At, Evaluation};
use crate::nodes::Node;
use crate::value::{Data, Native, Place, Value};

/// The modules that export `process`.
const PROCESS_PACKAGES: [&str; 2] = ["node:process", "process"];
/// The global object that has the environment variables.
const PROCESS: &str = "process";
const VARIABLES: &str = "env";

impl<'t> Evaluation<'t> {
    /// Whether `object.member` is the object with the environment variables.
    pub(crate) fn is_environment(object: &str, member: &str) -> bool {
        object == PROCESS && member == VARIABLES
    }

    /// The value of an environment variable: undefined if the caller assumes that none is set, otherwise unknown.
    pub(crate) fn variable(&self, name: &str, place: Place) -> Value<'t> {
        match self.sources.has_empty_environment() {
            true => Value::undefined(place),
            false => Value::unknown(&format!("the environment variable `{name}`"), place),
        }
    }

    /// Evaluates `/pattern/.test(text)`, for patterns without special characters except `^` and `$`.
    pub(crate) fn pattern_test(
        &self,
        pattern: Node<'t>,
        text: &Value<'t>,
        at: At<'_, 't>,
        place: Place,
    ) -> Value<'t> {
        let part = |field: &str| pattern.child(field).map_or("", |part| self.text_of(at.module, part));
        let found = match &text.data {
            Data::Unknown(_) => return Value { at: place, by: None, ..text.clone() },
            Data::Text(text) => is_found(part("pattern"), part("flags"), &text.text),
            _ => None,
        };
        match found {
            Some(found) => Value { data: Data::Bool(found), at: place, by: None },
            None => Value::unknown("it is computed when the program runs", place),
        }
    }
}

/// What `node:process` exports under a name.
pub(crate) fn of_process(module: &str, name: &str) -> Option<Native> {
    let is_process = PROCESS_PACKAGES.contains(&module);
    match name {
        "default" if is_process => Some(Native::Global(PROCESS.into())),
        VARIABLES if is_process => Some(Native::Environment),
        _ => None,
    }
}

/// Whether a text matches a pattern of plain characters with an optional `^` and `$`. `None` for other patterns.
fn is_found(pattern: &str, flags: &str, text: &str) -> Option<bool> {
    let (starts, rest) = pattern.strip_prefix('^').map_or((false, pattern), |rest| (true, rest));
    let (ends, plain) = rest.strip_suffix('$').map_or((false, rest), |rest| (true, rest));
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " -_:,@#%&~'\"".contains(letter);
    let folds = match flags {
        "" => false,
        // Ignoring case, some non-ASCII letters equal ASCII letters, so only ASCII texts are known.
        "i" if text.is_ascii() => true,
        _ => return None,
    };
    if !plain.chars().all(is_plain) {
        return None;
    }
    let fold = |text: &str| if folds { text.to_ascii_lowercase() } else { text.to_owned() };
    let (plain, text) = (fold(plain), fold(text));
    Some(match (starts, ends) {
        (true, true) => text == plain,
        (true, false) => text.starts_with(&plain),
        (false, true) => text.ends_with(&plain),
        (false, false) => text.contains(&plain),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_are_plain_texts_are_known() {
        for (pattern, flags, text, expected) in [
            ("^claude", "i", "Claude-x", Some(true)),
            ("^claude", "", "Claude-x", Some(false)),
            ("x$", "", "claude-x", Some(true)),
            ("^a$", "", "ab", Some(false)),
            ("b", "", "abc", Some(true)),
            ("k", "i", "\u{212a}", None),
            ("a.c", "", "abc", None),
            ("a|b", "", "a", None),
            ("a", "g", "a", None),
            ("[a]", "", "a", None),
        ] {
            assert_eq!(is_found(pattern, flags, text), expected, "/{pattern}/{flags} {text}");
        }
    }
}
