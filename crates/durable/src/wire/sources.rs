//! The files that a run begins with, compressed.
//!
//! Input: paths and texts; output: a text, and back. A worker has it in memory for each run that is under way, and the engine keeps it
//! as long as the run. Invariant: equal files give an equal text.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde_json::{Value as Json, json};

type Sources = Vec<(String, Arc<str>)>;

/// The level of compression, from 0 (none) to 10 (smallest).
const LEVEL: u8 = 6;
/// The largest size of a run's files after decompression, in bytes.
const LARGEST: usize = 256 * 1024 * 1024;

/// Writes files as compressed text.
pub(super) fn to_text(sources: &[(String, Arc<str>)]) -> String {
    let files: Vec<Json> = sources.iter().map(|(path, text)| json!([path, &**text])).collect();
    STANDARD.encode(compress_to_vec_zlib(Json::Array(files).to_string().as_bytes(), LEVEL))
}

/// Reads what [`to_text`] wrote; `None` if the text is damaged or too large.
pub(super) fn of_text(text: &str) -> Option<Sources> {
    let bytes = decompress_to_vec_zlib_with_limit(&STANDARD.decode(text).ok()?, LARGEST).ok()?;
    of_json(&serde_json::from_slice(&bytes).ok()?)
}

/// Reads files that are not compressed, as earlier versions wrote them.
pub(super) fn of_json(files: &Json) -> Option<Sources> {
    let file = |file: &Json| Some((file.get(0)?.as_str()?.to_owned(), Arc::from(file.get(1)?.as_str()?)));
    files.as_array()?.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(texts: &[&str]) -> Sources {
        let numbered = texts.iter().enumerate();
        numbered.map(|(number, text)| (format!("flows/{number}.yaml"), Arc::from(*text))).collect()
    }

    #[test]
    fn files_are_read_as_they_were() {
        let long = "- {id: n1, type: tool}\n".repeat(1000);
        for texts in [&[][..], &["", "id: \"é\"\n"], &[long.as_str(), "\u{0}"]] {
            assert_eq!(of_text(&to_text(&sources(texts))), Some(sources(texts)));
        }
        assert!(to_text(&sources(&[&long])).len() < long.len() / 20);
    }

    #[test]
    fn files_of_earlier_versions_are_read() {
        assert_eq!(of_json(&json!([["flows/0.yaml", "a"]])), Some(sources(&["a"])));
    }

    #[test]
    fn what_is_no_files_is_refused() {
        let json = STANDARD.encode(compress_to_vec_zlib(b"{}", LEVEL));
        for text in ["", "no base64", "AAAA", &json] {
            assert_eq!(of_text(text), None, "{text}");
        }
    }
}
