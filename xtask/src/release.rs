//! `cargo xtask version [X.Y.Z]`: writes the version of the release and the owner of the repository to every file that
//! contains them.
//!
//! Input is the checkout, and the new version if there is one. Output is the corrected files. Invariant: `Cargo.toml`
//! defines both, in `[workspace.package]`. All other places must be equal, and `tidy` reports those that are not.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::repository::{Repository, is_data};

pub(crate) const MANIFEST: &str = "Cargo.toml";
/// The placeholder while the repository has no owner.
pub(crate) const NOBODY: &str = "OWNER";
/// The last part of the repository's address.
const NAME: &str = "/nodewise";

/// The places of the version: the file, and the text before it.
const VERSIONS: &[(&str, &str)] = &[
    (MANIFEST, "\", version = \""),
    ("docs/ci.md", "rev: v"),
    ("docs/ci.md", "nodewise=="),
    ("docs/ci.md", "nodewise@"),
    ("docs/ci.md", "nodewise@v"),
    ("docs/how-to/gitlab.md", "nodewise=="),
    ("docs/tutorials/liman.md", "rev: v"),
    ("docs/tutorials/liman.md", "nodewise@v"),
    ("docs/tutorials/cycgraph.md", "rev: v"),
    ("docs/tutorials/cycgraph.md", "nodewise@v"),
    ("docs/tutorials/agentos.md", "rev: v"),
    ("docs/tutorials/agentos.md", "nodewise@v"),
    ("docs/editors.md", "target/vscode/nodewise-"),
    ("editors/vscode/package.json", "\n  \"version\": \""),
    ("editors/vscode/package-lock.json", "\"name\": \"nodewise\",\n  \"version\": \""),
    ("editors/vscode/package-lock.json", "\"name\": \"nodewise\",\n      \"version\": \""),
];
/// The text before the owner, in any file.
const OWNERS: &[&str] = &["github.com/", "uses: "];
/// Files with other addresses.
const FOREIGN: &[&str] = &[".rs", "Cargo.lock", "package-lock.json"];

/// The version and owner of a release.
pub(crate) struct Names {
    version: String,
    pub(crate) owner: String,
}

/// A name that differs from `Cargo.toml`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) range: Range<usize>,
    pub(crate) instead: String,
}

impl Names {
    /// Reads the manifest of the workspace.
    pub(crate) fn read(manifest: &str) -> Result<Names> {
        let manifest: toml::Table = manifest.parse()?;
        let package = manifest.get("workspace").and_then(|workspace| workspace.get("package"));
        let field = |name: &str| {
            let value = package.and_then(|package| package.get(name)).and_then(toml::Value::as_str);
            value.with_context(|| format!("{MANIFEST} names no `{name}` in `[workspace.package]`"))
        };
        let owner = field("repository")?.strip_suffix(NAME).and_then(|address| address.rsplit('/').next());
        let owner =
            owner.with_context(|| format!("the `repository` of {MANIFEST} does not end with {NAME}"))?;
        Ok(Names { version: field("version")?.to_owned(), owner: owner.to_owned() })
    }

    /// Every name in a file that differs, in the order of their places.
    pub(crate) fn mismatches(&self, path: &str, text: &str) -> Vec<Mismatch> {
        let versions = VERSIONS.iter().filter(|(file, _)| *file == path);
        let versions = versions.flat_map(|(_, before)| names_behind(text, before, is_of_version));
        let mut mismatches: Vec<Mismatch> = versions
            .filter(|range| {
                text.get(range.clone()).is_some_and(|name| is_version(name) && name != self.version)
            })
            .map(|range| Mismatch { range, instead: self.version.clone() })
            .collect();
        if !is_data(path) && !FOREIGN.iter().any(|ending| path.ends_with(ending)) {
            let owners = OWNERS.iter().flat_map(|before| names_behind(text, before, is_of_owner));
            let owners = owners.filter(|range| {
                let is_ours = text.get(range.end..).and_then(|rest| rest.strip_prefix(NAME));
                let is_whole = is_ours.is_some_and(|rest| !rest.starts_with(is_of_owner));
                is_whole && text.get(range.clone()) != Some(&self.owner)
            });
            mismatches.extend(owners.map(|range| Mismatch { range, instead: self.owner.clone() }));
        }
        mismatches.sort_by_key(|mismatch| mismatch.range.start);
        mismatches
    }

    fn corrected(&self, path: &str, text: &str) -> String {
        let mut corrected = text.to_owned();
        for mismatch in self.mismatches(path, text).into_iter().rev() {
            corrected.replace_range(mismatch.range, &mismatch.instead);
        }
        corrected
    }
}

/// Writes the version to `Cargo.toml` if there is a new one, and updates all other files.
pub(crate) fn run(root: &Path, version: Option<&str>) -> Result<()> {
    let mut manifest = std::fs::read_to_string(root.join(MANIFEST))?;
    if let Some(version) = version {
        ensure!(
            is_version(version),
            "`{version}` is not a version: write three numbers with dots between them"
        );
        manifest = with_version(&manifest, version)?;
        std::fs::write(root.join(MANIFEST), &manifest)?;
    }
    let names = Names::read(&manifest)?;
    for file in Repository::read(root)?.files {
        let corrected = names.corrected(&file.path, &file.text);
        if corrected != file.text {
            std::fs::write(root.join(&file.path), corrected)?;
            println!("wrote {}", file.path);
        }
    }
    println!("nodewise {} of {}", names.version, names.owner);
    Ok(())
}

/// The manifest with another version of the workspace.
fn with_version(manifest: &str, version: &str) -> Result<String> {
    let (before, rest) = manifest.split_once("\nversion = \"").context("Cargo.toml names no version")?;
    let (_, after) = rest.split_once('"').context("the version of Cargo.toml does not end")?;
    Ok(format!("{before}\nversion = \"{version}\"{after}"))
}

/// The places of names directly after some text.
fn names_behind(text: &str, before: &str, is_part: fn(char) -> bool) -> Vec<Range<usize>> {
    let starts = text.match_indices(before).map(|(offset, _)| offset + before.len());
    let names = starts.filter_map(|start| {
        let rest = text.get(start..)?;
        let length = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        (length > 0).then_some(start..start + length)
    });
    names.collect()
}

fn is_of_version(character: char) -> bool {
    character.is_ascii_digit() || character == '.'
}

fn is_of_owner(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}

/// Three numbers, which every registry accepts.
fn is_version(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    parts.len() == 3
        && parts.iter().all(|part| part.parse::<u32>().is_ok_and(|number| number.to_string() == *part))
}
