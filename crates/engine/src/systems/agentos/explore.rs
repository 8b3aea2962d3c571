//! What the exploration knows of AgentOS: what nodes leave in scratch and artifacts, and what edges and routers ask of it.
//!
//! Input: graphs as model; output: a guide. Invariant: each node runs at most once, so that which nodes are over is a
//! part of every state.

mod answers;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use nodewise_expr::agentos;
use nodewise_expr::ast::Expr;
use nodewise_expr::eval::{Scope, evaluate};
use nodewise_expr::value::{Map, Value};
use nodewise_model::agentos::Work;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, EndpointRole, Graph, GraphNode};
use smol_str::{SmolStr, format_smolstr};

use crate::ask::{Ask, Decision};
use crate::explore::guide::{Choices, EdgeOutline, Ending, ExplorationState, Guide, NodeOutline, Outline};
use crate::explore::live_variables::{LiveVariables, NodeLiveness, Set, StateReader, add_all};
use crate::explore::values;
use crate::outcome::{Outcome, Status};
use crate::systems::agentos::partitions;

/// The guide for explorations of AgentOS' graphs.
pub struct AgentOsGuide {
    graphs: Vec<Known>,
    outlines: Vec<Outline>,
}

/// What is known of one graph.
struct Known {
    id: SmolStr,
    graph: Graph,
    variables: LiveVariables,
    conditions: Conditions,
}

/// How conditions read the state.
struct Conditions {
    input: Value,
}

const SCRATCH: &str = "scratch";
const ARTIFACTS: &str = "artifacts";
const INPUT: &str = "input";

impl AgentOsGuide {
    /// Collects what is known of a graph and of those that it calls. `input` is the input of the run.
    #[must_use]
    pub fn new(main: &Graph, others: &[&Graph], input: &Value) -> AgentOsGuide {
        let graphs: Vec<Known> =
            std::iter::once(&main).chain(others).map(|graph| Known::new(graph, input)).collect();
        let outlines = graphs.iter().map(Known::outline).collect();
        AgentOsGuide { graphs, outlines }
    }

    fn known(&self, graph: &str) -> Option<&Known> {
        self.graphs.iter().find(|known| known.id == graph)
    }
}

impl Known {
    fn new(graph: &Graph, input: &Value) -> Known {
        let conditions = Conditions { input: input.clone() };
        let mut variables = LiveVariables::default();
        // The result of an expression may be the name of a node, so all names are tried.
        let names: Vec<Value> = graph.nodes.iter().map(|node| Value::Text(name_of(node))).collect();
        for node in &graph.nodes {
            let mut after = Set::new();
            let mut next = Vec::new();
            for edge in graph.edges.iter().filter(|edge| ends(&edge.source) == name_of(node)) {
                if let EdgeGuard::When(Some(condition)) = &edge.guard {
                    add_all(&mut after, &asked(condition, &names, &mut variables, &conditions));
                }
                let target = ends(&edge.target);
                next.extend(graph.nodes.iter().position(|node| name_of(node) == target));
            }
            let before = match Work::of(node) {
                Work::Router(router) => match &router.condition {
                    Some(condition) => asked(condition, &names, &mut variables, &conditions),
                    None => Set::new(),
                },
                _ => Set::new(),
            };
            let asked = [before.clone(), after.clone()].iter().fold(Set::new(), |mut all, set| {
                add_all(&mut all, set);
                all
            });
            variables.places.push(NodeLiveness { before, after, asked, next, ..NodeLiveness::default() });
        }
        variables.settle();
        let id = graph.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
        Known { id, graph: graph.clone(), variables, conditions }
    }

    fn outline(&self) -> Outline {
        let node = |(position, node): (usize, &GraphNode)| NodeOutline {
            id: name_of(node),
            reads: Vec::new(),
            tests: self.variables.asked_after(position),
            writes: self.written(node),
        };
        let edges =
            self.graph.edges.iter().enumerate().filter(|(_, edge)| {
                edge.source.as_ref().is_some_and(|source| source.role == EndpointRole::Node)
            });
        let edges = edges.map(|(position, edge)| EdgeOutline {
            from: ends(&edge.source),
            to: ends(&edge.target),
            number: u32::try_from(position).unwrap_or(u32::MAX),
        });
        Outline {
            id: self.id.clone(),
            nodes: self.graph.nodes.iter().enumerate().map(node).collect(),
            edges: edges.collect(),
            given: BTreeSet::from([SmolStr::new_static(INPUT)]),
        }
    }

    /// The keys that a node may write, as far as something asks for them.
    fn written(&self, node: &GraphNode) -> Vec<SmolStr> {
        let mut keys = vec![output_key(node)];
        match Work::of(node) {
            Work::Extension(_) => keys.extend(self.scratch_keys()),
            Work::Voice(_) => keys.push(format_smolstr!("{SCRATCH}.{}", name_of(node))),
            Work::Subgraph(work) => {
                let to = work.outputs.iter().filter_map(|mapping| mapping.to.as_ref());
                keys.extend(to.map(|to| to.value.clone()));
            }
            Work::Tool(_)
            | Work::Router(_)
            | Work::Human(_)
            | Work::Model(_)
            | Work::Guardrail(_)
            | Work::Unknown => {}
        }
        keys
    }

    fn scratch_keys(&self) -> Vec<SmolStr> {
        let keys = self.variables.keys(&self.variables.everything());
        keys.into_iter().filter(|key| key.starts_with(SCRATCH)).collect()
    }
}

impl Guide for AgentOsGuide {
    fn choices(&self, ask: &Ask, most: usize) -> Choices {
        match self.known(&ask.graph) {
            Some(known) => known.answers(ask, most),
            None => answers::plain(ask),
        }
    }

    fn decisions(&self, _: Option<&str>, _: &Value) -> Vec<Decision> {
        answers::decisions()
    }

    fn digest(&self, graph: &str, _: &[&SmolStr], moment: &ExplorationState<'_>, hasher: &mut dyn Hasher) {
        let Some(known) = self.known(graph) else { return };
        let mut live = Set::new();
        for (node, place) in known.graph.nodes.iter().zip(&known.variables.places) {
            if !moment.over.contains(&name_of(node)) {
                add_all(&mut live, &place.asked);
            }
        }
        known.variables.digest(&live, moment.state, &known.conditions, hasher);
    }

    fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    fn runs_once(&self) -> bool {
        true
    }

    fn combines(&self, graph: &str, key: &str) -> bool {
        let reducers = self.known(graph).map(|known| known.graph.reducers.as_slice()).unwrap_or_default();
        key.starts_with(SCRATCH) && reducers.iter().any(|reducer| reducer.path.value == key)
    }

    fn judge(&self, outcome: &Outcome) -> Ending {
        match outcome.status {
            Status::Stopped(_) | Status::TimedOut => Ending::Limit,
            Status::Hung => Ending::DeadEnd,
            _ => Ending::Proper,
        }
    }

    fn limit(&self) -> Option<String> {
        None
    }

    fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        for known in &self.graphs {
            for name in known.variables.foreign.iter().filter(|name| *name != INPUT) {
                gaps.push(format!(
                    "conditions of `{}` read `{name}`, which the exploration does not vary",
                    known.id
                ));
            }
        }
        gaps.sort_unstable();
        gaps.dedup();
        gaps
    }

    fn notes(&self) -> Vec<String> {
        let calls = |known: &Known| {
            known
                .graph
                .nodes
                .iter()
                .any(|node| matches!(Work::of(node), Work::Subgraph(work) if !work.outputs.is_empty()))
        };
        match self.graphs.iter().any(calls) {
            true => {
                vec!["results of subgraphs vary only as far as the conditions inside them need".to_owned()]
            }
            false => Vec::new(),
        }
    }
}

impl StateReader for Conditions {
    fn locate(&self, path: &[SmolStr]) -> Option<(SmolStr, Vec<SmolStr>)> {
        match path {
            [partition, key, rest @ ..] if partition == SCRATCH || partition == ARTIFACTS => {
                Some((format_smolstr!("{partition}.{key}"), rest.to_vec()))
            }
            _ => None,
        }
    }

    fn class(&self, test: &Expr, state: &Arc<Map>) -> u64 {
        let mut variables = partitions(state);
        if variables.get(INPUT).is_none() {
            variables.insert(INPUT, self.input.clone());
        }
        let scope = Scope { variables: &[&variables], ..Scope::default() };
        let mut hasher = DefaultHasher::new();
        match evaluate(test, &agentos::RoutingSemantics, &scope) {
            Ok(value) => values::feed(&value, &mut hasher),
            Err(_) => hasher.write_u8(1),
        }
        hasher.finish()
    }
}

/// What a condition asks. If the value of a key is itself the result, the names of nodes matter too.
fn asked(
    condition: &EdgeCondition,
    names: &[Value],
    variables: &mut LiveVariables,
    conditions: &Conditions,
) -> Set {
    let EdgeCondition::Expression(Some(text)) = condition else { return Set::new() };
    let tree = agentos::parse(&text.text);
    let mut asked = variables.condition(&tree, conditions);
    if let Some((key, rest)) = values::path(&tree).and_then(|path| conditions.locate(&path)) {
        add_all(&mut asked, &variables.value(&key, rest, names.to_vec()));
    }
    asked
}

fn ends(end: &Option<nodewise_model::graph::Endpoint>) -> SmolStr {
    end.as_ref().map(|end| end.name.value.clone()).unwrap_or_default()
}

fn name_of(node: &GraphNode) -> SmolStr {
    node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default()
}

/// The artifact key of a node's output.
fn output_key(node: &GraphNode) -> SmolStr {
    let name = node.execution.output_as.as_ref().map_or_else(|| name_of(node), |name| name.value.clone());
    format_smolstr!("{ARTIFACTS}.{name}")
}
