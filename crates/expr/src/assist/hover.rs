//! What is at a place of an expression.
//!
//! Input: a language, a text, an offset; output: the token there, and what it means. Invariant: a name of a path is
//! shown with the names that lead to it.

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::context::{BINARY, Source};
use super::types::type_at;
use crate::language::Language;
use crate::text::floor;
use crate::token::{Token, TokenClass};
use crate::types::ValueType;
use crate::vocabulary::{EntryKind, VocabularyEntry};

/// What is at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionHover {
    pub range: TextRange,
    pub what: HoverKind,
    /// The type of the smallest part of the expression around the place, if it is known.
    pub part_type: Option<ValueType>,
}

/// What a [`ExpressionHover`] is about.
#[derive(Debug, Clone, PartialEq)]
pub enum HoverKind {
    /// A word or sign of the language.
    Entry(&'static VocabularyEntry),
    /// A name of a path: all names up to it. If it is the root, also what the language says about it.
    Path {
        /// The names up to this one.
        segments: Vec<SmolStr>,
        /// The vocabulary entry of the root.
        entry: Option<&'static VocabularyEntry>,
    },
    /// A number, a text or a regular expression.
    Literal,
    /// A word that stands for itself.
    Word,
}

/// What is at an offset: the token that begins there or contains it, or else the one that ends there. Brackets and
/// dots have no answer.
pub fn hover_at(language: Language, text: &str, offset: TextSize) -> Option<ExpressionHover> {
    let offset = floor(text, offset);
    let source = Source { language, text, tokens: language.meant_tokens(text) };
    let behind = source.tokens.partition_point(|token| token.range.end() <= offset);
    let mut around = [Some(behind), behind.checked_sub(1)].into_iter().flatten();
    let (range, what) = around.find_map(|index| {
        let token = *source.tokens.get(index).filter(|token| token.range.contains_inclusive(offset))?;
        Some((token.range, what(&source, index, token)?))
    })?;
    let part_type = type_at(language, text, offset).map(|(_, known)| known);
    Some(ExpressionHover { range, what, part_type })
}

fn what(source: &Source<'_>, index: usize, token: Token) -> Option<HoverKind> {
    let language = source.language;
    let spelling = source.spelling(index);
    let named = |kinds: &[EntryKind]| language.entry(spelling, kinds).map(HoverKind::Entry);
    match token.class {
        TokenClass::Number | TokenClass::Text | TokenClass::OpenText | TokenClass::Pattern => {
            Some(HoverKind::Literal)
        }
        TokenClass::Word => Some(HoverKind::Word),
        TokenClass::Constant => named(&[EntryKind::Constant]),
        TokenClass::Builtin => named(&[EntryKind::Builtin]),
        TokenClass::Function => {
            named(&[EntryKind::Function, EntryKind::Method]).or_else(|| path(source, index, token.range))
        }
        TokenClass::Keyword | TokenClass::Operator => {
            if is_step(source, token) {
                return named(&[EntryKind::Selector]);
            }
            let prefix = named(&[EntryKind::Prefix]).filter(|_| source.context(index).needs_operand);
            let further = [EntryKind::Continuation, EntryKind::Prefix];
            prefix.or_else(|| named(&BINARY)).or_else(|| named(&further))
        }
        TokenClass::Name | TokenClass::Property => path(source, index, token.range),
        TokenClass::Punctuation | TokenClass::Illegal => None,
    }
}

/// Whether a sign is a step of a path, outside of scripts.
fn is_step(source: &Source<'_>, sign: Token) -> bool {
    let in_script = || {
        let scripts = source.language.scripts(source.text);
        scripts.iter().any(|script| script.contains_range(sign.range))
    };
    source.language.is_path() && !in_script()
}

/// The path up to a name: as the language reads it, or, in broken text, as the tokens suggest.
fn path(source: &Source<'_>, index: usize, range: TextRange) -> Option<HoverKind> {
    let read = source.language.paths(source.text).into_iter().find_map(|path| {
        let last = path.segments.iter().position(|segment| segment.range == range)?;
        Some(path.segments.into_iter().take(last + 1).map(|segment| segment.name).collect())
    });
    let segments: Vec<SmolStr> = read.or_else(|| source.path_through(index))?;
    let entry = match segments.as_slice() {
        [root] => source.language.entry(root, &[EntryKind::Root]),
        _ => None,
    };
    Some(HoverKind::Path { segments, entry })
}
