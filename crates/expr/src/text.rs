//! Texts, by offset and as literals.

use text_size::{TextRange, TextSize};

/// The last character boundary that is not after the offset.
pub(crate) fn floor(text: &str, offset: TextSize) -> TextSize {
    let mut at = usize::from(offset).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    TextSize::try_from(at).unwrap_or_default()
}

/// The text in a range.
pub(crate) fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}

/// A literal with this value and quote.
pub(crate) fn encode(value: &str, quote: char) -> String {
    let mut literal = String::with_capacity(value.len() + 2);
    literal.push(quote);
    for character in value.chars() {
        match character {
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\\' => literal.push_str("\\\\"),
            same if same == quote => {
                literal.push('\\');
                literal.push(same);
            }
            other => literal.push(other),
        }
    }
    literal.push(quote);
    literal
}
