//! Compares the crate table of ARCHITECTURE.md with the manifests: which crates may depend on which.
//!
//! Input is the table (`crate | purpose | may depend on | never`) and every member's Cargo.toml. Output is unknown
//! crates, and dependencies that the table does not allow. Invariant: only the table allows a dependency.
//! Dev-dependencies are exempt.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use crate::repository::Repository;

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const TABLE_HEADER: [&str; 4] = ["crate", "purpose", "may depend on", "never"];
const PLANNED: &str = "(planned)";
const FOR_DEVELOPERS: &str = "(dev)";

/// One row of the table.
struct Layer {
    line: usize,
    purpose: String,
    may_depend_on: BTreeSet<String>,
    and_below: bool,
    on_all: bool,
}

/// One member of the workspace.
struct Member {
    manifest_path: String,
    /// The name in the table.
    layer: String,
    depends_on: BTreeSet<String>,
}

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let Some(architecture) = repository.text(ARCHITECTURE) else {
        return vec![Report::new(ARCHITECTURE, 0, "missing: it contains the crate table")];
    };
    let layers = read_table(architecture);
    if layers.is_empty() {
        let expected = format!("no crate table: expected a row `| {} |`", TABLE_HEADER.join(" | "));
        return vec![Report::new(ARCHITECTURE, 0, expected)];
    }
    let (members, mut reports) = read_members(repository);
    reports.extend(check_table(&layers, &members));
    reports.extend(members.iter().flat_map(|member| check_member(member, &layers)));
    reports
}

/// The cells of a row of a Markdown table.
pub(super) fn table_cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// The names in backticks in a cell.
pub(super) fn backticked(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn read_table(architecture: &str) -> BTreeMap<String, Layer> {
    let mut layers = BTreeMap::new();
    let rows = architecture
        .lines()
        .enumerate()
        .skip_while(|(_, line)| table_cells(line).is_none_or(|cells| cells != TABLE_HEADER))
        .skip(2)
        .map_while(|(index, line)| Some((index + 1, table_cells(line)?)));
    for (line, cells) in rows {
        let [name_cell, purpose, may_depend_on, ..] = cells.as_slice() else { continue };
        let layer = |name: &str| Layer {
            line,
            purpose: (*purpose).to_owned(),
            may_depend_on: backticked(may_depend_on)
                .filter(|other| *other != name)
                .map(str::to_owned)
                .collect(),
            and_below: may_depend_on.contains("and below"),
            on_all: *may_depend_on == "all",
        };
        layers.extend(backticked(name_cell).map(|name| (name.to_owned(), layer(name))));
    }
    layers
}

fn read_members(repository: &Repository) -> (Vec<Member>, Vec<Report>) {
    let mut members = Vec::new();
    let mut reports = Vec::new();
    for file in repository.files.iter().filter(|file| is_member_manifest(&file.path)) {
        match file.text.parse::<toml::Table>() {
            Ok(manifest) => members.extend(read_member(&file.path, &manifest)),
            Err(error) => {
                reports.push(Report::new(&file.path, 0, format!("not TOML: {}", error.message())));
            }
        }
    }
    (members, reports)
}

/// Manifests of the workspace. Fuzz targets and test data are separate packages.
pub(super) fn is_member_manifest(path: &str) -> bool {
    let folders: Vec<&str> = path.split('/').collect();
    matches!(folders.as_slice(), ["Cargo.toml"] | ["xtask", "Cargo.toml"] | ["crates", _, "Cargo.toml"])
}

fn read_member(manifest_path: &str, manifest: &toml::Table) -> Option<Member> {
    let package_name = manifest.get("package")?.get("name")?.as_str()?;
    let depends_on = dependency_names(manifest).filter_map(layer_of_package).collect();
    let layer = layer_of_package(package_name).unwrap_or_else(|| package_name.to_owned());
    Some(Member { manifest_path: manifest_path.to_owned(), layer, depends_on })
}

/// The root package is the command, whose source is in `crates/cli`.
fn layer_of_package(package: &str) -> Option<String> {
    match package {
        "nodewise" => Some("cli".to_owned()),
        _ => package.strip_prefix("nodewise-").map(str::to_owned),
    }
}

/// The dependencies that a package needs for a build, for every target.
pub(super) fn dependency_names(manifest: &toml::Table) -> impl Iterator<Item = &str> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let target_tables = targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table);
    std::iter::once(manifest)
        .chain(target_tables)
        .flat_map(|table| [table.get("dependencies"), table.get("build-dependencies")])
        .flatten()
        .filter_map(toml::Value::as_table)
        .flat_map(|dependencies| dependencies.keys().map(String::as_str))
}

fn check_table(layers: &BTreeMap<String, Layer>, members: &[Member]) -> Vec<Report> {
    let mut reports = Vec::new();
    for (name, layer) in layers {
        let exists = members.iter().any(|member| member.layer == *name);
        let is_planned = layer.purpose.starts_with(PLANNED);
        if exists && is_planned {
            let message = format!("`{name}` exists: remove `{PLANNED}` from its purpose");
            reports.push(Report::new(ARCHITECTURE, layer.line, message));
        }
        if !exists && !is_planned {
            let message = format!("no member of the workspace is the crate `{name}`");
            reports.push(Report::new(ARCHITECTURE, layer.line, message));
        }
        for unknown in layer.may_depend_on.iter().filter(|other| !layers.contains_key(*other)) {
            let message = format!("`{name}` may depend on `{unknown}`, which has no row in the table");
            reports.push(Report::new(ARCHITECTURE, layer.line, message));
        }
    }
    reports
}

fn check_member(member: &Member, layers: &BTreeMap<String, Layer>) -> Vec<Report> {
    let Some(layer) = layers.get(&member.layer) else {
        let message = format!("the crate `{}` has no row in the table of {ARCHITECTURE}", member.layer);
        return vec![Report::new(&member.manifest_path, 0, message)];
    };
    let allowed = allowed_dependencies(layer, layers);
    let extra = member.depends_on.iter().filter(|dependency| !allowed.contains(dependency.as_str()));
    extra
        .map(|dependency| {
            let message = format!(
                "`{}` may not depend on `{dependency}` ({ARCHITECTURE}, line {})",
                member.layer, layer.line
            );
            Report::new(&member.manifest_path, 0, message)
        })
        .collect()
}

fn allowed_dependencies<'table>(
    layer: &'table Layer,
    layers: &'table BTreeMap<String, Layer>,
) -> BTreeSet<&'table str> {
    if layer.on_all {
        let is_shipped = |(_, other): &(&String, &Layer)| !other.purpose.starts_with(FOR_DEVELOPERS);
        return layers.iter().filter(is_shipped).map(|(name, _)| name.as_str()).collect();
    }
    let mut allowed: BTreeSet<&str> = layer.may_depend_on.iter().map(String::as_str).collect();
    let mut to_visit: Vec<&str> =
        if layer.and_below { allowed.iter().copied().collect() } else { Vec::new() };
    while let Some(below) = to_visit.pop().and_then(|name| layers.get(name)) {
        for name in &below.may_depend_on {
            if allowed.insert(name) {
                to_visit.push(name);
            }
        }
    }
    allowed
}
