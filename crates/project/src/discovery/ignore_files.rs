//! What the `.gitignore` files of a walk leave out.
//!
//! Input: the folder that is walked, and those below it, from the top down. Output: whether a path is ignored. Invariant: the
//! nearest file that says anything about a path counts, and no pipe is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::Gitignore;

/// The name of these files.
pub(crate) const NAME: &str = ".gitignore";

/// The files around a folder that is walked, and whether those below it count.
#[derive(Debug)]
pub(super) struct IgnoreFiles {
    counts_below: bool,
    /// The folder that is walked, and where it really is, below the folders around it.
    folder: PathBuf,
    real: PathBuf,
    /// Those of the folders around, the nearest first.
    around: Vec<Gitignore>,
}

/// What a folder's file says, and what those of the folders around it say.
#[derive(Debug)]
pub(super) struct IgnoreRules {
    own: Gitignore,
    around: Option<Arc<IgnoreRules>>,
}

impl IgnoreFiles {
    /// The files that count for a folder, and what is wrong with those around it. A confined walk opens nothing around the folder.
    pub(super) fn new(folder: &Path, is_confined: bool) -> (IgnoreFiles, Option<ignore::Error>) {
        let is_odd = if is_confined {
            has_odd_ignore_file(folder)
        } else {
            folder.ancestors().any(has_odd_ignore_file)
        };
        let mut files = IgnoreFiles {
            counts_below: !is_odd,
            folder: folder.to_owned(),
            real: PathBuf::new(),
            around: Vec::new(),
        };
        let mut errors = Vec::new();
        if !is_odd
            && !is_confined
            && let Ok(real) = folder.canonicalize()
        {
            for around in real.ancestors().skip(1).filter(|around| !has_odd_ignore_file(around)) {
                let (rules, error) = Gitignore::new(around.join(NAME));
                errors.extend(error);
                if !rules.is_empty() {
                    files.around.push(rules);
                }
            }
            files.real = real;
        }
        errors.reverse();
        let error = if errors.len() < 2 { errors.pop() } else { Some(ignore::Error::Partial(errors)) };
        (files, error)
    }

    /// What counts below a folder that has such a file, where `around` counts for the folder itself.
    pub(super) fn below(&self, folder: &Path, around: Option<Arc<IgnoreRules>>) -> Option<Arc<IgnoreRules>> {
        if !self.counts_below {
            return around;
        }
        // A line that cannot be read says nothing.
        let (own, _) = Gitignore::new(folder.join(NAME));
        if own.is_empty() { around } else { Some(Arc::new(IgnoreRules { own, around })) }
    }

    /// Whether a path is ignored in a folder where `rules` count.
    pub(super) fn ignores(&self, rules: Option<&IgnoreRules>, path: &Path, is_folder: bool) -> bool {
        let mut nearest = rules;
        while let Some(rules) = nearest {
            match rules.own.matched(path, is_folder) {
                Match::None => nearest = rules.around.as_deref(),
                found => return found.is_ignore(),
            }
        }
        if self.around.is_empty() {
            return false;
        }
        let real = self.real.join(path.strip_prefix(&self.folder).unwrap_or(path));
        let found = self.around.iter().map(|rules| rules.matched(&real, is_folder));
        found.into_iter().find(|found| !found.is_none()).is_some_and(|found| found.is_ignore())
    }
}

/// Whether a folder's `.gitignore` is a pipe, a socket or a device: a walk that reads it may never end.
pub(crate) fn has_odd_ignore_file(folder: &Path) -> bool {
    folder.join(NAME).metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}
