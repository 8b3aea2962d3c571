//! Text that must not be in the repository: paths of a developer's machine, unfinished work, ignored tests.
//!
//! Input is every text file. Output is the lines with such text. Invariant: the texts of the repository are true on
//! every machine.

use super::Report;
use crate::repository::{Repository, TextFile, is_data};
use crate::rust_source::{find_words, is_word_character};

/// Folders of one machine. Each word is concatenated so that this file does not contain it.
const MACHINE_FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

/// Hosts of package registries. Only a lock file may name them.
const REGISTRY_HOSTS: &[&str] = &[
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("registry.", "npmjs.org"),
    concat!("files.", "pythonhosted.org"),
    concat!("proxy.", "golang.org"),
];
/// The hosts in lock files that were written without a mirror.
const PUBLIC_HOSTS: &[&str] =
    &["https://github.com/", concat!("https://registry.", "npmjs.org/"), "https://opencollective.com/"];
const LOCK_FILES: &[&str] = &["Cargo.lock", "package-lock.json"];

const UNFINISHED: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X"), concat!("TO", "DO")];

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let mut reports: Vec<Report> = repository.files.iter().flat_map(check_text).collect();
    for file in &repository.rust_files {
        let attribute = concat!("#[", "ignore");
        for (index, _) in file.source.code.lines().enumerate().filter(|(_, line)| line.contains(attribute)) {
            reports.push(Report::new(&file.path, index + 1, "an ignored test: fix it or delete it"));
        }
    }
    reports
}

fn check_text(file: &TextFile) -> Vec<Report> {
    let is_lock = LOCK_FILES.iter().any(|name| file.path.rsplit('/').next() == Some(name));
    let mut reports = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let mut report = |message: String| reports.push(Report::new(&file.path, index + 1, message));
        if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| names_folder(line, folder)) {
            report(format!("`{folder}` is a folder of one machine"));
        }
        if is_lock {
            if let Some(host) = foreign_host(line) {
                report(format!("`{host}` is not a public registry: write the lock file without a mirror"));
            }
            continue;
        }
        if let Some(host) = REGISTRY_HOSTS.iter().find(|host| line.contains(**host)) {
            report(format!("`{host}` is a registry's host: leave it to the package manager"));
        }
        if !is_data(&file.path)
            && let Some(word) = UNFINISHED.iter().find(|word| find_words(line, word).next().is_some())
        {
            report(format!("`{word}`: finish it, or write it down as an issue"));
        }
    }
    reports
}

/// Whether the line names the folder at the root of a file system, and not inside another path.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(offset, _)| {
        let before = line.get(..offset).unwrap_or_default();
        !before.ends_with(|character| {
            is_word_character(character) || matches!(character, '.' | '-' | '/' | '~' | '*' | '}')
        })
    })
}

fn foreign_host(line: &str) -> Option<&str> {
    let is_address_field =
        ["source =", "registry =", "\"resolved\":"].iter().any(|field| line.contains(field));
    let address_on = line.get(line.find("http").filter(|_| is_address_field)?..)?;
    let address = address_on.split(['"', '#']).next()?;
    (!PUBLIC_HOSTS.iter().any(|host| address.starts_with(host))).then_some(address)
}
