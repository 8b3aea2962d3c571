//! What stands on disk: which folders are projects, what they configured, which files they have.
//!
//! Reading order: [`paths`], [`globs`] (path patterns), [`config`] (`nodewise.toml`), [`settings`] (what holds for
//! one file), [`editor_settings`] (what editors offer), [`reading`] (bytes to text), [`dropped_texts`] (texts that are read again), [`notice`] (what is to be said about files that cannot be read),
//! [`exclusion`] (why a file belongs to no project), [`discovery`] (folders and files to projects), [`project_folder`] (their texts), [`git`] (files of a commit), [`baseline`] (findings that a project lives with), [`cache`] (results of former checks), [`user_folders`] (where programs keep files of a user), [`python`] (the Python
//! files beside the declarations), [`texts`] (projects without a disk), [`survey`] (what a folder holds that has no configuration yet).
//!
//! The command line and the server both find their files here, so that they mean the same files.

#![allow(clippy::disallowed_methods, reason = "this crate is where files are found and read")]

pub mod paths;

pub mod globs;

pub mod config;
pub mod debug_configuration;
pub mod editor_settings;
pub mod settings;
pub mod shared_rules;

pub mod dropped_texts;
pub mod modules;
pub mod reading;

pub mod notice;

pub mod discovery;
pub mod exclusion;
pub mod git;

pub mod baseline;
pub mod cache;
pub mod project_folder;
pub mod python;

pub mod survey;
pub mod texts;
pub mod user_folders;
