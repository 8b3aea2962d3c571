//! Takes the page of each rule out of the head of its source file, so that the program holds the pages and not the source.
//!
//! Input is the files below `src/rules`; output is in cargo's folder: `pages.packed`, all pages together, and `pages.rs`, a list of ids
//! and of where each page ends, sorted by id. Invariant: a page is the `//!` lines of the file that is named after its rule, and
//! `PackedText` reads the pages.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]
#![allow(clippy::print_stdout, reason = "cargo reads what a build script prints")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use miniz_oxide::deflate::compress_to_vec;

const RULES: &str = "src/rules";
/// The best compression.
const LEVEL: u8 = 10;

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
    let mut together = String::new();
    for (id, page) in pages {
        together.push_str(&page);
        // A string never fails to take text.
        let _ = writeln!(list, "({id:?}, {}),", together.len());
    }
    list.push_str("]\n");
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(folder.join("pages.packed"), compress_to_vec(together.as_bytes(), LEVEL))?;
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
