//! The JSON Schemas against everything that there are verdicts about: corpora, examples, scripts, configuration files.
//!
//! Input: documents, what `nodewise check` finds in each, and the schemas that the command prints. Output: the verdicts of
//! validators. Invariant: a schema accepts what has no fault that one document by itself can show, and nothing else.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files")]

mod documents;
mod language_server;
mod reports;
mod rules;
mod validators;
mod verdicts;
