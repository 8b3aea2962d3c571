//! A visit of a node: its attempts, what it writes, where it leads.
//!
//! Input: results of attempts; output: the branch's state, its events, what it completes and skips. Invariant: writes of
//! a failed node count as those of any other.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::{SmolStr, format_smolstr};

use super::super::AgentOs;
use super::super::attempt::Attempt;
use super::super::checkpoint::{self, Checkpoint};
use super::super::machine::Situation;
use super::super::native::{self, Native};
use super::super::node::Id;
use super::super::program::Program;
use super::super::reading::Reading;
use super::super::reducers;
use super::super::result::NodeResult;
use super::super::route::{self, Judged};
use super::super::state::{self, State};
use super::super::turns;
use super::{Awaited, Run, Turn};
use crate::ask::{Ask, Question, Reply};
use crate::event::{EventKind, ScopeId, VisitId};
use crate::kernel::TaskContext;
use crate::outcome::Failure;
use crate::time::Millis;

/// A visit of a node.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) node: u32,
    pub(super) visit: VisitId,
    pub(super) state: State,
    pub(super) stage: Stage,
    /// Events that wait for the end of the batch; `None` for a node that runs alone.
    pub(super) buffer: Option<Vec<Native>>,
    /// How many events it has emitted. Only counted in a graph inside another one.
    pub(super) emitted: u32,
    /// The keys that it wrote, each with its partition.
    pub(super) written: Vec<SmolStr>,
    pub(super) error: Option<SmolStr>,
    attempt: u32,
    /// How many attempts its node had, including those of earlier visits.
    tries: u32,
    since: Millis,
    route: Option<SmolStr>,
    targets: Vec<SmolStr>,
    /// How many of the node's edges were evaluated.
    judged: usize,
    pub(super) next: Next,
    /// The checkpoint that is being saved.
    pub(super) saving: Option<Box<Checkpoint>>,
}

/// What a branch does next, after the other branches had their turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It begins, because its checkpoint is saved.
    Saved,
    /// It makes an attempt.
    Attempt,
    /// It runs its node.
    Work,
    /// It evaluates its edges.
    Route,
    /// It ends, because its checkpoint is saved.
    End,
}

/// How far a visit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Works,
    Routes,
    Completed,
    Failed,
    Interrupted,
}

impl Branch {
    pub(super) fn new(node: u32, state: State, is_batch: bool) -> Branch {
        Branch {
            node,
            visit: VisitId(0),
            state,
            stage: Stage::Works,
            buffer: is_batch.then(Vec::new),
            emitted: 0,
            written: Vec::new(),
            error: None,
            attempt: 0,
            tries: 0,
            since: Millis::ZERO,
            route: None,
            targets: Vec::new(),
            judged: 0,
            next: Next::Attempt,
            saving: None,
        }
    }
}

impl Run {
    /// Begins an attempt of a branch after the events that the run still has to emit: the event that the node starts
    /// comes first.
    pub(super) fn attempt(&mut self, at: usize, context: &mut TaskContext<'_, AgentOs>) {
        match self.branches.get(at) {
            Some(branch) if self.is_beside && branch.buffer.is_none() => {
                let owed = std::mem::take(&mut self.debt).saturating_add(turns::EVENT);
                self.take_turns(at, owed, Next::Work, context);
            }
            _ => self.work(at, context),
        }
    }

    fn work(&mut self, at: usize, context: &mut TaskContext<'_, AgentOs>) {
        let program = context.program();
        let graph = self.graph(program);
        let is_beside = self.is_among_others(at);
        let Some(branch) = self.branches.get_mut(at) else { return };
        branch.attempt = branch.attempt.saturating_add(1);
        let tries = self.tries.entry(branch.node).or_default();
        *tries = tries.saturating_add(1);
        branch.tries = *tries;
        branch.since = context.now();
        let node = graph.node(branch.node);
        if branch.attempt == 1 {
            branch.visit = context.new_visit();
            branch.change_state(self.scope, context);
        }
        let shown = branch.state.shown();
        if branch.attempt == 1 {
            let (visit, scope, node) = (branch.visit, self.scope, node.name.clone());
            context.emit(EventKind::VisitStarted { visit, scope, node, reads: shown.clone() });
        } else {
            context.emit(EventKind::TriedAgain { visit: branch.visit, attempt: branch.attempt });
        }
        let situation = Situation {
            graph: self.graph,
            node: branch.node,
            visit: branch.visit,
            attempt: branch.tries,
            depth: self.depth,
            state: branch.state.clone(),
            clock: self.opening.clock,
            is_beside,
        };
        let task = context.begin(Box::new(Attempt::new(program, situation)));
        self.waits.insert(Awaited::Attempt(task), at);
        self.emit_of_branch(
            at,
            "node_start",
            [("nodeId", Value::Text(node.name.clone())), ("state", shown)],
            context,
        );
        self.debt = 0;
    }

    /// Continues after an attempt: with another one, or with the end of the visit.
    pub(super) fn tried(
        &mut self,
        at: usize,
        mut result: NodeResult,
        context: &mut TaskContext<'_, AgentOs>,
    ) -> Turn {
        let program = context.program();
        let graph = self.graph(program);
        let Some(branch) = self.branches.get_mut(at) else { return Turn::Waits };
        let node = graph.node(branch.node);
        let intervention = program.host.intervention(&graph.id, &node.name, branch.tries);
        if let Some(Value::Map(patch)) =
            intervention.filter(|set| set.result.is_none()).and_then(|set| set.patch.as_ref())
        {
            result.patch(patch);
        }
        let wait = match &node.retry {
            Some(retry) if !result.success && !result.interrupt => {
                retry.wait(branch.attempt, result.error.as_deref())
            }
            _ => None,
        };
        if let Some(wait) = wait {
            let failure = Failure::new("NODE_EXECUTION_FAILED", error_text(&result, &node.name));
            context.emit(EventKind::Retried { visit: branch.visit, attempt: branch.attempt, wait, failure });
            self.waits.insert(Awaited::Retry(context.set_timer(wait)), at);
            return Turn::Waits;
        }
        if result.interrupt && self.paused.is_none() && self.can_pause(program) {
            return self.pause(at, result.output, context);
        }
        self.conclude(at, result, context)
    }

    /// Applies the result of the visit.
    fn conclude(&mut self, at: usize, result: NodeResult, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        let program = context.program();
        let graph = self.graph(program);
        self.write(at, &result, context);
        let Some(branch) = self.branches.get_mut(at) else { return Turn::Waits };
        let (node, visit) = (graph.node(branch.node), branch.visit);
        let duration = context.now() - branch.since;
        branch.route = result.route().cloned();
        branch.error = Some(error_text(&result, &node.name)).filter(|_| !result.success);
        branch.stage = match (result.interrupt, result.success) {
            (true, _) => Stage::Interrupted,
            (false, true) => Stage::Routes,
            (false, false) => Stage::Failed,
        };
        let stage = branch.stage;
        let record = checkpoint::record(&node.effect, &result.output, duration);
        Arc::make_mut(&mut self.results).insert(node.name.clone(), record);
        for event in &result.events {
            self.pass_on(at, native::of(event), context);
        }
        let name = Value::Text(node.name.clone());
        if stage != Stage::Failed {
            let telemetry = result.telemetry.clone().unwrap_or(Value::Undefined);
            let members = [
                ("nodeId", name),
                ("output", result.output.clone()),
                ("durationMs", Value::Number(duration.0 as f64)),
                ("telemetry", telemetry),
            ];
            self.emit_of_branch(at, "node_end", members, context);
        }
        let ended = match stage {
            Stage::Failed => Err(Failure::new("NODE_EXECUTION_FAILED", error_text(&result, &node.name))),
            _ => Ok(result.output),
        };
        context.emit(EventKind::VisitEnded { visit, result: ended });
        match stage {
            Stage::Routes => {
                self.schedule.complete(graph, node.id);
                self.route(at, context)
            }
            _ => self.branch_ended(context),
        }
    }

    /// Continues after some turns, in which parallel branches continue too.
    pub(super) fn take_turns(
        &mut self,
        at: usize,
        turns: u32,
        next: Next,
        context: &mut TaskContext<'_, AgentOs>,
    ) -> Turn {
        let is_beside = self.is_among_others(at);
        let Some(branch) = self.branches.get_mut(at) else { return Turn::Waits };
        branch.next = next;
        if !is_beside {
            return self.next_turn(at, context);
        }
        self.waits.insert(Awaited::Turn(context.set_timer_in_turns(turns)), at);
        Turn::Waits
    }

    /// Whether other nodes run while this branch does.
    fn is_among_others(&self, at: usize) -> bool {
        self.is_beside || self.branches.get(at).is_some_and(|branch| branch.buffer.is_some())
    }

    pub(super) fn next_turn(&mut self, at: usize, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        match self.branches.get(at).map(|branch| branch.next) {
            Some(Next::Saved) => {
                self.saved(at, context);
                let turns = if self.depth == 0 { turns::SAVED } else { turns::SAVED_INSIDE };
                self.take_turns(at, turns, Next::Attempt, context)
            }
            Some(Next::Attempt) => {
                self.attempt(at, context);
                Turn::Waits
            }
            Some(Next::Work) => {
                self.work(at, context);
                Turn::Waits
            }
            Some(Next::Route) => self.routed(at, context),
            Some(Next::End) => {
                self.saved(at, context);
                self.owe(turns::SAVED_INSIDE);
                self.branch_ended(context)
            }
            None => Turn::Waits,
        }
    }

    /// Evaluates the remaining edges of a branch. An edge that needs a search delays the others.
    fn route(&mut self, at: usize, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        let program = context.program();
        let graph = self.graph(program);
        let Some(branch) = self.branches.get_mut(at) else { return Turn::Waits };
        if let Some(target) = branch.route.clone() {
            let reason = "the node's result names it".into();
            context.emit(EventKind::HandedOver { visit: branch.visit, target: target.clone(), reason });
            branch.targets.push(target);
            return self.take_turns(at, turns::EDGES, Next::Route, context);
        }
        let searches =
            if self.depth == 0 { program.host.discovery } else { program.host.discovery_in_subgraphs };
        loop {
            let Some(branch) = self.branches.get_mut(at) else { return Turn::Waits };
            let Some((place, edge)) = graph.edge_at(branch.node, branch.judged) else {
                return self.take_turns(at, turns::EDGES, Next::Route, context);
            };
            let judged = route::judge(program, graph, edge, &branch.state, &branch.targets, searches);
            if let Judged::Asks(question) = judged {
                let ask = Ask {
                    graph: graph.id.clone(),
                    node: graph.node(branch.node).name.clone(),
                    attempt: branch.attempt,
                    what: Question::Discovery(question),
                };
                let ask = context.ask(branch.visit, ask);
                self.waits.insert(Awaited::Search(ask), at);
                return Turn::Waits;
            }
            if let Some(error) = branch.judge(place, judged, graph.name(edge.target), context) {
                return self.throw(at, error, context);
            }
        }
    }

    /// Continues with an edge when its search is answered.
    pub(super) fn searched(
        &mut self,
        at: usize,
        result: Result<Reply, Failure>,
        context: &mut TaskContext<'_, AgentOs>,
    ) -> Turn {
        let program = context.program();
        let graph = self.graph(program);
        let Some(branch) = self.branches.get_mut(at) else { return Turn::Waits };
        if let Some((place, edge)) = graph.edge_at(branch.node, branch.judged) {
            let judged = route::found(program, graph, edge, result);
            branch.judge(place, judged, graph.name(edge.target), context);
        }
        self.route(at, context)
    }

    /// Ends the visit when all edges are evaluated: what was not chosen is skipped.
    fn routed(&mut self, at: usize, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        let graph = self.graph(context.program());
        let Some(branch) = self.branches.get_mut(at) else { return Turn::Waits };
        branch.stage = Stage::Completed;
        let (node, targets) = (branch.node, std::mem::take(&mut branch.targets));
        let mut chosen: Vec<Id> = targets.iter().filter_map(|target| graph.number(target)).collect();
        chosen.sort_unstable();
        for id in self.schedule.route(graph, node, &chosen) {
            context.emit(EventKind::Skipped { scope: self.scope, node: graph.name(id).clone() });
        }
        let name = Value::Text(graph.node(node).name.clone());
        for target in targets.iter().filter(|target| *target != "__END__") {
            let members = [
                ("sourceId", name.clone()),
                ("targetId", Value::Text(target.clone())),
                ("edgeType", Value::from(graph.kind(node, target).unwrap_or("static"))),
            ];
            self.emit_of_branch(at, "edge_transition", members, context);
        }
        let saves = graph.node(node).saves_after || graph.checkpoints == "every_node";
        if self.may_save(context.program()) && saves {
            let is_pending = |target: &Id| *target != Id::END && chosen.binary_search(target).is_ok();
            let pending = graph.ways(node).filter(|(_, edge)| is_pending(&edge.target));
            let pending = pending.map(|(_, edge)| edge.id.clone()).collect();
            return self.save(at, pending, Next::End, context);
        }
        self.branch_ended(context)
    }

    /// Applies what a result writes.
    fn write(&mut self, at: usize, result: &NodeResult, context: &mut TaskContext<'_, AgentOs>) {
        let program = context.program();
        let output_key = match self.branches.get(at) {
            Some(branch) => self.graph(program).node(branch.node).output_key.clone(),
            None => return,
        };
        if let (Some(memory), Some(branch)) = (&result.memory, self.branches.get_mut(at)) {
            branch.state.memory = memory.clone();
            self.note_write(at, SmolStr::new_static("memory"), memory.clone(), context);
        }
        if let Some(update) = &result.scratch {
            for (key, value) in reducers::members(update).iter() {
                self.write_scratch(at, key, value, context);
            }
            self.last = at;
        }
        if let Some(update) = &result.artifacts {
            for (key, value) in reducers::members(update).iter() {
                self.write_artifact(at, key, value.clone(), context);
            }
            self.last = at;
        } else if result.success && result.output != Value::Undefined && result.route().is_none() {
            self.write_artifact(at, &output_key, result.output.clone(), context);
            self.last = at;
        }
    }

    fn write_scratch(
        &mut self,
        at: usize,
        key: &SmolStr,
        value: &Value,
        context: &mut TaskContext<'_, AgentOs>,
    ) {
        let program = context.program();
        let there = self.branches.get(at).and_then(|branch| branch.state.scratch.get(key).cloned());
        let full_key = state::key("scratch", key);
        let value = self.reduced(program, &full_key, there.as_ref(), value);
        let Some(branch) = self.branches.get_mut(at) else { return };
        Arc::make_mut(&mut branch.state.scratch).insert(key.clone(), value.clone());
        branch.written.push(full_key.clone());
        self.note_write(at, full_key, value, context);
    }

    fn write_artifact(
        &mut self,
        at: usize,
        key: &SmolStr,
        value: Value,
        context: &mut TaskContext<'_, AgentOs>,
    ) {
        let program = context.program();
        let full_key = state::key("artifacts", key);
        let there = self.branches.get(at).and_then(|branch| branch.state.artifacts.get(key).cloned());
        let value = match program.reading {
            Reading::Release => value,
            Reading::Documented => self.reduced(program, &full_key, there.as_ref(), &value),
        };
        let Some(branch) = self.branches.get_mut(at) else { return };
        Arc::make_mut(&mut branch.state.artifacts).insert(key.clone(), value.clone());
        branch.written.push(full_key.clone());
        self.note_write(at, full_key, value, context);
    }

    /// Logs a write. What a branch writes after its run has ended is not logged.
    fn note_write(&self, at: usize, key: SmolStr, value: Value, context: &mut TaskContext<'_, AgentOs>) {
        let Some(branch) = self.branches.get(at).filter(|_| !self.is_detached) else { return };
        context.emit(EventKind::Wrote { scope: self.scope, visit: Some(branch.visit), key, value });
    }

    /// The value of a key after a write.
    pub(super) fn reduced(
        &mut self,
        program: &Program,
        key: &SmolStr,
        there: Option<&Value>,
        value: &Value,
    ) -> Value {
        let reducer = self.graph(program).reducers.get(key);
        match (reducer, there.filter(|there| **there != Value::Undefined)) {
            (Some(reducer), Some(there)) => {
                if program.reading == Reading::Release {
                    return reducer.reduce(there, value, Reading::Release, 1);
                }
                let count = self.counts.entry(key.clone()).or_insert(1);
                let reduced = reducer.reduce(there, value, Reading::Documented, *count);
                *count = count.saturating_add(1);
                reduced
            }
            _ => value.clone(),
        }
    }

    fn pass_on(&mut self, at: usize, event: Native, context: &mut TaskContext<'_, AgentOs>) {
        if self.depth > 0 {
            return;
        }
        match self.branches.get_mut(at).and_then(|branch| branch.buffer.as_mut()) {
            Some(buffer) => buffer.push(event),
            None => native::emit(event.0, event.1, context),
        }
    }
}

impl Branch {
    /// Changes the state before the visit, as someone outside wants. A key without a partition belongs to the scratch.
    fn change_state(&mut self, scope: ScopeId, context: &mut TaskContext<'_, AgentOs>) {
        for (key, value) in context.changes_before(self.visit).iter().flat_map(Map::iter) {
            let (partition, name, full_key) = match key.split_once('.') {
                Some(("artifacts", name)) => (&mut self.state.artifacts, name, key.clone()),
                Some(("input", name)) => (&mut self.state.input, name, key.clone()),
                Some(("scratch", name)) => (&mut self.state.scratch, name, key.clone()),
                _ => (&mut self.state.scratch, key.as_str(), state::key("scratch", key)),
            };
            Arc::make_mut(partition).insert(SmolStr::new(name), value.clone());
            self.written.push(full_key.clone());
            context.emit(EventKind::Wrote { scope, visit: None, key: full_key, value: value.clone() });
        }
    }

    /// Records the result of an edge; returns an exception if there was one.
    fn judge(
        &mut self,
        place: u32,
        judged: Judged,
        own: &SmolStr,
        context: &mut TaskContext<'_, AgentOs>,
    ) -> Option<SmolStr> {
        self.judged += 1;
        let (target, followed, reason) = match judged {
            Judged::Leads(target, reason) => (target, true, reason),
            Judged::Ends(reason) => (own.clone(), false, reason),
            Judged::Asks(_) => return None,
            Judged::Thrown(error) => return Some(error),
        };
        if followed {
            self.targets.push(target.clone());
        }
        context.emit(EventKind::EdgeJudged { visit: self.visit, edge: place, target, followed, reason });
        None
    }
}

/// The text of the error; the runtime's own text if the result has none.
pub(super) fn error_text(result: &NodeResult, node: &str) -> SmolStr {
    result.error.clone().unwrap_or_else(|| format_smolstr!("Node {node} failed"))
}
