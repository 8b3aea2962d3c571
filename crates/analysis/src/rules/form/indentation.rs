//! Lines with a wrong indentation: which lines to move, and to which column.
//!
//! Input: a text, its problems, and one problem of its indentation. Output: the move that fixes most. Invariant: after the move
//! the text has fewer problems, and none that it did not have before.

mod lines;

use std::cmp::Reverse;
use std::ops::Range;

use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{Problem, ProblemKind, TextRange, TextSize, parse};

use self::lines::Line;
pub(super) use self::lines::Lines;

/// Longer texts get no moves, because each attempt is another parse of the whole text.
const LONGEST: usize = 100_000;
/// Texts with more problems get no moves, because each attempt compares all of them.
const PROBLEMS_MAX: usize = 200;
/// The maximum number of columns that are tried for a line.
const COLUMNS_MAX: usize = 5;

/// Lines that belong to another column.
pub(super) struct Move {
    /// The text of the first of these lines.
    pub(super) at: TextRange,
    /// The column of the first line.
    pub(super) from: usize,
    /// The column where it belongs.
    pub(super) to: usize,
    /// The number of lines that are not blank.
    pub(super) count: usize,
    pub(super) edits: Vec<TextEdit>,
    /// Where the problems begin that are gone after the move.
    pub(super) fixed: Vec<TextSize>,
}

impl Lines<'_> {
    /// The move that fixes this problem, and the most others with it.
    pub(super) fn best_move(&self, problem: &Problem) -> Option<Move> {
        let is_short = self.text.len() <= LONGEST && self.problems.len() <= PROBLEMS_MAX;
        if problem.kind != ProblemKind::BadIndentation || !is_short {
            return None;
        }
        let number = self.number(problem.range.start());
        let line = self.lines.get(number)?;
        if line.start + line.indent != usize::from(problem.range.start()) {
            return None;
        }
        let mut moves = Vec::new();
        moves.extend(self.head_above(number).and_then(|(block, to)| self.moved(block, to, problem)));
        let mut blocks = vec![number..number + 1, self.block(number, false), self.block(number, true)];
        blocks.dedup();
        for to in self.columns_above(number) {
            moves.extend(blocks.iter().filter_map(|block| self.moved(block.clone(), to, problem)));
        }
        // Of two columns that are equally near, the outer one is right more often.
        let rank =
            |found: &Move| (Reverse(found.fixed.len()), found.from.abs_diff(found.to), found.to, found.count);
        moves.into_iter().min_by_key(rank)
    }

    /// The lines above that are indented further than a line, and the column where they belong then.
    fn head_above(&self, number: usize) -> Option<(Range<usize>, usize)> {
        let column = self.lines.get(number)?.indent;
        let above = self.lines.get(..number)?.iter().enumerate().rev();
        let deeper = above.take_while(|(_, line)| line.is_blank || line.content > column);
        let (first, head) = deeper.filter(|(_, line)| !line.is_blank).last()?;
        Some((first..number, head.indent.checked_sub(head.content - column)?))
    }

    /// The columns in which text begins above a line, the nearest line first.
    fn columns_above(&self, number: usize) -> Vec<usize> {
        let mut columns = Vec::new();
        let own = self.lines.get(number).map(|line| line.indent);
        for line in self.lines.iter().take(number).rev().filter(|line| !line.is_blank) {
            for column in [line.content, line.indent] {
                if Some(column) != own && !columns.contains(&column) {
                    columns.push(column);
                }
            }
            if line.content == 0 || columns.len() >= COLUMNS_MAX {
                break;
            }
        }
        columns
    }

    /// The move of lines so that the first of them begins in a column, if it fixes the problem.
    fn moved(&self, block: Range<usize>, to: usize, problem: &Problem) -> Option<Move> {
        let lines = self.lines.get(block)?;
        let first = lines.first()?;
        let mut edits = Vec::new();
        // What begins with `#` may be the text of a block, so it moves with the lines around it.
        let moves = |line: &&Line| !line.is_blank || line.is_comment && line.indent >= first.indent;
        for line in lines.iter().filter(moves) {
            let start = TextSize::try_from(line.start).ok()?;
            let (range, text) = match first.indent.checked_sub(to) {
                Some(less) if less <= line.indent => {
                    (TextRange::at(start, TextSize::try_from(less).ok()?), String::new())
                }
                Some(_) => return None,
                None => (TextRange::empty(start), " ".repeat(to - first.indent)),
            };
            edits.push(TextEdit { range, text });
        }
        let after = apply_edits(self.text, &mut edits.clone()).ok()?;
        let after = parse(after.as_str());
        let left = Lines::of(after.text(), after.problems());
        let is_left = |one: &Problem| {
            let line = self.number(one.range.start());
            left.problems
                .iter()
                .any(|other| other.kind == one.kind && left.number(other.range.start()) == line)
        };
        let is_old = |one: &Problem| {
            let line = left.number(one.range.start());
            self.problems
                .iter()
                .any(|other| other.kind == one.kind && self.number(other.range.start()) == line)
        };
        if is_left(problem) || !left.problems.iter().all(is_old) {
            return None;
        }
        let fixed = self.problems.iter().filter(|one| !is_left(one)).map(|one| one.range.start());
        let begin = first.start + first.indent;
        let length = self.text.get(begin..)?.lines().next()?.trim_end().len();
        Some(Move {
            at: TextRange::at(TextSize::try_from(begin).ok()?, TextSize::try_from(length).ok()?),
            from: first.indent,
            to,
            count: lines.iter().filter(|line| !line.is_blank).count(),
            edits,
            fixed: fixed.collect(),
        })
    }
}

impl Move {
    pub(super) fn message(&self) -> &'static str {
        match (self.count, self.from > self.to) {
            (1, true) => "this line is indented too far",
            (1, false) => "this line is not indented far enough",
            (_, true) => "these lines are indented too far",
            (_, false) => "these lines are not indented far enough",
        }
    }

    /// What to write.
    pub(super) fn help(&self) -> String {
        let lines = match self.count {
            1 => "it".to_owned(),
            count => format!("these {count} lines"),
        };
        match self.from.abs_diff(self.to) {
            _ if self.to == 0 => format!("remove the spaces before {lines}"),
            spaces if self.from > self.to => format!("indent {lines} by {} less", counted(spaces)),
            spaces => format!("indent {lines} by {} more", counted(spaces)),
        }
    }
}

fn counted(spaces: usize) -> String {
    if spaces == 1 { "one space".to_owned() } else { format!("{spaces} spaces") }
}
