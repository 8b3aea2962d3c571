//! Declarations, a host and a script become a run.
//!
//! Input: a snapshot, what is to run, a scenario that says the rest; output: a run at its beginning. Invariant: where the
//! scenario says nothing of the program around the graph, it has everything that the graph names, so that a run shows its
//! path at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::tables::scenario::DOCUMENTED;
use nodewise_engine::limits::Limits;
use nodewise_engine::running::Running;
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::Graph;
use nodewise_model::scenario::{Respondent, RunLimits, Scenario};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::chart::{Charts, Places, of_graph};
use crate::run::{Facts, Run};
use crate::script::{Scripting, scripting};
use crate::system::{MakeGuide, Prepared, RunnableSystem, with_documented_reading};
use crate::target::{SimulationTarget, TargetError, declaration_of};

/// A run at its beginning.
///
/// # Errors
/// Where the target is not there any more, or the scenario asks for what its system does not have.
pub fn prepare(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
) -> Result<Run, TargetError> {
    let setting = setting(snapshot, target, scenario)?;
    Ok(Run::new(setting.running, setting.scripting, setting.facts))
}

/// What a run is made of.
#[derive(Clone, Copy)]
pub struct RunInputs<'w> {
    /// The declarations.
    pub snapshot: &'w Snapshot,
    /// What is to run.
    pub target: &'w SimulationTarget,
    /// The program around it.
    pub scenario: &'w Scenario,
}

/// A run at its beginning, in its parts, with what its system knows for explorations.
pub(crate) struct Setting<'w> {
    pub(crate) running: Box<dyn Running>,
    pub(crate) scripting: Scripting,
    pub(crate) facts: Facts,
    pub(crate) guide: MakeGuide<'w>,
}

/// The parts of a run at its beginning.
pub(crate) fn setting<'w>(
    snapshot: &'w Snapshot,
    target: &'w SimulationTarget,
    scenario: &'w Scenario,
) -> Result<Setting<'w>, TargetError> {
    let gone = || TargetError::new("the graph of this run is no longer declared".to_owned());
    let system = target.system(snapshot).ok_or_else(gone)?;
    check_reading(system, scenario)?;
    let prepared = system.prepare(&RunInputs { snapshot, target, scenario }).ok_or_else(gone)?;
    Ok(scripted(system, prepared, scenario))
}

/// Refuses a reading that the system does not have.
fn check_reading(system: RunnableSystem, scenario: &Scenario) -> Result<(), TargetError> {
    let is_documented = scenario.host.reading.as_ref().is_some_and(|reading| reading.value == DOCUMENTED);
    if !is_documented || system.has_documented_reading() {
        return Ok(());
    }
    let titles = with_documented_reading();
    Err(TargetError {
        message: format!("`reading: {DOCUMENTED}` means nothing for {}", system.dialect().title),
        help: Some(format!(
            "leave it out; only {titles} has a reading of its own where its documentation and its release differ"
        )),
    })
}

/// A run that a system has prepared, with the answers of a scenario.
pub(crate) fn run_of(system: RunnableSystem, prepared: Prepared<'_>, scenario: &Scenario) -> Run {
    let setting = scripted(system, prepared, scenario);
    Run::new(setting.running, setting.scripting, setting.facts)
}

fn scripted<'w>(system: RunnableSystem, prepared: Prepared<'w>, scenario: &Scenario) -> Setting<'w> {
    let scripting = scripting(&scenario.answers, &prepared.charts);
    let facts = Facts {
        system,
        title: prepared.title,
        seed: seed_of(scenario),
        charts: Arc::new(prepared.charts),
        beside: prepared.beside,
        clock: prepared.clock,
        notes: prepared.notes,
        origins: BTreeMap::new(),
    };
    Setting { running: prepared.running, scripting, facts, guide: prepared.guide }
}

impl<'w> RunInputs<'w> {
    /// The graph that is to run, then all that it can run, each with the document that declares it; none for an agent.
    #[must_use]
    pub fn graphs(&self) -> Vec<(DocumentId, &'w Graph)> {
        let SimulationTarget::Graph { document, part, .. } = self.target else { return Vec::new() };
        let mut seen: FxHashSet<(DocumentId, usize)> = FxHashSet::default();
        let mut open = vec![(*document, *part)];
        let mut graphs = Vec::new();
        let mut next = 0;
        while let Some((document, part)) = open.get(next).copied() {
            next += 1;
            if !seen.insert((document, part)) {
                continue;
            }
            let graph = declaration_of(self.snapshot, document).and_then(|declared| declared.graph(part));
            let Some(graph) = graph else { continue };
            graphs.push((document, graph));
            for node in &graph.nodes {
                let Some(work) = node.work.call() else { continue };
                let called = work.graph.as_ref();
                let meant = called.and_then(|called| self.snapshot.index().meant(document, called));
                open.extend(meant.map(|declared| (declared.document, declared.part)));
            }
        }
        graphs
    }

    /// The charts of graphs.
    pub fn charts<'g>(&self, system: RunnableSystem, graphs: impl IntoIterator<Item = &'g Graph>) -> Charts {
        let mut places = Places::new(self.snapshot);
        let mut charts = Charts::default();
        for graph in graphs {
            charts.add(of_graph(system, graph, &mut places));
        }
        charts
    }

    /// The names that the scenario scripts answers for.
    pub fn scripted(&self, subject: Respondent) -> impl Iterator<Item = &'w SmolStr> {
        let parts = self.scenario.answers.parts.iter().filter(move |part| part.subject == subject);
        parts.filter_map(|part| part.name.as_ref().map(|name| &name.value))
    }

    /// Whether the scenario takes a service of the program away.
    pub fn lacks(&self, service: &str) -> bool {
        self.scenario.host.without.iter().any(|word| word.value == service)
    }

    /// The limits of the run.
    #[must_use]
    pub fn limits(&self) -> Limits {
        limits(&self.scenario.limits)
    }

    /// The seed of the run.
    #[must_use]
    pub fn seed(&self) -> u64 {
        seed_of(self.scenario)
    }

    /// What the run is given, as members.
    #[must_use]
    pub fn input_members(&self) -> Map {
        match self.scenario.start.input.as_ref().map(|input| &input.value) {
            Some(Value::Map(map)) => map.as_ref().clone(),
            _ => Map::new(),
        }
    }

    /// What the memory or scratch holds at the beginning.
    pub fn memory(&self) -> impl Iterator<Item = (SmolStr, Value)> + 'w {
        self.scenario.start.memory.iter().map(|(key, value)| (key.value.clone(), value.clone()))
    }
}

/// The title of a graph, for people.
#[must_use]
pub fn title_of(graph: &Graph) -> String {
    match graph.name.as_ref().or(graph.id.as_ref()) {
        Some(name) => format!("graph `{}`", name.value),
        None => "a graph without a name".to_owned(),
    }
}

fn seed_of(scenario: &Scenario) -> u64 {
    scenario.seed.map_or(0, |seed| seed as u64)
}

fn limits(wanted: &RunLimits) -> Limits {
    let usual = Limits::default();
    let count = |wanted: Option<f64>, usual: u64| wanted.map_or(usual, |count| count as u64);
    Limits {
        visits: count(wanted.visits, usual.visits),
        time: wanted.time_ms.map_or(usual.time, Millis::from_f64),
        tokens: wanted.tokens.unwrap_or(usual.tokens),
        cost_usd: wanted.cost_usd.unwrap_or(usual.cost_usd),
        depth: wanted.depth.map_or(usual.depth, |depth| depth as u32),
        fan_out: wanted.fan_out.map_or(usual.fan_out, |fan_out| fan_out as u32),
        events: count(wanted.events, usual.events),
    }
}
