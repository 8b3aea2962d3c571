//! The file of a store: made, opened, checked against the schema of this version.
//!
//! Input: a project's folder; output: an open store. Invariant: what is not a store of this version is never written to.

use std::collections::BTreeMap;
use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::fault::{DescribeError, damaged_file};
use super::schema::{ADDED_TABLES, SCHEMA, VERSION, file};
use super::whole::WholeRow;
use super::written::{self, WrittenRevision};
use super::{FOLDER, Store, migrate};

/// The number in the header of the database that marks it as a store of runs: "nwrn".
const APPLICATION: i64 = 0x6e77_726e;
/// How often a file is tried again that another process has locked: for about half a minute.
const TRIES: i32 = 6_000;

/// Opens the store of a project, and creates it if there is none.
pub(super) fn made(folder: &Path) -> Result<Store> {
    make_folder(folder)?;
    let path = file(folder);
    if !path.exists() {
        // The user deleted the store, so a note about the old one says nothing about the new one.
        std::fs::remove_file(written::path(&path)).ok();
    }
    opened(folder, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
}

/// Creates the folder of a store.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    let own = folder.join(FOLDER);
    refuse_link(&own)?;
    let unwritable = || {
        format!("cannot create `{}`, which stores the runs\n  help: make the folder writable", own.display())
    };
    private_folder().recursive(true).create(&own).with_context(unwritable)?;
    let ignore = own.join(".gitignore");
    if !ignore.exists() {
        std::fs::write(&ignore, "*\n").with_context(unwritable)?;
    }
    Ok(())
}

/// Opens the store of a project; `None` if there is none.
pub(super) fn existing(folder: &Path) -> Result<Option<Store>> {
    refuse_link(&folder.join(FOLDER))?;
    match file(folder).try_exists() {
        Ok(false) => Ok(None),
        Ok(true) => match archived(folder)? {
            Some(store) => Ok(Some(store)),
            None => opened(folder, OpenFlags::SQLITE_OPEN_READ_WRITE).map(Some),
        },
        Err(error) => Err(error).with_context(|| format!("`{}` cannot be read", file(folder).display())),
    }
}

/// Refuses a store behind a symbolic link. A project from another source could have a link to any folder.
fn refuse_link(own: &Path) -> Result<()> {
    if std::fs::symlink_metadata(own).is_ok_and(|found| found.is_symlink()) {
        bail!(
            "`{}` is a link, but runs are stored in the project itself\n  help: remove the link",
            own.display()
        );
    }
    Ok(())
}

#[cfg(unix)]
fn private_folder() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

#[cfg(not(unix))]
fn private_folder() -> DirBuilder {
    DirBuilder::new()
}

fn opened(folder: &Path, flags: OpenFlags) -> Result<Store> {
    let path = file(folder);
    let mut connection =
        Connection::open_with_flags(&path, flags | SAFE).describe_error("be opened", &path)?;
    prepare(&mut connection, folder)?;
    Ok(Store { connection, folder: folder.to_owned(), leases: BTreeMap::new() })
}

/// The flags of every connection.
const SAFE: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX.union(OpenFlags::SQLITE_OPEN_NOFOLLOW);

/// Opens a store that cannot be written, for example on a read-only disk. Returns `None` if the file can be written.
fn archived(folder: &Path) -> Result<Option<Store>> {
    let path = file(folder);
    if !std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    let writable = std::fs::OpenOptions::new().append(true).open(&path);
    let is_archived = writable.is_err_and(|error| {
        matches!(error.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
    });
    if is_archived { read_only(folder).map(Some) } else { Ok(None) }
}

/// Opens a store only to read it. What is only in SQLite's log is not read, and is reported as missing.
pub(super) fn read_only(folder: &Path) -> Result<Store> {
    let path = file(folder);
    // SQLite wants to write files beside the database unless `immutable` promises that nobody changes it.
    let shown = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
    let mut uri = "file:".to_owned();
    for byte in shown.to_string_lossy().replace('\\', "/").bytes() {
        match byte {
            b'?' | b'#' | b'%' => uri.push_str(&format!("%{byte:02x}")),
            byte => uri.push(char::from(byte)),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | SAFE;
    let mut connection = Connection::open_with_flags(&uri, flags).describe_error("be opened", &path)?;
    connection.pragma_update(None, "trusted_schema", false).describe_error("be opened", &path)?;
    match checked(&mut connection, &path)? {
        VERSION => Ok(Store { connection, folder: folder.to_owned(), leases: BTreeMap::new() }),
        0 => Err(emptied(&path)),
        _ => bail!(
            "`{}` was written by an earlier nodewise, and cannot be changed to the current format: it cannot be written\n  help: copy \
             the project to a place where it can be written",
            path.display()
        ),
    }
}

fn prepare(connection: &mut Connection, folder: &Path) -> Result<()> {
    let path = &file(folder);
    connection.busy_handler(Some(wait)).describe_error("be opened", path)?;
    // The schema may come from someone else, so nothing in it may run.
    connection.pragma_update(None, "trusted_schema", false).describe_error("be opened", path)?;
    // Overwrites deleted content, so that no deleted text stays in the file.
    connection.pragma_update(None, "secure_delete", true).describe_error("be opened", path)?;
    // Read the note first: another process may create the store at this moment.
    let noted = WrittenRevision::read(&written::path(path));
    let version = checked(connection, path)?;
    if version == 0 {
        if noted.is_some() {
            return Err(emptied(path));
        }
        connection.pragma_update(None, "auto_vacuum", "incremental").describe_error("be written", path)?;
    }
    durable(connection, path)?;
    if version == 0 {
        make_tables(connection, path)?;
        checked(connection, path)?;
    }
    match version {
        1 => migrate::from_first(connection, folder),
        _ => Ok(()),
    }
}

/// The error that the file is empty although runs were stored in it, which the note shows.
fn emptied(path: &Path) -> Error {
    anyhow!(
        "`{}` is damaged: it is empty, but runs were stored in it\n  help: restore a backup with `nodewise runs \
         restore FILE`; to begin without the runs, delete it",
        path.display()
    )
}

/// The version of the schema, 0 for an empty file. Returns an error if this version cannot read the file as a store.
pub(super) fn checked(connection: &mut Connection, path: &Path) -> Result<i64> {
    // One transaction for all questions, since another process may create the tables between two of them.
    let read = connection.transaction().and_then(|tx| {
        let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        let programs = "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')";
        let programs: i64 = tx.query_row(programs, [], |row| row.get(0))?;
        let pragma = |name: &str| tx.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        Ok((pragma("user_version")?, pragma("application_id")?, tables, programs))
    });
    let (version, application, tables, programs) = read.describe_error("be read", path)?;
    if tables == 0 && version == 0 {
        return Ok(0);
    }
    if application != APPLICATION {
        bail!(
            "`{}` is a database, but not one that nodewise created\n  help: move it away; the next run creates \
             a new one",
            path.display()
        );
    }
    if version < 1 {
        return Err(damaged_file(path));
    }
    if programs > 0 {
        bail!(
            "`{}` has triggers or views, which nodewise did not create: they would act when runs are stored\n  help: restore a backup \
             with `nodewise runs restore FILE`, or move the file away",
            path.display()
        );
    }
    if version > VERSION {
        bail!(
            "`{}` was written by a newer nodewise: its schema has version {version}, and this nodewise reads version \
             {VERSION}\n  help: update nodewise, or move the file away",
            path.display()
        );
    }
    Ok(version)
}

/// Waits for another process in short steps. SQLite's own waits grow, so the process that waits longest would be served last.
fn wait(tries: i32) -> bool {
    std::thread::sleep(Duration::from_millis(if tries < 100 { 1 } else { 5 }));
    tries < TRIES
}

/// Sets the connection up so that nothing written is lost, if the process or the machine dies.
fn durable(connection: &Connection, path: &Path) -> Result<()> {
    // SQLite's busy handler does not apply to the change of the journal mode, so this loop waits.
    let mut tries = 0;
    loop {
        let mode =
            connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get::<_, String>(0));
        match mode {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && wait(tries) => {
                tries += 1
            }
            mode => {
                mode.describe_error("be opened", path)?;
                break;
            }
        }
    }
    for (name, value) in [("synchronous", "full"), ("fullfsync", "on"), ("foreign_keys", "on")] {
        connection.pragma_update(None, name, value).describe_error("be opened", path)?;
    }
    Ok(())
}

/// Creates the tables, unless another process did so meanwhile.
fn make_tables(connection: &mut Connection, path: &Path) -> Result<()> {
    let made = connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|tx| {
        let version: i64 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version == 0 {
            tx.execute_batch(SCHEMA)?;
            tx.execute_batch(ADDED_TABLES)?;
            WholeRow::make(&tx, std::iter::empty())?;
            tx.pragma_update(None, "application_id", APPLICATION)?;
            tx.pragma_update(None, "user_version", VERSION)?;
        }
        tx.commit()
    });
    made.describe_error("be written", path)
}
