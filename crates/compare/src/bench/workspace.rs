//! The files for the measurements. Input is a folder and a number. Output is that many files, the same in every run.
//! Invariant: an existing file is not written again.

use std::path::{Path, PathBuf};

use anyhow::Result;
use nodewise_test_support::workspace::{agentos, cycgraph, flow};

const TEAMS: &[&str] = &["orders", "billing", "support", "fraud", "returns"];
/// The number of files in a folder.
const FOLDER: usize = 500;

/// The systems of a project's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Only Liman.
    Liman,
    /// The three systems in turns. Names refer to files of the same system.
    Mixed,
}

/// Writes a project of `count` files; returns its size in bytes.
pub(super) fn write(folder: &Path, kind: Kind, count: usize) -> Result<u64> {
    write_files((0..count).map(|number| {
        let team = TEAMS[number % TEAMS.len()];
        (path(folder, number), text(kind, number, count, team))
    }))
}

/// Writes the files that do not exist; returns the size of all in bytes.
pub(super) fn write_files(files: impl Iterator<Item = (PathBuf, String)>) -> Result<u64> {
    let mut bytes = 0;
    for (path, text) in files {
        bytes += text.len() as u64;
        if path.exists() {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(bytes)
}

fn path(folder: &Path, number: usize) -> PathBuf {
    let team = TEAMS[number % TEAMS.len()];
    folder.join(team).join(format!("{:03}", number / FOLDER)).join(format!("flow_{number:05}.yaml"))
}

/// The text of one file.
fn text(kind: Kind, number: usize, count: usize, team: &str) -> String {
    let systems = match kind {
        Kind::Liman => 1,
        Kind::Mixed => 3,
    };
    let (own_number, own_count) = (number / systems, count.div_ceil(systems));
    match number % systems {
        0 => flow(own_number, own_count, team),
        1 => cycgraph::graph(own_number, own_count, team),
        _ => agentos::graph(own_number, own_count, team),
    }
}

/// A tool that many files use.
pub(super) const POPULAR: &str = "get_weather";

/// Declares a tool in a separate file, and adds it to the first `users` files.
pub(super) fn write_popular(folder: &Path, declaration: &Path, users: usize) -> Result<()> {
    std::fs::write(declaration, format!("kind: ToolNode\nname: {POPULAR}\nfunc: tools.{POPULAR}\n"))?;
    for number in 0..users {
        let path = path(folder, number);
        let text = std::fs::read_to_string(&path)?;
        if !text.contains(POPULAR) {
            std::fs::write(path, text.replacen("tools:\n", &format!("tools:\n  - {POPULAR}\n"), 1))?;
        }
    }
    Ok(())
}

/// Writes one file of about 54 lines for each flow. All names are declared in it.
pub(super) fn write_flows(path: &Path, count: usize) -> Result<()> {
    let flows: Vec<String> = (0..count).map(|number| flow(number, count, "orders")).collect();
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(path, flows.join("---\n"))?)
}
