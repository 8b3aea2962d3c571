//! Rules that projects share: copies of files from a repository or another folder, in the folder of the project.
//!
//! Input: what a project configured, its folder, and files that the user asked to copy. Output: the files of the copies, and
//! what is wrong with those that are missing or changed. Invariants: to open a project, nothing outside of its folder is read;
//! a copy of which a file is not the one that was copied is not used.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use nodewise_dialect::tables::rule::RULE;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::config::ConfigProblem;
use crate::config::shared_rules::{RuleSource, SharedRules};

/// The folder in a project with the copies of shared rules. Git ignores it, and it can be made again.
const COPIES: &str = ".nodewise/rules";
/// The ignore file in the folder of nodewise, and its text.
const IGNORED: (&str, &str) = (".nodewise/.gitignore", "*\n");
/// The name of the file in a copy that records what was copied.
const RECORD: &str = "copied.lock";
/// A record has at most this size.
const RECORD_SIZE_MAX: u64 = crate::reading::MIB;
/// A file of rules has at most this size.
pub const FILE_SIZE_MAX: u64 = crate::reading::MIB;
/// The maximum number of files in a copy.
pub const FILES_MAX: usize = 1_000;

/// A file of rules: its path at its source, and its content.
pub type RuleFile = (String, Vec<u8>);

/// The content of a copy's record.
#[derive(Debug, Serialize, Deserialize)]
struct CopyRecord {
    source: RuleSource,
    /// The SHA-256 of each file, by path.
    files: BTreeMap<String, String>,
}

/// Whether a file of that name has rules.
#[must_use]
pub fn is_rule_file(path: &str) -> bool {
    RULE.file_names.iter().any(|name| path.ends_with(name.ending))
}

/// The files of all copies, each with its path in the project, and a problem for each copy that is missing or out of date.
pub(crate) fn files(root: &Path, shared: &[SharedRules]) -> (Vec<(String, PathBuf)>, Vec<ConfigProblem>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for rules in shared {
        match checked(root, rules) {
            Some(found) => files.extend(found),
            None => problems.push(ConfigProblem {
                at: rules.at,
                end: rules.end,
                reason: format!("the shared rules `{}` are not here as they are configured", rules.name),
                help: "copy them with `nodewise rules fetch`".to_owned(),
            }),
        }
    }
    (files, problems)
}

/// Whether a file of a project is in the folder of the copies.
#[must_use]
pub fn is_copy(relative: &str) -> bool {
    relative.strip_prefix(COPIES).is_some_and(|rest| rest.starts_with('/'))
}

/// The files of a copy. `None` unless they come from the configured source and have not changed since.
fn checked(root: &Path, rules: &SharedRules) -> Option<Vec<(String, PathBuf)>> {
    let folder = root.join(COPIES).join(&rules.name);
    if has_link(root, &folder) {
        return None;
    }
    let record = crate::reading::read(&folder.join(RECORD), RECORD_SIZE_MAX).ok()?;
    let record: CopyRecord = serde_json::from_str(&record).ok()?;
    if record.source != rules.source {
        return None;
    }
    let file = |(path, hash): (&String, &String)| {
        let is_inside = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        let file = Some(folder.join(path)).filter(|file| is_inside && !has_link(&folder, file))?;
        let text = crate::reading::read(&file, FILE_SIZE_MAX).ok()?;
        (hash_of(text.as_bytes()) == *hash).then(|| (format!("{COPIES}/{}/{path}", rules.name), file))
    };
    record.files.iter().map(file).collect()
}

/// Copies shared rules into a project, in the place of their former copy.
pub fn copy(root: &Path, rules: &SharedRules, files: &[RuleFile]) -> io::Result<()> {
    let copies = root.join(COPIES);
    if has_link(root, &copies) {
        return Err(io::Error::other("a folder of the copies is a link"));
    }
    std::fs::create_dir_all(&copies)?;
    let ignore = root.join(IGNORED.0);
    if !ignore.exists() {
        std::fs::write(ignore, IGNORED.1)?;
    }
    let (folder, new) = (copies.join(&rules.name), copies.join(format!(".{}.new", rules.name)));
    remove(&new)?;
    let hash = |(path, text): &RuleFile| (path.clone(), hash_of(text));
    let record = CopyRecord { source: rules.source.clone(), files: files.iter().map(hash).collect() };
    for (path, text) in files {
        write(&new.join(path), text)?;
    }
    write(&new.join(RECORD), serde_json::to_string_pretty(&record)?.as_bytes())?;
    remove(&folder)?;
    std::fs::rename(&new, &folder)
}

/// Whether a part of a path below a folder is a link, which could lead to any place.
fn has_link(folder: &Path, path: &Path) -> bool {
    let is_link = |part: &Path| std::fs::symlink_metadata(part).is_ok_and(|found| found.is_symlink());
    path.ancestors().take_while(|part| *part != folder).any(is_link)
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, text)
}

fn remove(folder: &PathBuf) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn hash_of(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
