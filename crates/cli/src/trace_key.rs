//! `nodewise trace-key`: the lineage of a state key, and what renaming or dropping it would change.
//!
//! Input: a key, perhaps the name of a graph, and paths. Output: who declares, writes, reads, tests and copies the key, and the
//! keys that it is copied to or from, as text or JSON. Invariant: the command changes nothing.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use nodewise_analysis::workspace::Snapshot;
use nodewise_ide::lineage::{
    KeyLineage, KeyUse, LineageStep, in_words, key_place, key_title, keys_called, lineage,
};
use nodewise_ide::position::FilePosition;
use nodewise_ide::rename::{RenameOptions, rename};
use nodewise_model::Origin;
use nodewise_project::discovery::{self, Project};
use nodewise_syntax::LineIndex;
use serde_json::{Value, json};

use crate::outcome::Outcome;
use crate::output::Output;
use crate::print::count;
use crate::print::json::to_json;
use crate::{input, notices, workspace};

/// Show who writes, reads, tests and copies a state key.
///
/// The key is followed into the graphs that run one another. The last lines
/// say what changes if you rename the key, and who misses it if you drop it.
#[derive(Args)]
pub(crate) struct TraceKeyOptions {
    /// The key; with parts of the state, `count` or `scratch.count`.
    #[arg(value_name = "KEY")]
    key: String,
    /// Files and folders whose projects are searched.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Begin with the key of this graph: its id or name.
    #[arg(long, value_name = "NAME")]
    graph: Option<String>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A list for each key.
    Text,
    /// One JSON document, with a version.
    Json,
}

/// Runs the command.
pub(crate) fn run(options: &TraceKeyOptions, output: &mut Output) -> Result<Outcome> {
    let request = input::request(&options.paths, None)?;
    let found = discovery::find(&request, None)?;
    let mut notices = found.notices;
    let (mut text, mut values) = (String::new(), Vec::new());
    for project in &found.projects {
        let asked = workspace::asked(project, None, None, &mut notices);
        let snapshot = &asked.snapshot;
        let keys = lineage(snapshot, keys_called(snapshot, &options.key, options.graph.as_deref()));
        let places = Places { project, snapshot };
        for key in &keys {
            text.push_str(&places.text(key));
            values.push(places.value(key));
        }
    }
    let has_failed = notices::print_all(notices);
    if values.is_empty() {
        let place = options.graph.as_ref().map_or_else(String::new, |graph| format!(" of graph `{graph}`"));
        bail!(
            "no declaration names a state key `{}`{place}\n  help: check the spelling, and name the folder of the project",
            options.key
        );
    }
    match options.format {
        Format::Text => output.write(&format!("{}\n", text.trim_end()))?,
        Format::Json => output.write(&format!("{}\n", to_json(&json!({"version": 1, "keys": values}))))?,
    }
    Ok(if has_failed { Outcome::Failed } else { Outcome::Clean })
}

/// Places of a project, as they are shown.
struct Places<'p> {
    project: &'p Project,
    snapshot: &'p Snapshot,
}

/// What renaming a key changes, or why it cannot be renamed.
struct RenameEffect {
    edits: usize,
    files: usize,
    refusal: Option<String>,
}

impl Places<'_> {
    fn shown(&self, at: Origin) -> String {
        let Some(file) = self.snapshot.file(at.source) else { return String::new() };
        let place = LineIndex::new(&file.text).line_col(at.range.start());
        let path = self.project.shown.join(&*file.path);
        format!("{}:{}:{}", path.to_string_lossy().replace('\\', "/"), place.line, place.column)
    }

    fn text(&self, key: &KeyLineage) -> String {
        let mut text = format!("{}\n", key.title);
        let width = key
            .steps
            .iter()
            .map(|step| in_words(self.snapshot, step).chars().count())
            .max()
            .unwrap_or_default();
        for step in &key.steps {
            let implied = if step.is_implied { "  (not named there)" } else { "" };
            text.push_str(&format!(
                "  {:width$}  {}{implied}\n",
                in_words(self.snapshot, step),
                self.shown(step.at)
            ));
        }
        let effect = self.rename(key);
        match effect.refusal {
            Some(reason) => text.push_str(&format!("  cannot be renamed: {reason}\n")),
            None => text.push_str(&format!(
                "  renaming it changes {} in {}\n",
                count(effect.edits, "place"),
                count(effect.files, "file")
            )),
        }
        let affected = affected(key);
        match affected.is_empty() {
            true => text.push_str("  dropping it affects nobody\n"),
            false => text.push_str(&format!("  dropping it affects {}\n", affected.join(", "))),
        }
        text.push('\n');
        text
    }

    fn value(&self, key: &KeyLineage) -> Value {
        let step = |step: &LineageStep| {
            json!({
                "use": step.what.word(),
                "by": step.by,
                "place": self.shown(step.at),
                "key": step.what.partner().map(|key| key_title(self.snapshot, key)),
                "implied": step.is_implied,
            })
        };
        let effect = self.rename(key);
        json!({
            "title": key.title,
            "steps": key.steps.iter().map(step).collect::<Vec<_>>(),
            "rename": {"places": effect.edits, "files": effect.files, "refusal": effect.refusal},
            "drop": {"affects": affected(key)},
        })
    }

    /// What a rename of the key changes. The edits are computed and dropped.
    fn rename(&self, key: &KeyLineage) -> RenameEffect {
        let refused = |reason: String| RenameEffect { edits: 0, files: 0, refusal: Some(reason) };
        let Some(at) = key_place(self.snapshot, &key.key) else {
            return refused("no declaration names it".to_owned());
        };
        let position = FilePosition::new(at.source, at.range.start());
        match rename(self.snapshot, position, FREE_NAME, RenameOptions::default()) {
            Ok(files) => RenameEffect {
                edits: files.iter().map(|file| file.edits.len()).sum(),
                files: files.len(),
                refusal: None,
            },
            Err(refusal) => refused(refusal.reason),
        }
    }
}

/// A name that no key has, to ask what a rename would change.
const FREE_NAME: &str = "renamed_by_trace_key";

/// Who reads, tests or copies a key.
fn affected(key: &KeyLineage) -> Vec<String> {
    let reads = |step: &&LineageStep| {
        matches!(step.what, KeyUse::Read | KeyUse::Tested | KeyUse::CopiedTo(_) | KeyUse::Output)
    };
    let named = key.steps.iter().filter(reads).filter(|step| !step.is_implied);
    let names: BTreeSet<String> = named.map(|step| step.by.clone()).collect();
    names.into_iter().filter(|name| !name.is_empty()).collect()
}
