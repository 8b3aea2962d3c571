//! `cargo xtask modules`: compares what nodewise reads in modules of TypeScript and JavaScript with what the packages build.
//!
//! Input: the modules of the repository, or those of a folder. Output: how many fields are equal, unknown and wrong, with each
//! field that is not equal. Invariant: a wrong field fails; only `--record` writes tracked files.

mod difference;
mod generated;
mod oracle;
mod printer;
mod reading;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use self::difference::Tally;
use self::reading::Environment;
use crate::oracle::record;

/// The modules of the repository.
const MODULES: &str = "tests/data/modules";
/// The recorded results of the packages for these modules.
const RECORDED: &str = "tests/data/recorded/modules.jsonl";
/// The minimum share of known fields if no environment variable is set, in percent.
const KNOWN: usize = 95;
/// How many differing fields of a module are printed.
const LISTED: usize = 12;

/// The options of the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModuleOptions {
    /// The folder with the modules, if it is not that of the repository.
    folder: Option<PathBuf>,
    /// If set, compares this many generated modules instead.
    generated: Option<u64>,
    /// Whether to record the answers, which the tests replay.
    is_recording: bool,
}

impl ModuleOptions {
    /// Reads the arguments after `modules`. An error is wrong usage.
    pub(crate) fn read(words: &[&str]) -> Result<ModuleOptions> {
        let mut options = ModuleOptions::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--folder" => options.folder = Some(words.next().context("`--folder` needs a value")?.into()),
                "--generated" => {
                    options.generated = Some(words.next().context("`--generated` needs a number")?.parse()?);
                }
                "--record" => options.is_recording = true,
                other => bail!("`{other}` is no option of `modules`"),
            }
        }
        if options.is_recording && options.folder.is_some() {
            bail!("`--record` writes the answers of the repository's modules, not those of a folder");
        }
        Ok(options)
    }
}

/// Installs the packages first, so that a failed installation is not confused with a difference.
pub(crate) fn install(root: &Path, options: &ModuleOptions) -> Result<()> {
    match options.generated {
        None => oracle::install(root).map(drop),
        Some(_) => Ok(()),
    }
}

/// Compares all modules. Returns `false` if a field is wrong, or too few fields are known.
pub(crate) fn run(root: &Path, options: &ModuleOptions) -> Result<bool> {
    if let Some(cases) = options.generated {
        return Ok(generated::run(cases));
    }
    let installed = oracle::install(root)?;
    let modules = match &options.folder {
        None => installed.copied(&root.join(MODULES))?,
        Some(folder) => std::fs::canonicalize(folder).with_context(|| folder.display().to_string())?,
    };
    let mut rows = Vec::new();
    for path in oracle::modules(&modules)? {
        rows.push((json!({"module": path}), installed.ask(&modules, &path, options.folder.is_none())?));
    }
    if options.is_recording {
        record::write(root, RECORDED, rows.iter().map(|(question, answer)| (question, answer.clone())))?;
        return Ok(true);
    }
    let total = compare(&modules, &rows, Environment::Unknown, true);
    println!("{}", total.summary());
    // Without a run, the values of environment variables are unknown. The share of known fields is measured without
    // them.
    let without_variables = compare(&modules, &rows, Environment::Empty, false);
    println!("the same if no variable of the environment is set: {}", without_variables.summary());
    let is_fresh = options.folder.is_some() || is_fresh(root, &rows)?;
    Ok(total.is_right() && without_variables.is_right() && without_variables.is_known(KNOWN) && is_fresh)
}

/// Compares the packages' answers with our readings. Prints the differences if `is_listed` is true.
fn compare(folder: &Path, rows: &[(Value, Value)], environment: Environment, is_listed: bool) -> Tally {
    let mut total = Tally::default();
    for (question, answer) in rows {
        let path = question["module"].as_str().unwrap_or_default();
        let ours = reading::declarations(folder, path, environment);
        let found = difference::compare(path, &answer["declarations"], &ours);
        let fault = answer["fault"]
            .as_str()
            .map(|fault| format!("  (the module throws {fault})"))
            .unwrap_or_default();
        if is_listed {
            println!("{path}: {}{fault}", found.summary());
        }
        let lines = found.lines().filter(|line| is_listed || difference::is_wrong(line));
        lines.take(LISTED).for_each(|line| println!("  {line}"));
        total.add(found);
    }
    total
}

/// Whether the recorded answers are those that the packages give now.
fn is_fresh(root: &Path, rows: &[(Value, Value)]) -> Result<bool> {
    let recorded = record::read(&std::fs::read_to_string(root.join(RECORDED)).unwrap_or_default())?;
    if recorded == rows {
        return Ok(true);
    }
    println!("{RECORDED} differs from the packages' answers; `cargo xtask modules --record` writes it");
    Ok(false)
}
