//! Graphs, ready to run: names numbered, edges by source, expressions parsed, executors made.
//!
//! Input: graphs as model and what a host wires; output: a program that any number of runs share. Invariant: nodes and
//! edges keep the order of the document, which decides what runs first; of nodes of one id the first one counts.

mod loops;

use nodewise_expr::agentos;
use nodewise_expr::ast::Expr;
use nodewise_expr::value::{Map, Value};
use nodewise_model::graph as model;
use nodewise_model::graph::{EndpointRole, Graph as GraphModel};
use nodewise_platform::sorting::Sorting;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::host::Host;
use super::node::{Id, Node};
use super::reading::Reading;
use super::reducers::Reducer;

/// Graphs, ready to run.
#[derive(Debug)]
pub struct Program {
    /// All graphs; the main graph is the first.
    pub(super) graphs: Vec<Graph>,
    by_id: FxHashMap<SmolStr, u32>,
    pub(super) host: Host,
    pub(super) reading: Reading,
    /// What a run shows as memory if it reads none.
    pub(super) no_memory: Value,
}

/// A graph, ready to run.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) id: SmolStr,
    pub(super) names: Vec<SmolStr>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// For each node, the positions of the edges that begin there.
    pub(super) ways: Vec<Vec<u32>>,
    /// For each node, how many names it waits for.
    pub(super) waits: Vec<u32>,
    /// What every node waits for: from there, an edge may lead anywhere.
    pub(super) everyone_waits_for: Vec<Id>,
    pub(super) reducers: FxHashMap<SmolStr, Reducer>,
    /// The word that says when the whole graph saves checkpoints.
    pub(super) checkpoints: SmolStr,
    /// For each name, the nodes that wait for it.
    followers: Vec<Vec<u32>>,
    /// For each name, its node.
    node_of: Vec<Option<u32>>,
    numbers: FxHashMap<SmolStr, Id>,
    from_start: Vec<u32>,
    /// For each edge, whether it leads forward, leads back, or cannot be reached, as documented.
    shapes: Vec<loops::Shape>,
    /// For each node, the names that its edges lead to, sorted, each with the type of the first such edge.
    kinds: Vec<Vec<(Id, &'static str)>>,
}

/// An edge, ready to be evaluated.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) id: Value,
    pub(super) source: Id,
    pub(super) target: Id,
    /// Whether a program decides at run time where it leads.
    pub(super) is_placeholder: bool,
    /// The word for the edge's type.
    pub(super) kind: &'static str,
    pub(super) guard: Guard,
}

/// What decides whether an edge is followed.
#[derive(Debug)]
pub(super) enum Guard {
    Always,
    When(Test),
    Discovery { query: SmolStr, kind: Option<SmolStr>, fallback: Option<SmolStr> },
    Personality(Box<Trait>),
    Never,
}

/// What decides the target of an edge or router.
#[derive(Debug)]
pub(super) enum Test {
    /// An expression; `None` while its text is missing.
    Expression(Option<Expr>),
    /// A function of the host; no document can contain one.
    Function,
}

/// A choice by the strength of a trait.
#[derive(Debug)]
pub(super) struct Trait {
    pub(super) name: SmolStr,
    pub(super) threshold: f64,
    pub(super) above: SmolStr,
    pub(super) below: SmolStr,
}

/// The text that stands for something absent.
const NOWHERE: &str = "undefined";
const START: &str = "__START__";
const END: &str = "__END__";

impl Program {
    /// A program that runs the first graph. The other graphs, each with the name by which it is called, may run inside it.
    #[must_use]
    pub fn new<'m>(
        main: &'m GraphModel,
        others: impl IntoIterator<Item = (SmolStr, &'m GraphModel)>,
        host: Host,
        reading: Reading,
    ) -> Program {
        let mut graphs = vec![Graph::new(main, reading)];
        let mut by_id = FxHashMap::default();
        for (name, graph) in others {
            let place = u32::try_from(graphs.len()).unwrap_or(u32::MAX);
            by_id.entry(name).or_insert(place);
            graphs.push(Graph::new(graph, reading));
        }
        Program { graphs, by_id, host, reading, no_memory: no_memory() }
    }

    /// The id of the main graph.
    #[must_use]
    pub fn main(&self) -> &str {
        self.graphs.first().map_or("", |graph| graph.id.as_str())
    }

    /// The word for the side effects of a node in the main graph.
    pub(super) fn effect_of(&self, node: &str) -> Value {
        let found =
            self.graphs.first().and_then(|graph| Some(graph.node(graph.node_of(graph.number(node)?)?)));
        found.map_or(Value::Undefined, |node| node.effect.clone())
    }

    /// The graph that is called by a name.
    pub(super) fn called(&self, name: &str) -> Option<u32> {
        self.by_id.get(name).copied()
    }

    pub(super) fn graph(&self, place: u32) -> &Graph {
        // INVARIANT: places come from `called`, and 0 is the main graph, which is always there.
        &self.graphs[place as usize]
    }
}

impl Graph {
    fn new(graph: &GraphModel, reading: Reading) -> Graph {
        let mut names = Names::default();
        let (start, end) = (names.number(START), names.number(END));
        debug_assert_eq!((start, end), (Id::START, Id::END));
        let nodes = nodes(graph, reading, &mut names);
        let edges: Vec<Edge> = graph.edges.iter().map(|edge| edge_of(edge, &mut names)).collect();
        let mut node_of = vec![None; names.all.len()];
        for (place, node) in (0_u32..).zip(&nodes) {
            if let Some(slot) = node_of.get_mut(node.id.place()) {
                *slot = Some(place);
            }
        }
        let mut compiled = Graph {
            id: graph.id.as_ref().map(|id| id.value.clone()).unwrap_or_default(),
            followers: vec![Vec::new(); names.all.len()],
            names: names.all,
            numbers: names.numbers,
            kinds: vec![Vec::new(); nodes.len()],
            from_start: Vec::new(),
            shapes: Vec::new(),
            ways: vec![Vec::new(); nodes.len()],
            waits: vec![0; nodes.len()],
            everyone_waits_for: Vec::new(),
            reducers: reducers(graph, reading),
            checkpoints: graph.checkpoints.as_ref().map(|word| word.value.clone()).unwrap_or_default(),
            node_of,
            nodes,
            edges,
        };
        compiled.connect();
        if reading == Reading::Documented {
            compiled.shapes = loops::shapes(&compiled);
        }
        compiled
    }

    /// For each node, collects which edges begin there and what the node waits for.
    fn connect(&mut self) {
        for (place, edge) in (0_u32..).zip(&self.edges) {
            if let Some(node) = self.node_of(edge.source)
                && let Some(ways) = self.ways.get_mut(node as usize)
            {
                ways.push(place);
                if let Some(kinds) = self.kinds.get_mut(node as usize) {
                    kinds.push((edge.target, edge.kind));
                }
            }
            if edge.source == Id::START {
                self.from_start.push(place);
            }
            if edge.is_placeholder {
                self.everyone_waits_for.push(edge.source);
            } else if let Some(node) = self.node_of(edge.target)
                && let Some(followers) = self.followers.get_mut(edge.source.place())
            {
                followers.push(node);
            }
        }
        for kinds in &mut self.kinds {
            // The sort is stable, so the first of several edges to one name stays.
            kinds.arrange_by_key(|(target, _)| *target);
            kinds.dedup_by_key(|(target, _)| *target);
        }
        self.everyone_waits_for.sort_unstable();
        self.everyone_waits_for.dedup();
        for followers in &mut self.followers {
            followers.sort_unstable();
            followers.dedup();
            for node in followers {
                if let Some(waits) = self.waits.get_mut(*node as usize) {
                    *waits += 1;
                }
            }
        }
    }

    /// The node that has this name.
    pub(super) fn node_of(&self, id: Id) -> Option<u32> {
        self.node_of.get(id.place()).copied().flatten()
    }

    /// The nodes that wait for a name.
    pub(super) fn followers(&self, id: Id) -> &[u32] {
        self.followers.get(id.place()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn node(&self, place: u32) -> &Node {
        // INVARIANT: places of nodes come from this graph's own lists.
        &self.nodes[place as usize]
    }

    /// The number of a name; `None` if the graph does not use it.
    pub(super) fn number(&self, name: &str) -> Option<Id> {
        self.numbers.get(name).copied()
    }

    /// The type of the first edge from a node to a name.
    pub(super) fn kind(&self, node: u32, target: &str) -> Option<&'static str> {
        let (kinds, target) = (self.kinds.get(node as usize)?, self.number(target)?);
        let place = kinds.binary_search_by_key(&target, |(target, _)| *target).ok()?;
        kinds.get(place).map(|(_, kind)| *kind)
    }

    /// One of the edges that begin at a node, with its position in the graph.
    pub(super) fn edge_at(&self, node: u32, place: usize) -> Option<(u32, &Edge)> {
        let place = *self.ways.get(node as usize)?.get(place)?;
        Some((place, self.edges.get(place as usize)?))
    }

    /// The edges that begin at a node, each with its position in the graph.
    pub(super) fn ways(&self, node: u32) -> impl Iterator<Item = (u32, &Edge)> {
        let ways = self.ways.get(node as usize).map_or(&[] as &[u32], Vec::as_slice);
        ways.iter().filter_map(|place| Some((*place, self.edges.get(*place as usize)?)))
    }

    /// The positions of the edges that begin at a name; a name without a node can have edges too.
    pub(super) fn ways_from(&self, id: Id) -> &[u32] {
        let of_node = || self.ways.get(self.node_of(id)? as usize).map(Vec::as_slice);
        if id == Id::START { &self.from_start } else { of_node().unwrap_or_default() }
    }

    /// Where an edge leads.
    pub(super) fn target(&self, edge: u32) -> Option<Id> {
        self.edges.get(edge as usize).map(|edge| edge.target)
    }

    /// The names that the edges of a name lead to.
    pub(super) fn targets(&self, id: Id) -> impl Iterator<Item = Id> {
        self.ways_from(id).iter().filter_map(|edge| self.target(*edge))
    }

    /// Whether an edge leads back to a place on the path to it.
    pub(super) fn leads_back(&self, edge: u32) -> bool {
        self.shapes.get(edge as usize) == Some(&loops::Shape::Back)
    }

    /// For each node, how many edges lead forward to it from a place that can be reached.
    pub(super) fn ways_forward(&self) -> Vec<u32> {
        let mut counts = vec![0_u32; self.nodes.len()];
        for (edge, shape) in self.edges.iter().zip(&self.shapes) {
            let target = self.node_of(edge.target).filter(|_| *shape == loops::Shape::Forward);
            if let Some(count) = target.and_then(|node| counts.get_mut(node as usize)) {
                *count = count.saturating_add(1);
            }
        }
        counts
    }

    pub(super) fn name(&self, id: Id) -> &SmolStr {
        // INVARIANT: ids come from this graph's own names.
        &self.names[id.place()]
    }
}

#[derive(Default)]
struct Names {
    all: Vec<SmolStr>,
    numbers: FxHashMap<SmolStr, Id>,
}

impl Names {
    fn number(&mut self, name: &str) -> Id {
        if let Some(id) = self.numbers.get(name) {
            return *id;
        }
        let id = Id(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(name.into());
        self.numbers.insert(name.into(), id);
        id
    }
}

/// The nodes, without those whose id an earlier node has.
fn nodes(graph: &GraphModel, reading: Reading, names: &mut Names) -> Vec<Node> {
    let mut seen = FxHashMap::default();
    let mut nodes = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let id = names.number(node.id.as_ref().map_or(NOWHERE, |id| &id.value));
        if seen.insert(id, ()).is_none() {
            nodes.push(Node::new(id, node, reading));
        }
    }
    nodes
}

fn edge_of(edge: &model::GraphEdge, names: &mut Names) -> Edge {
    let end = |end: &Option<model::Endpoint>| {
        end.as_ref().map_or(SmolStr::from(NOWHERE), |end| end.name.value.clone())
    };
    let (kind, guard) = guard_of(&edge.guard);
    Edge {
        id: edge.id.as_ref().map_or(Value::Undefined, |id| Value::Text(id.value.clone())),
        source: names.number(&end(&edge.source)),
        target: names.number(&end(&edge.target)),
        is_placeholder: edge.target.as_ref().is_some_and(|target| target.role == EndpointRole::Placeholder),
        kind,
        guard,
    }
}

fn guard_of(guard: &model::EdgeGuard) -> (&'static str, Guard) {
    let name = |name: &Option<nodewise_model::Located<SmolStr>>| {
        name.as_ref().map_or(SmolStr::from(NOWHERE), |name| name.value.clone())
    };
    match guard {
        model::EdgeGuard::Always => ("static", Guard::Always),
        model::EdgeGuard::When(None) => ("conditional", Guard::Never),
        model::EdgeGuard::When(Some(condition)) => ("conditional", Guard::When(Test::of(condition))),
        model::EdgeGuard::Discovery(discovery) => {
            let given = |text: &Option<nodewise_model::Located<SmolStr>>| {
                text.as_ref().map(|text| text.value.clone()).filter(|text| !text.is_empty())
            };
            let guard = Guard::Discovery {
                query: given(&discovery.query).unwrap_or_default(),
                kind: discovery.kind.as_ref().map(|kind| kind.value.clone()),
                fallback: given(&discovery.fallback),
            };
            ("discovery", guard)
        }
        model::EdgeGuard::Personality(None) => ("personality", Guard::Never),
        model::EdgeGuard::Personality(Some(choice)) => {
            let choice = Trait {
                name: name(&choice.trait_name),
                threshold: choice.threshold.as_ref().map_or(f64::NAN, |threshold| threshold.value),
                above: name(&choice.above),
                below: name(&choice.below),
            };
            ("personality", Guard::Personality(Box::new(choice)))
        }
        model::EdgeGuard::Unknown => ("static", Guard::Never),
    }
}

impl Test {
    pub(super) fn of(condition: &model::EdgeCondition) -> Test {
        match condition {
            model::EdgeCondition::Expression(text) => {
                Test::Expression(text.as_ref().map(|text| agentos::parse(&text.text)))
            }
            model::EdgeCondition::Function(_) => Test::Function,
        }
    }
}

/// The reducers by state key with its partition. The release has reducers only for the scratch.
fn reducers(graph: &GraphModel, reading: Reading) -> FxHashMap<SmolStr, Reducer> {
    let is_known = |path: &str| {
        path.starts_with("scratch.") || (reading == Reading::Documented && path.starts_with("artifacts."))
    };
    let known = graph.reducers.iter().filter(|reducer| is_known(&reducer.path.value));
    let named = known.map(|reducer| {
        let word = reducer.operation.as_ref().map_or("", |word| word.value.as_str());
        (reducer.path.value.clone(), Reducer::named(word))
    });
    named.collect()
}

fn no_memory() -> Value {
    let mut memory = Map::new();
    memory.insert("traces", Value::List([].into()));
    memory.insert("pendingWrites", Value::List([].into()));
    memory.insert("totalTracesRead", Value::Number(0.0));
    memory.insert("readLatencyMs", Value::Number(0.0));
    memory.into()
}
