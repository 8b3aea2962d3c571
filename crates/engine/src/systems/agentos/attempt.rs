//! One attempt to run a node: its executor's machine, raced against the node's time limit.
//!
//! Input: a node's place in a run and what it sees; output: a result or an exception, to the run. Invariant: the limit
//! ends the attempt and not the work, as the runtime does not stop what it raced against.

use std::sync::Arc;

use nodewise_expr::javascript;
use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::host::{Host, Intervention};
use super::machine::{Machine, MachineContext, Progress, Situation};
use super::node::{Node, timer_wait};
use super::program::{Graph, Program};
use super::reading::Reading;
use super::result::NodeResult;
use super::state::State;
use super::turns::{Ending, Turns};
use super::{AgentOs, Output, Yield};
use crate::ask::{Ask, Question};
use crate::event::{AskId, EventKind};
use crate::kernel::{Flow, Task, TaskContext, TimerId, Wake};
use crate::time::Millis;

/// One attempt to run a node.
#[derive(Debug)]
pub(super) struct Attempt {
    situation: Situation,
    machine: Box<dyn Machine>,
    limit: Option<TimerId>,
    ending: Ending,
    turns: Turns,
    /// The result of the attempt, and the timer for the turn in which the run gets it.
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
            // A result that the host sets does not race against the time limit.
            Some(intervention) => Box::new(Replaced(intervention.clone())),
            None => node.machine.copied(),
        };
        Attempt { situation, machine, limit: None, ending, turns: Turns::default(), ended: None }
    }

    /// Starts counting turns again when time has passed.
    fn count_turns(&mut self, wake: &Wake<Output>, turn: u32) {
        match wake {
            // The run began the attempt one turn earlier.
            Wake::Start => self.turns = Turns::from(turn.saturating_sub(1)),
            Wake::Child(..) => self.turns = Turns::from(turn),
            _ if turn == 0 => self.turns = Turns::default(),
            _ => {}
        }
    }

    /// Ends the attempt. The run gets the result at once, or in a later turn if other nodes run at the same time.
    fn end(&mut self, output: Output, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        // The run gets the result one turn after the task ends.
        let left = self.turns.left(self.ending, context.turn()).saturating_sub(1);
        if !self.situation.is_beside || left == 0 {
            return Flow::Done(output);
        }
        self.ended = Some((context.set_timer_in_turns(left), output));
        Flow::Wait
    }

    /// Sets the time limit. It comes after the work has set its own timers, which win if both are due at the same moment.
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
        let mut work = MachineContext { situation: &self.situation, context, turns: &mut self.turns };
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

impl<'k> MachineContext<'_, 'k> {
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

    /// The time that the host's clock shows.
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

/// Yields a result that the host has set in place of the node's own.
#[derive(Debug, Clone)]
struct Replaced(Intervention);

impl Machine for Replaced {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
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
