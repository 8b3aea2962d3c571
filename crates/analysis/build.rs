//! Takes the page of each rule out of the head of its source file, so that the program holds the pages and not the source.
//!
//! Input is the files below `src/rules`; output is `pages.rs` in cargo's folder: a list of ids and pages, sorted by id. Invariant: a page is
//! the `//!` lines of the file that is named after its rule.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]
#![allow(clippy::print_stdout, reason = "cargo reads what a build script prints")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const RULES: &str = "src/rules";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={RULES}");
    let mut pages = Vec::new();
    let mut folders = vec![PathBuf::from(RULES)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                pages.extend(page(&path)?);
            }
        }
    }
    pages.sort();
    let mut list = "&[\n".to_owned();
    for (id, page) in pages {
        // A string never fails to take text.
        let _ = writeln!(list, "({id:?}, {page:?}),");
    }
    list.push_str("]\n");
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(folder.join("pages.rs"), list)
}

/// The rule that a file is named after, and the head of the file without the comment marks; nothing for what is no rule.
fn page(path: &Path) -> io::Result<Option<(String, String)>> {
    let Some(stem) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else {
        return Ok(None);
    };
    let source = fs::read_to_string(path)?;
    if !source.contains("static RULE: Rule") {
        return Ok(None);
    }
    let mut page = String::new();
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        page.push_str(line.strip_prefix(' ').unwrap_or(line));
        page.push('\n');
    }
    Ok(Some((stem.replace('_', "-"), page)))
}
