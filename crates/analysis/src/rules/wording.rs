//! How the rules put names into messages: shortened, in backticks, joined as in a sentence.

use std::borrow::Cow;

/// Longer names are cut, so that a message stays on one line.
const NAME_LENGTH_MAX: usize = 30;
/// More names than this are counted instead of listed.
const NAMES_MAX: usize = 3;

/// A name as a message shows it.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_LENGTH_MAX) {
        Some((cut, _)) => Cow::Owned(format!("{}…", &name[..cut])),
        None => Cow::Borrowed(name),
    }
}

/// Names in backticks, joined by commas and "and"; many are cut short.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut shown: Vec<String> = names.into_iter().map(|name| format!("`{}`", short(name))).collect();
    if shown.len() > NAMES_MAX {
        let left_out = shown.len() - (NAMES_MAX - 1);
        shown.truncate(NAMES_MAX - 1);
        shown.push(format!("{left_out} more"));
    }
    match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn names_are_joined_and_cut() {
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(listed(["a", "b"]), "`a` and `b`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(listed(["a", "b", "c", "d", "e"]), "`a`, `b` and 3 more");
        assert_eq!(listed(["ä".repeat(40).as_str()]), format!("`{}…`", "ä".repeat(30)));
    }
}
