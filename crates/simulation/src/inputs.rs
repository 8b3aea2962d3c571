//! What a run is made of: the declarations, what is to run, and the scenario around it.
//!
//! Input: what a caller chose; output: answers to the questions of a system that prepares a run: which graphs, which limits,
//! what the scenario scripts. Invariant: all of it is derived from the three parts, whatever the system.

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::limits::Limits;
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::Graph;
use nodewise_model::scenario::{Respondent, RunLimits, Scenario};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::chart::{Charts, Places, of_graph};
use crate::system::RunnableSystem;
use crate::target::{SimulationTarget, declaration_of};

/// Everything that a run is prepared from.
#[derive(Clone, Copy)]
pub struct RunInputs<'w> {
    /// The declarations.
    pub snapshot: &'w Snapshot,
    /// What is to run.
    pub target: &'w SimulationTarget,
    /// The script or scenario: input, answers, limits, and the program around the graph.
    pub scenario: &'w Scenario,
}

impl<'w> RunInputs<'w> {
    /// The graph to run, then all graphs that it can run, each with the document that declares it. Empty for an agent.
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
                open.extend(meant.map(|declared| (declared.document, declared.part())));
            }
        }
        graphs
    }

    pub fn charts<'g>(&self, system: RunnableSystem, graphs: impl IntoIterator<Item = &'g Graph>) -> Charts {
        let mut places = Places::new(self.snapshot);
        let mut charts = Charts::default();
        for graph in graphs {
            charts.add(of_graph(system, graph, &mut places));
        }
        charts
    }

    /// The names of tools, agents and the like (as `subject` says) for which the scenario has answers.
    pub fn scripted(&self, subject: Respondent) -> impl Iterator<Item = &'w SmolStr> {
        let parts = self.scenario.answers.parts.iter().filter(move |part| part.subject == subject);
        parts.filter_map(|part| part.name.as_ref().map(|name| &name.value))
    }

    /// Whether the scenario takes this service away from the program.
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

    /// The input of the run, as a mapping.
    #[must_use]
    pub fn input_members(&self) -> Map {
        match self.scenario.start.input.as_ref().map(|input| &input.value) {
            Some(Value::Map(map)) => map.as_ref().clone(),
            _ => Map::new(),
        }
    }

    /// The contents of the memory or scratch when the run begins.
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

pub(crate) fn seed_of(scenario: &Scenario) -> u64 {
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
