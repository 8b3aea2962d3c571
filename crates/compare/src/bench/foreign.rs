//! `cargo xtask bench foreign`: measures `check` of many files that belong to other programs.
//!
//! Input is the commands to compare. Output is a Markdown table. The measure is the least that any program has to do to know whose
//! the files are: to list them, and to read the beginning of each. Invariant: no file has a declaration.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use nodewise_test_support::workspace::foreign;

use super::check::{install_peer, uncached};
use super::measure::{Measured, own_processor_ms, print_best_of, print_head, row};
use super::workspace::write_files;
use super::{Build, RUNS, megabytes};

const FILES: usize = 50_000;
/// How much of each file is read for the measure.
const BEGINNING: u64 = 4096;

/// Measures and prints the result.
pub(super) fn run(root: &Path, builds: &[Build]) -> Result<()> {
    let folder = root.join("target/bench");
    let peer = install_peer(&folder)?;
    let project = folder.join(format!("foreign-{FILES}"));
    let files = (0..FILES).map(foreign::file).map(|(path, text)| (project.join(path), text));
    let bytes = write_files(files)?;
    let what = format!("files of other programs, {:.1} MB", megabytes(bytes));
    print_head("files");
    print_best_of(RUNS, &uncached(&what, FILES, &project, builds, &peer)?)?;
    println!(
        "{}",
        row("to list them and read their first 4 kB, one thread", FILES, read_beginnings(&project)?)
    );
    Ok(())
}

/// The time to list the files below a folder and to read the beginning of each, the best of several times.
fn read_beginnings(folder: &Path) -> Result<Measured> {
    let mut best = Measured { wall_ms: f64::INFINITY, cpu_ms: 0.0, peak_bytes: 0 };
    let before = own_processor_ms();
    for _ in 0..RUNS {
        let started = Instant::now();
        read_below(folder, &mut Vec::new())?;
        best.wall_ms = best.wall_ms.min(started.elapsed().as_secs_f64() * 1e3);
    }
    best.cpu_ms = (own_processor_ms() - before) / RUNS as f64;
    Ok(best)
}

fn read_below(folder: &Path, text: &mut Vec<u8>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            read_below(&entry.path(), text)?;
        } else {
            text.clear();
            std::fs::File::open(entry.path())?.take(BEGINNING).read_to_end(text)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nodewise_analysis::facts::FileFacts;
    use nodewise_model::SourceId;

    use super::*;

    #[test]
    fn no_file_has_a_declaration() {
        for (path, text) in (0..16).map(foreign::file) {
            assert!((500..2_000).contains(&text.len()), "{path} has {} bytes", text.len());
            let facts =
                FileFacts::new(SourceId::default(), path.as_str().into(), text.into(), Default::default());
            assert_eq!(facts.declarations(), 0, "{path}");
        }
    }
}
