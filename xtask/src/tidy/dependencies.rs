//! Every external crate has a reason: a row in a table of ARCHITECTURE.md.
//!
//! Input is the manifests and ARCHITECTURE.md. Output is crates without a row, and dependencies whose version does not
//! come from the workspace. Invariant: the version of a crate is written once.

use super::Report;
use super::layers::{backticked, dependency_names, is_member_manifest, table_cells};
use crate::repository::Repository;

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const ROOT_MANIFEST: &str = "Cargo.toml";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let mut reports = Vec::new();
    let architecture = repository.text(ARCHITECTURE).unwrap_or_default();
    let has_reason = |name: &str| {
        architecture.lines().filter_map(table_cells).any(|cells| match cells.as_slice() {
            [names, reason, ..] => backticked(names).any(|named| named == name) && !reason.is_empty(),
            _ => false,
        })
    };
    let manifests = repository.files.iter().filter(|file| is_member_manifest(&file.path));
    for file in manifests {
        // The layer check reports a manifest that is not valid TOML.
        let Ok(manifest) = file.text.parse::<toml::Table>() else { continue };
        let workspace = manifest.get("workspace").and_then(toml::Value::as_table);
        let of_workspace = workspace.into_iter().flat_map(dependency_names);
        for name in of_workspace.filter(|name| !name.starts_with("nodewise-")) {
            if !has_reason(name) {
                let message = format!("`{name}` has no row with a reason in {ARCHITECTURE}");
                reports.push(Report::new(ROOT_MANIFEST, 0, message));
            }
        }
        reports.extend(own_versions(&file.path, &manifest));
    }
    reports
}

fn own_versions(path: &str, manifest: &toml::Table) -> Vec<Report> {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .into_iter()
        .filter_map(|section| manifest.get(section)?.as_table())
        .flatten()
        .filter(|(_, requirement)| requirement.get("workspace").and_then(toml::Value::as_bool) != Some(true))
        .map(|(name, _)| {
            Report::new(path, 0, format!("`{name}` has its own version: write `{name}.workspace = true`"))
        })
        .collect()
}
