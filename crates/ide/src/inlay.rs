//! Inlay hints: show what applies without being written. In: a part of a file, and the wanted hints. Out: hints in the
//! order of their places, each with a tooltip and a target. A hint is shown after the thing that it is about.

mod defaults;
mod names;
#[cfg(test)]
mod tests;

use std::ops::Range;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{TextRange, TextSize};

use crate::markup::Markup;

/// The wanted hints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InlayHintSettings {
    /// The defaults of keys that are not written.
    pub defaults: bool,
    /// The keys that the engine writes for a node.
    pub grants: bool,
    /// The types of expressions.
    pub types: bool,
    /// What names refer to, if they can refer to several kinds of things.
    pub kinds: bool,
    /// The overlays that patch a declaration.
    pub overlays: bool,
}

/// A hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inlay {
    /// Where it is shown.
    pub at: TextSize,
    /// The text.
    pub label: String,
    /// The tooltip.
    pub text: Markup,
    /// Whether it is a type rather than a value.
    pub is_type: bool,
    /// The target to go to.
    pub target: Option<Origin>,
}

/// The hints for a part of a file.
#[must_use]
pub fn inlays(
    snapshot: &Snapshot,
    source: SourceId,
    range: TextRange,
    options: InlayHintSettings,
) -> Vec<Inlay> {
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
    hints.arrange_by_key(|hint| hint.at);
    hints
}

/// The end of the line at an offset, without trailing spaces and comments.
fn line_end(file: &FileFacts, offset: TextSize) -> TextSize {
    let start = usize::from(offset).min(file.text.len());
    let rest = file.text.get(start..).unwrap_or_default();
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let text = line.split(" #").next().unwrap_or_default().trim_end();
    offset + TextSize::of(text)
}

/// The text in a range of a file.
fn letters(file: &FileFacts, range: TextRange) -> &str {
    file.text.get(Range::<usize>::from(range)).unwrap_or_default()
}
