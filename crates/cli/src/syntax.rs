//! `nodewise syntax`: the parsed structure of a file.
//!
//! Input: a file or standard input. Output: its tree, its events or its documents. Problems go to standard error.
//! Invariant: a broken text is printed as far as the parser understood it.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use nodewise_dialect::value::{Data, SpannedValue};
use nodewise_expr::json::number_to_json;
use nodewise_model::SourceId;
use nodewise_project::reading::{self, MIB};
use nodewise_syntax::{LineIndex, Tree, dump, events, parse};
use serde_json::Map;

use crate::input;
use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::print::fault::Fault;
use crate::print::json::to_json;
use crate::screen;

const SIZE_MAX: u64 = 1024 * MIB;

/// Print the syntax tree of a file.
#[derive(Args)]
pub(crate) struct SyntaxOptions {
    /// The file, or `-` for standard input.
    file: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Format::Tree)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// All nodes and tokens, with their byte ranges.
    Tree,
    /// Events, as the YAML test suite writes them.
    Events,
    /// Each document as one line of JSON.
    Json,
}

/// Prints the syntax.
pub(crate) fn run(options: &SyntaxOptions, output: &mut Output) -> Result<Outcome> {
    let name = options.file.to_string_lossy();
    let tree = parse(text(&options.file)?);
    let printed = match options.format {
        Format::Tree => dump::tree_text(&tree),
        Format::Events => events::event_text(&tree),
        Format::Json => documents(&tree),
    };
    if std::io::stdout().is_terminal() {
        output.write(&screen::lines(&printed))?;
    } else {
        output.write(&printed)?;
    }
    output.finish()?;
    let lines = LineIndex::new(tree.text());
    for problem in tree.problems() {
        let (message, help) = (problem.message(), problem.help());
        let (text, range) = (tree.text(), problem.range);
        let fault = Fault { name: &name, text, range, message: &message, help: help.as_deref() };
        complain(&fault.text(&lines));
    }
    Ok(if tree.problems().is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn text(file: &Path) -> Result<Arc<str>> {
    let read = match input::is_stdin(file) {
        true => reading::text(&input::read()?),
        false => reading::read(file, SIZE_MAX),
    };
    match read {
        Ok(text) => Ok(text),
        Err(unreadable) => {
            bail!("{}: {}\n  help: {}", file.display(), unreadable.reason, unreadable.help)
        }
    }
}

fn documents(tree: &Tree) -> String {
    let mut lines = String::new();
    for document in tree.documents() {
        let value = document.root().map(|root| SpannedValue::from_node(root, SourceId::default()));
        lines.push_str(&to_json(&value.as_ref().map_or(serde_json::Value::Null, json)));
        lines.push('\n');
    }
    lines
}

/// A value as JSON. A value that JSON cannot represent is `null`.
fn json(value: &SpannedValue<'_>) -> serde_json::Value {
    match &value.data {
        Data::Null | Data::Tagged(_) | Data::Unknown => serde_json::Value::Null,
        Data::Bool(value) => serde_json::Value::Bool(*value),
        Data::Number(number) => number_to_json(*number),
        Data::Text(text) => serde_json::Value::String(text.clone().into_owned()),
        Data::List(items) => serde_json::Value::Array(items.iter().map(json).collect()),
        Data::Map(members) => {
            let members = members.iter().map(|member| (member.key.clone().into_owned(), json(&member.value)));
            serde_json::Value::Object(members.collect::<Map<_, _>>())
        }
    }
}
