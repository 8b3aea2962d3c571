//! `nodewise schema`: a dialect as JSON Schema.
//!
//! Input: a dialect's name. Output: its schema. Invariant: the schema is made from the dialect's table.

use anyhow::{Result, bail};
use clap::Args;
use nodewise_dialect::schema::json_schema_text;
use nodewise_dialect::tables::DIALECTS;
use nodewise_project::config;

use crate::outcome::Outcome;
use crate::output::Output;

/// Print the JSON Schema of a dialect.
#[derive(Args)]
pub(crate) struct Options {
    /// The dialect: `liman`.
    dialect: String,
}

/// Prints the schema.
pub(crate) fn run(options: &Options, output: &mut Output) -> Result<Outcome> {
    let Some(dialect) = DIALECTS.iter().find(|dialect| dialect.id == options.dialect) else {
        let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.id).collect();
        let help = config::suggestion(&options.dialect, &known);
        bail!("no dialect is called `{}`\n  help: {help}", options.dialect);
    };
    output.write(&json_schema_text(dialect))?;
    Ok(Outcome::Clean)
}
