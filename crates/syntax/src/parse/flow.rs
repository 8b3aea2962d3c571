//! Flow collections.
//!
//! Input: the parser on `[` or `{`, and `parent`, the indentation that further lines must exceed. Output: the
//! collection's events. Invariant: each round of a collection consumes a byte or ends it; once one is found to
//! be unclosed (`flow_ends`), all that enclose it end at the same place.

use super::block::NodePlace;
use super::properties::Seen;
use super::scalar::{deeper, is_flow_indicator};
use super::{DEPTH_LIMIT, Parser};
use crate::event::SyntaxKind;
use crate::problem::ProblemKind;

impl Parser<'_> {
    pub(super) fn flow_collection(&mut self, parent: isize) {
        if self.depth >= DEPTH_LIMIT {
            self.flow_too_deep(parent);
            return;
        }
        self.depth += 1;
        let start = self.position;
        // INVARIANT: the parser is at a bracket when this is called.
        let bracket = self.byte().unwrap_or(b'[');
        self.brackets.push(bracket);
        let collection = self.open(if bracket == b'{' { SyntaxKind::FlowMap } else { SyntaxKind::FlowSeq });
        self.token(SyntaxKind::Opener, start + 1);
        self.flow_rounds(parent, bracket, start);
        self.brackets.pop();
        self.depth -= 1;
        self.close(collection);
        if bracket == b'{' {
            self.check_keys(collection);
        }
        if self.brackets.is_empty() {
            self.flow_ends = false;
        }
    }

    fn flow_rounds(&mut self, parent: isize, bracket: u8, start: usize) {
        let closer = if bracket == b'{' { b'}' } else { b']' };
        let mut has_element = false;
        loop {
            if self.flow_line_ends(parent) {
                // If a quote swallowed the closing bracket, that quote is the only mistake to report.
                if !self.flow_ends && self.greedy_quote.is_none_or(|quote| quote < start) {
                    self.named_problem(ProblemKind::UnclosedBracket, start, start + 1);
                }
                self.flow_ends = true;
                return;
            }
            match self.byte() {
                Some(byte) if byte == closer => {
                    self.token(SyntaxKind::Closer, self.position + 1);
                    return;
                }
                Some(byte @ (b']' | b'}')) => {
                    if self.belongs_outside(byte) {
                        self.named_problem(ProblemKind::UnclosedBracket, start, start + 1);
                        return;
                    }
                    self.named_problem(ProblemKind::UnexpectedCloser, self.position, self.position + 1);
                    self.token(SyntaxKind::ErrorText, self.position + 1);
                }
                Some(b',') => {
                    if !has_element {
                        self.problem(ProblemKind::ExtraComma, self.position, self.position + 1);
                    }
                    has_element = false;
                    self.token(SyntaxKind::Comma, self.position + 1);
                }
                _ => {
                    if has_element {
                        self.problem(ProblemKind::MissingComma, self.position, self.position + 1);
                    }
                    has_element = true;
                    if bracket == b'{' { self.flow_entry(parent) } else { self.flow_element(parent) }
                }
            }
            if self.flow_ends {
                return;
            }
        }
    }

    /// True when this closing bracket belongs to a collection around the innermost one.
    fn belongs_outside(&self, closer: u8) -> bool {
        let opener = if closer == b'}' { b'{' } else { b'[' };
        self.brackets.contains(&opener)
    }

    /// True when the text ends, or the next line continues the block structure around the flow collection.
    fn flow_line_ends(&mut self, parent: isize) -> bool {
        if self.at_end() {
            return true;
        }
        if !self.fresh {
            return false;
        }
        if self.at_marker() {
            return true;
        }
        let is_shallow = !deeper(self.indentation, parent);
        if !is_shallow || self.reported_line == self.line_start {
            return false;
        }
        let is_closer = matches!(self.byte(), Some(b']' | b'}'));
        if is_closer && deeper(self.indentation + 1, parent) {
            // Many people put the closing bracket directly below the key. Production 69 requires one more space, but
            // no loader does.
            return false;
        }
        if !is_closer && !deeper(self.column, parent) && self.is_block_line(self.position) {
            return true;
        }
        self.reported_line = self.line_start;
        let kind = if self.tab { ProblemKind::TabIndentation } else { ProblemKind::BadIndentation };
        self.problem(kind, self.line_start, self.position + 1);
        false
    }

    /// True when the line is block structure, and not JSON with too little indentation. Such JSON ends with a comma or
    /// an opening bracket, or closes a bracket that it did not open.
    pub(super) fn is_block_line(&self, content: usize) -> bool {
        let line_end = self.line_end(content);
        let end = self.trim_end(content, line_end);
        let last = self.byte_at(end.saturating_sub(1));
        let line = self.bytes.get(content..line_end).unwrap_or_default();
        self.is_structure(content) && !matches!(last, Some(b',' | b'{' | b'[')) && !closes_more(line)
    }

    /// One entry of a flow mapping.
    fn flow_entry(&mut self, parent: isize) {
        let entry = self.open(SyntaxKind::Entry);
        if self.at_indicator(b'?') {
            self.token(SyntaxKind::Question, self.position + 1);
            if self.flow_line_ends(parent) {
                self.close(entry);
                return;
            }
        }
        if !self.at_flow_end() && !self.at_flow_colon(false) {
            let is_json_like = self.flow_node(parent);
            if self.flow_ends || self.flow_line_ends(parent) {
                self.close(entry);
                return;
            }
            if self.at_flow_colon(is_json_like) {
                self.flow_value(parent);
            } else if is_json_like && !self.fresh && !self.at_flow_end() {
                // `"key" "value"`
                self.problem(ProblemKind::MissingFlowColon, self.position, self.position + 1);
                self.flow_node(parent);
            }
        } else if self.at_flow_colon(false) {
            self.flow_value(parent);
        }
        self.close(entry);
    }

    /// One element of a flow sequence: a node or a pair.
    fn flow_element(&mut self, parent: isize) {
        if self.at_indicator(b'?') || self.at_flow_colon(false) {
            let pair = self.open(SyntaxKind::FlowPair);
            self.flow_entry(parent);
            self.close(pair);
            return;
        }
        let mark = self.mark();
        let start = self.position;
        let line = self.line_start;
        let is_json_like = self.flow_node(parent);
        if self.flow_ends || self.at_end() || !self.at_flow_colon(is_json_like) {
            return;
        }
        if self.fresh || self.line_start != line {
            self.problem(ProblemKind::MultilineKey, start, self.position);
        } else {
            self.check_key_length(start);
        }
        self.open_before(mark, SyntaxKind::Entry);
        let pair = self.open_before(mark, SyntaxKind::FlowPair);
        self.flow_value(parent);
        self.close(pair + 1);
        self.close(pair);
    }

    fn flow_value(&mut self, parent: isize) {
        self.token(SyntaxKind::Colon, self.position + 1);
        if !self.flow_line_ends(parent) && !self.at_flow_end() {
            self.flow_node(parent);
        }
    }

    /// Reads a node inside a flow collection. Returns whether it is a JSON-like key, whose colon needs no space.
    fn flow_node(&mut self, parent: isize) -> bool {
        let mark = self.mark();
        let mut seen = Seen::default();
        while self.at_property() {
            self.properties(&mut seen);
            if self.flow_line_ends(parent) {
                break;
            }
        }
        let has_properties = seen.anchor || seen.tag;
        let is_empty =
            self.at_end() || self.at_flow_end() || self.at_flow_colon(false) || self.at_dedent(parent);
        let is_json_like = matches!(self.byte(), Some(b'"' | b'\'' | b'[' | b'{'));
        if !(has_properties && is_empty) {
            match self.byte() {
                Some(b'|' | b'>') => self.plain(parent, false),
                _ => self.simple_node(parent, NodePlace::Value, has_properties),
            }
        }
        if has_properties {
            let wrapper = self.open_before(mark, SyntaxKind::Properties);
            self.close(wrapper);
        }
        is_json_like
    }

    fn at_dedent(&mut self, parent: isize) -> bool {
        self.fresh && (self.at_marker() || !deeper(self.column, parent))
    }

    fn at_flow_end(&self) -> bool {
        matches!(self.byte(), Some(b',' | b']' | b'}'))
    }

    pub(super) fn at_flow_indicator(&self) -> bool {
        self.byte().is_some_and(is_flow_indicator)
    }

    /// True on a colon before a value. Directly after a JSON-like key, nothing has to follow the colon.
    fn at_flow_colon(&self, is_adjacent: bool) -> bool {
        let next = self.position + 1;
        self.byte() == Some(b':')
            && (is_adjacent || self.is_blank_at(next) || self.byte_at(next).is_some_and(is_flow_indicator))
    }

    /// Makes the whole collection one error token.
    fn flow_too_deep(&mut self, parent: isize) {
        self.problem(ProblemKind::TooDeep, self.position, self.position + 1);
        let mut open_brackets = 0_usize;
        let mut end = self.position;
        while let Some(byte) = self.byte_at(end) {
            end += 1;
            match byte {
                b'[' | b'{' => open_brackets += 1,
                b']' | b'}' => open_brackets -= 1,
                b'\n' if !deeper(self.after_spaces(end) - end, parent) => {
                    end -= 1;
                    break;
                }
                _ => {}
            }
            if open_brackets == 0 {
                break;
            }
        }
        self.long_token(SyntaxKind::ErrorText, end);
    }
}

/// True when the text closes a bracket that it did not open.
fn closes_more(text: &[u8]) -> bool {
    let mut open = 0_usize;
    for byte in text {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' if open == 0 => return true,
            b']' | b'}' => open -= 1,
            _ => {}
        }
    }
    false
}
