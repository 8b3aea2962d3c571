//! What the exploration knows of cycgraph: who may write which key, and what conditions, verifiers and maps ask of them.
//!
//! Input: a program; output: a guide. Invariant: an answer writes what it says through the engine alone, so that grants,
//! ceilings and cleaning count as in any run.

mod answers;
mod ask;
mod outline;

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::{Arc, RwLock};

use nodewise_expr::ast::Expr;
use nodewise_expr::eval::{Scope, Semantics, evaluate};
use nodewise_expr::filtrex::{Filtrex, state_fields};
use nodewise_expr::javascript::is_truthy;
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::Work;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::ask::{Ask, Decision};
use crate::explore::guide::{Choices, Ending, ExplorationState, Guide, Outline};
use crate::explore::live_variables::{LiveVariables, StateReader, add_all};
use crate::explore::locality::Locality;
use crate::outcome::{Outcome, Status};
use crate::systems::cycgraph::failures::NOT_THROWN;
use crate::systems::cycgraph::program::{GraphProgram, NodeProgram, Program};
use crate::systems::cycgraph::start::Start;

/// The guide for explorations of cycgraph's graphs.
pub struct CycgraphGuide {
    program: Arc<Program>,
    outlines: Vec<Outline>,
    /// For each graph of the program, what is asked of its state.
    variables: Vec<LiveVariables>,
    conditions: Conditions,
    /// What each node of the main graph depends on; `None` if something else decides too.
    locality: Option<Locality>,
    /// The greatest number of visits that makes a difference, for graphs whose conditions read the count.
    counted: Option<u32>,
    max_iterations: f64,
    /// The answers of agents to try, by graph, node and kind of question. They are computed once, because no state
    /// changes them.
    worked: RwLock<FxHashMap<(usize, usize, bool, usize), Choices>>,
}

/// How conditions read the state.
#[derive(Debug)]
struct Conditions {
    /// The fields of the state, except the memory, that never change.
    constants: Map,
}

/// The fields of the state that a run never changes.
const CONSTANTS: [&str; 5] = ["goal", "constraints", "workflow_id", "run_id", "max_iterations"];
/// The field that counts visits.
const COUNTER: &str = "iteration_count";
/// The field that contains the memory's keys.
const MEMORY: &str = "memory";

impl CycgraphGuide {
    /// Collects what is known of the graphs of a program. `start` is the start of the run.
    #[must_use]
    pub fn new(program: Arc<Program>, start: &Start) -> CycgraphGuide {
        let conditions = Conditions { constants: constants(start) };
        let mut variables: Vec<LiveVariables> =
            program.graphs().iter().map(|graph| ask::live_variables(graph, &conditions)).collect();
        ask::across(&program, &mut variables);
        for (graph, variables) in program.graphs().iter().zip(&mut variables) {
            ask::settles(graph, &program, variables, &conditions);
            variables.settle();
        }
        let counted = variables.iter().filter_map(counted).max();
        let outlines = outline::outlines(&program, start, &variables);
        let max_iterations = start.max_iterations;
        let mut guide = CycgraphGuide {
            program,
            outlines,
            variables,
            conditions,
            locality: None,
            counted,
            max_iterations,
            worked: RwLock::default(),
        };
        guide.locality = guide.depends();
        guide
    }

    /// What each node of the main graph depends on. `None` if called graphs, counters or taint decide too.
    fn depends(&self) -> Option<Locality> {
        let main = self.program.graphs().first()?;
        let names: BTreeSet<&SmolStr> = main.nodes.iter().map(|node| &node.id).collect();
        let is_alone = self.outlines.len() == 1 && self.counted.is_none() && names.len() == main.nodes.len();
        if !is_alone || !self.gaps().is_empty() || !self.notes().is_empty() {
            return None;
        }
        Some(self.variables.first()?.locality(main.nodes.iter().map(|node| node.id.clone()).collect()))
    }

    fn place(&self, graph: &str, node: &str) -> Option<(usize, usize)> {
        let (position, graph) =
            self.program.graphs().iter().enumerate().find(|(_, known)| known.id == graph)?;
        Some((position, index_of(graph, node)?))
    }

    fn node(&self, graph: usize, node: usize) -> Option<&NodeProgram> {
        self.program.graphs().get(graph)?.nodes.get(node)
    }
}

impl Guide for CycgraphGuide {
    fn choices(&self, ask: &Ask, most: usize) -> Choices {
        match self.place(&ask.graph, &ask.node) {
            Some((graph, node)) => self.answers(ask, graph, node, most),
            None => answers::plain(ask),
        }
    }

    fn decisions(&self, _: Option<&str>, _: &Value) -> Vec<Decision> {
        self.decided()
    }

    fn digest(
        &self,
        graph: &str,
        nodes: &[&SmolStr],
        moment: &ExplorationState<'_>,
        hasher: &mut dyn Hasher,
    ) {
        let Some(position) = self.program.graphs().iter().position(|known| known.id == graph) else { return };
        let Some(variables) = self.variables.get(position) else { return };
        let live = match nodes {
            [] => variables.everything(),
            nodes => {
                let mut live = Vec::new();
                for (_, node) in nodes.iter().filter_map(|node| self.place(graph, node)) {
                    let place = variables.places.get(node);
                    place.into_iter().for_each(|place| {
                        add_all(&mut live, &place.before);
                    });
                }
                live
            }
        };
        variables.digest(&live, moment.state, &self.conditions, hasher);
        if let Some(most) = self.counted {
            hasher.write_u32(moment.visits.min(most));
        }
    }

    fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    fn locality(&self) -> Option<&Locality> {
        self.locality.as_ref()
    }

    fn part_classes(&self, key: usize, value: &Value) -> Vec<u64> {
        let Some(variables) = self.variables.first() else { return Vec::new() };
        let Some(known) = self.locality.as_ref().and_then(|locality| locality.keys.get(key)) else {
            return Vec::new();
        };
        variables.part_classes((&known.name, &known.parts), value, &self.conditions)
    }

    fn judge(&self, outcome: &Outcome) -> Ending {
        let Some(failure) = &outcome.failure else { return Ending::Proper };
        let is_not_thrown = failure.class == NOT_THROWN;
        match (outcome.status, failure.class.as_str()) {
            (Status::Stopped(_) | Status::TimedOut, _) => Ending::Limit,
            (_, "WorkflowTimeoutError" | "BudgetExceededError") => Ending::Limit,
            (_, "NoMatchingEdgeError") => Ending::DeadEnd,
            _ if is_not_thrown && failure.message.starts_with("Max iterations reached") => Ending::Limit,
            _ if is_not_thrown && failure.message.starts_with("Approval node") => Ending::DeadEnd,
            _ => Ending::Proper,
        }
    }

    fn limit(&self) -> Option<String> {
        Some(format!("max_iterations ({})", self.max_iterations))
    }

    fn gaps(&self) -> Vec<String> {
        let read: BTreeSet<&SmolStr> =
            self.variables.iter().flat_map(|variables| &variables.foreign).collect();
        // What is no field of the state is always absent, so nothing can vary it.
        let is_field = |name: &str| state_fields().iter().any(|field| field.name == name);
        let varied =
            |name: &str| CONSTANTS.contains(&name) || name == COUNTER || name == MEMORY || !is_field(name);
        let mut gaps: Vec<String> = read
            .into_iter()
            .filter(|name| !varied(name))
            .map(|name| format!("conditions read `{name}`, which the exploration does not vary"))
            .collect();
        if self.program.graphs().iter().any(|graph| graph.strict_taint)
            || !self.program.host.policy.is_empty()
        {
            gaps.push(
                "taint decides which edges are followed; the exploration does not tell states apart by it"
                    .to_owned(),
            );
        }
        gaps
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for node in self.program.graphs().iter().flat_map(|graph| &graph.nodes) {
            if let Work::Supervisor(supervisor) = &node.work {
                let most = supervisor.max_iterations.value;
                notes.push(format!("supervisor `{}` ends the run after {most} choices", node.id));
            }
            if let Some(breaker) = &node.breaker {
                let failures = breaker.failures;
                notes.push(format!("the circuit breaker of `{}` opens after {failures} failures", node.id));
            }
        }
        // The same graph may be there twice: as the main one, and as one that others call.
        let mut seen = BTreeSet::new();
        notes.retain(|note| seen.insert(note.clone()));
        notes
    }
}

impl StateReader for Conditions {
    fn reads_by_key(&self) -> bool {
        true
    }

    fn locate(&self, path: &[SmolStr]) -> Option<(SmolStr, Vec<SmolStr>)> {
        match path {
            [memory, key, rest @ ..] if memory == MEMORY => Some((key.clone(), rest.to_vec())),
            _ => None,
        }
    }

    fn class(&self, test: &Expr, state: &Arc<Map>) -> u64 {
        let mut fields = self.constants.clone();
        fields.insert(MEMORY, Value::Map(state.clone()));
        let variables = [&fields];
        let scope = Scope { variables: &variables, ..Scope::default() };
        match evaluate(test, &Filtrex, &scope) {
            Err(_) => 0,
            Ok(value) => {
                let truth = Filtrex.truth(&value).map_or(2, u64::from);
                1 + truth * 2 + u64::from(is_truthy(&value))
            }
        }
    }
}

fn constants(start: &Start) -> Map {
    let mut constants = Map::new();
    constants.insert("goal", Value::Text(start.goal.clone()));
    constants.insert("constraints", start.constraints.iter().map(|one| Value::Text(one.clone())).collect());
    constants.insert("workflow_id", Value::Text(start.workflow_id.clone()));
    constants.insert("run_id", Value::Text(start.run_id.clone()));
    constants.insert("max_iterations", Value::Number(start.max_iterations));
    constants
}

/// The greatest number of visits that makes a difference, if conditions read the count.
fn counted(variables: &LiveVariables) -> Option<u32> {
    const BEYOND: f64 = 2.0;
    variables.foreign.contains(COUNTER).then(|| (variables.greatest + BEYOND).max(BEYOND) as u32)
}

/// The position of the node with this name; if there are several, of the last one.
fn index_of(graph: &GraphProgram, name: &str) -> Option<usize> {
    graph.nodes.iter().rposition(|node| node.id == name)
}
