//! Minimal text edits.
//!
//! Input: a text and replacements of disjoint ranges. Output: the new text. Invariant: either all edits are
//! applied or none.

use std::fmt;

use nodewise_platform::sorting::Sorting;
use text_size::{TextRange, TextSize};

/// An edit that replaces the text in a range. With an empty range, it inserts text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The range to replace.
    pub range: TextRange,
    /// The new text.
    pub text: String,
}

/// An edit that overlaps another one, or that is outside the text.
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

/// Applies edits to a text. The edits are sorted first; insertions at the same place keep their order.
pub fn apply_edits(text: &str, edits: &mut [TextEdit]) -> Result<String, EditConflict> {
    edits.arrange_by_key(|edit| (edit.range.start(), edit.range.end()));
    let mut result = String::with_capacity(text.len());
    let mut position = 0;
    for edit in edits.iter() {
        let start = usize::from(edit.range.start());
        // This fails for overlapping edits, because their range would be reversed, and for ranges outside the text or
        // inside a character.
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

/// A part of an edited text: a range of the old text, or new text.
enum Part {
    Kept(TextRange),
    New(String),
}

/// Combines two lists of edits into one: `second` applies to the result of `first`. `length` is the length of the text
/// before both. Each list must be sorted, without overlaps.
#[must_use]
pub fn compose_edits(length: TextSize, first: &[TextEdit], second: &[TextEdit]) -> Vec<TextEdit> {
    let parts = cut_parts(edited_parts(length, first), second);
    let mut edits: Vec<TextEdit> = Vec::new();
    let (mut new, mut behind) = (String::new(), TextSize::new(0));
    let mut close = |new: &mut String, behind: TextSize, start: TextSize| {
        if start > behind || !new.is_empty() {
            edits.push(TextEdit { range: TextRange::new(behind, start), text: std::mem::take(new) });
        }
    };
    for part in parts {
        match part {
            Part::Kept(range) if range.is_empty() => {}
            Part::Kept(range) => {
                close(&mut new, behind, range.start());
                behind = range.end();
            }
            Part::New(text) => new.push_str(&text),
        }
    }
    close(&mut new, behind, length.max(behind));
    edits
}

/// The parts of the text after the edits.
fn edited_parts(length: TextSize, edits: &[TextEdit]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut behind = TextSize::new(0);
    for edit in edits {
        parts.push(Part::Kept(TextRange::new(behind, edit.range.start().max(behind))));
        parts.push(Part::New(edit.text.clone()));
        behind = edit.range.end();
    }
    parts.push(Part::Kept(TextRange::new(behind, length.max(behind))));
    parts
}

/// The parts after further edits. The ranges of `edits` refer to the text that the parts form.
fn cut_parts(parts: Vec<Part>, edits: &[TextEdit]) -> Vec<Part> {
    let mut result = Vec::new();
    let mut waiting = edits.iter().peekable();
    let mut position = TextSize::new(0);
    // The text before this position is deleted.
    let mut deleted = TextSize::new(0);
    for part in parts {
        let length = part.length();
        let end = position + length;
        let mut from = position;
        loop {
            from = from.max(deleted).min(end);
            let next = waiting
                .peek()
                .filter(|edit| edit.range.start() < end || (edit.range.start() == end && length == 0.into()));
            let Some(edit) = next else { break };
            if edit.range.start() > from {
                result.push(part.cut(from - position, edit.range.start() - position));
                from = edit.range.start();
            }
            result.push(Part::New(edit.text.clone()));
            deleted = deleted.max(edit.range.end());
            waiting.next();
        }
        if from < end {
            result.push(part.cut(from - position, length));
        }
        position = end;
    }
    result.extend(waiting.map(|edit| Part::New(edit.text.clone())));
    result
}

impl Part {
    fn length(&self) -> TextSize {
        match self {
            Part::Kept(range) => range.len(),
            Part::New(text) => TextSize::of(text.as_str()),
        }
    }

    fn cut(&self, start: TextSize, end: TextSize) -> Part {
        match self {
            Part::Kept(range) => Part::Kept(TextRange::new(range.start() + start, range.start() + end)),
            Part::New(text) => {
                let inside = text.get(usize::from(start)..usize::from(end));
                Part::New(inside.unwrap_or_default().to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use text_size::{TextRange, TextSize};

    use super::{TextEdit, apply_edits, compose_edits};

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

    #[test]
    fn two_lists_of_edits_are_one() {
        let mut seed = 11_u64;
        let mut next = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % below
        };
        for _ in 0..20_000 {
            let text: String = "abcdefghij"[..next(11)].to_owned();
            let mut edits = |length: usize, letter: &str| {
                let mut cuts: Vec<usize> = (0..2 * next(3)).map(|_| next(length + 1)).collect();
                cuts.sort_unstable();
                let edit = |pair: &[usize]| TextEdit {
                    range: TextRange::new(
                        u32::try_from(pair[0]).unwrap().into(),
                        u32::try_from(pair[1]).unwrap().into(),
                    ),
                    text: letter.repeat(next(3)),
                };
                cuts.chunks(2).map(edit).collect::<Vec<_>>()
            };
            let mut first = edits(text.len(), "X");
            let between = apply_edits(&text, &mut first).unwrap();
            let mut second = edits(between.len(), "y");
            let expected = apply_edits(&between, &mut second).unwrap();
            let mut both = compose_edits(TextSize::of(text.as_str()), &first, &second);
            let case = format!("{text:?} {first:?} {second:?} {both:?}");
            assert_eq!(apply_edits(&text, &mut both).unwrap(), expected, "{case}");
        }
    }
}
