//! Anchors, tags and aliases.
//!
//! Input: the parser on `&`, `!` or `*`. Output: their tokens. Invariant: each call consumes its indicator.

use super::Parser;
use crate::event::SyntaxKind;
use crate::problem::ProblemKind;

/// The properties that were already read for a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    pub(super) anchor: bool,
    pub(super) tag: bool,
}

impl Parser<'_> {
    pub(super) fn at_property(&self) -> bool {
        matches!(self.byte(), Some(b'&' | b'!'))
    }

    /// Reads anchors and tags, up to the end of the line or the start of the content.
    pub(super) fn properties(&mut self, seen: &mut Seen) {
        loop {
            let start = self.position;
            match self.byte() {
                Some(b'&') => {
                    let end = self.name_end(start + 1);
                    self.check_name(start, end);
                    if seen.anchor {
                        self.problem(ProblemKind::SecondAnchor, start, end);
                    }
                    seen.anchor = true;
                    self.token(SyntaxKind::Anchor, end);
                }
                Some(b'!') => {
                    let end = self.tag_end(start);
                    self.check_tag(start, end);
                    if seen.tag {
                        self.problem(ProblemKind::SecondTag, start, end);
                    }
                    seen.tag = true;
                    self.token(SyntaxKind::Tag, end);
                }
                _ => return,
            }
            if self.fresh || self.at_end() {
                return;
            }
            let in_flow_ends = !self.brackets.is_empty() && self.at_flow_indicator();
            if !self.spaced && !in_flow_ends {
                self.named_problem(ProblemKind::UnexpectedText, self.position, self.position + 1);
            }
        }
    }

    pub(super) fn alias(&mut self) {
        let start = self.position;
        let end = self.name_end(start + 1);
        self.check_name(start, end);
        self.has_aliases |= end > start + 1;
        self.token(SyntaxKind::Alias, end);
    }

    fn check_name(&mut self, start: usize, end: usize) {
        if end == start + 1 {
            self.named_problem(ProblemKind::MissingName, start, end);
        }
    }

    /// The end of an anchor's name: white space, or a flow indicator.
    pub(super) fn name_end(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let is_end =
            |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'[' | b']' | b'{' | b'}');
        rest.iter().position(is_end).map_or(self.bytes.len(), |length| from + length)
    }

    pub(super) fn tag_end(&self, start: usize) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        if rest.starts_with(b"!<") {
            let is_end = |byte: &u8| matches!(byte, b'>' | b' ' | b'\t' | b'\n' | b'\r');
            let length = rest.iter().position(is_end).unwrap_or(rest.len());
            return start + length + usize::from(rest.get(length) == Some(&b'>'));
        }
        let in_flow = !self.brackets.is_empty();
        let is_end = |byte: &u8| match byte {
            b' ' | b'\t' | b'\n' | b'\r' => true,
            b',' | b'[' | b']' | b'{' | b'}' => in_flow,
            _ => false,
        };
        rest.iter().position(is_end).map_or(self.bytes.len(), |length| start + length)
    }

    fn check_tag(&mut self, start: usize, end: usize) {
        let tag = self.text.get(start..end).unwrap_or_default();
        if let Some(verbatim) = tag.strip_prefix("!<") {
            let uri = verbatim.strip_suffix('>').unwrap_or_default();
            if uri.is_empty() || uri == "!" || !is_uri(uri) {
                self.named_problem(ProblemKind::BadTag, start, end);
            }
            return;
        }
        let (handle, suffix) = split_tag(tag);
        if tag == "!" {
            return;
        }
        let is_suffix = |character: char| !matches!(character, '!' | ',' | '[' | ']' | '{' | '}');
        if suffix.is_empty() || !is_uri(suffix) || !suffix.chars().all(is_suffix) {
            self.named_problem(ProblemKind::BadTag, start, end);
        }
        let is_known = handle == "!" || handle == "!!" || self.handles.contains(handle);
        if !is_known {
            self.named_problem(ProblemKind::UnknownTagHandle, start, start + handle.len());
        }
    }
}

/// Splits a tag shorthand into its handle (`!`, `!!` or `!name!`) and the rest.
pub(crate) fn split_tag(tag: &str) -> (&str, &str) {
    let second = tag.get(1..).and_then(|rest| rest.find('!'));
    let handle_end = second.map_or(1, |found| found + 2);
    (tag.get(..handle_end).unwrap_or(tag), tag.get(handle_end..).unwrap_or_default())
}

/// True when the text consists of URI characters and well-formed `%` escapes.
pub(super) fn is_uri(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut rest = bytes;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte == b'%' {
            let [high, low, behind_escape @ ..] = behind else { return false };
            if !high.is_ascii_hexdigit() || !low.is_ascii_hexdigit() {
                return false;
            }
            rest = behind_escape;
        } else if !byte.is_ascii_alphanumeric() && !b"-#;/?:@&=+$,_.!~*'()[]".contains(&byte) {
            return false;
        }
    }
    true
}
