//! `nodewise schema`: a JSON Schema for editors and validators.
//!
//! Input: the name of the schema. Output: the schema. Invariant: it is generated from the table that is used to check
//! the documents.

use anyhow::{Result, bail};
use clap::Args;
use nodewise_dialect::schema::{UnknownKeys, json_schema_text};
use nodewise_dialect::tables::DIALECTS;
use nodewise_project::config::{config_schema_text, suggestion};

use crate::outcome::Outcome;
use crate::output::Output;
use crate::words;

/// The name of the schema for `nodewise.toml`.
pub(crate) const CONFIG: &str = "config";

/// Print a JSON Schema (draft 07) for editors and validators.
#[derive(Args)]
pub(crate) struct Options {
    /// The files that the schema describes.
    ///
    /// `liman`, `cycgraph` and `agentos`: declarations. `scenario`: scripts and scenarios. `config`: `nodewise.toml`.
    #[arg(value_parser = words::schemas())]
    name: String,

    /// Allow keys that the system does not know, such as keys of plugins.
    ///
    /// By default such keys are errors. The schema of `nodewise.toml` never allows them.
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
