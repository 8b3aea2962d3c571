//! Every Rust file is part of a crate: its parent file declares it.
//!
//! Input is the paths and texts of the Rust files, and the members of the workspace. Output is files without a `mod`
//! line, and crates outside of the workspace. Invariant: all code in the repository is compiled, because otherwise no
//! compiler would find its errors.

use super::Report;
use crate::repository::Repository;
use crate::rust_source::find_words;

const ROOT_MANIFEST: &str = "Cargo.toml";

/// Files that cargo finds by their name.
const CRATE_ROOTS: &[&str] = &["lib.rs", "main.rs", "build.rs"];
/// Folders in which each file is a separate crate.
const TARGET_FOLDERS: &[&str] = &["tests", "benches", "examples", "bin", "fuzz_targets"];

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let mut reports = members_left_out(repository);
    let undeclared = repository.rust_files.iter().filter(|file| !is_declared(repository, &file.path));
    reports.extend(
        undeclared
            .map(|file| Report::new(&file.path, 0, "no file declares this module: it is never compiled")),
    );
    reports
}

fn is_declared(repository: &Repository, path: &str) -> bool {
    let Some((folder, file_name)) = path.rsplit_once('/') else { return true };
    let folder_name = folder.rsplit('/').next().unwrap_or(folder);
    if CRATE_ROOTS.contains(&file_name) || TARGET_FOLDERS.contains(&folder_name) {
        return true;
    }
    let declaration = format!("mod {}", file_name.trim_end_matches(".rs"));
    let parents = [format!("{folder}.rs"), format!("{folder}/lib.rs"), format!("{folder}/main.rs")];
    let mut parent_files = repository.rust_files.iter().filter(|file| parents.contains(&file.path));
    parent_files.any(|parent| find_words(&parent.source.code, &declaration).next().is_some())
}

fn members_left_out(repository: &Repository) -> Vec<Report> {
    let root =
        repository.text(ROOT_MANIFEST).and_then(|text| text.parse::<toml::Table>().ok()).unwrap_or_default();
    let members = root.get("workspace").and_then(|workspace| workspace.get("members")?.as_array());
    let Some(members) = members else { return Vec::new() };
    let is_member = |folder: &str| members.iter().any(|member| member.as_str() == Some(folder));
    repository
        .files
        .iter()
        .filter(|file| file.path.split('/').count() == 3 && file.path.starts_with("crates/"))
        .filter_map(|file| Some((file, file.path.strip_suffix("/Cargo.toml")?)))
        .filter(|(_, folder)| !is_member(folder))
        .map(|(file, folder)| {
            Report::new(&file.path, 0, format!("`{folder}` is not a member of the workspace"))
        })
        .collect()
}
