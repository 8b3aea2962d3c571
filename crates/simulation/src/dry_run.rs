//! A dry run as people and programs ask for it: by a file, perhaps a script, perhaps the name of a graph.
//!
//! Input: a snapshot and names. Output: the scenario, the target, and after the run its recording with notes about the script.
//! Invariant: a script or scenario with an error in its text does not run, not even in part.

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::scenario::Scenario;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::LineIndex;

use crate::recording::Recording;
use crate::run::Run;
use crate::scenario::{broken, documents_of, empty, error_of_file, whole};
use crate::target::{SimulationTarget, TargetError, folder_of, joined};

/// The help for a script with an error.
const BROKEN_HELP: &str = "fix the script first: nodewise does not run a part of it";

/// What a run starts from.
#[derive(Debug, Clone, Copy)]
pub struct DryRunSource {
    /// The file with the graph, the nodes or the scenario. `None` for the whole project.
    pub file: Option<SourceId>,
    /// The file of a script.
    pub script: Option<SourceId>,
    /// The position of the scenario in its file, from 0. A script is always the first document.
    pub position: Option<usize>,
}

impl DryRunSource {
    /// The content of the script, or of the scenario that the file is. Empty if there is neither.
    ///
    /// # Errors
    /// If the text has an error, or there is no scenario where one is named.
    pub fn scenario(&self, snapshot: &Snapshot) -> Result<Scenario, TargetError> {
        let source = self.script.or(self.file);
        let Some(file) = source.and_then(|source| snapshot.file(source)) else { return Ok(empty()) };
        let position = self.position.filter(|_| self.script.is_none());
        let Some(found) = documents_of(snapshot, file).nth(position.unwrap_or(0)) else {
            return match position {
                Some(position) => {
                    Err(TargetError::new(format!("`{}` has no scenario at position {position}", file.path)))
                }
                None if self.script.is_some() => {
                    Err(TargetError::new(format!("`{}` contains no script", file.path)))
                }
                None => Ok(empty()),
            };
        };
        if let Some(broken) = broken(snapshot, &found) {
            let message = format!("{}:{}: {}", broken.place.path, broken.place.line, broken.message);
            return Err(TargetError { message, help: Some(BROKEN_HELP.to_owned()) });
        }
        let mut scenario = whole(snapshot, found.scenario, &file.path)?;
        // File names are relative to the file that contains them.
        if let Some(named) = &mut scenario.target.file
            && !named.value.starts_with('/')
        {
            named.value = format!("/{}", joined(folder_of(&file.path), &named.value)).into();
        }
        Ok(scenario)
    }

    /// What to run: the target of the scenario if there is one, else what is in the file.
    ///
    /// # Errors
    /// If nothing has the names.
    pub fn target(
        &self,
        snapshot: &Snapshot,
        scenario: &Scenario,
        graph: Option<&str>,
    ) -> Result<SimulationTarget, TargetError> {
        let names = &scenario.target;
        let is_scenario = self
            .file
            .and_then(|source| snapshot.file(source))
            .is_some_and(|file| documents_of(snapshot, file).next().is_some());
        if is_scenario && names.file.is_some() {
            return SimulationTarget::find(snapshot, names, "");
        }
        let file = self.file.filter(|_| !is_scenario);
        let id = graph.or(names.graph.as_ref().map(|graph| graph.name.as_str()));
        let node = names.node.as_ref().map(|node| node.value.as_str());
        let named = SimulationTarget::named(snapshot, file, id, node);
        // In a module, the id of a graph is made up of the path and the constant, if it has none.
        let module = file.and_then(|source| snapshot.file(source)).filter(|file| file.is_module());
        let named = match (named, module, graph) {
            (Err(fault), Some(module), Some(constant)) => {
                let id = format!("{}#{constant}", module.path);
                SimulationTarget::named(snapshot, file, Some(&id), node).map_err(|_| fault)
            }
            (named, ..) => named,
        };
        // The missing name may be in the broken part of the text.
        match (named, file.and_then(|source| error_of_file(snapshot, source))) {
            (Err(fault), Some(broken)) => Err(TargetError {
                message: fault.message,
                help: Some(format!("{}:{}: {}", broken.place.path, broken.place.line, broken.message)),
            }),
            (named, _) => named,
        }
    }
}

/// Drives a run to its end. The notes of the recording name answers of the script that were not used, and that ran out.
#[must_use]
pub fn driven(run: &mut Run, snapshot: &Snapshot, scenario: &Scenario) -> Recording {
    let ended = run.drive(|_| true);
    // Of a script for a whole graph, one node uses a part.
    let unused = if scenario.is_script && run.facts().is_alone { Vec::new() } else { run.unused() };
    let exhausted = run.exhausted();
    let mut recording = run.recording(ended);
    let shown = |place: Origin| {
        let Some(file) = snapshot.file(place.source) else { return String::new() };
        format!("{}:{}", file.path, LineIndex::new(&file.text).line_col(place.range.start()).line)
    };
    // A script that other scripts use may have answers for other runs, so its unused answers are not reported.
    for place in unused.into_iter().filter(|place| place.source == scenario.head.source) {
        recording.notes.push(format!("the scripted answer at {} was never used", shown(place)));
    }
    for (who, place) in exhausted {
        recording.notes.push(format!("the scripted answers for {who} ran out at {}", shown(place)));
    }
    recording
}
