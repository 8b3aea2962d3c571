//! Bytes to text: UTF-8 as it is, UTF-16 by its byte order mark.
//!
//! Input: a file's bytes. Output: its text, or where it stops being text. Invariant: nothing is replaced or
//! dropped in silence; a UTF-8 byte order mark stays in the text.

use std::borrow::Cow;
use std::fmt;

/// The bytes are not a valid text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The byte offset of the first invalid byte.
    pub offset: usize,
    /// The encoding in which the bytes were read.
    pub encoding: &'static str,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "not valid {} at byte {}", self.encoding, self.offset)
    }
}

impl std::error::Error for DecodeError {}

/// Reads bytes as text. A byte order mark decides the encoding.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes, "UTF-16LE").map(Cow::Owned),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes, "UTF-16BE").map(Cow::Owned),
        _ => std::str::from_utf8(bytes)
            .map(Cow::Borrowed)
            .map_err(|error| DecodeError { offset: error.valid_up_to(), encoding: "UTF-8" }),
    }
}

fn decode_utf16(
    bytes: &[u8],
    read: fn([u8; 2]) -> u16,
    encoding: &'static str,
) -> Result<String, DecodeError> {
    const MARK_LENGTH: usize = 2;
    let (units, odd) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    let mut offset = MARK_LENGTH;
    for decoded in char::decode_utf16(units.iter().copied().map(read)) {
        let character = decoded.map_err(|_| DecodeError { offset, encoding })?;
        offset += character.len_utf16() * 2;
        text.push(character);
    }
    if odd.is_empty() { Ok(text) } else { Err(DecodeError { offset, encoding }) }
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn check_decoded(bytes: &[u8], expected: Result<&str, &str>) {
        let decoded = decode(bytes).map_err(|error| error.to_string());
        assert_eq!(decoded.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn encodings() {
        check_decoded("aé".as_bytes(), Ok("aé"));
        check_decoded("\u{feff}a".as_bytes(), Ok("\u{feff}a"));
        check_decoded(b"\xff\xfea\0\xe9\0", Ok("aé"));
        check_decoded(b"\xfe\xff\0a\xd8\x3d\xde\x00", Ok("a😀"));
        check_decoded(b"", Ok(""));
    }

    #[test]
    fn faults() {
        check_decoded(b"ab\xffc", Err("not valid UTF-8 at byte 2"));
        check_decoded(b"\xff\xfea\0\x00\xd8", Err("not valid UTF-16LE at byte 4"));
        check_decoded(b"\xfe\xff\0a\0", Err("not valid UTF-16BE at byte 4"));
    }
}
