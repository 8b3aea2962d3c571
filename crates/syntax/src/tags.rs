//! Tags in full: shorthands expanded by the handles of their document.
//!
//! Input: a tag as it is written, and its document's directives. Output: the tag that it stands for. Invariant:
//! a tag that cannot be expanded stays as it is written.

use crate::parse::split_tag;
use crate::tree::Document;

const CORE_PREFIX: &str = "tag:yaml.org,2002:";

/// The tag handles that a document defines, with their prefixes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handles<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Handles<'t> {
    pub(crate) fn of(document: &Document<'t>) -> Handles<'t> {
        let mut handles = Vec::new();
        for directive in document.directives() {
            let mut words = directive.text.split([' ', '\t']).filter(|word| !word.is_empty());
            if let (Some("%TAG"), Some(handle), Some(prefix)) = (words.next(), words.next(), words.next()) {
                handles.push((handle, prefix));
            }
        }
        Handles(handles)
    }

    fn prefix(&self, handle: &str) -> Option<&str> {
        let defined = self.0.iter().find(|(name, _)| *name == handle).map(|&(_, prefix)| prefix);
        defined.or(match handle {
            "!!" => Some(CORE_PREFIX),
            "!" => Some("!"),
            _ => None,
        })
    }
}

/// The tag with its handle replaced by the prefix.
pub(crate) fn expand(tag: &str, handles: &Handles<'_>) -> String {
    if let Some(verbatim) = tag.strip_prefix("!<") {
        return verbatim.strip_suffix('>').unwrap_or(verbatim).to_owned();
    }
    if tag == "!" {
        return tag.to_owned();
    }
    let (handle, suffix) = split_tag(tag);
    match handles.prefix(handle) {
        Some(prefix) => format!("{prefix}{}", decode_uri(suffix)),
        None => tag.to_owned(),
    }
}

fn decode_uri(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        let escape = (byte == b'%').then(|| behind.get(..2)).flatten();
        let digits = escape.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
