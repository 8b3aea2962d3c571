//! The call that a place is in.
//!
//! Input: a language, a text, an offset; output: the function, and which of its parameters is being written.
//! Invariant: the ranges of the parameters are within the function's signature.

use text_size::{TextRange, TextSize};

use super::context::{FrameKind, Source};
use crate::language::Language;
use crate::text::floor;
use crate::vocabulary::{EntryKind, VocabularyEntry};

/// A call, finished or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallAtCursor {
    /// The function.
    pub entry: &'static VocabularyEntry,
    /// The position of the argument that the place is in, from 0.
    pub argument: usize,
    /// The ranges of the parameters in the entry's signature.
    pub parameters: Vec<TextRange>,
    /// The position of the parameter that the argument is for; `None` if there are more arguments than parameters.
    pub parameter: Option<usize>,
}

/// The innermost call around an offset whose function is known.
pub fn call_at(language: Language, text: &str, offset: TextSize) -> Option<CallAtCursor> {
    let offset = floor(text, offset);
    let source = Source { language, text, tokens: language.meant_tokens(text) };
    let before = source.tokens.partition_point(|token| token.range.end() <= offset);
    let context = source.context(before);
    let calls = context.frames.iter().rev().filter_map(|frame| match frame.kind {
        FrameKind::Call { name, argument } => Some((name, argument)),
        _ => None,
    });
    let kinds = [EntryKind::Function, EntryKind::Builtin, EntryKind::Method];
    let known = |(name, argument)| Some((language.entry(source.spelling(name), &kinds)?, argument));
    let (entry, argument) = { calls }.find_map(known)?;
    let parameters = parameters(entry.signature?);
    let repeats = entry.signature.is_some_and(|signature| signature.ends_with("...)"));
    let last = parameters.len().checked_sub(1);
    let parameter = last.and_then(|last| (repeats || argument <= last).then_some(argument.min(last)));
    Some(CallAtCursor { entry, argument, parameters, parameter })
}

/// The ranges of the parameters in a signature.
fn parameters(signature: &str) -> Vec<TextRange> {
    let Some((name, rest)) = signature.split_once('(') else { return Vec::new() };
    let inner = rest.strip_suffix(')').unwrap_or(rest);
    let mut start = TextSize::of(name) + TextSize::of('(');
    let mut ranges = Vec::new();
    for parameter in inner.split(", ").filter(|parameter| !parameter.is_empty()) {
        let range = TextRange::at(start, TextSize::of(parameter));
        start = range.end() + TextSize::of(", ");
        ranges.push(range);
    }
    ranges
}
