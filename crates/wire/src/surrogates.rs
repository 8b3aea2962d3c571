//! Unpaired surrogates in JSON strings.
//!
//! Input: the JSON of a message. Output: the same with U+FFFD in place of each escape of an unpaired surrogate.
//! Invariant: every text keeps its length in UTF-16, so positions stay correct. A message without unpaired surrogates
//! is not copied.

use std::borrow::Cow;

/// The length of `\uXXXX` in bytes.
const ESCAPE: usize = 6;

/// Replaces escapes of unpaired surrogates. JavaScript can split an emoji and send half of it, which a Rust string cannot
/// contain.
pub fn replaced(json: &[u8]) -> Cow<'_, [u8]> {
    let mut found = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(distance) = json.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == b'\\')) {
        at += distance;
        let Some(first) = unit(json, at) else {
            // Any other escape is two bytes, and the second one may be a backslash.
            at += 2;
            continue;
        };
        let is_high = (0xD800..0xDC00).contains(&first);
        if is_high && unit(json, at + ESCAPE).is_some_and(|next| (0xDC00..0xE000).contains(&next)) {
            at += 2 * ESCAPE;
            continue;
        }
        if (0xD800..0xE000).contains(&first)
            && let Some(escape) = found.to_mut().get_mut(at..at + ESCAPE)
        {
            escape.copy_from_slice(br"\ufffd");
        }
        at += ESCAPE;
    }
    found
}

/// The UTF-16 unit of the escape `\uXXXX` at an offset, if there is one.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(br"\u")?;
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::replaced;

    fn check_replaced(json: &str, expected: &str) {
        let found = replaced(json.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), expected);
        assert_eq!(matches!(found, Cow::Borrowed(_)), json == expected, "{json}");
        assert!(serde_json::from_slice::<String>(&found).is_ok(), "{json}");
    }

    #[test]
    fn halves_of_pairs_become_one_unit() {
        check_replaced(r#""\ud83dzz""#, r#""\ufffdzz""#);
        check_replaced(r#""a\uDE00""#, r#""a\ufffd""#);
        check_replaced(r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#);
        check_replaced(r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#);
        check_replaced(r#""\ud83d\n""#, r#""\ufffd\n""#);
    }

    #[test]
    fn everything_else_stays() {
        check_replaced(r#""\ud83d\ude00""#, r#""\ud83d\ude00""#);
        check_replaced(r#""\\ud83dzz""#, r#""\\ud83dzz""#);
        check_replaced(r#""\u00e4 \n é 😀""#, r#""\u00e4 \n é 😀""#);
    }
}
