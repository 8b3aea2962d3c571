//! Secrets in a text: keys of common services, private keys, and passwords in addresses.
//!
//! Input: a text, whatever is in it. Output: where its secrets are, and what they are, in order. Invariant: linear time.

use memchr::memmem;
use nodewise_dialect::tight::tight;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{TextRange, TextSize};
use thin_vec::ThinVec;

/// A kind of secret that is a single word.
struct SecretForm {
    /// The text with which it begins.
    prefix: &'static str,
    /// The minimum number of characters after the prefix.
    length: usize,
    noun: &'static str,
}

const fn form(prefix: &'static str, length: usize, noun: &'static str) -> SecretForm {
    SecretForm { prefix, length, noun }
}

/// The kinds of secrets. If several fit, the first one counts.
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

/// A text with fewer different characters is a placeholder, like `sk-ant-xxxxxxxxxxxxxxxxxxxx`.
const DIFFERENT_MIN: usize = 8;

/// The beginning of a private key, and the end of its first line.
const PRIVATE_KEY: (&str, &str) = ("-----BEGIN ", "PRIVATE KEY-----");

/// The secrets in a text: where each one is, and what it is.
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

/// The words that are secrets.
fn words(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &'static str)> {
    let shortest = FORMS.iter().map(|form| form.prefix.len() + form.length).min().unwrap_or(1);
    long_words(text.as_bytes(), shortest).filter_map(|range| {
        let word = text.get(range.clone())?;
        let fits = |form: &&SecretForm| {
            word.strip_prefix(form.prefix).is_some_and(|rest| rest.len() >= form.length && is_random(rest))
        };
        Some((range, FORMS.iter().find(fits)?.noun))
    })
}

/// The words with at least `shortest` bytes. Most words are shorter, so most bytes need no look: the search jumps ahead by
/// the minimum length.
fn long_words(text: &[u8], shortest: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let mut begin = 0;
    std::iter::from_fn(move || {
        loop {
            // A word that begins here or later and is long enough must contain this byte.
            let reached = begin + shortest - 1;
            if !is_word(text.get(reached)?) {
                begin = reached + 1;
                continue;
            }
            let before = text.get(begin..reached)?.iter().rposition(|byte| !is_word(byte));
            let start = before.map_or(begin, |before| begin + before + 1);
            let behind = text.get(reached..)?.iter().position(|byte| !is_word(byte));
            let end = behind.map_or(text.len(), |behind| reached + behind);
            begin = end + 1;
            if end - start >= shortest {
                return Some(start..end);
            }
        }
    })
}

/// Whether a text looks generated: it has letters, digits and enough different characters.
fn is_random(text: &str) -> bool {
    let mut different: Vec<u8> = text.bytes().collect();
    different.sort_unstable();
    different.dedup();
    let has = |is: fn(&u8) -> bool| different.iter().any(is);
    different.len() >= DIFFERENT_MIN && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// The first line of each private key.
fn private_keys(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &'static str)> {
    let (begin, end) = PRIVATE_KEY;
    memmem::find_iter(text.as_bytes(), begin.as_bytes()).filter_map(move |start| {
        let line = text[start..].lines().next()?;
        let length = line.find(end)? + end.len();
        Some((start..start + length, "a private key"))
    })
}

/// The passwords in URLs: `postgres://desk:password@host`.
fn passwords(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &'static str)> {
    const SCHEME_END: &str = "://";
    memmem::find_iter(text.as_bytes(), SCHEME_END.as_bytes()).filter_map(|start| {
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

#[cfg(test)]
mod tests {
    use super::long_words;

    #[test]
    fn every_long_word_is_found() {
        for text in [
            "",
            "abcd",
            "abcde",
            "ab abcde",
            "abcde abcdef a",
            "a b c a-b_c d",
            ".abcde.\n",
            "ab.cd.efghi",
            "abcd efgh ijkl",
            "abcdefghijklmnopqrs",
            "..........abcdefg",
            "abé abcdeé",
        ] {
            let found: Vec<&str> = long_words(text.as_bytes(), 5).map(|range| &text[range]).collect();
            let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
            let all = text.split(|letter| !is_word(letter)).filter(|word| word.len() >= 5);
            assert_eq!(found, all.collect::<Vec<_>>(), "{text}");
        }
    }
}
