//! `nodewise runs backup`, `restore` and `check`: copies of the store, and whether it is as it was written.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use nodewise_live::store;

use super::StoreOptions;
use crate::outcome::Outcome;
use crate::output::{complain, remark};

/// Copy all runs to a file, also while runs continue.
///
/// The file must not exist. It contains everything that is stored of the runs; keep it where only you can read it. Ends
/// with 2 if something in the copy is damaged.
#[derive(Args)]
#[group(skip)]
pub(super) struct Backup {
    /// The file to write.
    file: PathBuf,
    #[command(flatten)]
    place: StoreOptions,
}

/// Replace the runs of the project by a backup.
///
/// The former runs are kept beside it, in `.nodewise/runs.db-replaced`.
#[derive(Args)]
#[group(skip)]
pub(super) struct Restore {
    /// A file that `nodewise runs backup` wrote.
    file: PathBuf,
    #[command(flatten)]
    place: StoreOptions,
}

/// Check that all runs are as they were written.
///
/// Reads the whole store. Ends with 2 if something is damaged.
#[derive(Args)]
#[group(skip)]
pub(super) struct Check {
    #[command(flatten)]
    place: StoreOptions,
}

/// Writes a backup.
pub(super) fn backup(options: &Backup) -> Result<Outcome> {
    let (store, _) = options.place.store()?;
    Ok(report_damage(&store.backup(&options.file)?))
}

/// Restores a backup.
pub(super) fn restore(options: &Restore) -> Result<Outcome> {
    let folder = options.place.folder()?;
    if let Some(former) = store::restore(&folder, &options.file)? {
        remark(&format!("note: the former runs are in `{}`", former.display()));
    }
    Ok(Outcome::Clean)
}

/// Checks the store.
pub(super) fn check(options: &Check) -> Result<Outcome> {
    let (store, _) = options.place.store()?;
    let damage = store.check()?;
    if damage.is_empty() {
        remark("all runs are as they were written");
    }
    Ok(report_damage(&damage))
}

/// Reports what is damaged.
pub(super) fn report_damage(damage: &[String]) -> Outcome {
    for damage in damage {
        complain(&format!("error: {damage}"));
    }
    if damage.is_empty() { Outcome::Clean } else { Outcome::Failed }
}
