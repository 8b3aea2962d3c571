//! Only its theme names a rule.
//!
//! Input is the files below `crates/analysis/src/rules` and all code. Output is rules that their theme does not list, and
//! other files that use a rule. Invariant: to delete a rule, you delete its file and its lines in themes.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::{find_words, use_paths};

const REGISTRY: &str = "crates/analysis/src/rules.rs";
const RULE_FOLDER: &str = "crates/analysis/src/rules/";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let mut reports = Vec::new();
    let mut rules = BTreeSet::new();
    for rule_file in &repository.rust_files {
        let Some((theme, rule)) = theme_and_rule(rule_file) else { continue };
        rules.insert(rule);
        let theme_path = format!("{theme}.rs");
        let theme_file = repository.rust_files.iter().find(|file| file.path == theme_path);
        let theme_code = theme_file.map_or("", |file| file.source.code.as_str());
        let is_declared = find_words(theme_code, &format!("mod {rule}")).next().is_some();
        let is_entered = find_words(theme_code, rule).count() > 1;
        if !is_declared || !is_entered {
            let message = format!("its theme {theme_path} does not list the rule `{rule}`");
            reports.push(Report::new(&rule_file.path, 0, message));
        }
    }
    reports.extend(repository.rust_files.iter().flat_map(|file| reaches_into(file, &rules)));
    reports
}

/// The folder and the name of a rule. `None` for a file that is none.
fn theme_and_rule(file: &RustFile) -> Option<(&str, &str)> {
    let path = file.path.strip_suffix(".rs").filter(|path| path.starts_with(RULE_FOLDER))?;
    let is_rule = find_words(&file.source.code, "static RULE").next().is_some();
    path.rsplit_once('/').filter(|_| is_rule)
}

/// A report for each rule that the file names, at its first line.
fn reaches_into(file: &RustFile, rules: &BTreeSet<&str>) -> Vec<Report> {
    let code = file.source.code.as_str();
    if file.path == REGISTRY || is_theme(file) || file.is_for_developers() {
        return Vec::new();
    }
    let mut named = BTreeMap::new();
    for offset in find_words(code, "rules") {
        let line = code.get(..offset).unwrap_or_default().matches('\n').count() + 1;
        if file.source.is_test(line) {
            continue;
        }
        for path in use_paths(code.get(offset..).unwrap_or_default()) {
            let rule = path.split("::").skip(2).find_map(|name| rules.get(name));
            if let Some(&rule) = rule {
                named.entry(rule).or_insert(line);
            }
        }
    }
    let report = |(rule, line)| {
        Report::new(&file.path, line, format!("the rule `{rule}` may only be used by its theme"))
    };
    named.into_iter().map(report).collect()
}

/// Whether the file lists rules of a theme or a system.
fn is_theme(file: &RustFile) -> bool {
    file.path.starts_with(RULE_FOLDER) && find_words(&file.source.code, "Theme").next().is_some()
}
