//! The stream level: byte order mark, directives, document markers, and what is left behind a root node.
//!
//! Invariant: every round of the loop consumes at least one byte.

use super::Parser;
use super::block::NodeContext;
use crate::event::SyntaxKind;
use crate::problem::ProblemKind;

const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Parser<'_> {
    pub(super) fn stream(&mut self) {
        self.read_trivia();
        while !self.at_end() {
            self.byte_order_mark();
            if self.at_document_end() {
                self.marker(SyntaxKind::DocumentEnd);
            } else if !self.at_end() {
                self.document();
            }
        }
    }

    fn document(&mut self) {
        let document = self.open(SyntaxKind::Document);
        self.handles.clear();
        let has_directives = self.directives();
        if self.at_marker() && self.byte() == Some(b'-') {
            self.marker(SyntaxKind::DocumentStart);
            self.block_node(-1, NodeContext::ExplicitDocument);
        } else {
            if has_directives {
                self.problem(ProblemKind::DirectiveWithoutDocument, self.line_start, self.position);
            }
            if !self.at_document_end() && !self.at_end() {
                self.block_node(-1, NodeContext::Document);
            }
        }
        while !self.at_end() && !self.at_marker() {
            self.leftover();
        }
        if self.at_document_end() {
            self.marker(SyntaxKind::DocumentEnd);
        }
        self.close(document);
    }

    /// Content after a complete root node. It is kept as an error, with its structure.
    fn leftover(&mut self) {
        let before = self.position;
        if !self.fresh {
            self.junk_line();
            return;
        }
        self.problem(ProblemKind::BadIndentation, self.position, self.line_end(self.position));
        let error = self.open(SyntaxKind::Error);
        self.block_node(-1, NodeContext::Document);
        self.close(error);
        if self.position == before {
            self.error_line();
        }
    }

    fn byte_order_mark(&mut self) {
        let is_line_start = self.position == self.line_start;
        if is_line_start
            && self.text.get(self.position..).is_some_and(|rest| rest.starts_with(BYTE_ORDER_MARK))
        {
            self.mark();
            let end = self.position + BYTE_ORDER_MARK.len();
            self.events.push(super::cursor::event(SyntaxKind::ByteOrderMark, self.position, end));
            self.position = end;
            self.line_start = end;
            self.fresh = true;
            self.read_trivia();
        }
    }

    fn at_document_end(&self) -> bool {
        self.at_marker() && self.byte() == Some(b'.')
    }

    fn marker(&mut self, kind: SyntaxKind) {
        self.token(kind, self.position + 3);
        if kind == SyntaxKind::DocumentEnd && !self.fresh && !self.at_end() {
            self.junk_line();
        }
    }

    fn directives(&mut self) -> bool {
        let mut seen_version = false;
        let mut found = false;
        while self.byte() == Some(b'%') && self.position == self.line_start {
            found = true;
            let line_end = self.line_end(self.position);
            let end = self.directive_end(line_end);
            let line = self.text.get(self.position..end).unwrap_or_default();
            let words: Vec<_> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
            match words.as_slice() {
                ["%YAML", version] if is_version(version) => {
                    if seen_version {
                        self.problem_named_as(ProblemKind::SecondDirective, "%YAML", end);
                    }
                    seen_version = true;
                }
                ["%TAG", handle, prefix] if is_handle(handle) && is_prefix(prefix) => {
                    if !self.handles.insert(handle) {
                        self.problem_named_as(ProblemKind::SecondDirective, handle, end);
                    }
                }
                [name, ..] if *name != "%YAML" && *name != "%TAG" && *name != "%" => {}
                _ => self.named_problem(ProblemKind::BadDirective, self.position, end),
            }
            self.token(SyntaxKind::Directive, end);
        }
        found
    }

    /// The end of a directive. A comment after white space is not a part of it.
    fn directive_end(&self, line_end: usize) -> usize {
        let line = self.bytes.get(self.position..line_end).unwrap_or_default();
        let comment = line.windows(2).position(|pair| matches!(pair, [b' ' | b'\t', b'#']));
        self.trim_end(self.position, comment.map_or(line_end, |found| self.position + found))
    }

    fn problem_named_as(&mut self, kind: ProblemKind, name: &str, end: usize) {
        let range = super::cursor::range(self.position, end);
        self.problems.push(crate::problem::Problem::new(kind, range).named(name));
    }
}

fn is_version(word: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
}

fn is_handle(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('!') else { return false };
    let name = rest.strip_suffix('!').unwrap_or(rest);
    (rest.is_empty() || rest.ends_with('!'))
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_prefix(word: &str) -> bool {
    !word.starts_with([',', '[', ']', '{', '}']) && super::properties::is_uri(word)
}
