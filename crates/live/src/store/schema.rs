//! The tables of a store, and where its file is.
//!
//! Input: a project's folder; output: a path, and the statements that make the tables. Invariant: a store that has these tables has
//! this version.

use std::path::{Path, PathBuf};

use super::FOLDER;

const FILE: &str = "runs.db";
/// The version of the schema.
pub(super) const VERSION: i64 = 2;

/// The tables of version 1, with the columns that version 2 added.
pub(super) const SCHEMA: &str = "
CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  identity BLOB NOT NULL,
  system TEXT NOT NULL,
  title TEXT NOT NULL,
  scenario TEXT NOT NULL,
  seed INTEGER NOT NULL,
  version TEXT NOT NULL,
  begun INTEGER NOT NULL,
  standing TEXT NOT NULL CHECK (standing IN ('running', 'waiting', 'ended')),
  question TEXT,
  outcome TEXT,
  summary TEXT,
  ended INTEGER,
  time INTEGER NOT NULL DEFAULT 0,
  input_tokens REAL NOT NULL DEFAULT 0,
  output_tokens REAL NOT NULL DEFAULT 0,
  answered_usd REAL NOT NULL DEFAULT 0,
  native_usd REAL NOT NULL DEFAULT 0,
  name TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  revision INTEGER NOT NULL DEFAULT 0,
  events INTEGER NOT NULL DEFAULT 0,
  chain INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_by_time ON runs (begun);
CREATE TABLE blobs (
  id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX blobs_by_hash ON blobs (hash);
CREATE TABLE sources (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  blob INTEGER NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_by_blob ON sources (blob);
CREATE TABLE events (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  stored INTEGER NOT NULL,
  event TEXT NOT NULL,
  long INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, number)
) STRICT;
CREATE TABLE attempts (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  ask INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (run, ask)
) STRICT, WITHOUT ROWID;
";

/// The tables that version 2 added.
pub(super) const ADDED_TABLES: &str = "
CREATE TABLE texts (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  blob INTEGER NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (run, blob)
) STRICT, WITHOUT ROWID;
CREATE INDEX texts_by_blob ON texts (blob);
CREATE TABLE store (
  identity INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  ids INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
";

/// Where the runs of a project are kept.
pub(super) fn file(folder: &Path) -> PathBuf {
    folder.join(FOLDER).join(FILE)
}
