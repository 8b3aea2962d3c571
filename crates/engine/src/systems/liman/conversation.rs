//! A run of an agent: turns one after another, and within a turn the frames that can continue.
//!
//! Input: turns and the world's answers; output: the log. What a frame does after a visit is the engine's business:
//! [`super::calls`] and [`super::releases`]. Invariant: a frame continues until it has to wait; those that can continue are in
//! a queue, as in Python's event loop, and an answer that comes at once is waited for before another frame continues.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model::NodeKind;
use smol_str::{SmolStr, format_smolstr};

use super::Liman;
use super::edges::{Next, Verdict, Waves};
use super::executors::{self, Actor};
use super::frame::{Frame, FrameId, Stage};
use super::host::{LimanProfile, UserTurn};
use super::item::Item;
use super::program::{NodeIndex, Program};
use super::rounds;
use crate::ask::{Ask, FunctionQuestion, Question};
use crate::event::{AskId, EventKind, ScopeId, VisitId};
use crate::kernel::{Flow, Task, TaskContext, TimerId, Wake};
use crate::outcome::{Failure, Outcome, Status};
use crate::time::Millis;

/// The only task of a run.
#[derive(Debug, Clone)]
pub(super) struct Conversation {
    turns: Arc<[UserTurn]>,
    /// How many turns have begun.
    pub(super) begun: usize,
    scope: ScopeId,
    /// The run's context in this turn.
    pub(super) context: Arc<Map>,
    frames: Vec<Option<Frame>>,
    /// The frames that can continue, in order. The number says how often a frame still lets all others go first.
    ready: VecDeque<(FrameId, u32)>,
    asked: BTreeMap<AskId, FrameId>,
    held_back: Option<HeldBack>,
    /// What the start node's actor remembers, across turns.
    pub(super) root: Actor,
    /// How many visits the start node's executor had, in all turns.
    pub(super) root_visits: u32,
    /// How many visits this turn had.
    pub(super) visits: u32,
    /// Whether an earlier turn never ended, so that no later one will either.
    is_hung: bool,
    /// How the turn ends; `None` while it continues.
    ending: Option<Ending>,
    last: Outcome,
}

/// How a turn ends.
#[derive(Debug, Clone)]
pub(super) enum Ending {
    /// With the output of the start node's frame.
    Returned(Result<Item, Failure>),
    /// With an exception that reaches the caller.
    Raised(Failure),
}

/// The other frames wait while one frame may get its answer at once.
#[derive(Debug, Clone)]
struct HeldBack {
    frame: FrameId,
    timer: TimerId,
    /// Whether the timer was due before. An answer that comes at once arrives before it is due for the second time.
    is_second: bool,
}

/// What a frame does after a part of its work.
pub(super) enum Going {
    /// It continues at once.
    On,
    /// It waits for something.
    Waiting,
    /// It has its output.
    Done(Result<Item, Failure>),
}

impl Conversation {
    pub(super) fn new(turns: Vec<UserTurn>) -> Conversation {
        Conversation {
            turns: turns.into(),
            begun: 0,
            scope: ScopeId(0),
            context: Arc::default(),
            frames: Vec::new(),
            ready: VecDeque::new(),
            asked: BTreeMap::new(),
            held_back: None,
            root: Actor::default(),
            root_visits: 0,
            visits: 0,
            is_hung: false,
            ending: None,
            last: Outcome::of(Status::Completed, Value::Null),
        }
    }
}

impl Task<Liman> for Conversation {
    fn step(&mut self, wake: Wake<()>, context: &mut TaskContext<'_, Liman>) -> Flow<()> {
        match wake {
            Wake::Start => {
                if !self.begin_turn(context) {
                    return Flow::End(self.last.clone());
                }
            }
            Wake::Answer(ask, answer) => self.receive(ask, answer, context),
            Wake::Timer(timer) => {
                if self.keeps_holding_back(timer, context) {
                    return Flow::Wait;
                }
            }
            Wake::Cancelled => {
                let outcome = Outcome::of(Status::Cancelled, Value::Null);
                context.emit(EventKind::GraphEnded { scope: self.scope, outcome: Arc::new(outcome.clone()) });
                return Flow::End(outcome);
            }
            Wake::Child(..) | Wake::GivenUp | Wake::Resumed(_) => {}
        }
        self.go_on(context)
    }

    fn copied(&self) -> Box<dyn Task<Liman>> {
        Box::new(self.clone())
    }
}

impl Conversation {
    /// Begins the next turn; `false` if there is none.
    fn begin_turn(&mut self, context: &mut TaskContext<'_, Liman>) -> bool {
        let Some(turn) = self.turns.get(self.begun).cloned() else { return false };
        let program = context.program();
        self.begun += 1;
        self.visits = 0;
        self.frames.clear();
        self.ready.clear();
        self.asked.clear();
        self.ending = None;
        // This release cannot be given a context.
        self.context = match program.host.profile {
            LimanProfile::Classic => Arc::default(),
            LimanProfile::Spec | LimanProfile::Release => turn.context.clone(),
        };
        self.scope = context.new_scope(0);
        let graph = program.host.start.clone();
        let state = Value::Map(self.context.clone());
        context.emit(EventKind::GraphStarted { scope: self.scope, graph, by: None, state });
        let start = super::start::node(program);
        if let (LimanProfile::Classic, Err(failure)) = (program.host.profile, &start) {
            self.ending = Some(Ending::Raised(failure.clone()));
            return true;
        }
        // The releases count all turns of the agent together, and never start again.
        let is_used_up = program.host.profile.is_release()
            && u32::try_from(self.begun).unwrap_or(u32::MAX) > program.host.max_iterations;
        if self.is_hung || is_used_up {
            return true;
        }
        match start {
            Ok(node) => self.begin_root(program, node, &turn),
            Err(failure) => self.ending = Some(Ending::Returned(Err(failure))),
        }
        true
    }

    fn begin_root(&mut self, program: &Program, node: NodeIndex, turn: &UserTurn) {
        let mut frame = Frame::new(None, node, Item::Value(turn.input.clone()));
        if program.host.profile != LimanProfile::Release {
            frame.actor = std::mem::take(&mut self.root);
        }
        frame.visits = self.root_visits;
        self.add(frame);
    }

    fn end_turn(&mut self, context: &mut TaskContext<'_, Liman>) {
        let outcome = match self.ending.take() {
            Some(Ending::Returned(Ok(item))) => Outcome::of(Status::Completed, item.to_value()),
            Some(Ending::Returned(Err(failure))) => Outcome::failed(Status::Failed, failure),
            Some(Ending::Raised(failure)) => Outcome::failed(Status::Crashed, failure),
            None => {
                self.is_hung = true;
                let message = "the turn never ends: this release waits for a node that never runs";
                Outcome::failed(Status::Hung, Failure::lasting("Hang", message))
            }
        };
        let mut detail = Map::new();
        detail.insert("status", outcome.status.word().into());
        detail.insert("output", outcome.output.clone());
        if let Some(failure) = &outcome.failure {
            detail.insert("error", Value::Text(failure.message.clone()));
        }
        context.emit(EventKind::Native { name: "turn".into(), detail: detail.into() });
        context.emit(EventKind::GraphEnded { scope: self.scope, outcome: Arc::new(outcome.clone()) });
        self.last = outcome;
    }

    /// Ends the turn at once, whatever is still under way.
    pub(super) fn abort_turn(&mut self, failure: Failure) {
        self.frames.clear();
        self.ready.clear();
        self.asked.clear();
        self.held_back = None;
        self.ending = Some(Ending::Returned(Err(failure)));
    }
}

impl Conversation {
    /// Adds a frame, which continues after those that are ready.
    pub(super) fn add(&mut self, frame: Frame) -> FrameId {
        self.add_in_rounds(frame, 1)
    }

    /// The same, for a frame that begins after this many rounds of the event loop.
    pub(super) fn add_in_rounds(&mut self, frame: Frame, rounds: u32) -> FrameId {
        let id = FrameId(self.frames.len());
        self.frames.push(Some(frame));
        self.go_on_in_rounds(id, rounds);
        id
    }

    pub(super) fn go_on_in_rounds(&mut self, id: FrameId, rounds: u32) {
        self.ready.push_back((id, rounds.saturating_sub(1)));
    }

    fn go_on(&mut self, context: &mut TaskContext<'_, Liman>) -> Flow<()> {
        loop {
            if self.held_back.is_some() {
                return Flow::Wait;
            }
            if let Some((frame, rounds)) = self.ready.pop_front() {
                match rounds {
                    0 => self.run(frame, context),
                    rounds => self.ready.push_back((frame, rounds - 1)),
                }
            } else if self.asked.is_empty() || self.ending.is_some() {
                self.end_turn(context);
                if !self.begin_turn(context) {
                    return Flow::End(self.last.clone());
                }
            } else {
                return Flow::Wait;
            }
        }
    }

    /// Lets a frame continue until it waits, or has its output.
    fn run(&mut self, id: FrameId, context: &mut TaskContext<'_, Liman>) {
        let Some(mut frame) = self.frames.get_mut(id.0).and_then(Option::take) else { return };
        loop {
            match self.part(id, &mut frame, context) {
                Going::On => {}
                Going::Waiting => {
                    if let Some(place) = self.frames.get_mut(id.0) {
                        *place = Some(frame);
                    }
                    return;
                }
                Going::Done(output) => {
                    self.finish(id, frame, output);
                    return;
                }
            }
        }
    }

    fn finish(&mut self, id: FrameId, frame: Frame, output: Result<Item, Failure>) {
        let Some(parent) = frame.parent else {
            self.root_visits = frame.visits;
            self.root = frame.actor;
            self.ending.get_or_insert(Ending::Returned(output));
            return;
        };
        if let Some(waiting) = self.frames.get_mut(parent.0).and_then(Option::as_mut) {
            waiting.returned.push_back((id, output));
            let (begun, awaited) = match &waiting.stage {
                Stage::Gathering(awaited, _) => (awaited.iter().flatten().count(), awaited.len()),
                _ => (1, 1),
            };
            // A frame that waits for several others continues once, after the last of them.
            if waiting.returned.len() == begun {
                self.go_on_in_rounds(parent, rounds::after_children(awaited));
            }
        }
    }

    /// The next part of a frame's work.
    fn part(&mut self, id: FrameId, frame: &mut Frame, context: &mut TaskContext<'_, Liman>) -> Going {
        match std::mem::replace(&mut frame.stage, Stage::Entering) {
            Stage::Entering => self.enter(id, frame, context),
            Stage::Working => match frame.answer.take() {
                Some(answer) => {
                    let program = context.program();
                    let node = program.node(frame.node);
                    let output = executors::finish(program, node, &mut frame.actor, &frame.input, &answer);
                    self.after_work(id, frame, output, context)
                }
                None => wait_in(frame, Stage::Working),
            },
            Stage::Judging(waves) => self.judge(id, frame, waves, context),
            Stage::Calling(calling) => self.go_on_calling(id, frame, calling, context),
            Stage::Branching(branching) => self.go_on_branching(id, frame, branching, context),
            Stage::Gathering(awaited, outputs) => gather(frame, awaited, outputs),
        }
    }

    /// Begins a visit.
    fn enter(&mut self, id: FrameId, frame: &mut Frame, context: &mut TaskContext<'_, Liman>) -> Going {
        let program = context.program();
        if let Some(going) = self.stop_at_limit(program, frame) {
            return going;
        }
        let node = program.node(frame.node);
        frame.visit = context.new_visit();
        self.change_context(frame.visit, context);
        let (scope, reads) = (self.scope, frame.input.to_value());
        context.emit(EventKind::VisitStarted {
            visit: frame.visit,
            scope,
            node: node.full_name.clone(),
            reads,
        });
        frame.context = self.context.clone();
        if let Err(failure) = self.apply_account(program, frame) {
            end_visit(frame, &Err(failure.clone()), &[], context);
            return Going::Done(Err(failure));
        }
        match executors::begin(program, node, &mut frame.actor, &frame.input) {
            Ok(question) => self.ask(id, frame, question, Stage::Working, context),
            Err(failure) => self.after_work(id, frame, Err(failure), context),
        }
    }

    /// Changes the run's context before a visit, as someone outside wants.
    fn change_context(&mut self, visit: VisitId, context: &mut TaskContext<'_, Liman>) {
        let scope = self.scope;
        for (key, value) in context.changes_before(visit).iter().flat_map(Map::iter) {
            Arc::make_mut(&mut self.context).insert(key.clone(), value.clone());
            context.emit(EventKind::Wrote { scope, visit: None, key: key.clone(), value: value.clone() });
        }
    }

    fn after_work(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        output: Result<Item, Failure>,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        match context.program().host.profile {
            LimanProfile::Spec => self.after_call(frame, output, context),
            LimanProfile::Release | LimanProfile::Classic => {
                self.after_release_work(id, frame, output, context)
            }
        }
    }

    /// Evaluates edges until one needs its function, or the wave is over.
    fn judge(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        mut waves: Waves,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let program = context.program();
        let edges = &program.node(frame.node).edges;
        if let Some(answer) = frame.answer.take() {
            let (is_followed, reason) = verdict_of_function(&answer);
            if let Some(verdict) = waves.decide(is_followed, reason) {
                log_verdict(frame, edges, &verdict, context);
            }
        }
        let now = program.host.now + context.now().0 as f64 / 1000.0;
        loop {
            let state = frame.actor.state.clone();
            // Conditions of the releases only see what functions set.
            let variables: &[&Map] = match program.host.profile {
                LimanProfile::Spec => &[&state, &frame.context],
                LimanProfile::Release | LimanProfile::Classic => &[&state],
            };
            match waves.next(edges, variables, now) {
                Next::Judged(verdict) => log_verdict(frame, edges, &verdict, context),
                Next::Ask(_, path) => {
                    let question = Question::Function(FunctionQuestion { path, input: Value::Null });
                    return self.ask(id, frame, question, Stage::Judging(waves), context);
                }
                Next::Wave(followed) => {
                    return match program.host.profile {
                        LimanProfile::Spec => self.after_wave(frame, waves, &followed, context),
                        LimanProfile::Release | LimanProfile::Classic => {
                            self.after_release_edges(id, frame, &followed, context)
                        }
                    };
                }
            }
        }
    }
}

impl Conversation {
    fn ask(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        what: Question,
        stage: Stage,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let program = context.program();
        let node = program.node(frame.node).full_name.clone();
        let ask = Ask { graph: program.host.start.clone(), node, attempt: 1, what };
        self.asked.insert(context.ask(frame.visit, ask), id);
        if !self.ready.is_empty() {
            let timer = context.set_timer(Millis::ZERO);
            self.held_back = Some(HeldBack { frame: id, timer, is_second: false });
        }
        wait_in(frame, stage)
    }

    fn receive(&mut self, ask: AskId, answer: crate::ask::Answer, context: &mut TaskContext<'_, Liman>) {
        let Some(id) = self.asked.remove(&ask) else { return };
        let Some(frame) = self.frames.get_mut(id.0).and_then(Option::as_mut) else { return };
        let is_work = matches!(frame.stage, Stage::Working);
        if let (true, Some(Value::Map(set))) = (is_work, &answer.aside) {
            let node = &context.program().node(frame.node).full_name;
            let state = Arc::make_mut(&mut frame.actor.state);
            for (key, value) in set.iter() {
                state.insert(key.clone(), value.clone());
                context.emit(EventKind::Wrote {
                    scope: self.scope,
                    visit: Some(frame.visit),
                    key: format_smolstr!("{node}.{key}"),
                    value: value.clone(),
                });
            }
        }
        let is_model = is_work && context.program().node(frame.node).work == NodeKind::Model;
        let is_spec = context.program().host.profile == LimanProfile::Spec;
        let rounds = if is_model && !is_spec { rounds::of_model(answer.result.is_ok()) } else { 0 };
        frame.answer = Some(answer);
        match self.held_back.take() {
            Some(held_back) if held_back.frame == id => {
                context.cancel_timer(held_back.timer);
                if rounds == 0 {
                    return self.ready.push_front((id, 0));
                }
            }
            other => self.held_back = other,
        }
        self.go_on_in_rounds(id, rounds);
    }

    /// Whether the other frames still wait for a frame's answer after this timer.
    fn keeps_holding_back(&mut self, timer: TimerId, context: &mut TaskContext<'_, Liman>) -> bool {
        match self.held_back.take() {
            Some(held_back) if held_back.timer == timer && !held_back.is_second => {
                let timer = context.set_timer(Millis::ZERO);
                self.held_back = Some(HeldBack { timer, is_second: true, ..held_back });
                true
            }
            Some(held_back) if held_back.timer != timer => {
                self.held_back = Some(held_back);
                true
            }
            _ => false,
        }
    }

    fn apply_account(&mut self, program: &Program, frame: &mut Frame) -> Result<(), Failure> {
        let Some(used) = &program.node(frame.node).account else { return Ok(()) };
        let account = program.account(used).map_err(|name| {
            Failure::lasting("ComponentNotFoundError", format!("no service account is named `{name}`"))
        })?;
        let applied =
            account.applied(&used.name, used.inlined.is_some(), &frame.context).map_err(|path| {
                Failure::lasting(
                    "ValueError",
                    format!("Required context variable not found in state: '{path}'"),
                )
            })?;
        if program.host.profile == LimanProfile::Release && !self.context.is_empty() {
            // This release writes to the context that all nodes of the turn share.
            self.context = applied.clone();
        }
        frame.context = applied;
        Ok(())
    }
}

pub(super) fn wait_in(frame: &mut Frame, stage: Stage) -> Going {
    frame.stage = stage;
    Going::Waiting
}

/// Logs that a visit ended.
pub(super) fn end_visit(
    frame: &Frame,
    output: &Result<Item, Failure>,
    next: &[SmolStr],
    context: &mut TaskContext<'_, Liman>,
) {
    let mut detail = Map::new();
    detail.insert("node", Value::Text(context.program().node(frame.node).full_name.clone()));
    detail.insert("input", frame.input.to_value());
    match output {
        Ok(item) => detail.insert("output", item.to_value()),
        Err(failure) => detail.insert("error", Value::Text(failure.message.clone())),
    }
    detail.insert("next", next.iter().map(|name| Value::Text(name.clone())).collect());
    context.emit(EventKind::Native { name: "visit".into(), detail: detail.into() });
    let result = output.as_ref().map(Item::to_value).map_err(Failure::clone);
    context.emit(EventKind::VisitEnded { visit: frame.visit, result });
}

/// Logs what the conditions of a node's edges see.
pub(super) fn log_context(frame: &Frame, context: &mut TaskContext<'_, Liman>) {
    let program = context.program();
    if program.node(frame.node).edges.is_empty() {
        return;
    }
    let mut seen = match program.host.profile {
        LimanProfile::Spec => frame.context.as_ref().clone(),
        LimanProfile::Release | LimanProfile::Classic => Map::new(),
    };
    for (key, value) in frame.actor.state.iter() {
        seen.insert(key.clone(), value.clone());
    }
    context.emit(EventKind::Native { name: "context".into(), detail: seen.into() });
}

/// Logs the verdict about an edge.
pub(super) fn log_verdict(
    frame: &Frame,
    edges: &[super::program::ProgramEdge],
    verdict: &Verdict,
    context: &mut TaskContext<'_, Liman>,
) {
    context.emit(EventKind::EdgeJudged {
        visit: frame.visit,
        edge: u32::try_from(verdict.edge).unwrap_or(u32::MAX),
        target: edges.get(verdict.edge).map(|edge| edge.target_text.clone()).unwrap_or_default(),
        followed: verdict.is_followed,
        reason: verdict.reason.clone(),
    });
}

fn verdict_of_function(answer: &crate::ask::Answer) -> (bool, SmolStr) {
    use nodewise_expr::eval::Semantics;
    use nodewise_expr::limance::LimanCe;
    match &answer.result {
        Ok(reply) => {
            let value = executors::value_of(reply);
            let is_true = LimanCe.truth(&value).unwrap_or(false);
            (is_true, format_smolstr!("the function returns {}", Item::Value(value).text()))
        }
        Err(failure) => (false, format_smolstr!("the function fails: {}", failure.message)),
    }
}

/// Takes the outputs that arrived. After the last one, the frame visits its node again.
fn gather(frame: &mut Frame, awaited: Vec<Option<FrameId>>, mut outputs: Vec<Option<Item>>) -> Going {
    while let Some((from, output)) = frame.returned.pop_front() {
        let place = awaited.iter().position(|awaited| *awaited == Some(from));
        if let Some(place) = place.and_then(|place| outputs.get_mut(place)) {
            *place = Some(output.unwrap_or(Item::NOTHING));
        }
    }
    if outputs.iter().any(Option::is_none) {
        return wait_in(frame, Stage::Gathering(awaited, outputs));
    }
    let mut outputs: Vec<Item> = outputs.into_iter().flatten().collect();
    frame.input = match outputs.len() {
        1 => outputs.pop().unwrap_or(Item::NOTHING),
        _ => Item::List(outputs),
    };
    frame.stage = Stage::Entering;
    Going::On
}
