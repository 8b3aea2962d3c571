//! `cargo xtask delivery`: installs nodewise as users do, and tests it.
//!
//! Input is the checkout, with uncommitted changes. Output is the result of each case. Invariant: everything is
//! installed and tested below `target/delivery`. Existing installations are used again if they are current.

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

/// The folder for all installations and tests.
const FOLDER: &str = "target/delivery";
/// The programs from PyPI that the cases use.
const PYTHON_PROGRAMS: &str = "tests/delivery/requirements.txt";

/// A way to install nodewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// `.pre-commit-hooks.yaml`, in the real pre-commit.
    Hooks,
    /// The wheel, the npm packages, and the mirror of the hooks.
    Packages,
    /// `action.yml`, and the recipes of `docs/ci.md`.
    Recipes,
}

/// Every part, in the order of the tests.
pub(crate) const PARTS: &[Part] = &[Part::Hooks, Part::Packages, Part::Recipes];

/// A case: a sentence, and its test.
type Case<T> = (&'static str, fn(&T) -> Result<()>);

impl Part {
    /// The parts with these names.
    pub(crate) fn read(words: &[&str]) -> Result<Vec<Part>> {
        let part = |word: &&str| {
            let part = PARTS.iter().find(|part| part.word() == *word);
            part.copied().with_context(|| format!("`{word}` is not a part of the delivery"))
        };
        words.iter().map(part).collect()
    }

    /// The name of the part on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Part::Hooks => "hooks",
            Part::Packages => "packages",
            Part::Recipes => "recipes",
        }
    }
}

/// Installs the programs for the tests. An error if they are not available.
pub(crate) fn install(root: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(root.join(FOLDER))?;
    let requirements = std::fs::read_to_string(root.join(PYTHON_PROGRAMS))?;
    let python = python_packages(&root.join(FOLDER).join("programs"), &requirements)?;
    Ok(python.parent().unwrap_or(&python).to_owned())
}

/// Tests the parts with packages of this profile. `false` if a case fails.
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

/// Runs every case, and prints its result.
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
                println!("    FAILED ({seconds:.1} s): {title}\n{error:#}");
            }
        }
    }
    is_right
}
