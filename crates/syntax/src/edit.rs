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

#[cfg(test)]
mod tests {
    use text_size::TextRange;

    use super::{TextEdit, apply_edits};

    fn check_edits(text: &str, edits: &[(u32, u32, &str)], expected: Option<&str>) {
        let range = |start: u32, end: u32| TextRange::new(start.into(), end.into());
        let mut edits: Vec<_> = edits
            .iter()
            .map(|&(start, end, text)| TextEdit { range: range(start, end), text: text.to_owned() })
            .collect();
        assert_eq!(apply_edits(text, &mut edits).ok().as_deref(), expected);
    }

    #[test]
    fn edits_apply_together_or_not_at_all() {
        check_edits("abc", &[], Some("abc"));
        check_edits("abc", &[(2, 3, "C"), (0, 1, "A")], Some("AbC"));
        check_edits("abc", &[(1, 1, "x"), (1, 1, "y"), (1, 2, "")], Some("axyc"));
        check_edits("abc", &[(0, 2, ""), (1, 3, "")], None);
        check_edits("abc", &[(2, 9, "")], None);
        check_edits("é", &[(1, 1, "x")], None);
    }
}
