//! Halves of characters in JSON: JavaScript writes half an emoji as `"\\ud83d"`, which no text in UTF-8 can hold.
//!
//! Input: a message; output: the same with U+FFFD for each half, which is as long in UTF-16, so that positions stay right.

/// The escape of the replacement character.
const REPLACEMENT: &[u8] = b"\\ufffd";
/// The length of an escape: `\u` and four digits.
const LENGTH: usize = 6;

/// The message without halves; nothing where it has none.
pub(super) fn replaced(message: &[u8]) -> Option<Vec<u8>> {
    let mut found: Option<Vec<u8>> = None;
    let mut at = 0;
    while at < message.len() {
        if message[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(message, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(message, at + LENGTH), Some(0xDC00..=0xDFFF)) => {
                at += 2 * LENGTH;
            }
            Some(0xD800..=0xDFFF) => {
                let message = found.get_or_insert_with(|| message.to_vec());
                message[at..at + LENGTH].copy_from_slice(REPLACEMENT);
                at += LENGTH;
            }
            Some(_) => at += LENGTH,
            // Another escape, of which the second character is no beginning of one.
            None => at += 2,
        }
    }
    found
}

/// The number that an escape stands for, if one begins there.
fn unit(message: &[u8], at: usize) -> Option<u16> {
    let digits = message.get(at..at + LENGTH)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::replaced;

    fn check_replaced(message: &str, expected: Option<&str>) {
        let found = replaced(message.as_bytes()).map(|found| String::from_utf8(found).unwrap());
        assert_eq!(found.as_deref(), expected, "{message}");
    }

    #[test]
    fn halves_alone() {
        check_replaced(r#""\ud83d\ude00 \\ud83d \u00e9""#, None);
        check_replaced(r#""\ud83dzz""#, Some(r#""\ufffdzz""#));
        check_replaced(r#""\ude00\ud83d""#, Some(r#""\ufffd\ufffd""#));
        check_replaced(r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#));
        check_replaced(r#""\ud8""#, None);
    }
}
