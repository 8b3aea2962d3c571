//! Texts that are stored compressed, because the program is smaller this way and few users read them.
//!
//! Input: the bytes that a build script wrote. Output: the text. Invariant: a text is decompressed once, and only if it is read.

use std::sync::OnceLock;

use miniz_oxide::inflate::decompress_to_vec;

/// A compressed text that is part of the program.
#[derive(Debug)]
pub struct PackedText {
    packed: &'static [u8],
    text: OnceLock<String>,
}

impl PackedText {
    /// Wraps compressed bytes: UTF-8 in raw deflate format.
    #[must_use]
    pub const fn new(packed: &'static [u8]) -> PackedText {
        PackedText { packed, text: OnceLock::new() }
    }

    /// The uncompressed text. Empty if the bytes are not valid.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let bytes = decompress_to_vec(self.packed).unwrap_or_default();
            String::from_utf8(bytes).unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::compress_to_vec;

    use super::PackedText;
    use crate::tables::DIALECTS;

    #[test]
    fn a_text_is_the_one_that_was_compressed() {
        let packed = compress_to_vec("ä page\n".repeat(100).as_bytes(), 10).leak();
        assert_eq!(PackedText::new(packed).text(), "ä page\n".repeat(100));
        assert_eq!(PackedText::new(&packed[..9]).text(), "");
    }

    #[test]
    fn a_specification_is_a_whole_page() {
        let mut specified = 0;
        for dialect in DIALECTS.iter() {
            let Some(specification) = dialect.specification else { continue };
            let text = specification.text();
            assert!(text.starts_with(&format!("# {}: ", dialect.title)), "{}", dialect.title);
            assert!(text.len() > 10_000 && text.ends_with('\n'), "{} bytes", text.len());
            specified += 1;
        }
        assert!(specified > 2, "{specified} systems have a specification");
    }
}
