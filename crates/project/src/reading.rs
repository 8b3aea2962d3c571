//! A file's bytes, and its text or the reason why it has none.
//!
//! Input: a path. Output: text, or a reason with what to do. Invariant: no file makes a run fail; never more
//! than the limit is read.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

use nodewise_syntax::decode;
use tracing::{debug, trace_span};

/// Bytes in a mebibyte.
pub const MIB: u64 = 1024 * 1024;

/// Why a file has no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The reason in words.
    pub reason: String,
    pub help: String,
}

/// Reads a file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Arc<str>, Unreadable> {
    read_opened(path, || File::open(path), limit).map(|(text, _)| text)
}

/// Reads a file of at most `limit` bytes, and returns its metadata from before the text was read.
pub(crate) fn read_with_metadata(path: &Path, limit: u64) -> Result<(Arc<str>, Metadata), Unreadable> {
    read_opened(path, || File::open(path), limit)
}

/// Reads a file that is opened in another way. The log calls it `path`.
pub(crate) fn read_opened(
    path: &Path,
    open: impl FnOnce() -> std::io::Result<File>,
    limit: u64,
) -> Result<(Arc<str>, Metadata), Unreadable> {
    let _entered = trace_span!("read", file = %path.display()).entered();
    let text = read_quietly(open, limit);
    if let Err(unreadable) = &text {
        debug!(file = %path.display(), reason = unreadable.reason, "a file is not read");
    }
    text
}

fn read_quietly(
    open: impl FnOnce() -> std::io::Result<File>,
    limit: u64,
) -> Result<(Arc<str>, Metadata), Unreadable> {
    let mut file = open().map_err(|error| cannot_open(&error))?;
    let metadata = file.metadata().map_err(|error| cannot_open(&error))?;
    if metadata.is_dir() {
        let help = "rename the folder; only files may end in `.yaml`, `.yml` or `.json`";
        return Err(Unreadable { reason: "a folder, not a file".to_owned(), help: help.to_owned() });
    }
    if metadata.len() > limit {
        return Err(too_large(limit));
    }
    let bytes = bytes(&mut file, &metadata, limit).map_err(|error| cannot_open(&error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    text(&bytes).map(|text| (text, metadata))
}

/// The bytes of a file, at most one more than `limit`.
fn bytes(file: &mut File, metadata: &Metadata, limit: u64) -> std::io::Result<Vec<u8>> {
    let expected = if metadata.is_file() { metadata.len() } else { 0 };
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default() + 1);
    file.take(expected).read_to_end(&mut bytes)?;
    // A file with as many bytes as its metadata says needs no second read to find its end. Pipes and the files of virtual
    // file systems have no length in advance.
    if expected == 0 || (bytes.len() as u64) < expected {
        file.take(limit + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Checks a known text like one that is read: it has at most `limit` bytes.
pub fn limited(text: &Arc<str>, limit: u64) -> Result<Arc<str>, Unreadable> {
    match text.len() as u64 > limit {
        true => Err(too_large(limit)),
        false if text.contains('\0') => Err(binary()),
        false => Ok(Arc::clone(text)),
    }
}

/// Why a file that does not exist has no text.
pub fn missing() -> Unreadable {
    cannot_open(&ErrorKind::NotFound.into())
}

pub fn text(bytes: &[u8]) -> Result<Arc<str>, Unreadable> {
    match decode(bytes) {
        Ok(text) if holds_zero(text.as_bytes()) => Err(binary()),
        Ok(text) => Ok(Arc::from(text)),
        Err(_) if bytes.contains(&0) => Err(binary()),
        Err(error) => {
            Err(Unreadable { reason: error.to_string(), help: "save the file as UTF-8".to_owned() })
        }
    }
}

/// Whether one of the bytes is zero. Every text is checked, so many bytes are compared at once.
fn holds_zero(bytes: &[u8]) -> bool {
    bytes.iter().fold(u8::MAX, |least, byte| least.min(*byte)) == 0
}

fn too_large(limit: u64) -> Unreadable {
    Unreadable {
        reason: format!("larger than {} MiB; not read", limit / MIB),
        help: "exclude it, or raise `max_size_mib` under `[files]` in nodewise.toml".to_owned(),
    }
}

fn binary() -> Unreadable {
    Unreadable {
        reason: "a binary file, not text".to_owned(),
        help: "exclude it under `[files]` in nodewise.toml, or rename it".to_owned(),
    }
}

fn cannot_open(error: &std::io::Error) -> Unreadable {
    let (reason, help) = match error.kind() {
        ErrorKind::NotFound => ("no such file", "check the path, or remove the broken link"),
        ErrorKind::PermissionDenied => ("no permission to read it", "change its permissions, or exclude it"),
        _ => {
            return Unreadable {
                reason: error.to_string(),
                help: "make it readable, or exclude it".to_owned(),
            };
        }
    };
    Unreadable { reason: reason.to_owned(), help: help.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::read;

    /// What is read of a file with these bytes, where at most three are.
    #[track_caller]
    fn check_read(bytes: &[u8], expected: Result<&str, &str>) {
        let line = std::panic::Location::caller().line();
        let path = std::env::temp_dir().join(format!("nodewise-reading-{}-{line}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let read = read(&path, 3).map_err(|unreadable| unreadable.reason);
        assert_eq!(read.as_deref().map_err(String::as_str), expected);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn files_up_to_the_limit_are_read_as_text() {
        check_read(b"", Ok(""));
        check_read(b"a: ", Ok("a: "));
        check_read(b"a: b", Err("larger than 0 MiB; not read"));
        check_read(b"a\0b", Err("a binary file, not text"));
        check_read(b"\xff\0", Err("a binary file, not text"));
        check_read(b"ab\xff", Err("not valid UTF-8 at byte 2"));
        check_read("\u{feff}".as_bytes(), Ok("\u{feff}"));
    }

    /// The size of such a file is 0 until it is read.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_is_longer_than_it_says_is_read_to_its_end() {
        let path = std::path::Path::new("/proc/self/status");
        assert_eq!(path.metadata().unwrap().len(), 0);
        assert!(read(path, super::MIB).unwrap().contains("\nPid:"));
        assert_eq!(read(path, 8).unwrap_err().reason, "larger than 0 MiB; not read");
    }
}
