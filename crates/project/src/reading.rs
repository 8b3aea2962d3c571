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
    /// The fact.
    pub reason: String,
    /// What to do.
    pub help: String,
}

/// Reads a file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Arc<str>, Unreadable> {
    read_with_metadata(path, limit).map(|(text, _)| text)
}

/// Reads a file of at most `limit` bytes, with its metadata from before that.
pub(crate) fn read_with_metadata(path: &Path, limit: u64) -> Result<(Arc<str>, Metadata), Unreadable> {
    let _entered = trace_span!("read", file = %path.display()).entered();
    let text = read_quietly(path, limit);
    if let Err(unreadable) = &text {
        debug!(file = %path.display(), reason = unreadable.reason, "a file is not read");
    }
    text
}

fn read_quietly(path: &Path, limit: u64) -> Result<(Arc<str>, Metadata), Unreadable> {
    let mut file = File::open(path).map_err(|error| cannot_open(&error))?;
    let metadata = file.metadata().map_err(|error| cannot_open(&error))?;
    if metadata.is_dir() {
        let help = "rename the folder; only files may end in `.yaml`, `.yml` or `.json`";
        return Err(Unreadable { reason: "a folder, not a file".to_owned(), help: help.to_owned() });
    }
    if metadata.len() > limit {
        return Err(too_large(limit));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default() + 1);
    let length =
        file.by_ref().take(limit + 1).read_to_end(&mut bytes).map_err(|error| cannot_open(&error))?;
    if length as u64 > limit {
        return Err(too_large(limit));
    }
    text(&bytes).map(|text| (text, metadata))
}

/// A text that is already known, as if it were read.
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

/// The text of bytes.
pub fn text(bytes: &[u8]) -> Result<Arc<str>, Unreadable> {
    match decode(bytes) {
        Ok(text) if text.contains('\0') => Err(binary()),
        Ok(text) => Ok(Arc::from(text)),
        Err(_) if bytes.contains(&0) => Err(binary()),
        Err(error) => {
            Err(Unreadable { reason: error.to_string(), help: "save the file as UTF-8".to_owned() })
        }
    }
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
