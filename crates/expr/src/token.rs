//! The tokens of an expression, classified by their role.
//!
//! Input: a text; output: classified tokens. Invariant: the tokens are in reading order, do not overlap, are not
//! empty, and every byte that is not a space belongs to one.

use text_size::{TextRange, TextSize};

use crate::javascript::is_blank;
use crate::text::slice;

/// A token and its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub class: TokenClass,
    pub range: TextRange,
}

/// The role of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// An operator that is a word: `and`, `not in`, `if`.
    Keyword,
    /// An operator that is a sign: `==`, `&&`, `?`; a wildcard of a path.
    Operator,
    Number,
    /// A text with its quotes.
    Text,
    /// A text without its closing quote.
    OpenText,
    /// A regular expression.
    Pattern,
    /// `true`, `false`, `null`, `undefined`
    Constant,
    /// A word that stands for itself: `approve`, the error type in `$is_error(Timeout)`.
    Word,
    /// The first name of a path.
    Name,
    /// A further name of a path.
    Property,
    /// The name of a function.
    Function,
    /// `$now`, `$`, `@root`
    Builtin,
    /// Parentheses, brackets, dots, commas.
    Punctuation,
    /// Text that is not part of the language.
    Illegal,
}

/// The names of a path as tokens, with the dots between them.
pub(crate) fn of_names(names: impl Iterator<Item = TextRange>, first: TokenClass, tokens: &mut Vec<Token>) {
    let mut class = first;
    let mut end = None;
    for range in names {
        if let Some(end) = end.filter(|end| *end < range.start()) {
            tokens.push(Token { class: TokenClass::Punctuation, range: TextRange::new(end, range.start()) });
        }
        if !range.is_empty() {
            tokens.push(Token { class, range });
        }
        class = TokenClass::Property;
        end = Some(range.end());
    }
}

/// The tokens with one more for each run of what stands between them and is no blank.
pub(crate) fn without_gaps(text: &str, tokens: Vec<Token>, class: TokenClass) -> Vec<Token> {
    let mut all = Vec::with_capacity(tokens.len());
    let mut end = TextSize::new(0);
    let text_end = Token { class, range: TextRange::empty(TextSize::of(text)) };
    for token in tokens.into_iter().chain([text_end]) {
        if end < token.range.start() {
            let mut start = end;
            for run in slice(text, TextRange::new(end, token.range.start())).split_inclusive(is_blank) {
                let shown = run.trim_end_matches(is_blank);
                if !shown.is_empty() {
                    all.push(Token { class, range: TextRange::at(start, TextSize::of(shown)) });
                }
                start += TextSize::of(run);
            }
        }
        if token.range.start() >= end && !token.range.is_empty() {
            all.push(token);
        }
        end = end.max(token.range.end());
    }
    all
}
