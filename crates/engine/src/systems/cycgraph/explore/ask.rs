//! What the graphs of a program ask of their state, node by node. In: programs; out: live variables. Invariant: what
//! an outer graph asks of a key also counts for the inner graph that the key comes from.

use std::collections::BTreeSet;

use nodewise_expr::filtrex;
use nodewise_expr::jsonpath::{self, SegmentKind};
use nodewise_expr::value::Value;
use nodewise_model::cycgraph::{Assertion, JsonPathCheck, Verification, Work};
use nodewise_model::graph::Port;
use nodewise_model::schema_example::schema_example;
use nodewise_model::work::SubgraphWork;
use smol_str::{SmolStr, format_smolstr};

use super::{Conditions, MEMORY, index_of};
use crate::explore::live_variables::{LiveVariables, NodeLiveness, Set, add_all};
use crate::explore::values;
use crate::systems::cycgraph::agent_call::{effective_writes, may_write};
use crate::systems::cycgraph::host::Source;
use crate::systems::cycgraph::program::{ALL, GraphProgram, NodeProgram, Program};
use crate::systems::cycgraph::tools::SAVE;

/// How many levels of inner graphs are followed for keys that cross over.
const ROUNDS: usize = 4;
/// The lengths of lists that are tried for the items of a map.
const LENGTHS: [f64; 3] = [1.0, 2.0, 0.0];

/// What the conditions of a graph and the work of its nodes ask.
pub(super) fn live_variables(graph: &GraphProgram, conditions: &Conditions) -> LiveVariables {
    let mut variables = LiveVariables::default();
    for node in &graph.nodes {
        let mut after = Set::new();
        for edge in &node.edges {
            if let Some(tree) = edge.condition.tree() {
                add_all(&mut after, &variables.condition(tree, conditions));
            }
        }
        let before = before(node, &mut variables, conditions);
        let next = next(node, graph);
        let asked = after.clone();
        variables.places.push(NodeLiveness { before, after, asked, next, ..NodeLiveness::default() });
    }
    variables
}

/// What a node's own work asks.
fn before(node: &NodeProgram, variables: &mut LiveVariables, conditions: &Conditions) -> Set {
    match &node.work {
        Work::Verifier(verifier) => match &verifier.verification {
            Some(Verification::Expression(Some(condition))) => {
                let parse = filtrex::parse(&condition.text);
                variables.condition(&parse.expr, conditions)
            }
            Some(Verification::JsonPath(check)) => asserted(check, variables),
            _ => Set::new(),
        },
        Work::Map(map) if map.items.is_none() => {
            let (path, inner) = map.items_path.as_ref().map(|path| names(&path.text)).unwrap_or_default();
            match path.as_slice() {
                [memory, key, rest @ ..] if memory == MEMORY => {
                    let item = |item: &Value| values::with(&Value::Undefined, &inner, item.clone());
                    let lists = LENGTHS.map(|length| values::items(length).iter().map(item).collect());
                    variables.value(key, rest.to_vec(), lists.to_vec())
                }
                _ => Set::new(),
            }
        }
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Human(_)
        | Work::Agent(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Reflection(_)
        | Work::Unknown => Set::new(),
    }
}

/// What an assertion asks of its key.
fn asserted(check: &JsonPathCheck, variables: &mut LiveVariables) -> Set {
    let (Some(target), Some(assertion)) = (&check.target, &check.assertion) else { return Set::new() };
    let (path, inner) = check.path.as_ref().map(|path| names(&path.text)).unwrap_or_default();
    let is_listed = check.path.as_ref().is_some_and(|path| path.text.contains('*'));
    let mut candidates = Vec::new();
    match assertion {
        Assertion::Exists => candidates.extend([Value::Bool(true), Value::Null]),
        Assertion::Equals(value) => candidates.extend([value.clone(), Value::from("other")]),
        Assertion::Matches(pattern) => {
            let pattern = pattern.as_ref().map(|pattern| pattern.value.clone()).unwrap_or_default();
            candidates.extend([Value::Text(pattern), Value::from("other")]);
        }
        Assertion::Above(bound)
        | Assertion::AtLeast(bound)
        | Assertion::Below(bound)
        | Assertion::AtMost(bound) => values::around(*bound, &mut candidates),
    }
    if is_listed {
        let item = |value: Value| std::iter::once(values::with(&Value::Undefined, &inner, value)).collect();
        candidates = candidates.into_iter().map(item).collect();
    }
    variables.value(&target.value, path, candidates)
}

/// The leading names of a path, and the names after the first step that is not a name.
fn names(path: &str) -> (Vec<SmolStr>, Vec<SmolStr>) {
    let segments = jsonpath::parse(path).path.segments;
    let mut steps = segments.into_iter().filter(|segment| segment.kind != SegmentKind::Root).peekable();
    let mut outer = Vec::new();
    while let Some(step) = steps.next_if(|step| step.kind == SegmentKind::Child) {
        outer.push(step.text);
    }
    let inner = steps.skip(1).take_while(|step| step.kind == SegmentKind::Child);
    (outer, inner.map(|step| step.text).collect())
}

/// The nodes that may come after a node.
fn next(node: &NodeProgram, graph: &GraphProgram) -> Vec<usize> {
    let mut names: Vec<&SmolStr> = node.edges.iter().map(|edge| &edge.target_name).collect();
    match &node.work {
        Work::Supervisor(supervisor) => names.extend(supervisor.managed.iter().map(|one| &one.value)),
        Work::Human(human) => names.extend(human.rejection.iter().map(|one| &one.value)),
        Work::Agent(agent) => {
            let peers = agent.swarm.iter().flat_map(|swarm| &swarm.peers);
            names.extend(peers.map(|one| &one.value));
        }
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Verifier(_)
        | Work::Reflection(_)
        | Work::Unknown => {}
    }
    names.into_iter().filter_map(|name| index_of(graph, name)).collect()
}

/// Registers what graphs ask of keys that come from, or go to, the graphs around them, and what they declare about
/// these keys.
pub(super) fn across(program: &Program, all: &mut [LiveVariables]) {
    for _ in 0..ROUNDS {
        for (outer, graph) in program.graphs().iter().enumerate() {
            for (position, node) in graph.nodes.iter().enumerate() {
                let Work::Subgraph(work) = &node.work else { continue };
                let Some(inner) = called(work, program) else { continue };
                let Some(called) = program.graphs().get(inner) else { continue };
                inward(work, (outer, position), (inner, called), all);
                outward(work, outer, (inner, called), all);
            }
        }
    }
}

/// The position of the graph that a node calls.
pub(super) fn called(work: &SubgraphWork, program: &Program) -> Option<usize> {
    let id = program.callable(&work.graph.as_ref()?.name)?;
    program.graphs().iter().position(|graph| std::ptr::eq(graph, program.graph(id)))
}

/// A value that fits what a graph declares about a key; `None` if that is a text, because a text is always tried.
fn declared(ports: Option<&[Port]>, key: &str) -> Option<Value> {
    let port = ports?.iter().find(|port| port.key.value == key)?;
    let value = schema_example(Some(port.schema.as_ref()?));
    (!matches!(value, Value::Text(_))).then_some(value)
}

/// Registers in the outer graph what the inner graph asks of its inputs.
fn inward(
    work: &SubgraphWork,
    (outer, node): (usize, usize),
    (inner, called): (usize, &GraphProgram),
    all: &mut [LiveVariables],
) {
    for mapping in &work.inputs {
        let Some(to) = &mapping.to else { continue };
        let mut wanted = all.get(inner).map(|inner| inner.candidates(&to.value)).unwrap_or_default();
        wanted.extend(declared(called.inputs.as_deref(), &to.value));
        let Some(outer) = all.get_mut(outer).filter(|_| !wanted.is_empty()) else { continue };
        let asked = outer.value(&mapping.from.value, Vec::new(), wanted);
        if let Some(place) = outer.places.get_mut(node) {
            add_all(&mut place.before, &asked);
        }
    }
}

/// Registers in the inner graph what the outer graph asks of its outputs.
fn outward(
    work: &SubgraphWork,
    outer: usize,
    (inner, called): (usize, &GraphProgram),
    all: &mut [LiveVariables],
) {
    for mapping in &work.outputs {
        let Some(to) = &mapping.to else { continue };
        let mut wanted = all.get(outer).map(|outer| outer.candidates(&to.value)).unwrap_or_default();
        wanted.extend(declared(called.outputs.as_deref(), &mapping.from.value));
        let Some(inner) = all.get_mut(inner).filter(|_| !wanted.is_empty()) else { continue };
        let asked = inner.value(&mapping.from.value, Vec::new(), wanted);
        for place in &mut inner.places {
            add_all(&mut place.after, &asked);
        }
    }
}

/// Records which keys each node always gives a value.
pub(super) fn settles(
    graph: &GraphProgram,
    program: &Program,
    variables: &mut LiveVariables,
    conditions: &Conditions,
) {
    let everything = variables.everything();
    for (position, node) in graph.nodes.iter().enumerate() {
        let settled: BTreeSet<SmolStr> = match &node.work {
            // If it matters that a key is absent, an agent may leave it so: such keys are not always written.
            Work::Agent(agent) if agent.annealing.is_none() => written_by_agent(node, program, variables)
                .into_iter()
                .filter(|key| !variables.values(key, &everything, usize::MAX, conditions).absence_matters)
                .collect(),
            Work::Tool(_) => BTreeSet::from([result_key(node)]),
            Work::Verifier(_) => node.grant.writes.iter().cloned().collect(),
            Work::Router(_)
            | Work::Subgraph(_)
            | Work::Human(_)
            | Work::Agent(_)
            | Work::Supervisor(_)
            | Work::Synthesizer
            | Work::RemoteAgent(_)
            | Work::Map(_)
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Reflection(_)
            | Work::Unknown => BTreeSet::new(),
        };
        if let Some(place) = variables.places.get_mut(position) {
            place.settles = settled;
        }
    }
}

/// The key of a tool node's result.
pub(super) fn result_key(node: &NodeProgram) -> SmolStr {
    format_smolstr!("{}_result", node.id)
}

/// The keys that an agent may write for a node. If it may write all keys, those that something asks for.
pub(super) fn written_by_agent(
    node: &NodeProgram,
    program: &Program,
    variables: &LiveVariables,
) -> Vec<SmolStr> {
    let Some(agent) = node.agent.as_ref().and_then(|agent| program.agent(agent)) else { return Vec::new() };
    let writes = effective_writes(&node.writes, agent.writes.as_ref());
    let saves = agent.tools.iter().any(|source| matches!(source, Source::Builtin(name) if name == SAVE));
    match saves {
        true if writes.iter().any(|key| key == ALL) => variables.keys(&variables.everything()),
        true => writes.to_vec(),
        false => text_key(node, &writes).into_iter().collect(),
    }
}

/// The key that an agent's plain text is written to.
pub(super) fn text_key(node: &NodeProgram, writes: &[SmolStr]) -> Option<SmolStr> {
    if may_write(writes, &node.output_key) {
        return Some(node.output_key.clone());
    }
    let default = node.default_write.clone().filter(|key| may_write(writes, key));
    default.or_else(|| match writes {
        [only] => Some(only.clone()),
        _ => None,
    })
}
