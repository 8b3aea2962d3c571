//! Which variables of the environment hold secrets. In: a name and a value; out: whether the value must not be shown. Invariant:
//! an ordinary word that only contains one of the telling words (`MONKEY`, `PATH`, `COMPASS`) tells nothing.

use std::path::Path;

/// What a name of a secret contains.
const TELLING: [&str; 7] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASS", "CREDENTIAL"];
/// A part of a name that tells only where it stands alone: `GH_PAT`, not `PATH`.
const ALONE: &str = "PAT";
/// Words that contain a telling one and tell nothing, longer ones first.
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
/// The shortest value that is a secret, in characters: shorter ones may be parts of ordinary words.
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
        let tool_log = ORDINARY.iter().fold(part.to_owned(), |part, word| part.replace(word, "-"));
        part == ALONE || TELLING.iter().any(|word| tool_log.contains(word))
    })
}

/// Whether a header or a parameter of this name carries a secret.
pub(super) fn is_for_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    says_secret(name) || ["auth", "cookie"].iter().any(|word| lower.contains(word))
}

/// `MAX_TOKENS=200000` limits an answer.
fn is_count(name: &str, value: &str) -> bool {
    let name = name.to_ascii_uppercase();
    value.bytes().all(|byte| byte.is_ascii_digit()) && name.split('_').any(|part| part == "TOKENS")
}

/// Where a key lies is not the key: `SSH_KEY_FILE=/keys/mine`.
fn is_path(value: &str) -> bool {
    Path::new(value).is_absolute() && Path::new(value).exists()
}
