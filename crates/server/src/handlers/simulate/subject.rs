//! What to run, as the client names it, and the start of the run.
//!
//! Input: a file, the names of what to run in it, and values that override its script. Output: a run, and its scenario
//! if it has one. Invariant: values from the client override the script, and values in the script override those of the
//! files that it uses.

use std::sync::Arc;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::tables::scenario::DOCUMENTED;
use nodewise_expr::json::from_json;
use nodewise_ide::lenses::Runnable;
use nodewise_model::scenario::Scenario;
use nodewise_model::{Body, Located, SourceId};
use nodewise_simulation::matching::matching_scripts;
use nodewise_simulation::run::Run;
use nodewise_simulation::scenario::{FoundScenario, documents_of, empty, whole};
use nodewise_simulation::target::{SimulationTarget, TargetError, folder_of, joined};
use nodewise_simulation::{prepare, setup};
use serde::Deserialize;
use serde_json::Value;
use smol_str::SmolStr;
use tower_lsp_server::ls_types::Uri;

use crate::request::File;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunRequest {
    /// The file with the graph, the nodes or the scenario.
    pub(crate) uri: Uri,
    graph: Option<String>,
    /// The node where the run starts.
    pub(in super::super) node: Option<String>,
    /// Whether only that node runs.
    #[serde(default)]
    pub(crate) only: bool,
    /// The index of the document in the file, if it is a scenario. Default: the first.
    pub(crate) scenario: Option<u32>,
    /// The script that answers questions instead of models, tools and people.
    pub(crate) script: Option<Script>,
    /// Whether no script answers, not even the one that is made for the file.
    #[serde(default)]
    without_script: bool,
    /// Whether the script that is made for the file answers if none is named.
    #[serde(skip)]
    chooses_script: bool,
    /// The input of the run.
    input: Option<Value>,
    /// Values for the initial state, in addition to those of the script.
    #[serde(default)]
    memory: serde_json::Map<String, Value>,
    seed: Option<f64>,
    /// The version to follow, of a system that has a choice.
    profile: Option<String>,
    /// Whether to follow the documentation if it differs from the release.
    #[serde(default)]
    as_documented: bool,
    /// The limits of the run.
    #[serde(default)]
    limits: Limits,
    /// The stored start of a live run, which replaces everything else.
    #[serde(skip)]
    pub(crate) setup: Option<String>,
}

/// A script: the URI of its file, or its text.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Script {
    File(Uri),
    /// The text of a script without a file.
    Inline {
        text: String,
    },
}

/// The limits of a run.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Limits {
    visits: Option<f64>,
    time_ms: Option<f64>,
    tokens: Option<f64>,
    cost_usd: Option<f64>,
    events: Option<f64>,
}

/// A run at its start.
pub(crate) struct StartedSimulation<'s> {
    pub(crate) run: Run,
    /// The scenario whose expectations are checked.
    pub(crate) scenario: Option<FoundScenario<'s>>,
    /// The run as lenses name it, to show its result there.
    pub(crate) runnable: Runnable,
    /// What runs.
    pub(crate) target: SimulationTarget,
    /// The script, with the files that it uses, and with the values that override it.
    pub(crate) script: Scenario,
    /// The files that a scenario of this run refers to instead of repeating their values, by their paths in the project.
    pub(crate) uses: Vec<String>,
    /// The file of the script that answers, if one does.
    pub(crate) answered_by: Option<SourceId>,
    /// Whether answers are written down: in a script, a scenario, or in the request.
    pub(crate) has_answers: bool,
}

/// The default maximum number of events of a run in an editor.
const EVENTS_MAX: f64 = 1e5;
/// The name of a script without a file.
const INLINE: &str = "inline.script.yaml";

impl RunRequest {
    /// A request to repeat a live run whose graph is in the given file, from its stored start.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "only live runs need it"))]
    pub(crate) fn kept(uri: Uri, setup: String) -> RunRequest {
        RunRequest {
            uri,
            graph: None,
            node: None,
            only: false,
            scenario: None,
            script: None,
            without_script: false,
            chooses_script: false,
            input: None,
            memory: serde_json::Map::new(),
            seed: None,
            profile: None,
            as_documented: false,
            limits: Limits::default(),
            setup: Some(setup),
        }
    }

    /// The same request, answered by the script that is made for the file unless a script is named or refused.
    pub(crate) fn choosing_script(mut self) -> RunRequest {
        self.chooses_script = self.script.is_none() && !self.without_script;
        self
    }

    /// The run at its start. `named` is the file of the script, if it is in a file.
    pub(crate) fn begin<'s>(
        &self,
        snapshot: &'s Snapshot,
        file: &'s File<'_>,
        named: Option<&File<'_>>,
    ) -> Result<StartedSimulation<'s>, TargetError> {
        if let Some(text) = &self.setup {
            return self.again(snapshot, text);
        }
        let own = documents_of(snapshot, file.facts).find(|found| match self.scenario {
            Some(position) => found.document.position == position,
            None => true,
        });
        if self.scenario.is_some() && own.is_none() {
            return Err(failed("the file has no scenario with this index"));
        }
        let chosen = self.chosen(snapshot, file.facts).filter(|_| own.is_none());
        let mut answered_by = None;
        let mut path = &*file.facts.path;
        let (mut scenario, uses) = match (&self.script, named, &own) {
            (Some(Script::Inline { text }), ..) => {
                let script = inline(file.facts, text)?;
                (whole(snapshot, &script, path)?, used(&script, path))
            }
            (Some(Script::File(_)), Some(named), _) => {
                let (facts, found) = script_of(snapshot, named)?;
                path = &facts.path;
                answered_by = Some(facts.source);
                (whole(snapshot, found.scenario, path)?, vec![path.to_owned()])
            }
            (_, _, Some(found)) => {
                let is_first = documents_of(snapshot, file.facts).next().map(|first| first.document);
                // `uses` names a file, so it can only mean the first document.
                let uses = match is_first == Some(found.document) {
                    true => vec![path.to_owned()],
                    false => used(found.scenario, path),
                };
                (whole(snapshot, found.scenario, path)?, uses)
            }
            _ => match &chosen {
                Some(found) => {
                    path = found.path;
                    answered_by = Some(found.document.source);
                    (whole(snapshot, found.scenario, path)?, vec![path.to_owned()])
                }
                None => (empty(), Vec::new()),
            },
        };
        let has_answers = answered_by.is_some() || own.is_some() || self.script.is_some();
        self.overrule(&mut scenario);
        // A named script replaces the one next to the graph, but the file is still what runs.
        let is_scenario = own.is_some() && self.script.is_none();
        let target = self.target(snapshot, &scenario, (path, is_scenario), file.source())?;
        self.check_reading(snapshot, &target)?;
        let run = prepare(snapshot, &target, &scenario)?;
        let own = own.filter(|found| is_scenario && found.scenario.is_test());
        let runnable = self.runnable(snapshot, &target, own.as_ref());
        Ok(StartedSimulation {
            run,
            scenario: own,
            runnable,
            target,
            script: scenario,
            uses,
            answered_by,
            has_answers,
        })
    }

    /// The script that is made for the file.
    fn chosen<'s>(&self, snapshot: &'s Snapshot, file: &FileFacts) -> Option<FoundScenario<'s>> {
        if !self.chooses_script {
            return None;
        }
        let scripts = matching_scripts(snapshot, file, self.graph.as_deref());
        scripts.into_iter().find(|script| script.is_made_for).map(|script| script.found)
    }

    /// Returns an error for an option that has no effect in the system.
    fn check_reading(&self, snapshot: &Snapshot, target: &SimulationTarget) -> Result<(), TargetError> {
        match target.system(snapshot) {
            Some(system) if self.as_documented && !system.has_documented_reading() => {
                Err(failed(&format!("`asDocumented` has no effect for {}", system.dialect().title)))
            }
            _ => Ok(()),
        }
    }

    /// The run at its start, from the stored start of a live run.
    fn again<'s>(&self, snapshot: &'s Snapshot, text: &str) -> Result<StartedSimulation<'s>, TargetError> {
        let (target, script) = setup::read(snapshot, text)?;
        let run = prepare(snapshot, &target, &script)?;
        let runnable = self.runnable(snapshot, &target, None);
        let uses = script.uses.iter().map(|name| name.value.trim_start_matches('/').to_owned()).collect();
        Ok(StartedSimulation {
            run,
            scenario: None,
            runnable,
            target,
            script,
            uses,
            answered_by: None,
            has_answers: true,
        })
    }

    /// What to run: the target of the scenario if the file is one, else what is in the file.
    fn target(
        &self,
        snapshot: &Snapshot,
        scenario: &Scenario,
        (path, is_scenario): (&str, bool),
        source: SourceId,
    ) -> Result<SimulationTarget, TargetError> {
        let names = &scenario.target;
        let source = match &names.file {
            Some(named) if is_scenario => {
                let path = joined(folder_of(path), &named.value);
                let source = snapshot.source(&path);
                Some(source.ok_or_else(|| failed(&format!("the project has no file `{path}`")))?)
            }
            _ => (!is_scenario).then_some(source),
        };
        let graph = self.graph.as_deref().or(names.graph.as_ref().map(|graph| graph.name.as_str()));
        SimulationTarget::named(snapshot, source, graph, names.node.as_ref().map(|node| node.value.as_str()))
    }

    fn runnable(
        &self,
        snapshot: &Snapshot,
        target: &SimulationTarget,
        scenario: Option<&FoundScenario<'_>>,
    ) -> Runnable {
        if let Some(found) = scenario {
            return Runnable { scenario: Some(found.document.position), ..Runnable::default() };
        }
        match target {
            SimulationTarget::Graph { node, .. } => {
                let id = target.graph(snapshot).and_then(|graph| graph.id.as_ref());
                Runnable {
                    graph: id.map(|id| SmolStr::new(&id.value)),
                    node: node.clone(),
                    is_alone: self.only,
                    is_live: false,
                    scenario: None,
                }
            }
            SimulationTarget::Agent { start, .. } => {
                Runnable { node: Some(start.clone()), is_alone: self.only, ..Runnable::default() }
            }
        }
    }

    /// Values from the client override those of the script.
    fn overrule(&self, scenario: &mut Scenario) {
        let at = scenario.head;
        if let Some(node) = &self.node {
            scenario.target.node = Some(Located::new(node.as_str().into(), at));
            scenario.target.is_alone = self.only;
        }
        scenario.target.is_alone |= self.only;
        if let Some(input) = &self.input {
            scenario.start.turns.clear();
            scenario.start.input = Some(Located::new(from_json(input.clone()), at));
        }
        for (key, value) in &self.memory {
            scenario.start.memory.retain(|(known, _)| known.value != key.as_str());
            scenario.start.memory.push((Located::new(key.as_str().into(), at), from_json(value.clone())));
        }
        if let Some(profile) = &self.profile {
            scenario.host.profile = Some(Located::new(profile.as_str().into(), at));
        }
        if self.as_documented {
            scenario.host.reading = Some(Located::new(DOCUMENTED.into(), at));
        }
        scenario.seed = self.seed.or(scenario.seed);
        let (own, wanted) = (&mut scenario.limits, &self.limits);
        own.visits = wanted.visits.or(own.visits);
        own.time_ms = wanted.time_ms.or(own.time_ms);
        own.tokens = wanted.tokens.or(own.tokens);
        own.cost_usd = wanted.cost_usd.or(own.cost_usd);
        own.events = wanted.events.or(own.events).or(Some(EVENTS_MAX));
    }
}

/// The script in a named file, which must be in the same project.
fn script_of<'s>(
    snapshot: &'s Snapshot,
    named: &File<'_>,
) -> Result<(&'s FileFacts, FoundScenario<'s>), TargetError> {
    let facts = snapshot.source(&named.facts.path).and_then(|source| snapshot.file(source));
    let facts = facts.ok_or_else(|| failed("the script is in another project"))?;
    let found = documents_of(snapshot, facts).next();
    Ok((facts, found.ok_or_else(|| failed("the file is not a script"))?))
}

/// The script in a text without a file. Names in it are relative to the file that runs.
fn inline(beside: &FileFacts, text: &str) -> Result<Scenario, TargetError> {
    // No file has this number, so no part of the text is shown as if it were in a file.
    let source = SourceId(u32::MAX);
    let path = joined(folder_of(&beside.path), INLINE);
    let facts = FileFacts::new(source, path.into(), Arc::from(text), Arc::clone(&beside.settings));
    let declared = facts.documents.iter().find_map(|document| {
        match &document.effective.as_ref()?.declaration.as_ref()?.body {
            Body::Scenario(scenario) => Some(Scenario::clone(scenario)),
            _ => None,
        }
    });
    declared.ok_or_else(|| failed("the text is not a script"))
}

/// The files that a script names, by their paths in the project.
fn used(script: &Scenario, path: &str) -> Vec<String> {
    script.uses.iter().map(|name| joined(folder_of(path), &name.value)).collect()
}

fn failed(message: &str) -> TargetError {
    TargetError { message: message.to_owned(), help: None }
}
