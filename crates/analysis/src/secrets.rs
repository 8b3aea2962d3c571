//! Secrets in a text: keys of common services, private keys, and passwords in addresses.
//!
//! Input: a text, whatever is in it. Output: where its secrets are, and what they are, in order. Invariant: linear time.

use nodewise_dialect::tight::tight;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{TextRange, TextSize};
use thin_vec::ThinVec;

/// A kind of secret that one word holds.
struct SecretForm {
    /// How it begins.
    prefix: &'static str,
    /// How many characters follow at least.
    length: usize,
    /// What it is.
    noun: &'static str,
}

const fn form(prefix: &'static str, length: usize, noun: &'static str) -> SecretForm {
    SecretForm { prefix, length, noun }
}

/// The kinds; of two that fit, the first counts.
const FORMS: &[SecretForm] = &[
    form("sk-ant-", 20, "an API key of Anthropic"),
    form("sk-proj-", 20, "an API key of OpenAI"),
    form("sk_live_", 16, "an API key of Stripe"),
    form("sk-", 32, "an API key"),
    form("AKIA", 16, "an access key of AWS"),
    form("AIza", 30, "an API key of Google"),
    form("ghp_", 30, "a token of GitHub"),
    form("gho_", 30, "a token of GitHub"),
    form("ghs_", 30, "a token of GitHub"),
    form("github_pat_", 30, "a token of GitHub"),
    form("glpat-", 20, "a token of GitLab"),
    form("hf_", 30, "a token of Hugging Face"),
    form("npm_", 30, "a token of npm"),
    form("xoxb-", 20, "a token of Slack"),
    form("xoxp-", 20, "a token of Slack"),
];

/// Fewer different characters make a placeholder: `sk-ant-xxxxxxxxxxxxxxxxxxxx`.
const DIFFERENT_MIN: usize = 8;

/// How a private key begins and how its first line ends.
const PRIVATE_KEY: (&str, &str) = ("-----BEGIN ", "PRIVATE KEY-----");

/// The secrets in a text.
pub(crate) fn secrets(text: &str) -> ThinVec<(TextRange, &'static str)> {
    let mut found: Vec<(std::ops::Range<usize>, &str)> = words(text).collect();
    found.extend(private_keys(text));
    found.extend(passwords(text));
    found.arrange_by_key(|(range, _)| range.start);
    let size = |offset: usize| TextSize::try_from(offset).ok();
    tight(
        found
            .into_iter()
            .filter_map(|(range, noun)| Some((TextRange::new(size(range.start)?, size(range.end)?), noun))),
    )
}

/// The words of a text that are secrets.
fn words(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &'static str)> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let mut at = 0;
    let words = text.as_bytes().split(move |byte| !is_word(*byte)).map(move |word| {
        let start = at;
        at += word.len() + 1;
        (start, word)
    });
    // Most words are too short for any form.
    let shortest = FORMS.iter().map(|form| form.prefix.len() + form.length).min().unwrap_or_default();
    words.filter(move |(_, word)| word.len() >= shortest).filter_map(|(start, word)| {
        let word = std::str::from_utf8(word).ok()?;
        let fits = |form: &&SecretForm| {
            word.strip_prefix(form.prefix).is_some_and(|rest| rest.len() >= form.length && is_random(rest))
        };
        let form = FORMS.iter().find(fits)?;
        Some((start..start + word.len(), form.noun))
    })
}

/// Whether a text looks like one that a program made: letters, digits, and not few of them.
fn is_random(text: &str) -> bool {
    let mut different: Vec<u8> = text.bytes().collect();
    different.sort_unstable();
    different.dedup();
    let has = |is: fn(&u8) -> bool| different.iter().any(is);
    different.len() >= DIFFERENT_MIN && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// The first lines of private keys.
fn private_keys(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &'static str)> {
    let (begin, end) = PRIVATE_KEY;
    text.match_indices(begin).filter_map(move |(start, _)| {
        let line = text[start..].lines().next()?;
        let length = line.find(end)? + end.len();
        Some((start..start + length, "a private key"))
    })
}

/// The passwords in addresses: `postgres://desk:password@host`.
fn passwords(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &'static str)> {
    const SCHEME_END: &str = "://";
    text.match_indices(SCHEME_END).filter_map(|(start, _)| {
        let start = start + SCHEME_END.len();
        let is_part = |character: char| character.is_ascii_alphanumeric() || "-._~!+=:@%".contains(character);
        let rest = &text[start..];
        let authority = &rest[..rest.find(|character| !is_part(character)).unwrap_or(rest.len())];
        let (user, _host) = authority.rsplit_once('@')?;
        let (name, password) = user.split_once(':')?;
        let is_secret = password.len() >= 8 && is_random(password) && !name.is_empty();
        let begin = start + name.len() + 1;
        is_secret.then(|| (begin..begin + password.len(), "a password"))
    })
}
