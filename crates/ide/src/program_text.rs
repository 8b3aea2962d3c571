//! Names in the text of a program: what a literal or a property can hold as it is, whatever its quotes are.

/// Whether a text is the same without escapes in every kind of quotes.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_special = |letter: char| letter.is_control() || "'\"`\\\u{2028}\u{2029}".contains(letter);
    !text.contains(is_special) && !text.contains("${")
}

/// Whether a name can be a property without quotes.
pub(crate) fn is_property(name: &str) -> bool {
    let is_letter = |letter: char| letter == '_' || letter == '$' || letter.is_ascii_alphanumeric();
    name.chars().all(is_letter) && name.chars().next().is_some_and(|first| !first.is_ascii_digit())
}
