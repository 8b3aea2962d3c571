//! The built command, in folders of its own: what it prints, and how it ends.
//!
//! Input: files, arguments. Output: standard output, standard error, the exit code. Invariant: no test depends on
//! another, on the current folder or on the machine.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files")]

mod support;

mod bad_input;
mod baseline;
mod configuration;
mod explore;
mod fixing;
mod formats;
mod graph;
mod hostile;
mod init;
mod junit;
mod layout;
mod listing;
mod log;
mod other_commands;
mod projects;
mod reports;
mod runs;
mod selection;
mod shells;
mod simulate;
mod statistics;
mod terminal;
mod test;
mod troubleshooting;
mod watch;
