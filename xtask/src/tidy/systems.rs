//! What belongs to one system stands in that system's place, and the rest of the code knows no system by name.
//!
//! Input is the text of the library crates without tests, comments included; but the page of a rule, which its file begins
//! with, says to users what the rule finds in each system. Output is the lines that spell a system's
//! name. Invariant: only the one list of systems, the lines that open a system's place, and [`EXCEPTIONS`] name one.

use super::Report;
use crate::repository::{Repository, RustFile};

/// The systems, as their places are named in paths.
const SYSTEMS: &[&str] = &["liman", "cycgraph", "agentos"];

/// Expression languages with a name of their own. Each belongs to one system.
const LANGUAGES: &[&str] = &["limance", "filtrex", "jsonpath"];

/// The tables for scenarios, which are about runs of every system. The doc of a key says which system it is for, if it
/// is only for one.
const SCENARIOS: &str = "crates/dialect/src/tables/scenario";

/// The file that lists the systems.
const LIST: &str = "crates/model/src/registry.rs";

/// Files that may name a system on one line, with the reason.
const EXCEPTIONS: &[(&str, &str)] =
    &[("crates/model/src/text.rs", "it cites the specification of the localized texts that it models")];

/// Programs for developers, which run the packages of the systems.
pub(super) const FOR_DEVELOPERS: &[&str] = &["xtask", "compare", "generate", "test-support"];

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let core = repository.rust_files.iter().filter(|file| is_core(file) && file.path != LIST);
    core.flat_map(|file| of_file(repository, file)).collect()
}

fn of_file(repository: &Repository, file: &RustFile) -> Vec<Report> {
    let text = repository.text(&file.path).unwrap_or_default();
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let lower = line.to_lowercase();
        let is_page = line.starts_with("//!") && file.source.code.contains("static RULE: Rule");
        if is_page || opens_a_place(line) || file.source.is_test(index + 1) {
            continue;
        }
        if let Some(system) = SYSTEMS.iter().find(|system| lower.contains(**system)) {
            let message = format!("this line names `{system}`: move what it does to that system's place");
            found.push(Report::new(&file.path, index + 1, message));
        }
    }
    let is_exception = EXCEPTIONS.iter().any(|(path, _)| *path == file.path);
    found.into_iter().skip(usize::from(is_exception)).collect()
}

/// Whether the line declares the place of a system: `mod liman;`.
fn opens_a_place(line: &str) -> bool {
    let name = line.trim().strip_suffix(';').and_then(|line| line.rsplit_once("mod "));
    name.is_some_and(|(_, name)| SYSTEMS.contains(&name) || LANGUAGES.contains(&name))
}

/// Whether the file is code of the product outside the places of systems.
fn is_core(file: &RustFile) -> bool {
    let is_product = file.path.starts_with("crates/") && !FOR_DEVELOPERS.contains(&file.crate_name());
    is_product
        && !file.path.starts_with(SCENARIOS)
        && !file.is_for_developers()
        && place_of(&file.path).is_none()
}

/// The system or language to whose place a file belongs.
pub(super) fn place_of(path: &str) -> Option<&str> {
    let mut parts = path.split('/').map(|part| part.trim_end_matches(".rs"));
    parts.find(|part| SYSTEMS.contains(part) || LANGUAGES.contains(part))
}
