//! Another graph runs (cycgraph:6.19). In: what is mapped of the slice; out: what is mapped of that graph's memory. Invariant:
//! it runs with a state of its own, with what is left of the budgets, and no deeper than the release allows.

use std::sync::Arc;

use nodewise_expr::javascript::to_text;
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{HUMAN_DECISION, HUMAN_RESPONSE, Work};
use nodewise_model::work::SubgraphWork;
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::ask::Decision;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Effect, NodeAction, Output, Pause, Tokens};
use crate::systems::cycgraph::boundary::{self, Crossing};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::pending::{Compensation, PendingApproval, PendingKind};
use crate::systems::cycgraph::program::{NodeProgram, Program};
use crate::systems::cycgraph::report::Reporter;
use crate::systems::cycgraph::run::{Outer, Run};
use crate::systems::cycgraph::start::Start;
use crate::systems::cycgraph::state::{ResumePoint, RunState, WorkflowStatus};
use crate::systems::cycgraph::{Cycgraph, failures};
use crate::time::Millis;

/// How many graphs may be inside one another.
const MOST_DEPTH: usize = 32;
/// The limit of visits for a graph that names none.
const DEFAULT_ITERATIONS: f64 = 50.0;

/// An attempt of a subgraph node.
#[derive(Debug, Clone)]
pub(super) struct Subgraph {
    input: Input,
}

impl Subgraph {
    pub(super) fn new(input: Input) -> Subgraph {
        Subgraph { input }
    }

    fn begin(&self, context: &mut TaskContext<'_, Cycgraph>) -> Result<(), Failure> {
        let program = context.program().clone();
        let node = self.input.node(&program);
        let settings = settings(node)?;
        let id = graph_id(settings);
        let stack = &self.input.state.stack;
        self.check_nesting(&id, node)?;
        let lacks = || failures::node_config("subgraph", &node.id, &format!("graph \"{id}\""));
        let graph = program.callable(&id).ok_or_else(lacks)?;
        let crossing = boundary::inbound(&self.input.slice, &settings.inputs);
        boundary::check_inbound(&crossing.values, program.graph(graph).inputs.as_deref())
            .map_err(|mismatch| failures::subgraph_interface(&id, "input", &mismatch))?;
        let reporter = Reporter::new(self.input.prefix.clone());
        let outer = Outer {
            visit: self.input.visit,
            path: reporter.path(&node.id),
            depth: self.input.depth.saturating_add(1),
        };
        let run = match self.input.state.checkpoints.get(&node.id) {
            Some(ResumePoint::Graph(state)) => Run::inner(graph, state.clone(), outer, Some(self.decision())),
            _ => {
                let stack = stack.iter().cloned().chain([self.input.graph(&program).id.clone()]).collect();
                let state = self.state(id, settings, crossing, stack, node);
                Run::inner(graph, Arc::new(state), outer, None)
            }
        };
        context.begin(Box::new(run));
        Ok(())
    }

    /// Fails if the graph would run inside itself, or too deep inside others.
    fn check_nesting(&self, id: &SmolStr, node: &NodeProgram) -> Result<(), Failure> {
        let stack = &self.input.state.stack;
        let chain = || stack.iter().chain([id]).map(SmolStr::as_str).collect::<Vec<&str>>().join(" -> ");
        let lacks = |what: String| Err(failures::node_config("subgraph", &node.id, &what));
        if stack.contains(id) {
            return lacks(format!("non-cyclic graph (cycle: {})", chain()));
        }
        if stack.len() >= MOST_DEPTH {
            let chain = chain();
            return lacks(format!(
                "subgraph nesting within depth limit ({MOST_DEPTH}); current chain: {chain}"
            ));
        }
        Ok(())
    }

    /// The state with which the inner graph begins.
    fn state(
        &self,
        id: SmolStr,
        settings: &SubgraphWork,
        crossing: Crossing,
        stack: Arc<[SmolStr]>,
        node: &NodeProgram,
    ) -> RunState {
        let outer = &self.input.state;
        let start = Start {
            workflow_id: id,
            run_id: format_smolstr!("{}/{}", outer.run_id, node.id),
            goal: outer.goal.clone(),
            constraints: outer.constraints.to_vec(),
            memory: crossing.values,
            max_iterations: settings.max_iterations.unwrap_or(DEFAULT_ITERATIONS),
            max_token_budget: outer.tokens_left(),
            budget_usd: outer.money_left(),
            ..Start::default()
        };
        RunState { taint: Arc::new(crossing.taint), stack, ..RunState::new(&start) }
    }

    /// The decision of a person, for the inner graph that waits for it.
    fn decision(&self) -> Decision {
        let memory = &self.input.state.memory;
        let word = memory.get(HUMAN_DECISION).map(to_text).unwrap_or_default();
        Decision {
            word: word.into(),
            data: memory.get(HUMAN_RESPONSE).cloned(),
            updates: Map::new(),
            after: Millis::ZERO,
        }
    }

    fn ended(&self, state: Arc<RunState>, program: &Program) -> Result<NodeAction, Failure> {
        let node = self.input.node(program);
        let settings = settings(node)?;
        let id = graph_id(settings);
        match state.status {
            WorkflowStatus::Waiting => return Ok(waiting(node, state)),
            WorkflowStatus::Completed => {}
            status => return Err(failures::subgraph_incomplete(&id, status.word())),
        }
        let declared = program.callable(&id).and_then(|graph| program.graph(graph).outputs.as_deref());
        let crossing = boundary::outbound(&state.memory, &state.taint, &settings.outputs, declared)
            .map_err(|mismatch| failures::subgraph_interface(&id, "output", &mismatch))?;
        let usage = Tokens {
            input: state.spent.input_tokens,
            output: state.spent.output_tokens,
            total: state.tokens,
            cost_usd: Some(state.spent.cost_usd),
        };
        let undone = |entry: &Compensation| Compensation {
            of: format_smolstr!("subgraph:{}:{}", node.id, entry.of),
            action: entry.action.clone(),
        };
        Ok(NodeAction {
            taint: crossing.taint,
            usage: Some(usage),
            compensations: state.compensations.iter().map(undone).collect(),
            ..NodeAction::update(crossing.values)
        })
    }
}

fn settings(node: &NodeProgram) -> Result<&SubgraphWork, Failure> {
    match &node.work {
        Work::Subgraph(subgraph) if subgraph.settings_at.is_some() => Ok(subgraph),
        _ => Err(failures::node_config("subgraph", &node.id, "subgraph_config")),
    }
}

fn graph_id(settings: &SubgraphWork) -> SmolStr {
    settings.graph.as_ref().map(|graph| graph.name.clone()).unwrap_or_default()
}

/// The pause of a node whose inner graph waits for a person.
fn waiting(node: &NodeProgram, state: Arc<RunState>) -> NodeAction {
    let pending = PendingApproval {
        node: node.id.clone(),
        kind: PendingKind::Subgraph,
        prompt: None,
        review: Value::Undefined,
    };
    let pause = Pause { pending, timeout: None, checkpoint: Some(ResumePoint::Graph(state)) };
    NodeAction::of(Effect::Pause(Box::new(pause)))
}

impl Task<Cycgraph> for Subgraph {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        match wake {
            Wake::Start => self.begin(context).err().map_or(Flow::Wait, |failure| done(Err(failure))),
            Wake::Child(_, Output::Ran(state, Some(failure))) => match state.failed_attempt {
                Some(attempt) => Flow::Done(Output::Threw(failure, attempt)),
                None => done(Err(failure)),
            },
            Wake::Child(_, Output::Ran(state, None)) => done(self.ended(state, context.program())),
            _ => Flow::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
