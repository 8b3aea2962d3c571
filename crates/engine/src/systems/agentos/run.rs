//! The run of a graph: nodes that are ready run, one by itself or several as a batch, until none is ready.
//!
//! Input: a graph, what it is given, or a checkpoint to continue from; output: the log, and the artifacts at the end.
//! Invariant: branches of a batch begin with one state and never see each other's writes; what one completes or skips
//! all others see at once.

mod batch;
mod branch;
mod ending;
mod saving;

use std::collections::VecDeque;
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use self::branch::{Branch, Next};
use self::saving::Noted;
use super::checkpoint::Checkpoint;
use super::executors;
use super::machine::Situation;
use super::program::{Graph, Program};
use super::reading::Reading;
use super::schedule::Schedule;
use super::state::State;
use super::{AgentOs, Opening, Output, Yield, native, route, state, turns};
use crate::ask::Decision;
use crate::event::{AskId, EventKind, ScopeId, VisitId};
use crate::kernel::{Flow, Task, TaskContext, TaskId, TimerId, Wake};
use crate::outcome::{Outcome, Status};
use crate::time::Millis;

/// A run of a graph.
#[derive(Debug, Clone)]
pub(super) struct Run {
    graph: u32,
    depth: u32,
    by: Option<VisitId>,
    opening: Opening,
    scope: ScopeId,
    began: Millis,
    state: State,
    /// The nodes that were visited one after the other, in order.
    visited: Vec<SmolStr>,
    iteration: u32,
    current: SmolStr,
    schedule: Schedule,
    results: Arc<Map>,
    noted: Noted,
    resumed: Option<Resumed>,
    branches: Vec<Branch>,
    /// How many branches are under way.
    running: usize,
    /// The branch that changed its state last.
    last: usize,
    waits: FxHashMap<Awaited, usize>,
    /// For each key, how many values its value was made from. Only the documented average needs it.
    counts: FxHashMap<SmolStr, u32>,
    /// How many attempts each node had, in all its visits. Documented loops visit nodes again.
    tries: FxHashMap<u32, u32>,
    /// The branch whose node waits for a person.
    paused: Option<usize>,
    /// How many checkpoints have a number so far.
    numbered: u32,
    /// Whether this graph is inside another one, and other nodes run at the same time as it does.
    is_beside: bool,
    /// How many turns the run has used but not waited for, if other nodes run at the same time.
    debt: u32,
    /// The timer for the end of those turns.
    owed: Option<TimerId>,
    /// The exception that ends the run once nothing else happens at this moment.
    thrown: Option<SmolStr>,
    /// The result of the run, until the caller gets it.
    ended: Option<Output>,
    /// Whether an exception of one branch ended the run for its caller while other branches continue.
    is_detached: bool,
    /// How the whole run ends once nothing else happens at this moment.
    ending: Option<(TimerId, Outcome)>,
}

/// What a run knows from the checkpoint that it continues from.
#[derive(Debug, Clone)]
struct Resumed {
    results: Arc<Map>,
    /// Nodes that were ready together, and run one after the other.
    queue: VecDeque<u32>,
}

/// What a branch waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Awaited {
    Attempt(TaskId),
    Retry(TimerId),
    Search(AskId),
    /// The turns of the other branches are over.
    Turn(TimerId),
}

/// Whether the run continues.
enum Turn {
    Waits,
    Over(Flow<Output>),
}

/// The effects that a resumed run does not repeat.
const REPLAYED: [&str; 3] = ["write", "external", "human"];

impl Run {
    /// A new run of the main graph.
    pub(super) fn first(program: &Program, input: &Value, opening: Opening) -> Run {
        let input = match input {
            Value::Map(input) => input.clone(),
            _ => Arc::default(),
        };
        Run::new(program, 0, input, opening)
    }

    /// A run of the main graph that continues from a checkpoint.
    pub(super) fn resumed(program: &Program, checkpoint: &Checkpoint, opening: Opening) -> Run {
        let mut run = Run::new(program, 0, checkpoint.input.clone(), opening);
        let graph = program.graph(0);
        run.state.scratch = checkpoint.scratch.clone();
        run.state.artifacts = checkpoint.artifacts.clone();
        run.visited = checkpoint.visited.iter().map(|(node, _)| node.clone()).collect();
        run.iteration = u32::try_from(run.visited.len()).unwrap_or(u32::MAX);
        run.schedule.restore(graph, &checkpoint.visited, &checkpoint.skipped);
        run.results = checkpoint.results.clone();
        run.resumed = Some(Resumed { results: checkpoint.results.clone(), queue: VecDeque::new() });
        run
    }

    /// A run of a graph inside a node of another one.
    pub(super) fn inner(program: &Program, graph: u32, input: Arc<Map>, caller: &Situation) -> Run {
        let opening = Opening { clock: caller.clock, ..Opening::default() };
        let run = Run::new(program, graph, input, opening);
        let depth = caller.depth.saturating_add(1);
        Run { depth, by: Some(caller.visit), is_beside: caller.is_beside, ..run }
    }

    fn new(program: &Program, graph: u32, input: Arc<Map>, opening: Opening) -> Run {
        let state = State {
            input,
            scratch: opening.scratch.clone(),
            artifacts: Arc::default(),
            memory: program.no_memory.clone(),
            saved: 0,
        };
        Run {
            graph,
            depth: 0,
            by: None,
            numbered: opening.checkpoints,
            opening,
            scope: ScopeId(0),
            began: Millis::ZERO,
            state,
            visited: Vec::new(),
            iteration: 0,
            current: SmolStr::default(),
            schedule: Schedule::new(program.graph(graph), program.reading),
            results: Arc::default(),
            noted: Noted::default(),
            resumed: None,
            branches: Vec::new(),
            running: 0,
            last: 0,
            waits: FxHashMap::default(),
            counts: FxHashMap::default(),
            tries: FxHashMap::default(),
            paused: None,
            is_beside: false,
            debt: 0,
            owed: None,
            thrown: None,
            ended: None,
            is_detached: false,
            ending: None,
        }
    }

    fn graph<'p>(&self, program: &'p Program) -> &'p Graph {
        program.graph(self.graph)
    }

    fn begin(&mut self, context: &mut TaskContext<'_, AgentOs>) {
        let graph = self.graph(context.program());
        self.began = context.now();
        self.scope = context.new_scope(self.depth);
        let mut start = Map::new();
        start.insert("input", Value::Map(self.state.input.clone()));
        start.insert("memory", self.state.memory.clone());
        for (partition, values) in [("scratch", &self.state.scratch), ("artifacts", &self.state.artifacts)] {
            for (key, value) in values.iter() {
                start.insert(state::key(partition, key), value.clone());
            }
        }
        context.emit(EventKind::GraphStarted {
            scope: self.scope,
            graph: graph.id.clone(),
            by: self.by,
            state: start.into(),
        });
        let run = ("runId", Value::Text(self.opening.run.clone()));
        self.emit_event("run_start", [run, ("graphId", Value::Text(graph.id.clone()))], context);
        // When the run began, the turns for emitting this event were already over.
        self.debt = 0;
        if self.resumed.is_some() {
            return;
        }
        let chosen = route::from_start(context.program(), graph, &self.state);
        for id in self.schedule.open(graph, &chosen) {
            context.emit(EventKind::Skipped { scope: self.scope, node: graph.name(id).clone() });
        }
    }

    /// Begins all nodes that are ready. If none is, the run is over.
    fn advance(&mut self, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        loop {
            let graph = self.graph(context.program());
            let ready: Vec<u32> = match &mut self.resumed {
                Some(resumed) if resumed.queue.is_empty() => {
                    resumed.queue = self.schedule.ready();
                    resumed.queue.pop_front().into_iter().collect()
                }
                Some(resumed) => resumed.queue.pop_front().into_iter().collect(),
                None => self.schedule.ready().into(),
            };
            let replayed =
                ready.first().filter(|_| self.resumed.is_some()).and_then(|node| self.recorded(graph, *node));
            match (replayed, ready.as_slice()) {
                (_, []) => return Turn::Over(self.end(context)),
                (Some(record), [node, ..]) => self.replay(*node, &record, context),
                (None, _) if self.debt > 0 => {
                    self.owed = Some(context.set_timer_in_turns(std::mem::take(&mut self.debt)));
                    return Turn::Waits;
                }
                (None, ready) => {
                    self.visit(ready, context);
                    return Turn::Waits;
                }
            }
        }
    }

    /// The recorded result that replaces the work of a node in a resumed run.
    fn recorded(&self, graph: &Graph, node: u32) -> Option<Arc<Map>> {
        let node = graph.node(node);
        let Value::Map(record) = self.resumed.as_ref()?.results.get(&node.name)? else { return None };
        let effect = record.get("effectClass");
        let is_replayed = matches!(effect, Some(Value::Text(effect)) if REPLAYED.contains(&effect.as_str()));
        is_replayed.then(|| record.clone())
    }

    /// Uses a recorded result in place of running the node: nothing is written, and no edge is evaluated.
    fn replay(&mut self, node: u32, record: &Map, context: &mut TaskContext<'_, AgentOs>) {
        let graph = self.graph(context.program());
        let node = graph.node(node);
        let part = |key| record.get(key).cloned().unwrap_or(Value::Undefined);
        self.schedule.complete(graph, node.id);
        let visit = context.new_visit();
        let (scope, name) = (self.scope, node.name.clone());
        context.emit(EventKind::VisitStarted { visit, scope, node: name.clone(), reads: Value::Undefined });
        context.emit(EventKind::VisitEnded { visit, result: Ok(part("output")) });
        let members =
            [("nodeId", Value::Text(name)), ("output", part("output")), ("durationMs", part("durationMs"))];
        self.emit_event("node_end", members, context);
    }

    /// Begins a branch for each node that is ready.
    fn visit(&mut self, ready: &[u32], context: &mut TaskContext<'_, AgentOs>) {
        let is_batch = ready.len() > 1;
        self.branches = ready.iter().map(|node| Branch::new(*node, self.state.clone(), is_batch)).collect();
        self.running = ready.len();
        if let ([node], false) = (ready, is_batch) {
            let name = self.graph(context.program()).node(*node).name.clone();
            self.visited.push(name.clone());
            self.iteration = self.iteration.saturating_add(1);
            self.current = name;
        }
        self.last = ready.len().saturating_sub(1);
        for branch in 0..self.branches.len() {
            let graph = self.graph(context.program());
            let saves = self.branches.get(branch).is_some_and(|branch| graph.node(branch.node).saves_before);
            if saves && self.may_save(context.program()) {
                self.save(branch, Vec::new(), Next::Saved, context);
            } else {
                self.attempt(branch, context);
            }
        }
    }

    fn woken(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        match wake {
            Wake::Start => {
                self.begin(context);
                self.advance(context)
            }
            Wake::Child(task, Output(Yield::Attempt(result))) => {
                let Some(branch) = self.waits.remove(&Awaited::Attempt(task)) else { return Turn::Waits };
                match result {
                    Ok(result) => self.tried(branch, *result, context),
                    Err(error) => self.throw(branch, error, context),
                }
            }
            Wake::Timer(timer) if self.owed == Some(timer) => {
                self.owed = None;
                self.go_on(context)
            }
            Wake::Timer(timer) => {
                if let Some(branch) = self.waits.remove(&Awaited::Retry(timer)) {
                    self.debt = 0;
                    return self.take_turns(branch, turns::WAIT, Next::Attempt, context);
                }
                match self.waits.remove(&Awaited::Turn(timer)) {
                    Some(branch) => self.next_turn(branch, context),
                    None => Turn::Waits,
                }
            }
            Wake::Answer(ask, answer) => match self.waits.remove(&Awaited::Search(ask)) {
                Some(branch) => self.searched(branch, answer.result, context),
                None => Turn::Waits,
            },
            Wake::Resumed(decision) => self.decided(&decision, context),
            Wake::Cancelled => {
                let outcome = Outcome::of(Status::Cancelled, Value::Map(self.state.artifacts.clone()));
                Turn::Over(self.stop(outcome, context))
            }
            Wake::Child(..) | Wake::GivenUp => Turn::Waits,
        }
    }

    /// Waits until a person decides, as documented. A graph inside another one cannot wait.
    fn pause(&mut self, branch: usize, question: Value, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        self.paused = Some(branch);
        if let Some(asking) = self.branches.get(branch) {
            context.emit(EventKind::Paused { visit: asking.visit, question: question.clone() });
        }
        Turn::Over(Flow::Pause(Outcome::of(Status::Waiting, question)))
    }

    fn decided(&mut self, decision: &Decision, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        match self.paused.take() {
            Some(branch) => self.tried(branch, executors::decided(decision), context),
            None => Turn::Waits,
        }
    }

    fn can_pause(&self, program: &Program) -> bool {
        program.reading == Reading::Documented && self.depth == 0
    }

    /// Whether nodes save the checkpoints that they ask for. As documented, a graph can forbid it.
    fn may_save(&self, program: &Program) -> bool {
        let is_forbidden =
            program.reading == Reading::Documented && self.graph(program).checkpoints == "none";
        self.resumed.is_none() && !is_forbidden
    }

    /// Continues when the turns that the run owed are over.
    fn go_on(&mut self, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        match (self.thrown.take(), self.ended.take()) {
            (Some(error), _) => Turn::Over(self.crash(error, context)),
            (None, Some(output)) => Turn::Over(Flow::Done(output)),
            (None, None) => self.advance(context),
        }
    }

    /// Ends the run with an exception. Everything else still happens at this moment. In a graph inside another one,
    /// the other branches run to their ends with all retries, because the runtime stops none of them.
    fn throw(&mut self, at: usize, error: SmolStr, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        let is_batch = self.branches.get(at).is_some_and(|branch| branch.buffer.is_some());
        if self.is_detached {
            return self.branch_ended(context);
        }
        if !is_batch || self.depth > 0 {
            self.owe(turns::FUNCTION + if is_batch { turns::BRANCHES } else { 0 });
            self.running = self.running.saturating_sub(1);
            self.is_detached = self.running > 0;
            return Turn::Over(self.crash(error, context));
        }
        if self.thrown.is_none() {
            self.thrown = Some(error);
            self.owed = Some(context.set_timer_at_rest());
        }
        Turn::Waits
    }

    /// Adds turns that the run must wait for before it continues.
    fn owe(&mut self, turns: u32) {
        if self.is_beside && !self.is_detached {
            self.debt = self.debt.saturating_add(turns);
        }
    }

    /// Emits an event of the runtime's stream. Graphs inside others have no stream: they only use up the turns for it.
    fn emit_event<const N: usize>(
        &mut self,
        name: &'static str,
        members: [(&'static str, Value); N],
        context: &mut TaskContext<'_, AgentOs>,
    ) {
        match self.depth {
            0 => native::emit(SmolStr::new_static(name), native::detail(members), context),
            _ => self.owe(turns::EVENT),
        }
    }

    /// Emits an event of a branch. Events of a batch wait until the batch ends.
    fn emit_of_branch<const N: usize>(
        &mut self,
        branch: usize,
        name: &'static str,
        members: [(&'static str, Value); N],
        context: &mut TaskContext<'_, AgentOs>,
    ) {
        if self.depth > 0 {
            match self.branches.get_mut(branch).filter(|branch| branch.buffer.is_some()) {
                Some(branch) => branch.emitted = branch.emitted.saturating_add(1),
                None => self.owe(turns::EVENT),
            }
            return;
        }
        let event = (SmolStr::new_static(name), native::detail(members));
        match self.branches.get_mut(branch).and_then(|branch| branch.buffer.as_mut()) {
            Some(buffer) => buffer.push(event),
            None => native::emit(event.0, event.1, context),
        }
    }
}

impl Task<AgentOs> for Run {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        if let Some((due, outcome)) = &self.ending {
            return match wake {
                Wake::Timer(timer) if timer == *due => Flow::End(outcome.clone()),
                Wake::Cancelled => Flow::End(outcome.clone()),
                _ => Flow::Wait,
            };
        }
        match self.woken(wake, context) {
            Turn::Waits => Flow::Wait,
            // The caller gets the result one turn after the end.
            Turn::Over(Flow::Done(output)) if self.debt > 1 => {
                self.owed = Some(context.set_timer_in_turns(std::mem::take(&mut self.debt) - 1));
                self.ended = Some(output);
                Flow::Wait
            }
            Turn::Over(Flow::Done(output)) if self.is_detached && self.running > 0 => Flow::Detach(output),
            // Work that others still begin at this moment comes before the end, which takes the runtime more turns.
            Turn::Over(Flow::End(outcome)) if context.has_detached() => {
                self.ending = Some((context.set_timer_at_rest(), outcome));
                Flow::Wait
            }
            Turn::Over(flow) => flow,
        }
    }

    fn copied(&self) -> Box<dyn Task<AgentOs>> {
        Box::new(self.clone())
    }
}
