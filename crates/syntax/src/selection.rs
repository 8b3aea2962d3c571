//! The parts of a text around an offset, each inside the next.
//!
//! Input: a tree and an offset. Output: ranges from the word at the offset to the whole text. Invariant: each
//! range holds the offset and is larger than the one before it, and none is empty unless the text is.

use memchr::{memchr2, memrchr2};
use text_size::{TextRange, TextSize};

use crate::event::{Event, SyntaxKind};
use crate::locate::trail::Trail;
use crate::tree::Tree;

/// The ranges around an offset, the innermost first. An offset after the text is treated as its end.
pub fn enclosing_ranges(tree: &Tree, offset: TextSize) -> Vec<TextRange> {
    let text = tree.text();
    let mut place = usize::from(offset).min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    let mut ranges = Growing { offset: to_size(place), ranges: Vec::new() };
    if let Some((index, token)) = token_at(tree, to_size(place).into()) {
        add_parts(text, token, place, &mut ranges);
        let trail = Trail::to(tree, index);
        for level in trail.levels.iter().rev() {
            let start = tree.event(level.event).map_or(0, |event| event.start);
            let end = tree.end_of(level.event).max(start);
            if matches!(level.kind, SyntaxKind::FlowMap | SyntaxKind::FlowSeq) {
                ranges.push(inside_brackets(tree, start, end));
            }
            ranges.push(TextRange::new(start.into(), end.into()));
        }
    }
    let all = TextRange::new(0.into(), TextSize::of(text));
    ranges.push(all);
    if ranges.ranges.is_empty() {
        ranges.ranges.push(all);
    }
    ranges.ranges
}

/// The ranges so far. Each contains the offset, and is larger than the one before.
struct Growing {
    offset: TextSize,
    ranges: Vec<TextRange>,
}

impl Growing {
    fn push(&mut self, range: TextRange) {
        let grows = self.ranges.last().is_none_or(|last| range.contains_range(*last) && range != *last);
        if grows && !range.is_empty() && range.contains_inclusive(self.offset) {
            self.ranges.push(range);
        }
    }
}

/// The token at an offset. If two tokens meet there, the one with text.
fn token_at(tree: &Tree, offset: u32) -> Option<(u32, &Event)> {
    let events = tree.events();
    let boundary = events.partition_point(|event| event.start < offset);
    let is_token = |event: &Event| !event.kind.is_construct();
    let left = events.get(..boundary)?.iter().rposition(is_token);
    let right = events.get(boundary..)?.iter().position(is_token).map(|distance| boundary + distance);
    let numbered = |index: usize| Some((u32::try_from(index).ok()?, events.get(index)?));
    let left = left.and_then(numbered).filter(|(_, token)| token.end >= offset);
    let right = right.and_then(numbered).filter(|(_, token)| token.start == offset);
    let is_text = |token: &&(u32, &Event)| {
        !matches!(
            token.1.kind,
            SyntaxKind::Space
                | SyntaxKind::Colon
                | SyntaxKind::Comma
                | SyntaxKind::Dash
                | SyntaxKind::Opener
                | SyntaxKind::Closer
        )
    };
    let inside = left.filter(|(_, token)| token.end > offset);
    inside.or(left.filter(|token| is_text(&token))).or(right).or(left)
}

/// Adds the word at the offset, its line in a long text, the text without quotes, and the token.
fn add_parts(text: &str, token: &Event, place: usize, ranges: &mut Growing) {
    let (mut start, mut end) = (token.start as usize, token.end as usize);
    if token.kind == SyntaxKind::Space {
        return;
    }
    if matches!(token.kind, SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted) {
        let quote = text.get(start..start + 1).unwrap_or_default();
        start += 1;
        let is_closed = text.get(start..end).is_some_and(|open| open.ends_with(quote));
        end -= usize::from(is_closed);
    }
    let is_text = matches!(
        token.kind,
        SyntaxKind::Plain
            | SyntaxKind::SingleQuoted
            | SyntaxKind::DoubleQuoted
            | SyntaxKind::BlockBody
            | SyntaxKind::Comment
            | SyntaxKind::ErrorText
    );
    if is_text && (start..=end).contains(&place) {
        ranges.push(word_at(text, start, place, end, |letter| letter.is_alphanumeric() || letter == '_'));
        let is_name = |letter: char| letter.is_alphanumeric() || "_-./".contains(letter);
        ranges.push(word_at(text, start, place, end, is_name));
        ranges.push(line_at(text, start, place, end));
    }
    if token.kind != SyntaxKind::BlockBody {
        ranges.push(span(start, end));
        ranges.push(span(token.start as usize, token.end as usize));
    }
}

/// The characters around `place`, between two bounds, that satisfy `is_part`; empty if there are none.
fn word_at(text: &str, start: usize, place: usize, end: usize, is_part: impl Fn(char) -> bool) -> TextRange {
    let before = text.get(start..place).unwrap_or_default();
    let behind = text.get(place..end).unwrap_or_default();
    let head = before.len() - before.trim_end_matches(&is_part).len();
    let tail = behind.len() - behind.trim_start_matches(&is_part).len();
    span(place - head, place + tail)
}

/// The line at `place`, between two bounds, without white space at its ends.
fn line_at(text: &str, start: usize, place: usize, end: usize) -> TextRange {
    let before = text.get(start..place).unwrap_or_default();
    let behind = text.get(place..end).unwrap_or_default();
    let line_start = memrchr2(b'\n', b'\r', before.as_bytes()).map_or(start, |found| start + found + 1);
    let line_end = memchr2(b'\n', b'\r', behind.as_bytes()).map_or(end, |found| place + found);
    let line = text.get(line_start..line_end).unwrap_or_default();
    let lead = line.len() - line.trim_start_matches([' ', '\t']).len();
    let trail = line.trim_end_matches([' ', '\t']).len();
    span(line_start + lead, line_start + trail.max(lead))
}

/// The content of a flow collection, without its brackets and the white space next to them.
fn inside_brackets(tree: &Tree, start: u32, end: u32) -> TextRange {
    let text = tree.slice(start, end);
    let open = text.strip_prefix(['[', '{']).unwrap_or(text);
    let inner = open.strip_suffix([']', '}']).unwrap_or(open);
    let from = start as usize + (text.len() - open.len()) + (inner.len() - inner.trim_start().len());
    span(from, from + inner.trim().len())
}

fn span(start: usize, end: usize) -> TextRange {
    TextRange::new(to_size(start), to_size(end.max(start)))
}

fn to_size(offset: usize) -> TextSize {
    TextSize::from(u32::try_from(offset).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::enclosing_ranges;
    use crate::parse;

    /// Compares the texts of the ranges around `$0`, the innermost first.
    fn check_selection(fixture: &str, expected: &[&str]) {
        let offset = fixture.find("$0").unwrap();
        let text = fixture.replacen("$0", "", 1);
        let ranges = enclosing_ranges(&parse(text.as_str()), u32::try_from(offset).unwrap().into());
        let found: Vec<_> = ranges.iter().map(|range| &text[*range]).collect();
        assert_eq!(found, expected, "{fixture:?}");
    }

    #[test]
    fn from_the_word_to_the_text() {
        check_selection(
            "a: \"x y$0z w\"\n",
            &["yz", "x yz w", "\"x yz w\"", "a: \"x yz w\"", "a: \"x yz w\"\n"],
        );
        check_selection("a$0b: 1\nc: 2\n", &["ab", "ab: 1", "ab: 1\nc: 2", "ab: 1\nc: 2\n"]);
        check_selection(
            "a: web-se$0arch/x\n",
            &["search", "web-search/x", "a: web-search/x", "a: web-search/x\n"],
        );
        check_selection(
            "n:\n  - t: a\n    w: b$0\n  - t: c\n",
            &[
                "b",
                "w: b",
                "t: a\n    w: b",
                "- t: a\n    w: b",
                "- t: a\n    w: b\n  - t: c",
                "n:\n  - t: a\n    w: b\n  - t: c",
                "n:\n  - t: a\n    w: b\n  - t: c\n",
            ],
        );
        check_selection(
            "a: [ b, {c: d$0} ]\n",
            &["d", "c: d", "{c: d}", "b, {c: d}", "[ b, {c: d} ]", "a: [ b, {c: d} ]", "a: [ b, {c: d} ]\n"],
        );
        check_selection(
            "a: |\n  one t$0wo\n  three\nb: 1\n",
            &[
                "two",
                "one two",
                "|\n  one two\n  three",
                "a: |\n  one two\n  three",
                "a: |\n  one two\n  three\nb: 1",
                "a: |\n  one two\n  three\nb: 1\n",
            ],
        );
        check_selection("a: &x !t v$0\n", &["v", "&x !t v", "a: &x !t v", "a: &x !t v\n"]);
    }

    #[test]
    fn between_and_outside() {
        check_selection("$0", &[""]);
        check_selection("a: 1\n---\nb: é$0\n", &["é", "b: é", "---\nb: é", "a: 1\n---\nb: é\n"]);
        check_selection(
            "a: 1 # so$0me words\nb: 2\n",
            &["some", "# some words", "a: 1 # some words\nb: 2", "a: 1 # some words\nb: 2\n"],
        );
        check_selection("a: \"x$0\nb: 1\n", &["x", "\"x", "a: \"x", "a: \"x\nb: 1", "a: \"x\nb: 1\n"]);
        check_selection("a:\n  - b\n\n$0\nc: 1\n", &["a:\n  - b\n\n\nc: 1", "a:\n  - b\n\n\nc: 1\n"]);
        check_selection("a: ''$0\n", &["''", "a: ''", "a: ''\n"]);
    }
}
