//! What belongs to one system stands in that system's place, and the rest of the code knows no system by name.
//!
//! Input is the text of the library crates without tests, comments included; but the page of a rule, which its file begins
//! with, says to users what the rule finds in each system. Output is the lines that spell a system's
//! name, for each crate that has more of them than [`ALLOWED`] says. Invariant: a number in the list only falls, and it is
//! exact.

use std::collections::BTreeMap;

use super::Report;
use crate::repository::{Repository, RustFile};

/// The systems, as paths name their places.
const SYSTEMS: &[&str] = &["liman", "cycgraph", "agentos"];

/// Languages that have a name of their own: their place is that of the system whose expressions they are.
const LANGUAGES: &[&str] = &["limance", "filtrex", "jsonpath"];

/// Documents about runs of every system. The doc of a key says which system it is for, because only that one has it.
const SCENARIOS: &str = "crates/dialect/src/tables/scenario";

/// How many lines of a crate may still name a system; 0 for crates that are not listed.
const ALLOWED: &[(&str, usize)] = &[
    ("analysis", 4),
    ("dialect", 7),
    ("engine", 9),
    ("expr", 2),
    ("live", 6),
    ("model", 1),
    ("simulation", 4),
];

/// Programs for developers, which ask the systems' packages.
const FOR_DEVELOPERS: &[&str] = &["xtask", "compare", "test-support"];

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let mut found: BTreeMap<&str, Vec<Report>> = BTreeMap::new();
    for file in repository.rust_files.iter().filter(|file| is_core(file)) {
        let text = repository.text(&file.path).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            let is_page = line.starts_with("//!") && file.source.code.contains("static RULE: Rule");
            let named = SYSTEMS.iter().find(|system| !is_page && lower.contains(**system));
            if let Some(system) = named.filter(|_| !file.source.is_test(index + 1)) {
                let message = format!("this line names `{system}`: move what it does to that system's place");
                found.entry(file.crate_name()).or_default().push(Report::new(&file.path, index + 1, message));
            }
        }
    }
    for (name, _) in ALLOWED.iter().filter(|(name, _)| has_crate(repository, name)) {
        found.entry(name).or_default();
    }
    found.into_iter().flat_map(|(name, lines)| reports(name, lines)).collect()
}

fn reports(name: &str, lines: Vec<Report>) -> Vec<Report> {
    let allowed = ALLOWED.iter().find(|(other, _)| *other == name).map_or(0, |(_, count)| *count);
    if lines.len() > allowed {
        let count = lines.len();
        let total = format!("{count} lines of `{name}` name a system, not {allowed}");
        return lines.into_iter().chain([Report::new("xtask/src/tidy/systems.rs", 0, total)]).collect();
    }
    let fewer =
        format!("only {} lines of `{name}` name a system: write that instead of {allowed}", lines.len());
    (lines.len() < allowed).then(|| Report::new("xtask/src/tidy/systems.rs", 0, fewer)).into_iter().collect()
}

fn has_crate(repository: &Repository, name: &str) -> bool {
    repository.rust_files.iter().any(|file| is_core(file) && file.crate_name() == name)
}

/// Whether the file is code of the product, outside of a system's place.
fn is_core(file: &RustFile) -> bool {
    let is_product = file.path.starts_with("crates/") && !FOR_DEVELOPERS.contains(&file.crate_name());
    let is_place = |part: &str| {
        let name = part.trim_end_matches(".rs");
        SYSTEMS.contains(&name) || LANGUAGES.contains(&name)
    };
    is_product
        && !file.path.starts_with(SCENARIOS)
        && !file.is_for_developers()
        && !file.path.split('/').any(is_place)
}
