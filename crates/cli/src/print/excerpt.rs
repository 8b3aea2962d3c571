//! A part of a file, made safe for a terminal.
//!
//! Input: a text and places in it. Output: the lines from the first place to the last, with control characters replaced
//! and long lines cut, and the new places. Invariant: a place is on one line, the one where it begins.

use std::ops::Range;

use nodewise_syntax::{LineIndex, TextRange};

use crate::screen;

/// Lines with more characters are cut around the first place.
const LINE_MAX: usize = 1000;
/// The number of characters that are kept before that place.
const LEAD: usize = 100;
const CUT: char = '…';

/// A place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) range: TextRange,
    /// The line where it begins, from 1.
    pub(super) line: u32,
}

/// A part of a file.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// Its first line, from 1.
    pub(super) first_line: u32,
    /// Whether the beginning of a line with a place is cut.
    pub(super) is_cut: bool,
    /// The places, as byte ranges of its text.
    pub(super) spans: Vec<Range<usize>>,
}

impl Excerpt {
    /// The part of `text` around `marks`.
    pub(super) fn new(text: &str, lines: &LineIndex, marks: &[Mark]) -> Excerpt {
        let first_line = marks.iter().map(|mark| mark.line).min().unwrap_or(1);
        let last_line = marks.iter().map(|mark| mark.line).max().unwrap_or(first_line);
        let mut excerpt = Excerpt { first_line, spans: vec![0..0; marks.len()], ..Excerpt::default() };
        for line in first_line..=last_line {
            let range = lines.line_range(line).unwrap_or_default();
            let content = text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default();
            let content = content.trim_end_matches(['\n', '\r']);
            excerpt.push_line((range.start().into(), content), line, marks);
        }
        excerpt
    }

    /// Adds a line that begins at byte `start` of the text.
    fn push_line(&mut self, (start, content): (usize, &str), line: u32, marks: &[Mark]) {
        let on_line = || marks.iter().enumerate().filter(|(_, mark)| mark.line == line);
        let local = |offset: u32| (offset as usize).saturating_sub(start).min(content.len());
        let first = on_line().map(|(_, mark)| local(mark.range.start().into())).min().unwrap_or_default();
        let shown = window(content, first);
        if shown.start > 0 {
            self.text.push(CUT);
            self.is_cut = true;
        }
        // Byte offsets of the line, with their new offsets.
        let mut moved: Vec<(usize, usize)> = Vec::new();
        for (offset, character) in content.get(shown.clone()).unwrap_or_default().char_indices() {
            moved.push((shown.start + offset, self.text.len()));
            if character != '\t' && screen::is_harmful(character) {
                self.text.push(screen::picture(character));
            } else {
                self.text.push(character);
            }
        }
        let end = self.text.len();
        let place = |offset: usize| {
            let behind = moved.partition_point(|(from, _)| *from < offset);
            moved.get(behind).map_or(end, |(_, to)| *to)
        };
        for (position, mark) in on_line() {
            let (from, to) = (local(mark.range.start().into()), local(mark.range.end().into()));
            if let Some(span) = self.spans.get_mut(position) {
                *span = place(from)..place(to);
            }
        }
        if shown.end < content.len() {
            self.text.push(CUT);
        }
        self.text.push('\n');
    }
}

/// The part of a line that is shown.
fn window(content: &str, first: usize) -> Range<usize> {
    if content.len() <= LINE_MAX {
        return 0..content.len();
    }
    let before = content.get(..first).unwrap_or_default();
    let start = before.char_indices().rev().take(LEAD).last().map_or(first, |(offset, _)| offset);
    let rest = content.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(LINE_MAX).map_or(content.len(), |(offset, _)| start + offset);
    start..end
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, Mark};
    use nodewise_syntax::{LineIndex, TextRange, TextSize};

    /// The excerpt around the words `marked`, with each in brackets.
    fn check_excerpt(text: &str, marked: &[&str], expected: &str) {
        let lines = LineIndex::new(text);
        let mark = |word: &&str| {
            let start = TextSize::try_from(text.find(*word).unwrap()).unwrap();
            Mark { range: TextRange::at(start, TextSize::of(*word)), line: lines.line_col(start).line }
        };
        let excerpt = Excerpt::new(text, &lines, &marked.iter().map(mark).collect::<Vec<_>>());
        let mut found = excerpt.text.clone();
        let mut spans = excerpt.spans.clone();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        for span in spans {
            found.insert(span.end, ']');
            found.insert(span.start, '[');
        }
        assert_eq!(format!("{}|{found}", excerpt.first_line), expected);
    }

    #[test]
    fn the_lines_between_the_places_are_there() {
        check_excerpt("a: 1\nb: 2\nc: 3\nd: 4\n", &["2", "d"], "2|b: [2]\nc: 3\n[d]: 4\n");
    }

    #[test]
    fn places_move_with_replaced_characters() {
        check_excerpt("a: \u{1b}\u{202e}x\r\n", &["x"], "1|a: ␛\u{fffd}[x]\n");
    }

    #[test]
    fn a_place_over_several_lines_ends_with_its_first() {
        check_excerpt("a: |\n  b\nc: d\n", &["|\n  b"], "1|a: [|]\n");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}here{}", "x".repeat(2000), "y".repeat(2000));
        let expected = format!("1|…{}[here]{}…\n", "x".repeat(100), "y".repeat(1000 - 104));
        check_excerpt(&text, &["here"], &expected);
    }
}
