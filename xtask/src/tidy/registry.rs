//! Only the registry of rules imports a rule's file.
//!
//! Input is the files of `crates/analysis/src/rules` and all code. Output is rules that are not in the registry, and
//! files that use a rule directly. Invariant: to delete a rule, you delete its file and its line in the registry.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::{find_words, use_paths};

const REGISTRY: &str = "crates/analysis/src/rules.rs";
const RULE_FOLDER: &str = "crates/analysis/src/rules/";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let registry = repository.rust_files.iter().find(|file| file.path == REGISTRY);
    let registry_code = registry.map_or("", |file| file.source.code.as_str());
    let mut reports = Vec::new();
    let mut rules = BTreeSet::new();
    for rule_file in &repository.rust_files {
        let Some(rule) = rule_name(rule_file) else { continue };
        rules.insert(rule);
        let declaration = format!("mod {rule}");
        let is_declared = find_words(registry_code, &declaration).next().is_some();
        let is_entered = find_words(registry_code, rule).count() > 1;
        if !is_declared || !is_entered {
            let message = format!("the registry {REGISTRY} does not name the rule `{rule}`");
            reports.push(Report::new(&rule_file.path, 0, message));
        }
    }
    reports.extend(repository.rust_files.iter().flat_map(|file| reaches_into(file, &rules)));
    reports
}

/// The rule's name. `None` for a file that several rules share.
fn rule_name(file: &RustFile) -> Option<&str> {
    let name = file.path.strip_prefix(RULE_FOLDER)?.strip_suffix(".rs")?;
    let is_rule = find_words(&file.source.code, "static RULE").next().is_some();
    (is_rule && !name.contains('/')).then_some(name)
}

/// A report for each other rule that the file names, at its first line.
fn reaches_into(file: &RustFile, rules: &BTreeSet<&str>) -> Vec<Report> {
    if file.path == REGISTRY || file.is_for_developers() {
        return Vec::new();
    }
    let code = file.source.code.as_str();
    let parent = if file.path.starts_with(RULE_FOLDER) { "super" } else { "rules" };
    let mut named = BTreeMap::new();
    for offset in find_words(code, "rules").chain(find_words(code, parent)) {
        let line = code.get(..offset).unwrap_or_default().matches('\n').count() + 1;
        if file.source.is_test(line) {
            continue;
        }
        for path in use_paths(code.get(offset..).unwrap_or_default()) {
            let rule = path.split("::").nth(1).and_then(|name| rules.get(name));
            if let Some(&rule) = rule.filter(|rule| !is_own(file, rule)) {
                named.entry(rule).or_insert(line);
            }
        }
    }
    let report = |(rule, line)| {
        Report::new(&file.path, line, format!("the rule `{rule}` may only be used by its registry"))
    };
    named.into_iter().map(report).collect()
}

/// Whether the file is that of the rule, or in the rule's folder.
fn is_own(file: &RustFile, rule: &str) -> bool {
    let behind = file.path.strip_prefix(RULE_FOLDER).and_then(|path| path.strip_prefix(rule));
    behind.is_some_and(|behind| behind == ".rs" || behind.starts_with('/'))
}
