//! A scenario: a graph with everything that a run of it needs.
//!
//! Input is the text of a scenario. Output is a program, a start, and the answers. Invariant: the defaults are those of
//! the recording program.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use nodewise_dialect::lower::{self, plain_value};
use nodewise_dialect::tables::cycgraph::{CYCGRAPH, GRAPH_KIND_NAME};
use nodewise_dialect::value::SpannedValue as Written;
use nodewise_engine::systems::cycgraph::host::{
    Host, HostAgent, HostPrice, HostServer, HostTools, PolicyDecision, PolicyEffect, Source,
};
use nodewise_engine::systems::cycgraph::program::Program;
use nodewise_engine::systems::cycgraph::start::Start;
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::Graph;
use nodewise_model::{Body, SourceId};
use smol_str::{SmolStr, format_smolstr};

use super::scenario_provider::ScenarioProvider;
use super::values::{list, map, number, text};

/// A graph with everything that a run of it needs.
pub(crate) struct Scenario {
    pub(crate) program: Arc<Program>,
    pub(crate) start: Start,
    pub(crate) provider: ScenarioProvider,
    /// Whether it has nodes at which several agents work concurrently.
    pub(crate) has_concurrency: bool,
}

impl Scenario {
    /// Reads a scenario. `read` returns the text of files that it names instead of graphs.
    pub(crate) fn read(text: &str, read: &dyn Fn(&str) -> Result<String>) -> Result<Scenario> {
        let tree = nodewise_syntax::parse(text);
        ensure!(tree.problems().is_empty(), "the scenario is not valid YAML: {:?}", tree.problems());
        let root = tree.documents().next().and_then(|document| document.root()).context("an empty file")?;
        let written = Written::from_node(root, SourceId::default());
        let main = written.get("graph").context("no graph")?;
        let main = graph(&main.value, read)?.context("the graph is invalid")?;
        let mut callable = Vec::new();
        for member in written.get("graphs").and_then(|member| member.value.as_list()).unwrap_or_default() {
            callable.extend(graph(member, read)?);
        }
        let Value::Map(scenario) = plain_value(&written) else { anyhow::bail!("no mapping") };
        let program = Program::new(&main, &callable.iter().collect::<Vec<_>>(), host(&scenario));
        let mut nodes = callable.iter().chain([&main]).flat_map(|graph| &graph.nodes);
        let is_concurrent = |work: &Work| matches!(work, Work::Map(_) | Work::Voting(_) | Work::Evolution(_));
        Ok(Scenario {
            program: Arc::new(program),
            start: start(&scenario, &main),
            provider: ScenarioProvider::new(&scenario),
            has_concurrency: nodes.any(|node| is_concurrent(Work::of(node))),
        })
    }
}

/// A graph that is inline, or in a separate file.
fn graph(value: &Written<'_>, read: &dyn Fn(&str) -> Result<String>) -> Result<Option<Graph>> {
    let Value::Text(path) = plain_value(value) else { return Ok(lowered(value)) };
    let text = read(&path)?;
    let tree = nodewise_syntax::parse(text.as_str());
    ensure!(tree.problems().is_empty(), "{path} is not valid YAML: {:?}", tree.problems());
    let root = tree.documents().next().and_then(|document| document.root());
    let root = root.with_context(|| format!("{path} is empty"))?;
    Ok(lowered(&Written::from_node(root, SourceId::default())))
}

fn lowered(value: &Written<'_>) -> Option<Graph> {
    match lower::cycgraph::declaration(CYCGRAPH.kind(GRAPH_KIND_NAME)?, value)?.body {
        Body::Graph(graph) => Some(*graph),
        _ => None,
    }
}

fn start(scenario: &Map, main: &Graph) -> Start {
    let nothing = Map::new();
    let state = map(scenario.get("state")).unwrap_or(&nothing);
    let default = Start::default();
    let own_id = main.id.as_ref().map(|id| id.value.clone()).filter(|id| is_uuid(id));
    Start {
        workflow_id: text(state.get("workflow_id")).or(own_id).unwrap_or(default.workflow_id),
        run_id: text(state.get("run_id")).unwrap_or(default.run_id),
        goal: text(state.get("goal")).unwrap_or_else(|| "scripted goal".into()),
        constraints: list(state.get("constraints")).iter().filter_map(|item| text(Some(item))).collect(),
        memory: map(state.get("memory")).cloned().unwrap_or_default(),
        max_iterations: number(state.get("max_iterations")).unwrap_or(default.max_iterations),
        max_execution_time_ms: number(state.get("max_execution_time_ms"))
            .unwrap_or(default.max_execution_time_ms),
        max_token_budget: number(state.get("max_token_budget")),
        budget_usd: number(state.get("budget_usd")),
    }
}

fn host(scenario: &Map) -> Host {
    let options = map(scenario.get("options"));
    let is_on = |key: &str| {
        options.and_then(|options| options.get(key)).is_some_and(|value| *value == Value::Bool(true))
    };
    let named = |key: &str| map(scenario.get(key)).into_iter().flat_map(Map::iter);
    let tools: BTreeMap<SmolStr, bool> =
        named("tools").map(|(name, tool)| (name.clone(), is_true(tool, "taints"))).collect();
    let has_tools =
        !tools.is_empty() || scenario.get("force_tools").is_some_and(|value| *value == Value::Bool(true));
    Host {
        agents: named("agents").map(|(id, written)| (id.clone(), agent(id, written))).collect(),
        prices: named("agents").filter_map(|(id, written)| Some((model(id), price(written)?))).collect(),
        tools: has_tools.then_some(HostTools { defined: tools, servers: None }),
        memory_writer: is_given(scenario, "memory_writer"),
        memory_retriever: is_given(scenario, "memory_facts"),
        fitness: is_given(scenario, "fitness"),
        remote: is_given(scenario, "a2a")
            .then(|| named("a2a").map(|(id, written)| (id.clone(), server(written))).collect()),
        policy: named("policy").filter_map(|(node, word)| Some((node.clone(), decision(word)?))).collect(),
        compensations: named("compensations").map(|(node, action)| (node.clone(), action.clone())).collect(),
        implicit_completion: is_on("allow_implicit_completion"),
        auto_rollback: is_on("auto_rollback"),
    }
}

/// The model of an agent. Each agent has its own.
fn model(agent: &SmolStr) -> SmolStr {
    format_smolstr!("mock/{agent}")
}

fn agent(id: &SmolStr, written: &Value) -> HostAgent {
    let nothing = Map::new();
    let settings = map(Some(written)).unwrap_or(&nothing);
    let default = HostAgent::default();
    let permissions = map(settings.get("permissions"));
    let ceiling = |key: &str| -> Option<Arc<[SmolStr]>> {
        permissions.map(|permissions| {
            list(permissions.get(key)).iter().filter_map(|item| text(Some(item))).collect()
        })
    };
    let tools = list(settings.get("tools")).iter().filter_map(source);
    HostAgent {
        model: model(id),
        provider: "mock".into(),
        prompt: text(settings.get("system")).unwrap_or_else(|| format_smolstr!("agent {id}")),
        tools: tools.collect(),
        reads: ceiling("read_keys"),
        writes: ceiling("write_keys"),
        temperature: number(settings.get("temperature")).unwrap_or(default.temperature),
        max_steps: number(settings.get("max_steps")).map_or(default.max_steps, |steps| steps as u32),
    }
}

fn source(written: &Value) -> Option<Source> {
    if let Some(name) = text(Some(written)) {
        return Some(match name == "save_to_memory" {
            true => Source::Builtin(name),
            false => Source::Custom(name),
        });
    }
    let settings = map(Some(written))?;
    match text(settings.get("type"))?.as_str() {
        "builtin" => text(settings.get("name")).map(Source::Builtin),
        "custom" => text(settings.get("name")).map(Source::Custom),
        _ => Some(Source::Server(text(settings.get("server_id"))?, None)),
    }
}

fn price(written: &Value) -> Option<HostPrice> {
    let price = map(map(Some(written))?.get("price"))?;
    let part = |key: &str| number(price.get(key)).unwrap_or_default();
    Some(HostPrice { input: part("in"), output: part("out") })
}

fn server(written: &Value) -> HostServer {
    let allowed = map(Some(written)).and_then(|server| server.get("allowed_agents"));
    HostServer {
        allowed: allowed.map(|names| list(Some(names)).iter().filter_map(|name| text(Some(name))).collect()),
        task_timeout_ms: Some(1000.0),
    }
}

fn decision(word: &Value) -> Option<PolicyDecision> {
    let effect = match text(Some(word))?.as_str() {
        "block" => PolicyEffect::Block,
        "require_approval" => PolicyEffect::RequireApproval,
        "monitor" => PolicyEffect::Monitor,
        _ => return None,
    };
    Some(PolicyDecision { effect, reason: Some("scripted".into()), prompt: None })
}

fn is_given(scenario: &Map, key: &str) -> bool {
    scenario.get(key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

fn is_true(value: &Value, key: &str) -> bool {
    map(Some(value)).and_then(|map| map.get(key)).is_some_and(|value| *value == Value::Bool(true))
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}
