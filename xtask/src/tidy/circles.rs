//! Modules of a crate that import each other in a circle: none of them can be read, tested or moved alone.
//!
//! Input is the imports of each crate's modules; output is the largest circle of a crate, if it is not as large as
//! [`LARGEST`] says. A module and the modules below it are one thing, so imports between them do not count. Invariant: a
//! number in the list only falls, and it is exact, so that a circle that got smaller cannot grow back unseen.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::{find_words, use_paths};

/// For each crate, the number of modules in its largest import cycle, and why the cycle stays. For other crates it is
/// 0.
const LARGEST: &[(&str, usize)] = &[
    // A builtin has a body that the evaluator calls, and the evaluator looks up builtins by their types.
    ("expr", 3),
    // A graph refers to its conventions and to the work of its nodes, and functions of these take the graph.
    ("model", 4),
    // A node is a place in a tree, and a tree returns nodes.
    ("syntax", 2),
];

/// The first segment of a path to a module of the same crate.
const ROOTS: &[&str] = &["crate", "super", "self"];

type Imports<'r> = BTreeMap<&'r str, BTreeSet<&'r str>>;

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let crates: BTreeSet<&str> = sources(repository).map(RustFile::crate_name).collect();
    crates.into_iter().filter_map(|name| report(repository, name)).collect()
}

fn report(repository: &Repository, name: &str) -> Option<Report> {
    let files: Vec<(String, &RustFile)> = sources(repository)
        .filter(|file| file.crate_name() == name)
        .map(|file| (module_of(&file.path), file))
        .collect();
    let modules: BTreeSet<&str> = files.iter().map(|(module, _)| module.as_str()).collect();
    let imports: Imports<'_> =
        files.iter().map(|(module, file)| (module.as_str(), imported(module, file, &modules))).collect();
    let circle = largest_circle(&imports);
    let known = LARGEST.iter().find(|(other, _)| *other == name).map_or(0, |(_, size)| *size);
    let first = circle.first().and_then(|module| files.iter().find(|(other, _)| other == module));
    let path = first.map_or("xtask/src/tidy/circles.rs", |(_, file)| file.path.as_str());
    // A repository without any import is the input of a test.
    let is_known = circle.len() == known || circle.is_empty() && files.len() == 1;
    (!is_known).then(|| {
        let (size, list) = (circle.len(), circle.join(", "));
        Report::new(
            path,
            0,
            format!("the largest circle of imports in `{name}` has {size} modules, not {known}: {list}"),
        )
    })
}

/// The files that are compiled into libraries and programs.
fn sources(repository: &Repository) -> impl Iterator<Item = &RustFile> {
    repository.rust_files.iter().filter(|file| file.path.contains("src/") && !file.is_for_developers())
}

/// The path of a file's module in its crate: `assist::hover`; empty for the root.
fn module_of(path: &str) -> String {
    let inside = path.split_once("src/").map_or(path, |(_, inside)| inside).trim_end_matches(".rs");
    match inside {
        "lib" | "main" => String::new(),
        inside => inside.replace('/', "::"),
    }
}

/// The modules that a module imports from, without its parents and children.
fn imported<'r>(module: &str, file: &RustFile, modules: &BTreeSet<&'r str>) -> BTreeSet<&'r str> {
    let mut found = BTreeSet::new();
    for (_, line_start) in file.code_lines_with_offsets() {
        let rest = file.source.code.get(line_start..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        for offset in ROOTS.iter().flat_map(|root| find_words(line, root)) {
            for path in use_paths(rest.get(offset..).unwrap_or_default()) {
                found.extend(resolve(module, &path, modules));
            }
        }
    }
    found.retain(|other| !is_family(module, other));
    found
}

/// The module that a path leads to, or into.
fn resolve<'r>(module: &str, path: &str, modules: &BTreeSet<&'r str>) -> Option<&'r str> {
    let mut names: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
    let mut parts = path.split("::").peekable();
    match parts.next()? {
        "crate" => names.clear(),
        "super" => {
            names.pop();
        }
        "self" => {}
        _ => return None,
    }
    while parts.next_if_eq(&"super").is_some() {
        names.pop();
    }
    names.extend(parts);
    while !names.is_empty() {
        if let Some(found) = modules.get(names.join("::").as_str()) {
            return Some(found);
        }
        names.pop();
    }
    None
}

/// Whether one of the modules is the other one or its parent.
fn is_family(one: &str, other: &str) -> bool {
    let is_above = |above: &str, below: &str| {
        above.is_empty()
            || below.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    is_above(one, other) || is_above(other, one)
}

/// The largest set of modules in which each leads to all others; empty if there is none.
fn largest_circle<'r>(imports: &Imports<'r>) -> Vec<&'r str> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|module| (*module, reachable(module, imports))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|set| set.contains(to));
    let mut largest: Vec<&'r str> = Vec::new();
    for module in imports.keys().filter(|module| leads(module, module)) {
        let circle: Vec<&str> =
            imports.keys().copied().filter(|other| leads(module, other) && leads(other, module)).collect();
        if circle.len() > largest.len() {
            largest = circle;
        }
    }
    largest
}

fn reachable<'r>(from: &str, imports: &Imports<'r>) -> BTreeSet<&'r str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = vec![from];
    while let Some(module) = open.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if found.insert(*next) {
                open.push(next);
            }
        }
    }
    found
}
