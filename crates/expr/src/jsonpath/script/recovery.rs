//! The names in a script that cannot be parsed.
//!
//! Input: the characters of a broken script; output: the dotted names that begin with `@`. Invariant: one pass.

use text_size::TextRange;

use super::grammar::{is_name_part, is_name_start, written_name};
use super::{NAMES, origin};
use crate::ast::{Expr, ExprKind, Path, Segment};
use crate::jsonpath::traced::{Character, text_of};

/// The names that could be read.
pub(super) fn names(characters: &[Character], whole: TextRange) -> Vec<Expr> {
    let name_end = |start: usize| {
        let length = characters.iter().skip(start).take_while(|found| is_name_part(found.value)).count();
        start + length
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(character) = characters.get(at) {
        if !is_name_start(character.value) {
            at += 1;
            continue;
        }
        let mut end = name_end(at);
        let segment = |from: usize, to: usize| {
            let name = text_of(characters.get(from..to).unwrap_or_default());
            Segment { name: written_name(&name), range: origin(characters, from, to, whole) }
        };
        let mut segments = vec![segment(at, end)];
        while characters.get(end).is_some_and(|dot| dot.value == '.')
            && characters.get(end + 1).is_some_and(|next| is_name_start(next.value))
        {
            let start = end + 1;
            end = name_end(start);
            segments.push(segment(start, end));
        }
        let is_known =
            segments.first().is_some_and(|first| NAMES.iter().any(|name| name.written == first.name));
        if is_known {
            let path = Path { segments };
            found.push(Expr { range: path.range(), kind: ExprKind::Variable(path) });
        }
        at = end;
    }
    found
}
