//! The type of an expression, and of a part of it.
//!
//! Input: a language, a text; output: a type if it can be known without a run. Invariant: a part without a fault has
//! its type even if other parts are broken.

use text_size::{TextRange, TextSize};

use crate::ast::Expr;
use crate::language::Language;
use crate::text::floor;
use crate::types::ValueType;

/// The type of a whole expression; `None` for a path.
pub fn type_of(language: Language, text: &str) -> Option<ValueType> {
    let trees = language.trees(text);
    known(language, trees.first().filter(|_| !language.is_path())?)
}

/// The type of the smallest part of the expression around an offset, and the range of that part.
pub fn type_at(language: Language, text: &str, offset: TextSize) -> Option<(TextRange, ValueType)> {
    let offset = floor(text, offset);
    let trees = language.trees(text);
    let mut part = trees.iter().find(|tree| tree.range.contains_inclusive(offset))?;
    loop {
        let mut inner = None;
        part.each_child(&mut |child| {
            if child.range.contains_inclusive(offset) {
                inner.get_or_insert(child);
            }
        });
        match inner {
            Some(child) => part = child,
            None => return known(language, part).map(|known| (part.range, known)),
        }
    }
}

fn known(language: Language, expr: &Expr) -> Option<ValueType> {
    Some(language.type_of(expr)).filter(|found| *found != ValueType::Unknown)
}
