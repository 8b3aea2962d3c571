//! A rule's file is imported by the registry of rules, and by nothing else.
//!
//! Input is the files of `crates/analysis/src/rules` and all code; output is rules that the registry
//! leaves out, and files that reach into a rule. Invariant: deleting a rule costs its file and its
//! line in the registry.

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::{find_words, use_paths};

const REGISTRY: &str = "crates/analysis/src/rules.rs";
const RULE_FOLDER: &str = "crates/analysis/src/rules/";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let registry = repository.rust_files.iter().find(|file| file.path == REGISTRY);
    let registry_code = registry.map_or("", |file| file.source.code.as_str());
    let mut reports = Vec::new();
    for rule_file in &repository.rust_files {
        let Some(rule) = rule_name(rule_file) else { continue };
        let declaration = format!("mod {rule}");
        let is_declared = find_words(registry_code, &declaration).next().is_some();
        let is_entered = find_words(registry_code, rule).count() > 1;
        if !is_declared || !is_entered {
            let message = format!("the registry {REGISTRY} does not name the rule `{rule}`");
            reports.push(Report::new(&rule_file.path, 0, message));
        }
        reports.extend(repository.rust_files.iter().filter_map(|file| reaches_into(file, rule)));
    }
    reports
}

/// The rule's name; `None` for a file that holds what several rules share.
fn rule_name(file: &RustFile) -> Option<&str> {
    let name = file.path.strip_prefix(RULE_FOLDER)?.strip_suffix(".rs")?;
    let is_rule = find_words(&file.source.code, "static RULE").next().is_some();
    (is_rule && !name.contains('/')).then_some(name)
}

fn reaches_into(file: &RustFile, rule: &str) -> Option<Report> {
    let own_folder = format!("{RULE_FOLDER}{rule}/");
    let is_own = file.path.strip_suffix(".rs").is_some_and(|path| own_folder.trim_end_matches('/') == path);
    if file.path == REGISTRY || is_own || file.path.starts_with(&own_folder) || file.is_for_developers() {
        return None;
    }
    let code = file.source.code.as_str();
    let parent = if file.path.starts_with(RULE_FOLDER) { "super" } else { "rules" };
    let names_rule = |path: &String| path.split("::").nth(1) == Some(rule);
    let line_of = |offset| code.get(..offset).unwrap_or_default().matches('\n').count() + 1;
    let line = find_words(code, "rules")
        .chain(find_words(code, parent))
        .filter(|offset| use_paths(code.get(*offset..).unwrap_or_default()).iter().any(names_rule))
        .map(line_of)
        .find(|line| !file.source.is_test(*line))?;
    Some(Report::new(&file.path, line, format!("the rule `{rule}` is for its registry alone")))
}
