//! The output of `nodewise graph`, read by the programs for which it is written.
//!
//! Input is the checkout. Output is how many diagrams were read, or which were rejected and why. Invariant: every graph
//! of the examples, the corpora and the hostile names is drawn in both directions, also nested.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{Options, Verdict};
use crate::checkout::{self, Profile};
use crate::installs;

const READERS: &str = "tests/readers";
const INSTALLED: &str = "target/tools/readers";
const DRAWN: &str = "target/tools/readers/drawn";
/// Folders that are projects.
const PROJECTS: [&str; 8] = [
    "examples/liman",
    "examples/liman-broken",
    "examples/cycgraph",
    "examples/cycgraph-broken",
    "examples/agentos",
    "examples/agentos-broken",
    "tests/data/corpus/agentos",
    "tests/readers/hostile",
];
/// Folders whose subfolders and files are drawn one by one.
const CORPORA: [&str; 3] =
    ["tests/data/corpus/liman", "tests/data/corpus/cycgraph", "tests/data/corpus/cycgraph/scenarios"];
const FORMS: [&str; 3] = ["md", "dot", "svg"];

/// Draws everything, and reads the results.
pub(super) fn read(root: &Path, _options: Options<'_>) -> Result<Verdict> {
    let program = checkout::build(root, Profile::Release)?;
    let installed = root.join(INSTALLED);
    let manifest = std::fs::read_to_string(root.join(READERS).join("package.json"))?;
    let node = installs::npm_packages(&installed, &manifest).and_then(|()| installs::node(root));
    let node = match node {
        Ok(node) => node,
        Err(error) => {
            return Ok(Verdict::Unavailable(format!(
                "Mermaid, Graphviz and an XML parser cannot be installed from npm: {error:#}"
            )));
        }
    };
    std::fs::copy(root.join(READERS).join("read.mjs"), installed.join("read.mjs"))?;
    let drawn = draw(root, &program)?;
    println!("    {drawn} folders and files drawn");
    let status = Command::new(node).arg("read.mjs").arg(root.join(DRAWN)).current_dir(&installed).status()?;
    Ok(match status.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("a program cannot read a diagram; see the lines above".to_owned()),
    })
}

/// Draws everything into one folder, and returns how many folders and files contain graphs.
fn draw(root: &Path, program: &Path) -> Result<usize> {
    let out = root.join(DRAWN);
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    std::fs::create_dir_all(&out)?;
    let mut subjects: Vec<PathBuf> = PROJECTS.iter().map(PathBuf::from).collect();
    for corpus in CORPORA {
        let mut entries: Vec<PathBuf> = Vec::new();
        for entry in
            std::fs::read_dir(root.join(corpus)).with_context(|| format!("{corpus} cannot be read"))?
        {
            entries.push(Path::new(corpus).join(entry?.file_name()));
        }
        entries.sort();
        subjects.extend(entries);
    }
    let mut drawn = 0;
    for subject in &subjects {
        let name = subject.to_string_lossy().replace(['/', '\\', '.'], "-");
        let mut is_drawn = false;
        for form in FORMS {
            for options in [&[][..], &["--direction", "right", "--nested"][..]] {
                let way = if options.is_empty() { "down" } else { "right" };
                let mut command = Command::new(program);
                command.arg("graph").arg(subject).args(options).current_dir(root);
                let output = command.arg("-o").arg(out.join(format!("{name}-{way}.{form}"))).output()?;
                // Some files of the corpora contain no graphs.
                let has_none = String::from_utf8_lossy(&output.stderr).contains("no graphs to draw");
                ensure!(
                    output.status.success() || has_none,
                    "`nodewise graph {}` fails: {}",
                    subject.display(),
                    String::from_utf8_lossy(&output.stderr)
                );
                is_drawn |= output.status.success();
            }
        }
        drawn += usize::from(is_drawn);
    }
    Ok(drawn)
}
