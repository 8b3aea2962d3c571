//! Declared prompts, replaced in a copy of the files: by the texts of an eval, and by the files of `[live.prompts]`.
//!
//! Input: what runs, the files of its project, texts by the name of who asks. Output: files with these texts. Invariant: the files on
//! disk do not change, a prompt is read from the project alone, and what a run keeps is what its models were sent.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::scenario::Scenario;
use nodewise_model::{Origin, SourceId};
use nodewise_project::config::live::Live;
use nodewise_simulation::target::SimulationTarget;
use nodewise_simulation::{RunInputs, setup};

use crate::restore;
use crate::systems::{self, LiveSystem};
use crate::wiring::Wiring;

/// The files of a project: paths and texts.
pub(crate) type Sources = Vec<(String, Arc<str>)>;

/// The largest file with a prompt, in bytes.
const LONGEST: u64 = 1 << 20;

/// A run whose prompts are replaced by those of `[live.prompts]`.
pub struct ReplacedPrompts {
    pub snapshot: Snapshot,
    /// The graph or agent that runs.
    pub target: SimulationTarget,
    /// The input of the run.
    pub scenario: Scenario,
    pub(crate) sources: Sources,
}

/// Replaces the prompts for which the configuration names files. `None` if it names none for this run.
///
/// # Errors
/// Where a file cannot be read or is not in the project, or a declaration has no prompt to replace.
pub fn from_files(
    inputs: &RunInputs<'_>,
    sources: &[(String, Arc<str>)],
    live: &Live,
    folder: &Path,
) -> Result<Option<ReplacedPrompts>> {
    if live.prompts.is_empty() {
        return Ok(None);
    }
    let system =
        inputs.target.system(inputs.snapshot).context("the graph of this run is no longer declared")?;
    let wiring = systems::configured_wiring(inputs, system, live);
    let mut texts = Vec::new();
    for (name, file) in files(live, &wiring) {
        texts.push((name.to_owned(), read(folder, name, file)?));
    }
    if texts.is_empty() {
        return Ok(None);
    }
    let live = systems::of(system);
    let Some(sources) = replaced(live, inputs, sources, &texts).map_err(|name| no_prompt(&name))? else {
        return Ok(None);
    };
    let snapshot = restore::snapshot(&sources);
    let text = setup::text(inputs.snapshot, inputs.target, inputs.scenario, "", &[]);
    let (target, scenario) = setup::read(&snapshot, &text)?;
    let again = RunInputs { snapshot: &snapshot, target: &target, scenario: &scenario };
    if let Some(name) = unreplaced(live, &again, &texts) {
        bail!(
            "the prompt of `{name}` cannot be replaced where it is written\n  help: write the prompt as a text of its own, \
             without an anchor, or remove `{name}` from [live.prompts] in nodewise.toml"
        );
    }
    Ok(Some(ReplacedPrompts { snapshot, target, scenario, sources }))
}

/// The prompt files for agents that ask models in this run: names and files.
pub(crate) fn files<'l>(live: &'l Live, wiring: &Wiring) -> impl Iterator<Item = (&'l str, &'l str)> {
    let asks: Vec<bool> = live.prompts.keys().map(|name| wiring.agents.contains_key(name.as_str())).collect();
    let named = live.prompts.iter().zip(asks).filter(|(_, asks)| *asks);
    named.map(|((name, file), _)| (name.as_str(), file.as_str()))
}

/// Replaces prompts in the files of a project. `None` if there is nothing to replace. The error is the first name without a
/// prompt.
pub(crate) fn replaced(
    live: &dyn LiveSystem,
    inputs: &RunInputs<'_>,
    sources: &[(String, Arc<str>)],
    texts: &[(String, String)],
) -> Result<Option<Sources>, String> {
    let mut edits: BTreeMap<SourceId, Vec<(Origin, String)>> = BTreeMap::new();
    for (name, text) in texts {
        let places = live.prompt_of(inputs, name);
        if places.is_empty() {
            return Err(name.clone());
        }
        for (position, (_, at)) in places.iter().enumerate() {
            let text = if position == 0 { text.as_str() } else { "" };
            edits.entry(at.source).or_default().push((*at, text.to_owned()));
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let mut sources = sources.to_vec();
    for (source, edits) in edits {
        let Some(file) = inputs.snapshot.file(source) else { continue };
        let edited = edited(&file.text, edits);
        if let Some((_, text)) = sources.iter_mut().find(|(path, _)| *path == *file.path) {
            *text = edited.into();
        }
    }
    Ok(Some(sources))
}

/// The first name whose prompt is not the wanted text, after the replacement.
pub(crate) fn unreplaced<'t>(
    live: &dyn LiveSystem,
    inputs: &RunInputs<'_>,
    texts: &'t [(String, String)],
) -> Option<&'t str> {
    let differs = |(name, text): &&(String, String)| {
        live.prompt_of(inputs, name).first().is_none_or(|(found, _)| *found != text)
    };
    texts.iter().find(differs).map(|(name, _)| name.as_str())
}

fn no_prompt(name: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "`{name}` has no prompt that [live.prompts] of nodewise.toml can replace\n  help: declare a prompt, which may be short, \
         or remove `{name}`"
    )
}

/// Reads the file of a prompt, which must be in the project.
fn read(folder: &Path, name: &str, file: &str) -> Result<String> {
    let path = folder.join(file);
    let help = format!("fix `{name}` under [live.prompts] in nodewise.toml");
    let real = std::fs::canonicalize(&path)
        .with_context(|| format!("the prompt `{file}` of `{name}` cannot be read\n  help: {help}"))?;
    let root = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    ensure!(
        real.starts_with(&root),
        "the prompt `{file}` of `{name}` is not in the project\n  help: {help}: name a file below its folder"
    );
    let length = std::fs::metadata(&real).map_or(0, |metadata| metadata.len());
    ensure!(
        real.is_file() && length <= LONGEST,
        "the prompt `{file}` of `{name}` is no file of at most 1 MB\n  help: {help}"
    );
    let text = std::fs::read_to_string(&real)
        .with_context(|| format!("the prompt `{file}` of `{name}` is not a text in UTF-8\n  help: {help}"))?;
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}

/// Replaces the values at these places by JSON strings, which YAML and JSON read in the same way.
fn edited(text: &str, mut edits: Vec<(Origin, String)>) -> String {
    let mut edited = text.to_owned();
    edits.sort_by_key(|(at, _)| std::cmp::Reverse(at.range.start()));
    for (at, value) in edits {
        let range = std::ops::Range::<usize>::from(at.range);
        let Some(written) = edited.get(range.clone()) else { continue };
        // A block text includes the line break at its end, so keep it.
        let end = if written.ends_with('\n') { "\n" } else { "" };
        let value = format!("{}{end}", serde_json::Value::from(value));
        edited.replace_range(range, &value);
    }
    edited
}
