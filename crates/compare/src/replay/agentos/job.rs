//! A job: a graph, the answers of tools, models and people, and the runs that continue from its checkpoints.
//!
//! Input is a job as the oracle reads it. Output is the result of the engine, in the oracle's format. Invariant: runs
//! and checkpoints are named in the same order as by the oracle.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_dialect::lower;
use nodewise_dialect::table::KindRole;
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::SpannedValue as Located;
use nodewise_engine::ask::ModelQuestion;
use nodewise_engine::kernel::Kernel;
use nodewise_engine::limits::Limits;
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::systems::agentos::checkpoint::{Checkpoint, CheckpointStore, Keeping};
use nodewise_engine::systems::agentos::host::{Host, Intervention};
use nodewise_engine::systems::agentos::program::Program;
use nodewise_engine::systems::agentos::{self, AgentOs, Opening, Reading};
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value as Plain};
use nodewise_model::graph::Graph;
use nodewise_model::{Body, SourceId};
use serde_json::{Value, json};

use super::job_provider::{JobProvider, steps, wait};
use super::recorded::{self, Phase};

/// What the runs of one job have in common.
struct Session<'j> {
    job: &'j Value,
    reading: Reading,
    graph: Graph,
    subgraphs: Vec<(String, Graph)>,
    store: CheckpointStore,
    /// The checkpoints by number, with their names.
    names: Vec<(u32, String)>,
    runs: Vec<String>,
    clock: Millis,
}

/// The result of a job in the release.
pub(crate) fn run(job: &Value) -> Value {
    run_as(job, Reading::Release)
}

/// The result of a job in a reading.
pub(super) fn run_as(job: &Value, reading: Reading) -> Value {
    let job = whole(job);
    let Some(mut session) = session(&job, reading) else { return json!({"status": "unreadable"}) };
    let mut result = session.phase(None, &job["script"]);
    let then: Vec<Value> = job["then"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|phase| {
            let script = if phase["script"].is_null() { &job["script"] } else { &phase["script"] };
            match session.target(phase) {
                Some(checkpoint) => session.phase(Some(&checkpoint), script),
                None => recorded::nowhere(),
            }
        })
        .collect();
    if !then.is_empty() {
        result["then"] = Value::Array(then);
    }
    result
}

/// What the models of a job are asked in the release, in the order of asking.
pub(crate) fn questions(job: &Value) -> Vec<ModelQuestion> {
    let job = whole(job);
    let Some(session) = session(&job, Reading::Release) else { return Vec::new() };
    let (_, kernel, _) = session.driven(None, &job["script"]);
    crate::replay::model_questions(kernel.log())
}

/// A job with its graph under a key.
fn whole(job: &Value) -> Value {
    if job["graph"].is_object() { job.clone() } else { json!({"graph": job}) }
}

fn session(job: &Value, reading: Reading) -> Option<Session<'_>> {
    let graph = graph(&around_node(&job["graph"]))?;
    let subgraphs = job["subgraphs"].as_object().into_iter().flatten();
    let keeping = if job["store"] == "snapshot" { Keeping::Copied } else { Keeping::Shared };
    Some(Session {
        subgraphs: subgraphs.filter_map(|(name, value)| Some((name.clone(), self::graph(value)?))).collect(),
        job,
        reading,
        graph,
        store: CheckpointStore::new(keeping),
        names: Vec::new(),
        runs: vec!["run1".to_owned()],
        clock: Millis::ZERO,
    })
}

impl Session<'_> {
    /// A run to its end, from its beginning or from a checkpoint.
    fn driven(&self, from: Option<&Checkpoint>, script: &Value) -> (Arc<Program>, Kernel<AgentOs>, Outcome) {
        let provider = JobProvider::new(self.job, script, self.graph.id.as_ref().map_or("", |id| &id.value));
        let others = self.subgraphs.iter().map(|(name, graph)| (name.as_str().into(), graph));
        let host = self.host(script, provider.main());
        let program = Arc::new(Program::new(&self.graph, others, host, self.reading));
        let opening = Opening {
            run: from.map_or("run1".into(), |checkpoint| checkpoint.run.clone()),
            clock: self.clock,
            checkpoints: self.last_number(),
            ..Opening::default()
        };
        let limits = Limits { events: 200_000, ..Limits::default() };
        let mut kernel = match from {
            None => {
                let input = from_json(self.job["input"].clone());
                agentos::start(program.clone(), &input, opening, limits, 0)
            }
            Some(checkpoint) => agentos::resume(program.clone(), checkpoint, opening, limits, 0),
        };
        let outcome = crate::replay::drive(&mut kernel, provider);
        (program, kernel, outcome)
    }

    fn phase(&mut self, from: Option<&Checkpoint>, script: &Value) -> Value {
        let (program, mut kernel, outcome) = self.driven(from, script);
        if outcome.status == Status::Hung {
            // The run reports its state when it is stopped.
            kernel.cancel();
            kernel.step();
        }
        let first = self.store.all().len();
        self.store.keep(&program, kernel.log());
        for checkpoint in self.store.all().iter().skip(first) {
            self.names.push((checkpoint.number, format!("cp{}", self.names.len() + 1)));
        }
        let phase = Phase { log: kernel.log(), clock: self.clock, names: &self.names, outcome: &outcome };
        let recorded = phase.recorded();
        self.clock = self.clock + kernel.now();
        recorded
    }

    /// The checkpoint from which a later phase continues.
    fn target(&mut self, phase: &Value) -> Option<Checkpoint> {
        if let Some(name) = phase["fork"].as_str() {
            let source = self.named(name)?.clone();
            self.clock = self.clock + Millis(1);
            let run = format!("run{}", self.runs.len() + 1);
            self.runs.push(run.clone());
            let number = self.last_number() + 1;
            // The oracle names a fork when it is saved, and then again.
            self.names.push((number, format!("cp{}", self.names.len() + 2)));
            let patch = match from_json(phase["patch"].clone()) {
                Plain::Map(patch) => patch,
                _ => Arc::new(Map::new()),
            };
            return Some(self.store.fork(&source, &patch, run.into(), number, self.clock));
        }
        let last = self.runs.last()?;
        match phase["resume"].as_str() {
            None | Some("run") => self.store.latest(last).cloned(),
            Some(name) => match name.strip_prefix("node:") {
                Some(node) => self.store.at_node(last, node).cloned(),
                None => self.named(name).cloned(),
            },
        }
    }

    fn named(&self, name: &str) -> Option<&Checkpoint> {
        let (number, _) = self.names.iter().find(|(_, named)| named == name)?;
        self.store.all().iter().find(|checkpoint| checkpoint.number == *number)
    }

    fn last_number(&self) -> u32 {
        self.names.last().map_or(0, |(number, _)| *number)
    }

    fn host(&self, script: &Value, main: &str) -> Host {
        let wire = &self.job["wire"];
        let is_wired = |service: &str| wire[service] != json!(false);
        let guardrails =
            if wire["guardrails"].is_null() { &self.job["guardrails"] } else { &wire["guardrails"] };
        let traits = self.job["personaTraits"].as_object().into_iter().flatten();
        let mut interventions = BTreeMap::new();
        intervene(main, script, &mut interventions);
        for (graph, script) in self.job["subgraphScript"].as_object().into_iter().flatten() {
            intervene(graph, script, &mut interventions);
        }
        Host {
            tools: is_wired("tools"),
            models: is_wired("gmi"),
            extensions: is_wired("extension"),
            guardrails: *guardrails == json!(true),
            subgraphs: is_wired("subgraph"),
            voice: is_wired("voice"),
            discovery: self.job["discovery"].is_object(),
            discovery_in_subgraphs: false,
            traits: traits.map(|(name, value)| (name.as_str().into(), from_json(value.clone()))).collect(),
            interventions,
        }
    }
}

type Interventions = BTreeMap<(smol_str::SmolStr, smol_str::SmolStr), Vec<Intervention>>;

/// The results that the script of a graph replaces.
fn intervene(graph: &str, script: &Value, interventions: &mut Interventions) {
    for (node, written) in script.as_object().into_iter().flatten() {
        let steps = steps(written);
        if steps.iter().any(|step| !step["result"].is_null() || !step["patch"].is_null()) {
            let set = |key: &Value| Some(from_json(key.clone())).filter(|value| *value != Plain::Null);
            let intervention = |step: &&Value| Intervention {
                result: set(&step["result"]),
                after: wait(&step["delayMs"]),
                thrown: step["throw"].as_str().map(Into::into),
                patch: set(&step["patch"]),
            };
            let all = steps.iter().map(intervention).collect();
            interventions.insert((graph.into(), node.as_str().into()), all);
        }
    }
}

/// A graph as model.
fn graph(value: &Value) -> Option<Graph> {
    let text = value.to_string();
    let tree = nodewise_syntax::parse(text);
    let located = Located::from_node(tree.documents().next()?.root()?, SourceId::default());
    let dialect = DIALECTS.iter().find(|dialect| dialect.id == "agentos")?;
    let kind = dialect.kinds.iter().find(|kind| kind.role == KindRole::Graph)?;
    match lower::agentos::declaration(kind, &located)?.body {
        Body::Graph(graph) => Some(*graph),
        _ => None,
    }
}

/// The smallest graph around a node without a graph.
fn around_node(value: &Value) -> Value {
    let is_graph = value["nodes"].is_array() && value["edges"].is_array();
    if is_graph || !value["id"].is_string() || !value["executorConfig"].is_object() {
        return value.clone();
    }
    json!({
        "id": "lone",
        "name": "lone",
        "nodes": [value],
        "edges": [
            {"id": "in", "source": "__START__", "target": value["id"], "type": "static"},
            {"id": "out", "source": value["id"], "target": "__END__", "type": "static"},
        ],
        "stateSchema": {"input": {}, "scratch": {}, "artifacts": {}},
        "reducers": {},
        "checkpointPolicy": "none",
        "memoryConsistency": "snapshot",
    })
}
