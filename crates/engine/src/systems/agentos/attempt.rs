//! One attempt to run a node: its executor's machine, raced against the node's time limit.
//!
//! Input: a node's place in a run and what it sees; output: a result or an exception, to the run. Invariant: the limit
//! ends the attempt and not the work, as the runtime does not stop what it raced against.

use std::fmt;
use std::sync::Arc;

use nodewise_expr::javascript;
use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::host::{Host, Intervention};
use super::node::{Node, timer_wait};
use super::program::{Graph, Program, Reading};
use super::result::NodeResult;
use super::state::State;
use super::turns::{Ending, Turns};
use super::{AgentOs, Output, THROWN, Yield};
use crate::ask::{Answer, Ask, Question, Reply};
use crate::event::{AskId, EventKind, VisitId};
use crate::kernel::{Flow, Task, TaskContext, TimerId, Wake};
use crate::time::Millis;

/// Where and for whom a node runs.
#[derive(Debug, Clone)]
pub(super) struct Situation {
    pub(super) graph: u32,
    pub(super) node: u32,
    pub(super) visit: VisitId,
    pub(super) attempt: u32,
    /// How deep the graph is inside others.
    pub(super) depth: u32,
    pub(super) state: State,
    /// What the host's clock shows when the run begins.
    pub(super) clock: Millis,
    /// Whether other nodes run at the same time.
    pub(super) is_beside: bool,
}

/// What an executor does in one attempt: a state machine that is woken.
pub(super) trait Machine: fmt::Debug + Send + Sync {
    /// Continues until something else must happen first.
    fn go(&mut self, wake: Wake<Output>, work: &mut Work<'_, '_>) -> Progress;

    /// What the node's time limit means.
    fn timed_out(&mut self, error: SmolStr, _work: &mut Work<'_, '_>) -> Progress {
        Progress::done(NodeResult::failed(error))
    }

    /// A copy that continues as this one would.
    fn copied(&self) -> Box<dyn Machine>;
}

/// What a machine is at after a step.
#[derive(Debug)]
pub(super) enum Progress {
    Wait,
    Done(Box<NodeResult>),
    /// An exception that nothing catches: the run ends.
    Thrown(SmolStr),
}

/// What a machine works with.
pub(super) struct Work<'w, 'k> {
    pub(super) situation: &'w Situation,
    pub(super) context: &'w mut TaskContext<'k, AgentOs>,
    /// The turns that the work takes.
    pub(super) turns: &'w mut Turns,
}

/// One attempt to run a node.
#[derive(Debug)]
pub(super) struct Attempt {
    situation: Situation,
    machine: Box<dyn Machine>,
    limit: Option<TimerId>,
    ending: Ending,
    turns: Turns,
    /// What the attempt came to, and the turn in which the run hears of it.
    ended: Option<(TimerId, Output)>,
}

impl Attempt {
    pub(super) fn new(program: &Program, situation: Situation) -> Attempt {
        let graph = program.graph(situation.graph);
        let node = graph.node(situation.node);
        let intervention = program.host.intervention(&graph.id, &node.name, situation.attempt);
        let replaced = intervention.filter(|intervention| intervention.result.is_some());
        let ending = match replaced {
            Some(_) => Ending::Host,
            None => Ending::Executor { is_limited: node.timeout.is_some() },
        };
        let machine: Box<dyn Machine> = match replaced {
            // The host's result is not raced against anything.
            Some(intervention) => Box::new(Replaced(intervention.clone())),
            None => node.machine.copied(),
        };
        Attempt { situation, machine, limit: None, ending, turns: Turns::default(), ended: None }
    }

    /// Turns are counted again when time has passed.
    fn count_turns(&mut self, wake: &Wake<Output>, turn: u32) {
        match wake {
            // It was begun a turn before.
            Wake::Start => self.turns = Turns::from(turn.saturating_sub(1)),
            Wake::Child(..) => self.turns = Turns::from(turn),
            _ if turn == 0 => self.turns = Turns::default(),
            _ => {}
        }
    }

    /// The attempt is over: the run hears of it at once, or in its turn where other nodes run beside.
    fn end(&mut self, output: Output, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        // The run hears of it a turn after the end.
        let left = self.turns.left(self.ending, context.turn()).saturating_sub(1);
        if !self.situation.is_beside || left == 0 {
            return Flow::Done(output);
        }
        self.ended = Some((context.set_timer_in_turns(left), output));
        Flow::Wait
    }

    /// The limit is set when the work has set its own timers, which win where both are due at once.
    fn set_limit(&mut self, context: &mut TaskContext<'_, AgentOs>) {
        let graph = context.program().graph(self.situation.graph);
        if let (Some(timeout), Ending::Executor { .. }) =
            (graph.node(self.situation.node).timeout, self.ending)
        {
            self.limit = Some(context.set_timer(timer_wait(timeout)));
        }
    }

    fn timeout_error(&self, program: &Program) -> SmolStr {
        let node = program.graph(self.situation.graph).node(self.situation.node);
        let limit = javascript::number_to_text(node.timeout.unwrap_or_default());
        format_smolstr!("Node {} timeout after {limit}ms", node.name)
    }
}

impl Task<AgentOs> for Attempt {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        if let Some((due, output)) = &self.ended {
            return match wake {
                Wake::Timer(timer) if timer == *due => Flow::Done(output.clone()),
                _ => Flow::Wait,
            };
        }
        self.count_turns(&wake, context.turn());
        if let Wake::Answer(_, answer) = &wake
            && !answer.usage.is_zero()
        {
            context.emit(EventKind::Spent { visit: self.situation.visit, usage: answer.usage });
        }
        let begins = matches!(wake, Wake::Start);
        let is_over = matches!(wake, Wake::Timer(timer) if Some(timer) == self.limit);
        let error = is_over.then(|| self.timeout_error(context.program()));
        if is_over {
            self.ending = Ending::Limit;
        }
        let mut work = Work { situation: &self.situation, context, turns: &mut self.turns };
        let progress = match error {
            Some(error) => self.machine.timed_out(error, &mut work),
            None => self.machine.go(wake, &mut work),
        };
        let result = match progress {
            Progress::Wait => {
                if begins {
                    self.set_limit(context);
                }
                return Flow::Wait;
            }
            Progress::Done(result) => Ok(result),
            Progress::Thrown(error) => Err(error),
        };
        self.end(Output(Yield::Attempt(result)), context)
    }

    fn copied(&self) -> Box<dyn Task<AgentOs>> {
        Box::new(Attempt {
            situation: self.situation.clone(),
            machine: self.machine.copied(),
            limit: self.limit,
            ending: self.ending,
            turns: self.turns,
            ended: self.ended.clone(),
        })
    }
}

impl Progress {
    /// The result of the attempt.
    pub(super) fn done(result: NodeResult) -> Progress {
        Progress::Done(Box::new(result))
    }
}

impl<'k> Work<'_, 'k> {
    pub(super) fn program(&self) -> &'k Arc<Program> {
        self.context.program()
    }

    pub(super) fn host(&self) -> &'k Host {
        &self.program().host
    }

    pub(super) fn graph(&self) -> &'k Graph {
        self.program().graph(self.situation.graph)
    }

    pub(super) fn node(&self) -> &'k Node {
        self.graph().node(self.situation.node)
    }

    pub(super) fn state(&self) -> &State {
        &self.situation.state
    }

    pub(super) fn is_documented(&self) -> bool {
        self.program().reading == Reading::Documented
    }

    /// What the host's clock shows.
    pub(super) fn clock(&self) -> Millis {
        self.situation.clock + self.context.now()
    }

    pub(super) fn ask(&mut self, what: Question) -> AskId {
        let ask = Ask {
            graph: self.graph().id.clone(),
            node: self.node().name.clone(),
            attempt: self.situation.attempt,
            what,
        };
        self.context.ask(self.situation.visit, ask)
    }
}

/// A result that the host has set.
#[derive(Debug, Clone)]
struct Replaced(Intervention);

impl Machine for Replaced {
    fn go(&mut self, wake: Wake<Output>, work: &mut Work<'_, '_>) -> Progress {
        if matches!(wake, Wake::Start) && self.0.after > Millis::ZERO {
            work.context.set_timer(self.0.after);
            return Progress::Wait;
        }
        match (&self.0.thrown, &self.0.result) {
            (Some(error), _) => Progress::Thrown(error.clone()),
            (None, Some(Value::Map(written))) => Progress::done(NodeResult::of(written)),
            (None, _) => Progress::done(NodeResult { success: false, ..NodeResult::done(Value::Undefined) }),
        }
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

/// What a service reports of a call: of tools and extensions.
pub(super) enum Report {
    Thrown(SmolStr),
    Came { success: bool, output: Value, error: Option<SmolStr> },
}

/// What a service reports in an answer. Beside a value, or in its place, the answer's aside may hold `success`, `output`
/// and `error`.
pub(super) fn report(answer: Answer) -> Report {
    let aside = match &answer.aside {
        Some(Value::Map(aside)) => Some(aside.clone()),
        _ => None,
    };
    let beside = |key: &str| aside.as_ref().and_then(|aside| aside.get(key)).cloned();
    let error = beside("error").map(|error| javascript::to_text(&error).into());
    let success = beside("success").map(|success| javascript::is_truthy(&success));
    match answer.result {
        Err(failure) if failure.class == THROWN => Report::Thrown(failure.message),
        Err(failure) => Report::Came {
            success: success.unwrap_or(false),
            output: beside("output").unwrap_or(Value::Undefined),
            error: Some(error.unwrap_or(failure.message)),
        },
        Ok(reply) => Report::Came {
            success: success.unwrap_or(true),
            output: match reply {
                Reply::Value(output) => output,
                _ => Value::Undefined,
            },
            error,
        },
    }
}
