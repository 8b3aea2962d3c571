//! A rule's file is imported by the registry of rules, and by nothing else.
//!
//! Input is the files of `crates/analysis/src/rules` and all code; output is rules that the registry
//! leaves out, and files that reach into a rule. Invariant: deleting a rule costs its file and its
//! line in the registry.

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::find_words;

const REGISTRY: &str = "crates/analysis/src/rules.rs";
const RULE_FOLDER: &str = "crates/analysis/src/rules/";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let registry = repository.rust_files.iter().find(|file| file.path == REGISTRY);
    let registry_code = registry.map_or("", |file| file.source.code.as_str());
    let mut reports = Vec::new();
    for rule_file in &repository.rust_files {
        let Some(rule) = rule_name(&rule_file.path) else { continue };
        let declaration = format!("mod {rule}");
        let entry = format!("{rule}::");
        let is_declared = find_words(registry_code, &declaration).next().is_some();
        let is_entered = registry_code.contains(&entry) || registry_code.contains(&format!("({rule})"));
        if !is_declared || !is_entered {
            let message = format!("the registry {REGISTRY} does not name the rule `{rule}`");
            reports.push(Report::new(&rule_file.path, 0, message));
        }
        reports.extend(repository.rust_files.iter().filter_map(|file| reaches_into(file, rule)));
    }
    reports
}

fn rule_name(path: &str) -> Option<&str> {
    let name = path.strip_prefix(RULE_FOLDER)?.strip_suffix(".rs")?;
    (!name.contains('/')).then_some(name)
}

fn reaches_into(file: &RustFile, rule: &str) -> Option<Report> {
    let own_folder = format!("{RULE_FOLDER}{rule}");
    if file.path == REGISTRY || file.path.starts_with(&own_folder) {
        return None;
    }
    let from_anywhere = format!("rules::{rule}");
    let from_beside = format!("super::{rule}");
    let is_beside = file.path.starts_with(RULE_FOLDER);
    let (line, _) = file.code_lines().find(|(_, code)| {
        find_words(code, &from_anywhere).next().is_some()
            || (is_beside && find_words(code, &from_beside).next().is_some())
    })?;
    Some(Report::new(&file.path, line, format!("the rule `{rule}` is for its registry alone")))
}
