//! The lines of a text by their indentation.
//!
//! Input: a text and its problems. Output: lines, and the blocks that they begin. Invariant: a block is its first line and everything
//! that is indented further.

use std::ops::Range;

use nodewise_syntax::{Problem, ProblemKind, TextSize};

/// The lines of a text, and its problems by line.
pub(in crate::rules::form) struct Lines<'t> {
    pub(super) text: &'t str,
    pub(super) problems: &'t [Problem],
    pub(super) lines: Vec<Line>,
}

pub(super) struct Line {
    pub(super) start: usize,
    /// The number of spaces at its beginning.
    pub(super) indent: usize,
    /// The column of its text behind dashes.
    pub(super) content: usize,
    pub(super) is_comment: bool,
    /// Whether it is empty or a comment.
    pub(super) is_blank: bool,
}

impl<'t> Lines<'t> {
    pub(in crate::rules::form) fn of(text: &'t str, problems: &'t [Problem]) -> Lines<'t> {
        let mut start = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            let indent = line.len() - line.trim_start_matches(' ').len();
            let mut content = indent;
            while line.get(content..).is_some_and(|rest| rest.starts_with("- ")) {
                let rest = line.get(content + 1..).unwrap_or_default();
                content += 1 + rest.len() - rest.trim_start_matches(' ').len();
            }
            let text = line.trim();
            let is_comment = text.starts_with('#');
            let read = Line { start, indent, content, is_comment, is_blank: text.is_empty() || is_comment };
            start += line.len();
            read
        });
        Lines { text, problems, lines: lines.collect() }
    }

    pub(super) fn number(&self, at: TextSize) -> usize {
        self.lines.partition_point(|line| line.start <= usize::from(at)).saturating_sub(1)
    }

    /// The problems of indentation that follow from one: those of the lines behind it that are indented at least as far.
    pub(in crate::rules::form) fn chain(&self, problem: &Problem) -> Vec<TextSize> {
        let block = self.block(self.number(problem.range.start()), true);
        let first = self.problems.partition_point(|other| other.range.start() < problem.range.start());
        let behind = self.problems.get(first..).unwrap_or_default().iter();
        let inside = behind.take_while(|other| block.contains(&self.number(other.range.start())));
        let same = inside.filter(|other| other.kind == ProblemKind::BadIndentation);
        same.map(|other| other.range.start()).collect()
    }

    /// The line with everything below it. `with_siblings`: also the lines behind it in the same column.
    pub(super) fn block(&self, first: usize, with_siblings: bool) -> Range<usize> {
        let Some(head) = self.lines.get(first) else { return first..first };
        let is_key = head.content == head.indent;
        let belongs = |line: &Line| {
            let is_item = line.content > line.indent;
            line.is_blank
                || line.indent > head.indent
                || line.indent == head.indent && (with_siblings || is_key && is_item)
        };
        let behind = self.lines.get(first + 1..).unwrap_or_default();
        first..first + 1 + behind.iter().take_while(|line| belongs(line)).count()
    }
}
