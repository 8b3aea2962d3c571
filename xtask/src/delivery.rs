//! `cargo xtask delivery`: what users install, tried the way they install it.
//!
//! Input is the checkout as it is, committed or not; output is each case with its verdict. Invariant: everything is
//! installed and tried below `target/delivery`; what is there already and still right is not made again.

mod folder;
mod hooks;
mod packages;
mod recipes;
mod remote;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::checkout::Profile;
use crate::installs::python_packages;

/// Where everything is installed and tried.
const FOLDER: &str = "target/delivery";
/// The programs from PyPI that the cases call.
const PYTHON_PROGRAMS: &str = "tests/delivery/requirements.txt";

/// A way that nodewise comes to its users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// `.pre-commit-hooks.yaml`, in real pre-commit.
    Hooks,
    /// The wheel, the npm packages, and the mirror of the hooks.
    Packages,
    /// `action.yml`, and the recipes of `docs/ci.md`.
    Recipes,
}

/// Every part, in the order in which they are tried.
pub(crate) const PARTS: &[Part] = &[Part::Hooks, Part::Packages, Part::Recipes];

/// What is tried: a sentence, and what does it.
type Case<T> = (&'static str, fn(&T) -> Result<()>);

impl Part {
    /// The parts that the words name.
    pub(crate) fn read(words: &[&str]) -> Result<Vec<Part>> {
        let part = |word: &&str| {
            let part = PARTS.iter().find(|part| part.word() == *word);
            part.copied().with_context(|| format!("`{word}` is no part of the delivery"))
        };
        words.iter().map(part).collect()
    }

    /// What the part is called on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Part::Hooks => "hooks",
            Part::Packages => "packages",
            Part::Recipes => "recipes",
        }
    }
}

/// Installs the programs that trying needs; an error where they cannot be had.
pub(crate) fn install(root: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(root.join(FOLDER))?;
    let requirements = std::fs::read_to_string(root.join(PYTHON_PROGRAMS))?;
    let python = python_packages(&root.join(FOLDER).join("programs"), &requirements)?;
    Ok(python.parent().unwrap_or(&python).to_owned())
}

/// Tries the parts, packed around a build; `false` when something is not as it should be.
pub(crate) fn run(root: &Path, parts: &[Part], profile: Profile) -> Result<bool> {
    let programs = install(root)?;
    let mut is_right = true;
    for part in parts {
        is_right &= match part {
            Part::Hooks => run_cases(&hooks::Hooks::install(root, &programs)?, hooks::CASES),
            Part::Packages => {
                run_cases(&packages::Packages::pack(root, &programs, profile)?, packages::CASES)
            }
            Part::Recipes => run_cases(&recipes::Recipes::install(root, &programs, profile)?, recipes::CASES),
        };
    }
    Ok(is_right)
}

/// Tries every case, and says of each how it went.
fn run_cases<T>(surroundings: &T, cases: &[Case<T>]) -> bool {
    let mut is_right = true;
    for (title, case) in cases {
        let started = Instant::now();
        let outcome = case(surroundings);
        let seconds = started.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => println!("    ok ({seconds:.1} s): {title}"),
            Err(error) => {
                is_right = false;
                println!("    NOT SO ({seconds:.1} s): {title}\n{error:#}");
            }
        }
    }
    is_right
}
