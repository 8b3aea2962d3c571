//! `nodewise export`: the documents that modules build, as YAML or JSON.
//!
//! Input: modules. Output: their documents, and a remark for each part that only a run of the module can know. Invariant:
//! no module is run, and a file is written completely or not at all.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use nodewise_analysis::facts::FileFacts;
use nodewise_dialect::value::{Data, SpannedValue, number_text};
use nodewise_project::discovery;
use nodewise_syntax::write::{NewValue, Writer};
use nodewise_syntax::{NodeValue, parse};

use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::{input, notices, workspace};

/// Write the graphs that modules build as YAML or JSON.
///
/// Reads TypeScript and JavaScript without running them. A part that only a run can know is `null` in the output, and
/// a note says where it is.
#[derive(Args)]
pub(crate) struct ExportOptions {
    /// Modules, and folders with modules.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
    /// Write to a file instead of standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// YAML documents, one after another.
    Yaml,
    /// A document, or a list of documents.
    Json,
}

/// Writes the documents.
pub(crate) fn run(options: &ExportOptions, output: &mut Output) -> Result<Outcome> {
    let request = input::request(&options.paths, None)?;
    let found = discovery::find(&request, None)?;
    let mut notices = found.notices;
    let mut exported = Exported { format: options.format, yaml: String::new(), json: Vec::new(), unknown: 0 };
    for project in &found.projects {
        let asked = workspace::asked(project, None, None, &mut notices);
        let files = asked.sources.iter().filter_map(|source| asked.snapshot.file(*source));
        files.filter(|file| file.is_module()).for_each(|file| exported.add(file));
    }
    let is_failure = notices::print_all(notices);
    let text = exported.text()?;
    if text.is_empty() {
        if is_failure {
            return Ok(Outcome::Failed);
        }
        bail!(
            "no module here builds a graph\n  help: name a module that imports the builders of a known package"
        );
    }
    match &options.file {
        Some(path) => {
            let mut file = Output::file(path)?;
            file.write(&text)?;
            file.finish()?;
        }
        None => output.write(&text)?,
    }
    Ok(match (is_failure, exported.unknown) {
        (true, _) => Outcome::Failed,
        (false, 0) => Outcome::Clean,
        (false, _) => Outcome::Findings,
    })
}

/// The documents so far.
struct Exported {
    format: Format,
    yaml: String,
    json: Vec<serde_json::Value>,
    /// How many parts are not known.
    unknown: usize,
}

impl Exported {
    fn add(&mut self, file: &FileFacts) {
        for document in file.tree().documents() {
            for node in document.nodes().filter(|node| matches!(node.value(), NodeValue::Unknown)) {
                self.unknown += 1;
                let line = file.line(node.range().start());
                let text = file.text.get(std::ops::Range::<usize>::from(node.range())).unwrap_or_default();
                let text = text.lines().next().unwrap_or_default();
                remark(&format!("note: {}:{line}: `{text}` is not known without a run", file.path));
            }
            let Some(root) = document.root() else { continue };
            let value = SpannedValue::from_node(root, file.source);
            match self.format {
                Format::Json => self.json.push(value.to_json()),
                Format::Yaml => self.append(&new_value(&value)),
            }
        }
    }

    fn append(&mut self, value: &NewValue) {
        let tree = parse(self.yaml.as_str());
        let mut edits = Writer::new(&tree, false).append_document(value);
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start()));
        for edit in edits {
            self.yaml.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
        }
        if !self.yaml.ends_with('\n') {
            self.yaml.push('\n');
        }
    }

    fn text(&self) -> Result<String> {
        Ok(match self.json.as_slice() {
            [] => self.yaml.clone(),
            [only] => serde_json::to_string_pretty(only)? + "\n",
            all => serde_json::to_string_pretty(all)? + "\n",
        })
    }
}

fn new_value(value: &SpannedValue<'_>) -> NewValue {
    match &value.data {
        Data::Null | Data::Tagged(_) | Data::Unknown => NewValue::Literal("null".to_owned()),
        Data::Bool(value) => NewValue::Literal(value.to_string()),
        Data::Number(number) => NewValue::Literal(number_text(*number)),
        Data::Text(text) => NewValue::text(text.as_ref()),
        Data::List(items) => NewValue::Sequence(items.iter().map(new_value).collect()),
        Data::Map(members) => {
            NewValue::mapping(members.iter().map(|member| (member.key.as_ref(), new_value(&member.value))))
        }
    }
}
