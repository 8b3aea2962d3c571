//! `nodewise schema`: a JSON Schema for editors and validators.
//!
//! Input: what the schema is for. Output: the schema. Invariant: it is made from the table that the documents are
//! checked against.

use anyhow::{Result, bail};
use clap::Args;
use nodewise_dialect::schema::{UnknownKeys, json_schema_text};
use nodewise_dialect::tables::DIALECTS;
use nodewise_project::config::{config_schema_text, suggestion};

use crate::outcome::Outcome;
use crate::output::Output;
use crate::words;

/// What the schema of `nodewise.toml` is called.
pub(crate) const CONFIG: &str = "config";

/// Print a JSON Schema (draft 07) for editors and validators.
#[derive(Args)]
pub(crate) struct Options {
    /// What it is for: declarations of a system (`liman`, `cycgraph`, `agentos`), scripts and scenarios (`scenario`),
    /// or `nodewise.toml` (`config`).
    #[arg(value_parser = words::schemas())]
    name: String,

    /// Leave keys alone that the system does not have, as plugins add them. By default they are faults. `nodewise.toml`
    /// never has others.
    #[arg(long)]
    allow_unknown_keys: bool,
}

/// Prints the schema.
pub(crate) fn run(options: &Options, output: &mut Output) -> Result<Outcome> {
    let unknown_keys = match options.allow_unknown_keys {
        true => UnknownKeys::Allowed,
        false => UnknownKeys::Refused,
    };
    let text = match DIALECTS.iter().find(|dialect| dialect.id == options.name) {
        Some(dialect) => json_schema_text(dialect, unknown_keys),
        None if options.name == CONFIG => config_schema_text(),
        None => {
            let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.id).chain([CONFIG]).collect();
            bail!("no schema is called `{}`\n  help: {}", options.name, suggestion(&options.name, &known));
        }
    };
    output.write(&text)?;
    Ok(Outcome::Clean)
}
