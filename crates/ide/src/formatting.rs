//! Formats an open document or a part of it. In: a file, perhaps a range. Out: edits. Invariant: the edits are those of
//! `nodewise fmt`. Files with syntax problems or without a dialect get none.

use nodewise_analysis::facts::{DocumentRole, FileFacts, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_format::{FormatOptions, FormatRefusal, Formatted, format_tree, range};
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;
use nodewise_syntax::edit::TextEdit;

/// The edits that format a file. An error if a second parser would read the new text differently.
pub fn whole(
    snapshot: &Snapshot,
    source: SourceId,
    options: &FormatOptions,
) -> Result<Vec<TextEdit>, FormatRefusal> {
    let Some(file) = ours(snapshot, source) else { return Ok(Vec::new()) };
    Ok(formatted(file, options)?.edits)
}

/// The edits that format the outermost entries around a range.
pub fn part(
    snapshot: &Snapshot,
    source: SourceId,
    wanted: TextRange,
    options: &FormatOptions,
) -> Result<Vec<TextEdit>, FormatRefusal> {
    let Some(file) = ours(snapshot, source) else { return Ok(Vec::new()) };
    // Keys are sorted in the whole file or not at all.
    let options = FormatOptions { key_order: false, ..options.clone() };
    Ok(range::within(file.tree(), &formatted(file, &options)?, wanted))
}

fn ours(snapshot: &Snapshot, source: SourceId) -> Option<&FileFacts> {
    snapshot.file(source).filter(|file| matches!(file.ownership, Ownership::Ours(_)))
}

fn formatted(file: &FileFacts, options: &FormatOptions) -> Result<Formatted, FormatRefusal> {
    let kinds: Vec<_> = file
        .documents
        .iter()
        .map(|document| match document.role {
            DocumentRole::Kind(kind) => Some(kind),
            _ => None,
        })
        .collect();
    format_tree(file.tree(), &kinds, options)
}
