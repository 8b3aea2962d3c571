//! Texts without secrets. In: secrets, texts; out: the same texts with `***` in the place of each. Invariant: a secret is
//! found in every form that it has when a text is quoted in JSON, in an address or in Base64.

use std::borrow::Cow;

/// The text that replaces a secret.
const MASK: &str = "***";
/// The shortest text that is masked, in bytes. Shorter values may be parts of ordinary words.
const LEAST: usize = 6;
const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const OF_ADDRESSES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// All forms of all secrets, the longest first, so that a secret inside of a longer one is not masked alone.
#[derive(Default)]
pub(super) struct Masks {
    forms: Vec<String>,
}

/// Masks a text that arrives in parts.
pub(crate) struct MaskedParts<'m> {
    masks: &'m Masks,
    /// The end of what has arrived, if it may be the beginning of a secret.
    held_back: String,
}

impl Masks {
    /// Adds a secret in all its forms: plain, in JSON, in addresses and in Base64.
    pub(super) fn add(&mut self, secret: &str) {
        if secret.len() < LEAST {
            return;
        }
        self.forms.push(secret.to_owned());
        self.forms.push(in_json(secret));
        self.forms.push(in_addresses(secret));
        // Base64 encodes three bytes at a time, so a secret looks different at each of three offsets.
        for alphabet in [STANDARD, OF_ADDRESSES] {
            self.forms.extend((0..3).map(|place| in_base64(secret.as_bytes(), place, alphabet)));
        }
        self.forms.retain(|form| form.len() >= LEAST);
        self.forms.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        self.forms.dedup();
    }

    /// Whether a text contains a secret.
    pub(super) fn has_any_in(&self, text: &str) -> bool {
        self.forms.iter().any(|form| text.contains(form.as_str()))
    }

    /// A text with `***` in place of each secret.
    pub(super) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut masked = Cow::Borrowed(text);
        for form in &self.forms {
            if masked.contains(form.as_str()) {
                masked = Cow::Owned(masked.replace(form.as_str(), MASK));
            }
        }
        masked
    }

    /// How many bytes at the end of a text may be the beginning of a secret.
    fn unfinished(&self, text: &str) -> usize {
        let unfinished = |form: &String| {
            let most = text.len().min(form.len() - 1);
            let is_begun = |length: &usize| {
                text.is_char_boundary(text.len() - length)
                    && form.as_bytes().starts_with(&text.as_bytes()[text.len() - length..])
            };
            (1..=most).rev().find(is_begun).unwrap_or(0)
        };
        self.forms.iter().map(unfinished).max().unwrap_or(0)
    }
}

impl<'m> MaskedParts<'m> {
    pub(super) fn new(masks: &'m Masks) -> MaskedParts<'m> {
        MaskedParts { masks, held_back: String::new() }
    }

    /// Adds the next part. Returns what can be shown so far.
    pub(crate) fn push(&mut self, part: &str) -> String {
        self.held_back.push_str(part);
        let masked = self.masks.text(&self.held_back).into_owned();
        let end = masked.len() - self.masks.unfinished(&masked);
        let (shown, held_back) = masked.split_at(end);
        self.held_back = held_back.to_owned();
        shown.to_owned()
    }

    /// Returns the rest of the text, when no more parts come.
    pub(crate) fn end(&mut self) -> String {
        std::mem::take(&mut self.held_back)
    }
}

/// A text as it is written inside of a JSON string.
fn in_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

/// A text as it is written in an address.
fn in_addresses(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => escaped.push(byte.into()),
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

/// The characters of a Base64 text that depend on these bytes alone, if `before` bytes (modulo 3) come before them.
fn in_base64(bytes: &[u8], before: usize, alphabet: &[u8; 64]) -> String {
    let bits = |place: usize| {
        let bit = |bit: usize| {
            let byte = (bit / 8).checked_sub(before).and_then(|place| bytes.get(place)).copied();
            usize::from(byte.unwrap_or_default() >> (7 - bit % 8) & 1)
        };
        (place * 6..place * 6 + 6).fold(0, |value, place| value * 2 + bit(place))
    };
    let first = (before * 8).div_ceil(6);
    let end = (before + bytes.len()) * 8 / 6;
    (first..end).filter_map(|place| alphabet.get(bits(place))).map(|byte| char::from(*byte)).collect()
}
