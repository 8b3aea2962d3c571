//! How much was written to the database, noted in a file beside it.
//!
//! SQLite takes a log whose end is missing for a log that was never longer: what was written and lost looks like a crash. So
//! the revision that was written last is noted in another file, after it is on disk. Input: revisions; output: how many are
//! missing. Invariant: a note is never ahead of what was written, so that no sound store is called damaged. A note that cannot be
//! read, or that is about another store, says nothing.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::id::hash;

/// The last revision that was written of a run or of the whole store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WrittenRevision {
    /// The identity of the store.
    pub(super) store: i64,
    /// The revision: how often something was written.
    pub(super) number: i64,
}

/// The length of every note, in bytes.
const LENGTH: u64 = 16 + 1 + 20 + 1 + 16 + 1;

impl WrittenRevision {
    fn text(self) -> String {
        let said = format!("{:016x} {:020}", self.store, self.number);
        format!("{said} {:016x}\n", hash(&[said.as_bytes()]))
    }

    fn of(text: &str) -> Option<WrittenRevision> {
        let mut words = text.split_ascii_whitespace();
        let store = u64::from_str_radix(words.next()?, 16).ok()?.cast_signed();
        let written = WrittenRevision { store, number: words.next()?.parse().ok()? };
        (written.text() == text).then_some(written)
    }

    /// Writes the note into an open file. If that fails, the file is emptied: an empty note says nothing.
    pub(super) fn write_to(self, mut file: &File) {
        let written = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(self.text().as_bytes()));
        if written.is_err() {
            file.set_len(0).ok();
        }
    }

    /// Reads the note of a file; `None` if there is none that is valid.
    pub(super) fn read(path: &Path) -> Option<WrittenRevision> {
        let mut text = String::new();
        File::open(path).ok()?.take(LENGTH).read_to_string(&mut text).ok()?;
        WrittenRevision::of(&text)
    }

    /// Writes the note into a file of its own, unless the file has a later note of the same store.
    pub(super) fn raise(self, path: &Path) {
        let known = WrittenRevision::read(path);
        if known.is_some_and(|known| known.store == self.store && known.number >= self.number) {
            return;
        }
        if let Ok(file) = OpenOptions::new().create(true).truncate(false).write(true).open(path) {
            self.write_to(&file);
        }
    }

    /// How many revisions later this note is than the stored revision `number`. `None` if no revision is missing, or another
    /// store is noted.
    pub(super) fn missing(self, store: i64, number: i64) -> Option<i64> {
        (self.store == store && self.number > number).then(|| self.number - number)
    }
}

/// The file with the note about the whole store. It counts runs that began, ended and were deleted.
pub(super) fn path(database: &Path) -> PathBuf {
    database.with_file_name("runs.db-written")
}

#[cfg(test)]
mod tests {
    use super::WrittenRevision;

    #[test]
    fn a_note_is_read_as_it_was_written_or_not_at_all() {
        for (store, number) in [(-1, 0), (7, i64::MAX)] {
            let text = WrittenRevision { store, number }.text();
            assert_eq!(WrittenRevision::of(&text), Some(WrittenRevision { store, number }));
            for position in 0..text.len() {
                let mut bytes = text.clone().into_bytes();
                bytes[position] ^= 1;
                let changed = String::from_utf8(bytes).ok();
                assert_eq!(changed.and_then(|text| WrittenRevision::of(&text)), None, "{position}");
                assert_eq!(WrittenRevision::of(&text[..position]), None);
            }
        }
    }
}
