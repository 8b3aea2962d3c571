//! AgentOS: a graph with those that run inside it, and what the host wires.

mod checkpoints;
mod phase_runs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::agentos::{AGENTOS, START};
use nodewise_dialect::tables::scenario::{DOCUMENTED, SNAPSHOT};
use nodewise_engine::event::Event;
use nodewise_engine::explore::Guide;
use nodewise_engine::running::Running;
use nodewise_engine::systems::agentos::AgentOsGuide;
use nodewise_engine::systems::agentos::checkpoint::{Checkpoint, CheckpointStore, Keeping};
use nodewise_engine::systems::agentos::host::{Host, Intervention};
use nodewise_engine::systems::agentos::program::Program;
use nodewise_engine::systems::agentos::{Opening, Reading, partitions, resume, start};
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};
use nodewise_model::Located;
use nodewise_model::graph::{EdgeGuard, Endpoint, EndpointRole, Graph, GraphEdge};
use nodewise_model::scenario::{Respondent, ScriptedAnswer};
use smol_str::{SmolStr, format_smolstr};

use crate::chart::Charts;
use crate::external_run::{ExternalRun, Routing, TraceEntry};
use crate::inputs::{RunInputs, title_of};
use crate::recording::Recording;
use crate::run::Run;
use crate::runtime::{MakeGuide, Prepared, Runtime};
use crate::system::{ConditionContext, RunSemantics, RunnableSystem, StartPlace};
use crate::target::{SimulationTarget, TargetError};
use phase_runs::PhaseRuns;

/// AgentOS: a document declares a graph over a state of parts.
pub const SYSTEM: RunnableSystem = RunnableSystem::new(RUNTIME);

/// How its graphs run.
pub(crate) const RUNTIME: &dyn Runtime = &AgentOsRuns;

struct AgentOsRuns;

/// The partitions that the beginning of a run can fill.
const INPUT: &str = "input";
const SCRATCH: &str = "scratch";

impl RunSemantics for AgentOsRuns {
    fn dialect(&self) -> &'static Dialect {
        &AGENTOS
    }

    fn has_documented_reading(&self) -> bool {
        true
    }

    fn visible_state(&self, moment: &ConditionContext<'_>) -> Value {
        partitions(moment.state).into()
    }

    fn final_state(&self, state: &Map) -> Map {
        partitions(state)
    }

    fn routing(&self) -> Option<Routing> {
        Some(Routing::EveryEdge)
    }

    fn external_runs(&self, entries: &[TraceEntry]) -> Option<Vec<ExternalRun>> {
        checkpoints::runs(entries)
    }

    fn start_place(&self, path: &[SmolStr]) -> Option<StartPlace> {
        match path {
            [root, rest @ ..] if root == INPUT && !rest.is_empty() => Some(StartPlace::Input(rest.to_vec())),
            [root, key, rest @ ..] if root == SCRATCH => {
                Some(StartPlace::State(format_smolstr!("{SCRATCH}.{key}"), rest.to_vec()))
            }
            _ => None,
        }
    }

    fn key_prefixes(&self) -> &'static [&'static str] {
        &["", "scratch.", "artifacts."]
    }

    fn evaluates_before_reasons(&self) -> bool {
        true
    }
}

impl Runtime for AgentOsRuns {
    fn prepare<'w>(&self, inputs: &RunInputs<'w>) -> Option<Prepared<'w>> {
        prepare(inputs)
    }

    fn continue_run(
        &self,
        mut run: Run,
        inputs: &RunInputs<'_>,
        look: &mut dyn FnMut(&Run) -> bool,
    ) -> Result<Vec<Recording>, TargetError> {
        let outcome = run.drive(&mut *look);
        PhaseRuns::new(*inputs).recordings(run.recording(outcome), look)
    }
}

/// A graph with its host, and what is known about it.
struct Ready<'w> {
    program: Arc<Program>,
    title: String,
    charts: Charts,
    guide: MakeGuide<'w>,
}

fn prepare<'w>(inputs: &RunInputs<'w>) -> Option<Prepared<'w>> {
    let ready = ready(inputs)?;
    let scratch: Map = inputs.memory().collect();
    let opening = Opening { scratch: Arc::new(scratch), ..Opening::default() };
    let run = start(ready.program.clone(), &input(inputs), opening, inputs.limits(), inputs.seed());
    Some(ready.prepared(Box::new(run)))
}

/// Prepares a run that resumes from a checkpoint.
fn resumed<'w>(inputs: &RunInputs<'w>, checkpoint: &Checkpoint, opening: Opening) -> Option<Prepared<'w>> {
    let ready = ready(inputs)?;
    let run = resume(ready.program.clone(), checkpoint, opening, inputs.limits(), inputs.seed());
    Some(ready.prepared(Box::new(run)))
}

/// Keeps the checkpoints of a run.
fn keep(inputs: &RunInputs<'_>, store: &mut CheckpointStore, log: &[Event]) -> Option<()> {
    store.keep(&ready(inputs)?.program, log);
    Some(())
}

/// How the host keeps checkpoints.
fn store(inputs: &RunInputs<'_>) -> CheckpointStore {
    let word = inputs.scenario.host.checkpoint_store.as_ref().map(|word| word.value.as_str());
    CheckpointStore::new(if word == Some(SNAPSHOT) { Keeping::Copied } else { Keeping::Shared })
}

impl<'w> Ready<'w> {
    fn prepared(self, running: Box<dyn Running>) -> Prepared<'w> {
        let Ready { title, charts, guide, .. } = self;
        Prepared { running, guide, title, charts, beside: Map::new(), clock: 0.0, notes: Vec::new() }
    }
}

fn ready<'w>(inputs: &RunInputs<'w>) -> Option<Ready<'w>> {
    let graphs = inputs.graphs();
    let (_, main) = graphs.first()?;
    let mut main: Graph = (*main).clone();
    if let SimulationTarget::Graph { node: Some(node), .. } = inputs.target {
        begin_at(&mut main, node);
    }
    let inner = graphs.iter().skip(1).map(|(_, graph)| *graph);
    let charts = inputs.charts(SYSTEM, std::iter::once(&main).chain(inner));
    let title = title_of(&main);
    let reading = match inputs.scenario.host.reading.as_ref().map(|word| word.value.as_str()) {
        Some(DOCUMENTED) => Reading::Documented,
        _ => Reading::Release,
    };
    let main_id = main.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
    let others = graphs.iter().filter_map(|(_, graph)| Some((graph.id.as_ref()?.value.clone(), *graph)));
    let program = Program::new(&main, others, host(inputs, &main_id), reading);
    let input = input(inputs);
    let guide = move || -> Box<dyn Guide> {
        let inner: Vec<&Graph> = graphs.iter().skip(1).map(|(_, graph)| *graph).collect();
        Box::new(AgentOsGuide::new(&main, &inner, &input))
    };
    Some(Ready { program: Arc::new(program), title, charts, guide: Box::new(guide) })
}

fn input(inputs: &RunInputs<'_>) -> Value {
    match &inputs.scenario.start.input {
        Some(input) => input.value.clone(),
        None => Map::new().into(),
    }
}

fn host(inputs: &RunInputs<'_>, main: &SmolStr) -> Host {
    let traits = &inputs.scenario.host.traits;
    Host {
        tools: !inputs.lacks("tools"),
        models: !inputs.lacks("gmi"),
        extensions: !inputs.lacks("extension"),
        guardrails: !inputs.lacks("guardrails"),
        subgraphs: !inputs.lacks("subgraph"),
        voice: !inputs.lacks("voice"),
        discovery: !inputs.lacks("discovery"),
        discovery_in_subgraphs: !inputs.lacks("discovery"),
        traits: traits
            .iter()
            .map(|(name, strength)| (name.value.clone(), Value::Number(*strength)))
            .collect(),
        interventions: interventions(inputs, main),
    }
}

/// The results and patches by which the scenario replaces what nodes return, one for each attempt.
fn interventions(inputs: &RunInputs<'_>, main: &SmolStr) -> BTreeMap<(SmolStr, SmolStr), Vec<Intervention>> {
    let mut all = BTreeMap::new();
    let parts = inputs.scenario.answers.parts.iter().filter(|part| part.subject == Respondent::Node);
    for part in parts {
        let Some(node) = &part.name else { continue };
        if part.answers.iter().all(|answer| answer.result.is_none() && answer.patch.is_none()) {
            continue;
        }
        let graph = part.graph.as_ref().map_or_else(|| main.clone(), |graph| graph.value.clone());
        all.insert((graph, node.value.clone()), part.answers.iter().map(intervention).collect());
    }
    all
}

fn intervention(answer: &ScriptedAnswer) -> Intervention {
    let result = answer.result.as_ref().map(|result| result.value.clone());
    Intervention {
        after: answer.after_ms.as_ref().map_or(Millis::ZERO, |after| Millis::from_f64(after.value)),
        thrown: result.as_ref().and(answer.error.as_ref()).map(|error| error.message.clone()),
        patch: answer.patch.as_ref().map(|patch| patch.value.clone()),
        result,
    }
}

/// Reduces a graph to what a run from a node can reach, and adds an edge from the start to that node.
fn begin_at(graph: &mut Graph, node: &SmolStr) {
    let mut reached: BTreeSet<SmolStr> = BTreeSet::from([node.clone()]);
    let mut open = vec![node.clone()];
    let mut ways: BTreeMap<&SmolStr, Vec<&SmolStr>> = BTreeMap::new();
    for edge in &graph.edges {
        if let (Some(source), Some(target)) = (&edge.source, &edge.target) {
            ways.entry(&source.name.value).or_default().push(&target.name.value);
        }
    }
    while let Some(from) = open.pop() {
        for target in ways.get(&from).into_iter().flatten() {
            if reached.insert((*target).clone()) {
                open.push((*target).clone());
            }
        }
    }
    let keeps = |end: &Option<Endpoint>| end.as_ref().is_some_and(|end| reached.contains(&end.name.value));
    let head = graph.head;
    graph.nodes.retain(|node| node.id.as_ref().is_some_and(|id| reached.contains(&id.value)));
    graph.edges.retain(|edge| {
        let enters = edge.target.as_ref().is_some_and(|target| target.name.value == *node);
        keeps(&edge.source) && !enters
    });
    let end = |role, name: &str| Some(Endpoint { role, name: Located::new(SmolStr::new(name), head) });
    graph.edges.insert(
        0,
        GraphEdge {
            id: None,
            at: head,
            head,
            source: end(EndpointRole::Start, START),
            target: end(EndpointRole::Node, node),
            guard: EdgeGuard::Always,
            host: None,
            foreign_keys: Vec::new(),
        },
    );
}
