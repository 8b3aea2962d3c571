//! The built command, in folders of its own: what it prints, and how it ends.
//!
//! Input: files, arguments. Output: standard output, standard error, the exit code. Invariant: no test depends on
//! another, on the current folder or on the machine.

pub(crate) mod support;

mod bad_input;
mod baseline;
mod cache;
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
#[cfg(feature = "man")]
mod man;
#[cfg(not(feature = "live"))]
mod no_live;
#[cfg(not(feature = "lsp"))]
mod no_lsp;
mod options;
mod other_commands;
mod projects;
mod reports;
mod review;
#[cfg(feature = "live")]
mod runs;
mod selection;
mod shards;
mod shared_rules;
mod shells;
mod simulate;
mod statistics;
mod terminal;
mod test;
mod watch;
