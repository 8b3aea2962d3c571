//! The value of a text literal.
//!
//! Input: a literal with its quotes; output: the value. Invariant: only the six escapes of liman:4.2 are decoded; any
//! other pair of a backslash and a character stays as written.

use smol_str::{SmolStr, SmolStrBuilder};

use crate::ast::Text;
use crate::text::encode;

/// The text between the quotes, as written.
pub(crate) fn between_quotes(literal: &str) -> &str {
    literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default()
}

/// The value of a literal.
pub(crate) fn decode(literal: &str) -> SmolStr {
    let inner = between_quotes(literal);
    if !inner.contains('\\') {
        return SmolStr::new(inner);
    }
    let mut value = SmolStrBuilder::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            value.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => value.push('\n'),
            Some('r') => value.push('\r'),
            Some('t') => value.push('\t'),
            Some(escaped @ ('\\' | '\'' | '"')) => value.push(escaped),
            Some(other) => {
                value.push('\\');
                value.push(other);
            }
            None => value.push('\\'),
        }
    }
    value.finish()
}

/// The literal in the other kind of quotes, if it then needs no escapes.
pub(crate) fn requoted(written: &str, text: &Text) -> Option<String> {
    let other = if text.quote == '"' { '\'' } else { '"' };
    let escapes_quote = text.value.contains(text.quote) && !text.value.contains(other);
    escapes_quote.then(|| encode(&text.value, other)).filter(|literal| literal != written)
}
