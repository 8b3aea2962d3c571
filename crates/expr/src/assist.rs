//! What an editor asks about an expression: its tokens, what may stand at the cursor, what a word means.
//!
//! Input: a [`Language`], the text of an expression and a byte offset in it; output: plain data with ranges in that
//! text. Invariant: every text and every offset has an answer, and each range lies on the bounds of characters.

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

/// How long a text may be, in bytes, whose constant value is looked for: joining texts takes more than linear time.
const LONGEST: usize = 4096;

/// What an expression always comes to; nothing for one that a run decides, that is broken, or that is too long.
#[must_use]
pub fn constant(language: Language, text: &str) -> Option<Constant> {
    (text.len() <= LONGEST).then(|| language.constant(text)).flatten()
}
