//! The Python files beside the declarations, where declarations name functions.
//!
//! Input: a folder. Output: the paths of its `.py` files. Invariant: hidden and git-ignored files are left out, no
//! link is followed, and there is a limit to number and size.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

use crate::discovery::walk;
use crate::reading::MIB;

/// The maximum number of files that are listed.
const COUNT_MAX: usize = 20_000;
/// Larger files are left out. In bytes.
pub const SIZE_MAX: u64 = MIB;

/// The Python files below a folder, in path order.
#[must_use]
pub fn files(root: &Path) -> Vec<PathBuf> {
    let mut builder = WalkBuilder::new(root);
    builder.ignore(false).git_global(false).git_exclude(false).sort_by_file_name(OsStr::cmp);
    walk::confine(&mut builder, root);
    builder.filter_entry(|entry| entry.depth() == 0 || !walk::has_odd_ignore_file(entry.path()));
    let entries = builder.build().filter_map(Result::ok);
    entries.filter(is_python).take(COUNT_MAX).map(DirEntry::into_path).collect()
}

/// Whether a path names a Python file.
#[must_use]
pub fn is_python_name(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("py"))
}

fn is_python(entry: &DirEntry) -> bool {
    is_python_name(entry.path())
        && entry.file_type().is_some_and(|kind| kind.is_file())
        && entry.metadata().is_ok_and(|metadata| metadata.len() <= SIZE_MAX)
}
