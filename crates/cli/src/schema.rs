//! `nodewise schema`: a JSON Schema for editors and validators.
//!
//! Input: the name of the schema. Output: the schema. Invariant: it is generated from the table that is used to check
//! the documents.

use anyhow::{Result, bail};
use clap::Args;
use nodewise_dialect::schema::{UnknownKeys, json_schema_text};
use nodewise_dialect::tables::{DIALECTS, systems};
use nodewise_project::config::{config_schema_text, suggestion};
use nodewise_project::debug_configuration::launch_schema_text;

use crate::outcome::Outcome;
use crate::output::Output;
use crate::words::{self, CONFIG, LAUNCH};

/// Print a JSON Schema (draft 07) for editors and validators.
#[derive(Args)]
pub(crate) struct SchemaOptions {
    /// The files that the schema describes.
    #[arg(value_parser = words::schemas(), long_help = name_help())]
    name: String,

    /// Allow keys that the system does not know, such as keys of plugins.
    ///
    /// By default such keys are errors. The schemas of `nodewise.toml` and of debug
    /// configurations never allow them.
    #[arg(long)]
    allow_unknown_keys: bool,
}

fn name_help() -> String {
    let systems: Vec<String> = systems().map(|dialect| format!("`{}`", dialect.id)).collect();
    let systems = systems.join(", ");
    let systems = match systems.rsplit_once(", ") {
        Some((others, last)) => format!("{others} and {last}"),
        None => systems,
    };
    format!(
        "The files that the schema describes.\n\n{systems}: declarations. `scenario`: scripts and scenarios. \
         `{CONFIG}`: `nodewise.toml`. `{LAUNCH}`: debug configurations."
    )
}

/// The names of the schemas.
pub(crate) fn names() -> Vec<&'static str> {
    DIALECTS.iter().map(|dialect| dialect.id).chain([CONFIG, LAUNCH]).collect()
}

/// Prints the schema.
pub(crate) fn run(options: &SchemaOptions, output: &mut Output) -> Result<Outcome> {
    let unknown_keys = match options.allow_unknown_keys {
        true => UnknownKeys::Allowed,
        false => UnknownKeys::Refused,
    };
    let text = match DIALECTS.iter().find(|dialect| dialect.id == options.name) {
        Some(dialect) => json_schema_text(dialect, unknown_keys),
        None if options.name == CONFIG => config_schema_text(),
        None if options.name == LAUNCH => launch_schema_text(),
        None => {
            bail!("no schema is called `{}`\n  help: {}", options.name, suggestion(&options.name, &names()));
        }
    };
    output.write(&text)?;
    Ok(Outcome::Clean)
}
