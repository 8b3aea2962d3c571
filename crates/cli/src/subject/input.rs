//! The input of a run on the command line, with files in it.
//!
//! Input: the values of `--input`. Output: a value. Invariant: an image or a PDF file becomes a data URI, from which a live run makes a
//! part of a message.

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value};

/// The most bytes of a file in the input.
const LONGEST: u64 = 5 << 20;

/// Reads the input; `None` if there is none.
pub(super) fn read(written: &[String]) -> Result<Option<Value>> {
    let (files, rest): (Vec<_>, Vec<_>) =
        written.iter().map(|written| (named_file(written), written)).partition(|(named, _)| named.is_some());
    let mut rest = rest.into_iter().map(|(_, written)| written);
    let mut input = rest.next().map(|written| value_of(written)).transpose()?;
    if let Some(second) = rest.next() {
        bail!(
            "`--input {second}` is a second input\n  help: write one input; only `KEY=@FILE` can be repeated"
        );
    }
    for (key, path) in files.into_iter().filter_map(|(named, _)| named) {
        let file = file(path)?;
        input = Some(match (input, file) {
            (None, file) => Value::from(Map::from_iter([(key.into(), file)])),
            (Some(Value::Map(map)), file) => {
                let mut map = Map::clone(&map);
                map.insert(key, file);
                Value::from(map)
            }
            (Some(Value::Text(text)), Value::Text(file)) => Value::from(format!("{text}\n\n{file}").as_str()),
            _ => bail!(
                "`{key}=@{path}` does not fit the input\n  help: write the input as a JSON object, or as a text"
            ),
        });
    }
    Ok(input)
}

/// The key and the path of `KEY=@FILE`.
fn named_file(written: &str) -> Option<(&str, &str)> {
    let (key, path) = written.split_once("=@")?;
    let is_key =
        key.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'));
    (is_key && !key.is_empty()).then_some((key, path))
}

/// JSON, JSON from a file, or a text.
fn value_of(written: &str) -> Result<Value> {
    if let Some(path) = written.strip_prefix('@') {
        let text = std::fs::read_to_string(path).with_context(|| format!("`{path}` cannot be read"))?;
        let json = serde_json::from_str(&text).with_context(|| {
            format!("`{path}` is not JSON\n  help: write `KEY=@{path}` for a file of another kind")
        })?;
        return Ok(from_json(json));
    }
    let looks_like_json = written.trim_start().starts_with(['{', '[', '"']);
    match serde_json::from_str(written) {
        Ok(json) => Ok(from_json(json)),
        Err(error) if looks_like_json => Err(error).context("the input is not JSON"),
        Err(_) => Ok(Value::from(written)),
    }
}

/// The value of a file: a data URI, JSON, or a text.
fn file(path: &str) -> Result<Value> {
    let length = std::fs::metadata(path).with_context(|| format!("`{path}` cannot be read"))?.len();
    ensure!(
        length <= LONGEST,
        "`{path}` has {:.1} MB; a file in the input has at most {} MB\n  help: make it smaller",
        length as f64 / f64::from(1 << 20),
        LONGEST >> 20
    );
    let bytes = std::fs::read(path).with_context(|| format!("`{path}` cannot be read"))?;
    if let Some(media_type) = media_type(&bytes) {
        return Ok(Value::from(format!("data:{media_type};base64,{}", STANDARD.encode(&bytes)).as_str()));
    }
    let text = String::from_utf8(bytes).ok().with_context(|| {
        format!("`{path}` is no image (PNG, JPEG, GIF, WebP), PDF file, JSON or text\n  help: convert it to one of these")
    })?;
    let is_json = path.to_lowercase().ends_with(".json");
    match serde_json::from_str(&text) {
        Ok(json) if is_json => Ok(from_json(json)),
        Err(error) if is_json => Err(error).with_context(|| format!("`{path}` is not JSON")),
        _ => Ok(Value::from(text.as_str())),
    }
}

/// What an image or a PDF file is, by its first bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("application/pdf"),
        _ => is_webp.then_some("image/webp"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::sync::atomic::{AtomicUsize, Ordering};

    use nodewise_expr::json::to_json;

    use super::*;

    #[track_caller]
    fn check(written: &[&str], expected: &str) {
        // Tests run side by side.
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("nodewise-input-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("p.png"), b"\x89PNG\r\n").unwrap();
        std::fs::write(folder.join("d.pdf"), b"%PDF-1.7").unwrap();
        std::fs::write(folder.join("c.json"), b"{\"a\": 1}").unwrap();
        std::fs::write(folder.join("t.txt"), "Grüße").unwrap();
        std::fs::write(folder.join("b.bin"), [0xff, 0x00, 0xfe]).unwrap();
        std::fs::File::create(folder.join("large.png")).unwrap().set_len(LONGEST + 1).unwrap();
        let written: Vec<String> =
            written.iter().map(|written| written.replace('@', &format!("@{}/", folder.display()))).collect();
        let found = match read(&written) {
            Ok(input) => input.map_or_else(|| "none".to_owned(), |input| to_json(&input).to_string()),
            Err(error) => error.to_string().replace(&format!("{}/", folder.display()), ""),
        };
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, expected);
    }

    #[test]
    fn files_are_part_of_the_input() {
        check(&[], "none");
        check(&["Hello."], "\"Hello.\"");
        check(&["a=b"], "\"a=b\"");
        check(&["@c.json"], "{\"a\":1}");
        check(&["photo=@p.png"], "{\"photo\":\"data:image/png;base64,iVBORw0K\"}");
        check(
            &["claim=@c.json", "{\"b\": 2}", "note=@t.txt"],
            "{\"b\":2,\"claim\":{\"a\":1},\"note\":\"Grüße\"}",
        );
        check(&["What is it?", "it=@d.pdf"], "\"What is it?\\n\\ndata:application/pdf;base64,JVBERi0xLjc=\"");
    }

    #[test]
    fn what_does_not_fit_is_reported() {
        check(
            &["a", "b"],
            "`--input b` is a second input\n  help: write one input; only `KEY=@FILE` can be repeated",
        );
        check(
            &["[1]", "x=@c.json"],
            "`x=@c.json` does not fit the input\n  help: write the input as a JSON object, or as a text",
        );
        check(
            &["x=@b.bin"],
            "`b.bin` is no image (PNG, JPEG, GIF, WebP), PDF file, JSON or text\n  help: convert it to one of these",
        );
        check(
            &["x=@large.png"],
            "`large.png` has 5.0 MB; a file in the input has at most 5 MB\n  help: make it smaller",
        );
        check(&["x=@none.png"], "`none.png` cannot be read");
        check(&["@p.png"], "`p.png` cannot be read");
    }
}
