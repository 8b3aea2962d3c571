//! The document that a client edits: its URI, and a line of it that edits break and restore.
//!
//! Input is a file and its text. Output is changes of the protocol. Invariant: only a broken line has an error.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The severity of the finding of a broken line. Whole ones may have hints.
pub(super) const ERROR: u8 = 1;

/// A line of a document that edits break and restore.
pub(super) struct Toggle<'l> {
    place: Value,
    good: &'l str,
    bad: &'l str,
}

impl<'l> Toggle<'l> {
    /// The first line of a text with the good words; `bad` has as many letters.
    pub(super) fn new(text: &str, [good, bad]: [&'l str; 2]) -> Result<Toggle<'l>> {
        let at = text.find(good).context("the file has the line to edit")?;
        let line = text[..at].matches('\n').count();
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
        let place = json!({
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + good.len()}});
        Ok(Toggle { place, good, bad })
    }

    /// The change to a version: odd ones are broken.
    pub(super) fn change(&self, uri: &str, version: usize) -> Value {
        self.replaced(uri, version, if version % 2 == 1 { self.bad } else { self.good })
    }

    /// The change that breaks the line.
    pub(super) fn broken(&self, uri: &str, version: usize) -> Value {
        self.replaced(uri, version, self.bad)
    }

    /// A text after that change.
    pub(super) fn broken_text(&self, text: &str) -> String {
        text.replacen(self.good, self.bad, 1)
    }

    fn replaced(&self, uri: &str, version: usize, text: &str) -> Value {
        json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": self.place, "text": text}]})
    }
}

pub(super) fn uri(path: &Path) -> Result<String> {
    Ok(format!("file://{}", text(&path.canonicalize()?)?))
}

pub(super) fn text(path: &Path) -> Result<String> {
    Ok(path.to_str().context("the checkout's path is not UTF-8")?.to_owned())
}
