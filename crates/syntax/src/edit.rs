//! Minimal text edits.
//!
//! Input: a text and replacements of disjoint ranges. Output: the new text. Invariant: either all edits are
//! applied or none.

use std::fmt;

use text_size::TextRange;

/// Replaces the text at a range; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced.
    pub range: TextRange,
    /// What comes in its place.
    pub text: String,
}

/// Two edits that cannot both be applied, or one outside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditConflict {
    /// The range of the edit that does not fit.
    pub range: TextRange,
}

impl fmt::Display for EditConflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the edit at bytes {:?} overlaps another or leaves the text", self.range)
    }
}

impl std::error::Error for EditConflict {}

/// Applies edits to a text; they are put in order first. Insertions at one place keep their order.
pub fn apply_edits(text: &str, edits: &mut [TextEdit]) -> Result<String, EditConflict> {
    edits.sort_by_key(|edit| (edit.range.start(), edit.range.end()));
    let mut result = String::with_capacity(text.len());
    let mut position = 0;
    for edit in edits.iter() {
        let start = usize::from(edit.range.start());
        // Overlapping ranges run backwards here, and a range outside the text or inside a character is no slice.
        let kept = text.get(position..start).ok_or(EditConflict { range: edit.range })?;
        result.push_str(kept);
        result.push_str(&edit.text);
        position = usize::from(edit.range.end());
    }
    let last = edits.last().map(|edit| edit.range).unwrap_or_default();
    let rest = text.get(position..).ok_or(EditConflict { range: last })?;
    result.push_str(rest);
    Ok(result)
}
