//! What an editor asks about an expression: its tokens, what can be written at the cursor, what a word means.
//!
//! Input: a [`Language`], the text of an expression and a byte offset in it; output: plain data with ranges in that
//! text. Invariant: every text and every offset has an answer, and no range cuts a character.

mod atoms;
mod call;
mod context;
mod evaluate;
mod expected;
mod hover;
mod rename;
mod types;

pub use atoms::Atoms;
pub use call::{CallAtCursor, call_at};
pub use evaluate::{Evaluation, Subexpression, evaluate};
pub use expected::{Expected, Wanted, expected, fitting};
pub use hover::{ExpressionHover, HoverKind, hover_at};
pub use rename::rename_segment;
pub use types::{type_at, type_of};

use crate::constant::Constant;
use crate::language::Language;

/// Longer texts, in bytes, are not evaluated: joining texts takes more than linear time.
const LONGEST: usize = 4096;

/// The constant result of an expression; `None` if it depends on a run, is broken, or is too long.
#[must_use]
pub fn constant(language: Language, text: &str) -> Option<Constant> {
    (text.len() <= LONGEST).then(|| language.constant(text)).flatten()
}
