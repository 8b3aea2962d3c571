//! The built command, in folders of its own: what it prints, and how it ends.
//!
//! Input: files, arguments. Output: standard output, standard error, the exit code. Invariant: no test depends on
//! another, on the current folder or on the machine.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files")]

mod support;

mod bad_input;
mod configuration;
mod explore;
mod fixing;
mod formats;
mod hostile;
mod junit;
mod layout;
mod other_commands;
mod projects;
mod reports;
mod selection;
mod simulate;
mod terminal;
mod test;
