//! Graphs of the three systems as runs that have not begun, for explorations.

use std::sync::Arc;

use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::agentos::AGENTOS;
use nodewise_dialect::tables::cycgraph::{CYCGRAPH, GRAPH_KIND_NAME};
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_dialect::value::SpannedValue as Written;
use nodewise_engine::explore::Guide;
use nodewise_engine::limits::Limits;
use nodewise_engine::running::Running;
use nodewise_engine::systems::agentos::AgentOsGuide;
use nodewise_engine::systems::agentos::{self, Opening, Reading};
use nodewise_engine::systems::cycgraph::CycgraphGuide;
use nodewise_engine::systems::cycgraph::host::{Host, HostAgent, HostTools, Source};
use nodewise_engine::systems::cycgraph::program::Program;
use nodewise_engine::systems::cycgraph::start::Start;
use nodewise_engine::systems::liman::LimanGuide;
use nodewise_engine::systems::{cycgraph, liman};
use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::Graph;
use nodewise_model::{Body, Declaration, SourceId};
use smol_str::SmolStr;

/// A run that has not begun, and what is known of its system.
pub(crate) type Setting = (Box<dyn Running>, Box<dyn Guide>);

/// The kind of AgentOS' graphs.
const AGENTOS_GRAPH: &str = "CompiledExecutionGraph";

fn declarations(dialect: &Dialect, kind: Option<&str>, text: &str) -> Vec<Declaration> {
    let tree = nodewise_syntax::parse(text);
    assert!(tree.problems().is_empty(), "{:?}", tree.problems());
    let documents = tree.documents().filter_map(|document| document.root());
    let declared = |root| {
        let written = Written::from_node(root, SourceId::default());
        let own = written.get("kind").and_then(|member| Some(member.value.as_text()?.to_string()));
        let kind = dialect.kind(kind.unwrap_or(&own.unwrap_or_default())).expect("a kind");
        (dialect.lower)(kind, &written).expect("a declaration")
    };
    documents.map(declared).collect()
}

fn graph(dialect: &Dialect, kind: &str, text: &str) -> Graph {
    match declarations(dialect, Some(kind), text).remove(0).body {
        Body::Graph(graph) => *graph,
        _ => panic!("no graph"),
    }
}

/// A graph of cycgraph. Its agents save to memory, unless their id ends in `-text`; one tool is registered.
pub(crate) fn of_cycgraph(text: &str) -> Setting {
    let graph = graph(&CYCGRAPH, GRAPH_KIND_NAME, text);
    let agent = |id: &SmolStr| {
        let saves = !id.ends_with("-text");
        let tools = saves.then(|| Source::Builtin("save_to_memory".into())).into_iter().collect();
        (id.clone(), HostAgent { tools, ..HostAgent::default() })
    };
    let agents: Vec<SmolStr> =
        graph.nodes.iter().filter_map(|node| Some(node.agent.as_ref()?.name.clone())).collect();
    let host = Host {
        agents: agents.iter().map(agent).collect(),
        tools: Some(HostTools { defined: [("fetch".into(), false)].into(), servers: None }),
        ..Host::default()
    };
    let program = Arc::new(Program::new(&graph, &[], host));
    let start = Start::default();
    let guide = CycgraphGuide::new(program.clone(), &start);
    (Box::new(cycgraph::begin(program, &start, Limits::default(), 0)), Box::new(guide))
}

pub(crate) fn of_agentos(text: &str) -> Setting {
    let graph = graph(&AGENTOS, AGENTOS_GRAPH, text);
    let input: Value = Map::new().into();
    let guide = AgentOsGuide::new(&graph, &[], &input);
    let program =
        agentos::program::Program::new(&graph, [], agentos::host::Host::default(), Reading::Release);
    let run = agentos::start(Arc::new(program), &input, Opening::default(), Limits::default(), 0);
    (Box::new(run), Box::new(guide))
}

pub(crate) fn of_liman(text: &str) -> Setting {
    let declared = declarations(&LIMAN, None, text);
    let program = Arc::new(liman::Program::new(&declared, liman::Host::starting_at("LLMNode/desk")));
    let guide = LimanGuide::new(program.clone(), &Arc::default());
    let run = liman::begin(program, vec![liman::UserTurn::saying("hello")], Limits::default(), 0);
    (Box::new(run), Box::new(guide))
}
