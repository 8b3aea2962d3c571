//! `nodewise cache`: where results of checks and names in files are kept, and how to delete them.
//!
//! Input: the user's folder for caches. Output: the folder with what is in it, or what was deleted.

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use nodewise_project::cache::{CheckCache, StoredResults};

use crate::outcome::Outcome;
use crate::output::Output;
use crate::print::count;

/// Show or delete what nodewise keeps about large projects.
///
/// `nodewise check` keeps what it found in large projects. It prints it
/// again while nothing has changed, and then checks only what changed and
/// what depends on it. The language server keeps which names are in which
/// files, so that it knows them when it starts again.
#[derive(Args)]
pub(crate) struct CacheOptions {
    #[command(subcommand)]
    command: Option<CacheCommand>,
}

#[derive(Subcommand)]
enum CacheCommand {
    /// Delete all results.
    Clean,
}

/// Runs the command.
pub(crate) fn run(options: &CacheOptions, output: &mut Output) -> Result<Outcome> {
    let Some(cache) = CheckCache::of_user() else {
        bail!("no folder is known to store results\n  help: set `NODEWISE_CACHE_DIR` to an absolute path");
    };
    let folder = cache.folder().display();
    match options.command {
        None => {
            let stored = cache.stored().with_context(|| format!("`{folder}` cannot be read"))?;
            output.line(&format!("{folder}: {}", words(stored)))?;
        }
        Some(CacheCommand::Clean) => {
            let deleted =
                cache.clean().with_context(|| format!("cannot delete the results in `{folder}`"))?;
            output.line(&format!("deleted {} in {folder}", words(deleted)))?;
        }
    }
    Ok(Outcome::Clean)
}

fn words(results: StoredResults) -> String {
    format!("{}, {} kB", count(results.count, "result"), results.bytes.div_ceil(1000))
}
