//! cycgraph: graphs with their agents, tools and servers, and what the program registers of them.

mod event_log;

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::{DocumentId, Effective};
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::cycgraph::{AGENT, BUILTIN_TOOLS, CYCGRAPH};
use nodewise_engine::explore::Guide;
use nodewise_engine::systems::cycgraph::CycgraphGuide;
use nodewise_engine::systems::cycgraph::begin;
use nodewise_engine::systems::cycgraph::host::{
    Host, HostAgent, HostPrice, HostServer, HostTools, PolicyDecision, PolicyEffect, Source,
};
use nodewise_engine::systems::cycgraph::program::Program;
use nodewise_engine::systems::cycgraph::start::Start;
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{AgentDefinition, Graph, ToolSource, ToolSourceKind};
use nodewise_model::scenario::{RegisteredAgent, Respondent};
use nodewise_model::{Located, Reference};
use smol_str::SmolStr;

use crate::chart::{Places, SourceLocation};
use crate::external_run::{ExternalRun, Routing, SpanNames, TraceEntry};
use crate::inputs::{RunInputs, title_of};
use crate::runtime::{Prepared, Runtime};
use crate::system::{ConditionContext, RunSemantics, RunnableSystem, StartPlace};
use crate::target::{SimulationTarget, declaration_of};

/// The prefix of the classes of this system.
const CLASSES: &str = "cycgraph:";
/// The first letter of the classes whose findings make the release refuse a graph.
const RELEASE_CHECK: char = 'R';

/// The maximum number of reasons that are shown if a graph is refused.
const PROBLEMS_SHOWN: usize = 8;

/// The services that a scenario can take away from the program.
const TOOLS: &str = "tools";
const MEMORY: &str = "memory";

/// cycgraph: a document declares a graph over one memory.
pub const SYSTEM: RunnableSystem = RunnableSystem::new(RUNTIME);

/// How its graphs run.
pub(crate) const RUNTIME: &dyn Runtime = &CycgraphRuns;

struct CycgraphRuns;

impl RunSemantics for CycgraphRuns {
    fn dialect(&self) -> &'static Dialect {
        &CYCGRAPH
    }

    fn visible_state(&self, moment: &ConditionContext<'_>) -> Value {
        let mut visible = moment.beside.clone();
        visible.insert(MEMORY, moment.state.clone().into());
        visible.into()
    }

    fn routing(&self) -> Option<Routing> {
        Some(Routing::FirstEdge)
    }

    fn external_runs(&self, entries: &[TraceEntry]) -> Option<Vec<ExternalRun>> {
        event_log::runs(entries)
    }

    fn span_names(&self) -> Option<SpanNames> {
        Some(SpanNames { graph: "graph.id", node: "node.id", run: "workflow.run_id" })
    }

    fn start_place(&self, path: &[SmolStr]) -> Option<StartPlace> {
        match path {
            [root, rest @ ..] if root == MEMORY && !rest.is_empty() => Some(StartPlace::Input(rest.to_vec())),
            _ => None,
        }
    }
}

impl Runtime for CycgraphRuns {
    fn prepare<'w>(&self, inputs: &RunInputs<'w>) -> Option<Prepared<'w>> {
        prepare(inputs)
    }
}

/// The agents that the graphs of a run call, as they are declared or registered.
#[must_use]
pub fn called_agents(inputs: &RunInputs<'_>) -> BTreeMap<SmolStr, HostAgent> {
    agents(inputs, &inputs.graphs(), &mut Vec::new())
}

fn prepare<'w>(inputs: &RunInputs<'w>) -> Option<Prepared<'w>> {
    let graphs = inputs.graphs();
    let (_, main) = graphs.first()?;
    let mut main: Graph = (*main).clone();
    if let SimulationTarget::Graph { node: Some(node), .. } = inputs.target {
        let at = main.start.as_ref().map_or(main.head, |start| start.at);
        main.start = Some(Located::new(node.clone(), at));
    }
    let mut notes = Vec::new();
    let host = host(inputs, &graphs, &mut notes);
    let callable: Vec<&Graph> = graphs.iter().map(|(_, graph)| *graph).collect();
    let inner = callable.iter().skip(1).copied();
    let charts = inputs.charts(SYSTEM, std::iter::once(&main).chain(inner));
    let title = title_of(&main);
    let start = start(inputs, &main);
    let beside = beside(&start);
    let problems = problems(inputs);
    notes.extend(zero_budgets(inputs));
    for (message, place) in problems.iter().take(PROBLEMS_SHOWN) {
        let place = place.as_ref().map(|place| format!("{}:{}: ", place.path, place.line));
        notes.push(format!("cycgraph rejects the graph: {}{message}", place.unwrap_or_default()));
    }
    let problems = problems.into_iter().map(|(message, _)| message).collect();
    let program = Arc::new(Program::new(&main, &callable, host).refused(problems));
    let run = begin(program.clone(), &start, inputs.limits(), inputs.seed());
    let guide = Box::new(move || -> Box<dyn Guide> { Box::new(CycgraphGuide::new(program, &start)) });
    Some(Prepared { running: Box::new(run), guide, title, charts, beside, clock: 0.0, notes })
}

/// The errors for which the release refuses the graph's document.
fn problems(inputs: &RunInputs<'_>) -> Vec<(String, Option<SourceLocation>)> {
    let id = inputs.target.document();
    let Some(facts) =
        inputs.snapshot.file(id.source).and_then(|file| file.documents.get(id.position as usize))
    else {
        return Vec::new();
    };
    let found = inputs.snapshot.diagnostics(id.source);
    let is_refused = |one: &&Diagnostic| {
        let of_system = one.finding.spec.or(one.spec).and_then(|class| class.strip_prefix(CLASSES));
        let of_system = of_system.is_some_and(|class| class.starts_with(RELEASE_CHECK));
        let is_inside = facts.range.range.contains_range(one.finding.at.range);
        one.severity == Severity::Error && is_inside && (of_system || facts.refused)
    };
    let mut places = Places::new(inputs.snapshot);
    let problem = |one: &Diagnostic| (one.finding.message.clone(), places.find(one.finding.at));
    found.iter().filter(is_refused).map(problem).collect()
}

/// Notes about budgets of zero, which the release treats as no budget.
fn zero_budgets(inputs: &RunInputs<'_>) -> Vec<String> {
    let host = &inputs.scenario.host;
    let mut places = Places::new(inputs.snapshot);
    let budgets = [("tokens", &host.max_tokens), ("money", &host.max_cost_usd)];
    let zero = budgets.into_iter().filter_map(|(of, budget)| Some((of, budget.as_ref()?)));
    zero.filter(|(_, budget)| budget.value == 0.0)
        .map(|(of, budget)| {
            let place = places.find(budget.at).map(|place| format!("{}:{}: ", place.path, place.line));
            format!("{}cycgraph treats a budget of 0 as no limit on {of}", place.unwrap_or_default())
        })
        .collect()
}

fn start(inputs: &RunInputs<'_>, graph: &Graph) -> Start {
    let said = &inputs.scenario.start;
    let host = &inputs.scenario.host;
    let usual = Start::default();
    let mut memory = inputs.input_members();
    for (key, value) in inputs.memory() {
        memory.insert(key, value);
    }
    let amount = |amount: &Option<Located<f64>>| amount.as_ref().map(|amount| amount.value);
    Start {
        workflow_id: graph.id.as_ref().map_or(usual.workflow_id, |id| id.value.clone()),
        run_id: host.run_id.clone().unwrap_or(usual.run_id),
        goal: said.goal.as_ref().map_or(usual.goal, |goal| goal.value.clone()),
        constraints: said.constraints.iter().map(|constraint| constraint.value.clone()).collect(),
        memory,
        max_iterations: amount(&host.max_iterations).unwrap_or(usual.max_iterations),
        max_execution_time_ms: amount(&host.max_time_ms).unwrap_or(usual.max_execution_time_ms),
        max_token_budget: amount(&host.max_tokens),
        budget_usd: amount(&host.max_cost_usd),
    }
}

/// What conditions can read besides the memory, as far as it does not change.
fn beside(start: &Start) -> Map {
    let mut beside = Map::new();
    beside.insert("goal", Value::Text(start.goal.clone()));
    beside.insert("constraints", start.constraints.iter().map(|one| Value::Text(one.clone())).collect());
    beside.insert("max_iterations", Value::Number(start.max_iterations));
    beside
}

fn host(inputs: &RunInputs<'_>, graphs: &[(DocumentId, &Graph)], notes: &mut Vec<String>) -> Host {
    let said = &inputs.scenario.host;
    let agents = agents(inputs, graphs, notes);
    let price =
        |price: &nodewise_model::scenario::ModelPrice| HostPrice { input: price.input, output: price.output };
    let mut prices: BTreeMap<SmolStr, HostPrice> =
        said.prices.iter().map(|(model, cost)| (model.value.clone(), price(cost))).collect();
    for agent in &said.agents {
        if let (Some(cost), Some(known)) = (&agent.price, agents.get(&agent.id.value)) {
            prices.insert(known.model.clone(), price(cost));
        }
    }
    let nodes = || graphs.iter().flat_map(|(_, graph)| &graph.nodes);
    let has = |subject: Respondent| inputs.scenario.answers.parts.iter().any(|part| part.subject == subject);
    Host {
        prices,
        tools: (!inputs.lacks(TOOLS)).then(|| tools(inputs, graphs, &agents)),
        memory_writer: !inputs.lacks(MEMORY)
            && (has(Respondent::Remember)
                || nodes().any(|node| matches!(Work::of(node), Work::Reflection(_)))),
        memory_retriever: !inputs.lacks(MEMORY)
            && (has(Respondent::Recall) || nodes().any(|node| node.memory_query.is_some())),
        fitness: has(Respondent::Fitness),
        remote: Some(servers(inputs, graphs)),
        policy: said.policy.iter().filter_map(policy).collect(),
        compensations: said
            .compensations
            .iter()
            .map(|(node, what)| (node.value.clone(), what.clone()))
            .collect(),
        implicit_completion: said.implicit_completion.unwrap_or_default(),
        auto_rollback: said.auto_rollback.unwrap_or_default(),
        agents,
    }
}

/// The agents that the graphs call: as they are declared, as the scenario registers them, or plain ones.
fn agents(
    inputs: &RunInputs<'_>,
    graphs: &[(DocumentId, &Graph)],
    notes: &mut Vec<String>,
) -> BTreeMap<SmolStr, HostAgent> {
    let mut agents: BTreeMap<SmolStr, HostAgent> = BTreeMap::new();
    let mut plain: Vec<SmolStr> = Vec::new();
    for (document, reference) in agent_references(inputs, graphs) {
        if agents.contains_key(&reference.name) {
            continue;
        }
        let agent = match declared_agent(inputs, document, reference) {
            Some(declared) => HostAgent::from(declared),
            None => {
                let is_said =
                    inputs.scenario.host.agents.iter().any(|agent| agent.id.value == reference.name);
                if !is_said {
                    plain.push(reference.name.clone());
                }
                HostAgent { model: reference.name.clone(), ..HostAgent::default() }
            }
        };
        agents.insert(reference.name.clone(), agent);
    }
    for registered in &inputs.scenario.host.agents {
        let agent = agents
            .entry(registered.id.value.clone())
            .or_insert_with(|| HostAgent { model: registered.id.value.clone(), ..HostAgent::default() });
        register(agent, registered);
    }
    match plain.as_slice() {
        [] => {}
        [one] => notes.push(format!("the agent `{one}` is not declared; it runs without tools and limits")),
        many => {
            let names: Vec<String> = many.iter().map(|name| format!("`{name}`")).collect();
            let names = names.join(", ");
            notes.push(format!("the agents {names} are not declared; they run without tools and limits"));
        }
    }
    agents
}

/// The agents that documents of the graphs name, each with the document.
fn agent_references<'w>(
    inputs: &RunInputs<'w>,
    graphs: &[(DocumentId, &'w Graph)],
) -> Vec<(DocumentId, &'w Reference)> {
    let mut documents: Vec<DocumentId> = graphs.iter().map(|(document, _)| *document).collect();
    documents.dedup();
    let mut found = Vec::new();
    for id in documents {
        let facts = inputs.snapshot.file(id.source).and_then(|file| file.documents.get(id.position as usize));
        let effective = facts.and_then(|facts| inputs.snapshot.index().effective(facts));
        let references = effective.into_iter().flat_map(Effective::references);
        found.extend(references.filter(|one| std::ptr::eq(one.scope, &raw const AGENT)).map(|one| (id, one)));
    }
    found
}

fn declared_agent<'w>(
    inputs: &RunInputs<'w>,
    document: DocumentId,
    reference: &Reference,
) -> Option<&'w AgentDefinition> {
    let declared = inputs.snapshot.index().meant(document, reference)?;
    let declaration = declaration_of(inputs.snapshot, declared.document)?;
    declaration.agents().find(|agent| agent.id.as_ref().is_some_and(|id| id.value == reference.name))
}

fn register(agent: &mut HostAgent, said: &RegisteredAgent) {
    let keys = |keys: &Option<Vec<SmolStr>>| keys.as_ref().map(|keys| keys.iter().cloned().collect());
    if let Some(prompt) = &said.prompt {
        agent.prompt = prompt.clone();
    }
    if !said.tools.is_empty() {
        agent.tools = said.tools.iter().map(|tool| source_named(&tool.value)).collect();
    }
    if said.reads.is_some() || said.writes.is_some() {
        agent.reads = keys(&said.reads).or_else(|| Some(Arc::default()));
        agent.writes = keys(&said.writes).or_else(|| Some(Arc::default()));
    }
    if let Some(steps) = said.max_steps {
        agent.max_steps = steps as u32;
    }
    if let Some(temperature) = said.temperature {
        agent.temperature = temperature;
    }
}

/// The tools of the program: those of the scenario; where it lists none, also all that graphs and agents name.
fn tools(
    inputs: &RunInputs<'_>,
    graphs: &[(DocumentId, &Graph)],
    agents: &BTreeMap<SmolStr, HostAgent>,
) -> HostTools {
    let said = &inputs.scenario.host;
    let mut defined: BTreeMap<SmolStr, bool> =
        inputs.scripted(Respondent::Tool).map(|name| (name.clone(), false)).collect();
    let mut servers: BTreeMap<SmolStr, Vec<SmolStr>> = BTreeMap::new();
    let listed = said.tools.iter().flatten().map(|tool| tool.value.clone());
    defined.extend(listed.map(|tool| (tool, false)));
    let sources = graphs
        .iter()
        .flat_map(|(_, graph)| &graph.nodes)
        .flat_map(|node| node.tools.iter().flat_map(|tools| &tools.value));
    let is_complete = said.tools.is_none();
    for source in sources {
        add_source(&source_of(source), is_complete, &mut defined, &mut servers);
    }
    for source in agents.values().flat_map(|agent| agent.tools.iter()) {
        add_source(source, is_complete, &mut defined, &mut servers);
    }
    defined.extend(said.untrusted_tools.iter().map(|tool| (tool.value.clone(), true)));
    for (server, tools) in &said.server_tools {
        let known = servers.entry(server.value.clone()).or_default();
        let new: Vec<SmolStr> = tools.iter().filter(|tool| !known.contains(tool)).cloned().collect();
        known.extend(new);
    }
    HostTools { defined, servers: Some(servers) }
}

/// A tool by its name alone: one of the engine, or one that the program registers.
fn source_named(name: &SmolStr) -> Source {
    match BUILTIN_TOOLS.iter().any(|tool| tool.text == name) {
        true => Source::Builtin(name.clone()),
        false => Source::Custom(name.clone()),
    }
}

fn source_of(source: &ToolSource) -> Source {
    let kind: &ToolSourceKind = &source.kind;
    Source::from(kind)
}

fn add_source(
    source: &Source,
    is_complete: bool,
    defined: &mut BTreeMap<SmolStr, bool>,
    servers: &mut BTreeMap<SmolStr, Vec<SmolStr>>,
) {
    match source {
        Source::Builtin(_) => {}
        Source::Custom(name) if is_complete => {
            defined.entry(name.clone()).or_insert(false);
        }
        Source::Custom(_) => {}
        Source::Server(server, tools) => {
            let known = servers.entry(server.clone()).or_default();
            for tool in tools.iter().flatten() {
                if !known.contains(tool) {
                    known.push(tool.clone());
                }
            }
        }
    }
}

/// The servers with agents of other systems: those of the scenario, and all that graphs name.
fn servers(inputs: &RunInputs<'_>, graphs: &[(DocumentId, &Graph)]) -> BTreeMap<SmolStr, HostServer> {
    let mut servers: BTreeMap<SmolStr, HostServer> =
        inputs.scripted(Respondent::Server).map(|server| (server.clone(), HostServer::default())).collect();
    for node in graphs.iter().flat_map(|(_, graph)| &graph.nodes) {
        if let Work::RemoteAgent(remote) = Work::of(node)
            && let Some(server) = &remote.server
        {
            servers.entry(server.value.clone()).or_default();
        }
    }
    for (server, allowed) in &inputs.scenario.host.servers {
        servers.entry(server.value.clone()).or_default().allowed.clone_from(allowed);
    }
    servers
}

fn policy(said: &(Located<SmolStr>, Located<SmolStr>)) -> Option<(SmolStr, PolicyDecision)> {
    let effects = [PolicyEffect::Block, PolicyEffect::RequireApproval, PolicyEffect::Monitor];
    let effect = effects.into_iter().find(|effect| effect.word() == said.1.value)?;
    Some((said.0.value.clone(), PolicyDecision { effect, reason: None, prompt: None }))
}
