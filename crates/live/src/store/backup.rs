//! Copies of a store, and stores from copies.
//!
//! Input: a store, the name of a file. Output: a copy of the moment, whatever runs meanwhile; or a store that is the copy.
//! Invariant: no file that is there is overwritten, and no damaged copy becomes a store.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags, Transaction};

use super::fault::{self, DescribeError};
use super::reading::Record;
use super::row::RunRow;
use super::whole::WholeRow;
use super::{RunId, Store, lease, open, schema, written};

/// The name that the former database gets when a copy takes its place.
const REPLACED: &str = "runs.db-replaced";

impl Store {
    /// Everything that is damaged in the store: messages with help on what to do. This reads the whole file.
    ///
    /// # Errors
    /// Where the store cannot be read at all.
    pub fn check(&self) -> Result<Vec<String>> {
        let noted = self.list()?.damage;
        let tx = self.connection.unchecked_transaction().describe_error("be read", &self.file())?;
        let found = damage(&tx, &self.file())?;
        let new = found.into_iter().filter(|damage| !noted.contains(damage)).collect();
        Ok([noted, new].concat())
    }

    /// Copies the store as it is at this moment. Returns what is damaged in the copy.
    ///
    /// # Errors
    /// Where `to` exists already, or the copy cannot be written.
    pub fn backup(&self, to: &Path) -> Result<Vec<String>> {
        let shown = to.display();
        let file = private_file().open(to).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                anyhow::anyhow!(
                    "`{shown}` exists already\n  help: choose another name, or delete the file first"
                )
            }
            _ => anyhow::Error::new(error).context(format!("`{shown}` cannot be written")),
        })?;
        let copied = self.copy_into(to).and_then(|()| {
            file.sync_all().with_context(|| format!("`{shown}` cannot be written"))?;
            let copy = read_only(to)?;
            damage(&copy.unchecked_transaction().describe_error("be read", to)?, to)
        });
        if copied.is_err() {
            std::fs::remove_file(to).ok();
        }
        copied
    }

    fn copy_into(&self, to: &Path) -> Result<()> {
        let name = to.to_str().with_context(|| format!("`{}` is not a name in UTF-8", to.display()))?;
        // `VACUUM INTO` is one statement, so it reads one moment of the store. SQLite's page by page copy begins again after each
        // write.
        self.connection.execute("VACUUM INTO ?1", [name]).describe_error("be copied", &self.file())?;
        Ok(())
    }
}

/// Replaces the store of a project with a copy. Returns where the former store is now, if there was one.
///
/// # Errors
/// Where the copy is damaged or not a store, or a process is running one of the runs.
pub fn restore(folder: &Path, from: &Path) -> Result<Option<PathBuf>> {
    let mut copy = read_only(from)?;
    let version = open::checked(&mut copy, from)?;
    if version == 0 {
        bail!("`{}` is empty\n  help: name a file that `nodewise runs backup` wrote", from.display());
    }
    // Earlier versions had no checksums.
    if version == schema::VERSION {
        let tx = copy.unchecked_transaction().describe_error("be read", from)?;
        if let Some(damage) = damage(&tx, from)?.first() {
            bail!("the backup is damaged, and nothing was changed: {damage}");
        }
    }
    drop(copy);
    open::make_folder(folder)?;
    let database = schema::file(folder);
    let unwritable = || format!("`{}` cannot be replaced", database.display());
    let leases = leases(folder).with_context(unwritable)?;
    for (run, _) in &leases {
        if lease::is_held(folder, run)? {
            bail!("another process is running `{run}`\n  help: wait until that process ends, or stop it");
        }
    }
    // The copy is complete on disk before the former store is moved.
    let new = database.with_file_name("runs.db-restored");
    std::fs::copy(from, &new).with_context(unwritable)?;
    File::open(&new).and_then(|file| file.sync_all()).with_context(unwritable)?;
    let former = database.with_file_name(REPLACED);
    let had_store = database.exists();
    for end in ["", "-wal"] {
        let (old, kept) = (with_end(&database, end), with_end(&former, end));
        std::fs::remove_file(&kept).ok();
        if old.exists() {
            std::fs::rename(&old, &kept).with_context(unwritable)?;
        }
    }
    // Remove the notes about the former store: they say nothing about the new one.
    let noted = leases.into_iter().map(|(_, path)| path);
    for path in noted.chain([written::path(&database), with_end(&database, "-shm")]) {
        std::fs::remove_file(path).ok();
    }
    std::fs::rename(&new, &database).with_context(unwritable)?;
    Ok(had_store.then_some(former))
}

fn leases(folder: &Path) -> std::io::Result<Vec<(RunId, PathBuf)>> {
    let entries = std::fs::read_dir(folder.join(super::FOLDER))?;
    let paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    let lease = |path: PathBuf| {
        let id = RunId::stored(path.file_name()?.to_str()?.strip_suffix(".lock")?.to_owned());
        id.is_sound().then_some((id, path))
    };
    Ok(paths.into_iter().filter_map(lease).collect())
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn read_only(file: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).describe_error("be opened", file)?;
    connection.pragma_update(None, "trusted_schema", false).describe_error("be opened", file)?;
    Ok(connection)
}

/// Options to create a file that only the user can read, and that must not exist yet.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// A message for each damage in a database.
fn damage(tx: &Transaction<'_>, file: &Path) -> Result<Vec<String>> {
    let found: String =
        tx.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).describe_error("be read", file)?;
    if found != "ok" {
        return Ok(vec![fault::damaged_file(file).to_string()]);
    }
    let rows = RunRow::all(tx).describe_error("be read", file)?;
    let whole = WholeRow::read(tx).describe_error("be read", file)?;
    let mut damage = Vec::new();
    if let Some(what) = whole.difference(rows.iter().map(|row| row.id.as_str())) {
        damage.push(fault::damaged_store(file, &what).to_string());
    }
    for row in &rows {
        let record = Record::read(tx, row).describe_error("be read", file)?;
        let what = if row.is_sound() { record.err() } else { Some(fault::ROW.to_owned()) };
        damage.extend(what.map(|what| fault::damaged_run(&row.id, file, &what).to_string()));
    }
    Ok(damage)
}
