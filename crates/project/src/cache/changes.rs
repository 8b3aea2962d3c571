//! What changed in a project since a check of which everything is known.
//!
//! Input: what the check knew, and the project now. Output: for each file whether it is the same, and its text if not. Invariant:
//! a file with other times is read, and is the same if its text is.

use std::sync::atomic::{AtomicUsize, Ordering};

use nodewise_platform::threads::prelude::*;
use rustc_hash::FxHashMap;

use super::kept_check::{KeptCheck, KeptFile};
use super::stamp::FileStamp;
use super::{ReadText, StampedProgram, read, unchanged_programs};
use crate::discovery::{FoundFile, Project};

/// If more than one file in `FEW` has changed, a check of all files is as fast.
const FEW: usize = 8;

#[derive(Debug)]
pub struct ProjectChanges {
    /// For each file of the project, whether it changed.
    pub files: Vec<FileNow>,
    /// The positions of the removed files in the list of the earlier check.
    pub removed: Vec<usize>,
    /// The Python files, if the check needed what they register. None of them has changed.
    pub programs: Option<Vec<StampedProgram>>,
    /// Whether many files had to be read although their text is the same, as after a checkout. If their new times are kept,
    /// the next check need not read them.
    pub has_new_times: bool,
}

/// A file of today, compared with what an earlier check knew of it.
#[derive(Debug)]
pub enum FileNow {
    /// Its text has not changed.
    Same {
        /// Its position in the list of the earlier check.
        known: usize,
        /// The stamp that it has now.
        stamp: FileStamp,
    },
    /// It is new, or its text has changed.
    Other(ReadText),
}

impl ProjectChanges {
    /// The stamps of the files whose text has not changed, by path.
    #[must_use]
    pub fn same<'p>(&self, project: &'p Project) -> FxHashMap<&'p str, FileStamp> {
        let same = project.files.iter().zip(&self.files).filter_map(|(file, now)| match now {
            FileNow::Same { stamp, .. } => Some((&*file.relative, *stamp)),
            FileNow::Other(_) => None,
        });
        same.collect()
    }
}

impl KeptCheck {
    /// What changed since this check. `None` if so much changed that a check of all files is as fast, if a file cannot be
    /// read, or if a program that the check depends on has changed.
    #[must_use]
    pub fn changes(&self, project: &Project) -> Option<ProjectChanges> {
        let known: FxHashMap<&str, usize> =
            self.files.iter().enumerate().map(|(position, file)| (&*file.path, position)).collect();
        let few = AtomicUsize::new(self.files.len().min(project.files.len()) / FEW);
        let read_again = AtomicUsize::new(0);
        let now = |file: &FoundFile| {
            let known = known.get(&*file.relative).copied();
            let now = self.file_now(file, known, project.config.size_max, &read_again)?;
            let take_one = |left: usize| left.checked_sub(1);
            if matches!(now, FileNow::Other(_)) {
                few.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take_one).ok()?;
            }
            Some(now)
        };
        let files: Vec<FileNow> = project.files.par_iter().map(now).collect::<Option<_>>()?;
        let mut is_gone = vec![true; self.files.len()];
        for position in project.files.iter().filter_map(|file| known.get(&*file.relative)) {
            *is_gone.get_mut(*position)? = false;
        }
        let removed =
            is_gone.iter().enumerate().filter_map(|(position, is_gone)| is_gone.then_some(position));
        let removed: Vec<usize> = removed.collect();
        (removed.len() <= few.into_inner()).then_some(())?;
        let programs = match &self.programs {
            Some(known) => Some(unchanged_programs(known, self.began, &project.root)?),
            None => None,
        };
        let has_new_times = read_again.into_inner() > self.files.len() / FEW;
        Some(ProjectChanges { files, removed, programs, has_new_times })
    }

    /// Compares a file with what is known of it. `None` if it cannot be read. `read_again` counts files that had to be read
    /// and have not changed.
    fn file_now(
        &self,
        file: &FoundFile,
        known: Option<usize>,
        size_max: u64,
        read_again: &AtomicUsize,
    ) -> Option<FileNow> {
        let before = known.and_then(|position| Some((position, self.files.get(position)?)));
        let before = before.filter(|(_, before)| before.is_named == file.is_named);
        let path = file.path();
        if let Some((known, KeptFile { stamp, .. })) = before
            && stamp.is_older_than(self.began)
            && stamp.is_of(&std::fs::metadata(&path).ok()?)
        {
            return Some(FileNow::Same { known, stamp: *stamp });
        }
        let text = read(&path, size_max).ok()?;
        let stamp = text.stamp?;
        if let Some((known, _)) = before.filter(|(_, before)| before.stamp.hash == stamp.hash) {
            read_again.fetch_add(1, Ordering::Relaxed);
            return Some(FileNow::Same { known, stamp });
        }
        Some(FileNow::Other(text))
    }
}
