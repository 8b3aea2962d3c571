//! Tree and words side by side.
//!
//! Input: a text, its tree, its words; output: the leaves with their roles and words, and the marks at which the
//! text is cut. Invariant: leaves and marks stand in reading order, and a word belongs to one leaf at most.

use std::ops::Range;

use nodewise_platform::sorting::Sorting;
use text_size::TextRange;

use super::paths;
use crate::agentos::authored::{Word, WordKind};
use crate::agentos::{range, slice};
use crate::ast::{Compare, Expr, ExprKind};

/// The role of a leaf in the expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role<'e> {
    /// It is the whole expression.
    Whole,
    /// An arm of a choice.
    Arm,
    /// Only its truth matters: it is part of a run of `&&` or `||`, or the condition of a choice.
    Truth,
    /// A side of a comparison.
    Side(&'e Compare),
}

/// A leaf of the tree.
#[derive(Debug, Clone)]
pub(super) struct Leaf<'e> {
    pub(super) expr: &'e Expr,
    pub(super) role: Role<'e>,
    /// Its words, as positions in [`Layout::words`].
    pub(super) words: Range<usize>,
    /// Whether a finding already says what is wrong with it.
    pub(super) is_explained: bool,
}

/// An expression as the checks see it.
pub(super) struct Layout<'e> {
    pub(super) text: &'e str,
    pub(super) words: &'e [Word<'e>],
    pub(super) leaves: Vec<Leaf<'e>>,
    /// The operators at which the runtime cuts.
    pub(super) marks: Vec<TextRange>,
}

impl<'e> Layout<'e> {
    pub(super) fn new(text: &'e str, root: &'e Expr, words: &'e [Word<'e>]) -> Self {
        let mut layout = Layout { text, words, leaves: Vec::new(), marks: Vec::new() };
        layout.place(root, Role::Whole);
        layout.marks.arrange_by_key(|mark| mark.start());
        let mut next = 0;
        for leaf in &mut layout.leaves {
            let (start, end) = (usize::from(leaf.expr.range.start()), usize::from(leaf.expr.range.end()));
            let first = next + skip(words, next, |word| word.start < start);
            next = first + skip(words, first, |word| word.start < end);
            leaf.words = first..next;
        }
        layout
    }

    /// The words of a leaf.
    pub(super) fn words_of(&self, leaf: &Leaf<'_>) -> &'e [Word<'e>] {
        self.words.get(leaf.words.clone()).unwrap_or_default()
    }

    fn place(&mut self, expr: &'e Expr, role: Role<'e>) {
        let condition_role = if role == Role::Whole { Role::Truth } else { role };
        match &expr.kind {
            ExprKind::Conditional(conditional) => {
                let (one, other) = (&conditional.consequent, &conditional.alternative);
                self.place(&conditional.condition, condition_role);
                self.mark_between(&conditional.condition, one);
                self.place(one, Role::Arm);
                self.mark_between(one, other);
                self.place(other, Role::Arm);
            }
            ExprKind::Logic(logic) => {
                self.place(&logic.first, condition_role);
                for link in &logic.rest {
                    self.marks.push(link.operator_range);
                    self.place(&link.operand, condition_role);
                }
            }
            ExprKind::Compare(compare) => {
                self.place(&compare.left, Role::Side(compare));
                self.marks.push(compare.operator_range);
                self.place(&compare.right, Role::Side(compare));
            }
            _ => self.leaves.push(Leaf { expr, role, words: 0..0, is_explained: false }),
        }
    }

    /// Adds the `?` or `:` that is the only text between two parts of a choice.
    fn mark_between(&mut self, before: &Expr, after: &Expr) {
        let between = TextRange::new(before.range.end(), after.range.start().max(before.range.end()));
        if let Some(at) = slice(self.text, between).find(['?', ':']) {
            let start = usize::from(between.start()) + at;
            self.marks.push(range(start, start + 1));
        }
    }
}

impl Leaf<'_> {
    /// Whether the leaf is text in which the author may have meant more than a text.
    pub(super) fn is_suspect(&self) -> bool {
        match &self.expr.kind {
            ExprKind::Bare(_) => true,
            // A single quote character is both of its quotes.
            ExprKind::Text(text) => text.value.contains(text.quote) || self.expr.range.len() == 1.into(),
            _ => false,
        }
    }
}

/// Whether a word is a quoted text, or a reference with or without mistakes.
pub(super) fn is_value(word: &Word<'_>) -> bool {
    word.kind == WordKind::Quoted || is_reference(word)
}

/// Whether a word is meant as a reference.
pub(super) fn is_reference(word: &Word<'_>) -> bool {
    paths::meant(word).is_some()
}

fn skip(words: &[Word<'_>], from: usize, is_before: impl Fn(&Word<'_>) -> bool) -> usize {
    words.get(from..).unwrap_or_default().iter().take_while(|word| is_before(word)).count()
}
