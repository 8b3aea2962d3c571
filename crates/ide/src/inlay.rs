//! Inlay hints: what counts although it is not written. In: a part of a file and which hints are wanted; out: hints in
//! the order of their places, each with a text for more and a place to go to. A hint stands behind what it is about.

mod defaults;
mod names;
#[cfg(test)]
mod tests;

use std::ops::Range;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::{TextRange, TextSize};

use crate::markup::Markup;

/// Which hints are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// The values that count for keys that are not written.
    pub defaults: bool,
    /// The keys that the engine writes for a node.
    pub grants: bool,
    /// What expressions come to.
    pub types: bool,
    /// What names stand for, where they may stand for several things.
    pub kinds: bool,
    /// The overlays that patch a declaration.
    pub overlays: bool,
}

/// A hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inlay {
    /// Where it stands.
    pub at: TextSize,
    /// The words.
    pub label: String,
    /// More about it.
    pub text: Markup,
    /// Whether it is a type rather than a value.
    pub is_type: bool,
    /// A place to go to.
    pub target: Option<Origin>,
}

/// The hints for a part of a file.
#[must_use]
pub fn inlays(snapshot: &Snapshot, source: SourceId, range: TextRange, options: Options) -> Vec<Inlay> {
    let Some(file) = snapshot.file(source) else { return Vec::new() };
    let mut hints = Vec::new();
    if options.defaults {
        defaults::add(file, range, &mut hints);
    }
    if options.grants {
        names::add_grants(snapshot, file, &mut hints);
    }
    if options.types {
        names::add_types(file, range, &mut hints);
    }
    if options.kinds {
        names::add_kinds(snapshot, file, range, &mut hints);
    }
    if options.overlays {
        names::add_overlays(snapshot, file, &mut hints);
    }
    hints.retain(|hint| range.contains_inclusive(hint.at));
    hints.sort_by_key(|hint| hint.at);
    hints
}

/// The end of the line that an offset stands in, blanks and a comment behind the text left out.
fn line_end(file: &FileFacts, offset: TextSize) -> TextSize {
    let start = usize::from(offset).min(file.text.len());
    let rest = file.text.get(start..).unwrap_or_default();
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let text = line.split(" #").next().unwrap_or_default().trim_end();
    offset + TextSize::of(text)
}

/// The letters in a range of a file.
fn letters(file: &FileFacts, range: TextRange) -> &str {
    file.text.get(Range::<usize>::from(range)).unwrap_or_default()
}
