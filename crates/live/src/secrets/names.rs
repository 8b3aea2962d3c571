//! Which variables of the environment hold secrets. In: a name and a value; out: whether the value must not be shown. Invariant:
//! an ordinary word that only contains one of the telling words (`MONKEY`, `PATH`, `COMPASS`) tells nothing.

use std::path::Path;

/// Words that show that a variable holds a secret.
const TELLING: [&str; 7] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASS", "CREDENTIAL"];
/// A word that shows it only as a whole part of a name: `GH_PAT`, but not `PATH`.
const ALONE: &str = "PAT";
/// Ordinary words that contain one of these words, the longer ones first.
const ORDINARY: [&str; 25] = [
    "TOKENIZERS",
    "TOKENIZER",
    "PASSTHROUGH",
    "PASSENGER",
    "KEYBOARD",
    "KEYWORDS",
    "KEYWORD",
    "KEYCODE",
    "COMPASS",
    "ASKPASS",
    "PASSAGE",
    "PASSING",
    "PASSIVE",
    "SURPASS",
    "KEYNOTE",
    "WHISKEY",
    "BYPASS",
    "DONKEY",
    "HOCKEY",
    "HOTKEY",
    "JOCKEY",
    "KEYMAP",
    "MONKEY",
    "PASSED",
    "TURKEY",
];
/// The shortest value that is a secret, in characters. Shorter values may be parts of ordinary words.
const LEAST: usize = 6;

/// Whether a variable holds a secret.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    let value = value.trim();
    value.chars().count() >= LEAST && says_secret(name) && !is_count(name, value) && !is_path(value)
}

/// Whether the name of a variable says that it holds a secret.
pub(super) fn says_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.split(|one: char| !one.is_ascii_alphanumeric()).any(|part| {
        let rest = ORDINARY.iter().fold(part.to_owned(), |part, word| part.replace(word, "-"));
        part == ALONE || TELLING.iter().any(|word| rest.contains(word))
    })
}

/// Whether a header or a parameter of this name carries a secret.
pub(super) fn is_for_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    says_secret(name) || ["auth", "cookie"].iter().any(|word| lower.contains(word))
}

/// Whether the value is a limit and not a secret, such as `MAX_TOKENS=200000`.
fn is_count(name: &str, value: &str) -> bool {
    let name = name.to_ascii_uppercase();
    value.bytes().all(|byte| byte.is_ascii_digit()) && name.split('_').any(|part| part == "TOKENS")
}

/// Whether the value is the path of a file. The path of a key is not secret: `SSH_KEY_FILE=/keys/mine`.
fn is_path(value: &str) -> bool {
    Path::new(value).is_absolute() && Path::new(value).exists()
}
