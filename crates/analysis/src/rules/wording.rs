//! How the rules put names into messages: shortened, in backticks, joined as in a sentence.

use std::borrow::Cow;

/// Longer names are shortened, so that a message stays on one line.
const NAME_LENGTH_MAX: usize = 30;
/// The maximum length of a list of names, including backticks. The other names are only counted.
const LIST_LENGTH_MAX: usize = 44;

/// A name as shown in messages.
pub(in crate::rules) fn short(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_LENGTH_MAX) {
        Some((cut, _)) => Cow::Owned(format!("{}…", &name[..cut])),
        None => Cow::Borrowed(name),
    }
}

/// Lists names in backticks with commas and "and". Names that do not fit are counted.
pub(in crate::rules) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut shown: Vec<String> = Vec::new();
    let mut length = 0;
    let mut left_out = 0;
    for name in names {
        let quoted = format!("`{}`", short(name));
        length += quoted.chars().count();
        if shown.is_empty() || (left_out == 0 && length <= LIST_LENGTH_MAX) {
            shown.push(quoted);
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        shown.push(format!("{left_out} more"));
    }
    match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}

/// Names to choose from, for help: with "one of" if there is more than one.
pub(in crate::rules) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.as_slice() {
        [name] => format!("`{}`", short(name)),
        _ => format!("one of {}", listed(names)),
    }
}

/// The title of a fix that writes a text.
pub(in crate::rules) fn write_title(text: &str) -> String {
    match text {
        "" => "Remove it".to_owned(),
        _ if text.trim().is_empty() => "Write a space".to_owned(),
        _ => format!("Write `{}`", short(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::{listed, one_of, write_title};

    #[test]
    fn a_title_shows_no_blank() {
        assert_eq!(write_title("=="), "Write `==`");
        assert_eq!(write_title(" "), "Write a space");
        assert_eq!(write_title(""), "Remove it");
    }

    #[test]
    fn names_are_joined_and_cut() {
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(one_of(["a"]), "`a`");
        assert_eq!(one_of(["a", "b"]), "one of `a` and `b`");
        assert_eq!(listed(["a", "b"]), "`a` and `b`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
        let long = "x".repeat(20);
        let names = [long.as_str(), "b", &long, "c", "d"];
        assert_eq!(listed(names), format!("`{long}`, `b` and 3 more"));
        assert_eq!(listed(["ä".repeat(40).as_str()]), format!("`{}…`", "ä".repeat(30)));
    }
}
