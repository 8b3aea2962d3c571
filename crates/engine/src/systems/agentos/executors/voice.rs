//! A voice session: it ends when the other side hangs up, after a number of turns, at a keyword, or in silence.
//!
//! Input: the events of the session, in virtual time; output: what was said and why it ended, which decides where the
//! node leads. Invariant: what the session tells goes to the log at once, beside the runtime's own stream, and continues
//! when nobody waits for the session any more, as its listeners do.

mod session;

use std::sync::Arc;

use nodewise_expr::javascript;
use nodewise_expr::value::{Map, Value};
use nodewise_model::agentos::{VoiceTrigger, VoiceWork};
use smol_str::SmolStr;

use self::session::{Session, Step};
use super::super::machine::{Machine, MachineContext, Progress, Situation};
use super::super::result::NodeResult;
use super::super::turns::{self, Turns};
use super::super::{AgentOs, Output};
use crate::ask::{Question, Reply, SessionQuestion};
use crate::kernel::{Flow, Task, TaskContext, TimerPlace, Wake};

/// A voice session.
#[derive(Debug, Clone)]
pub(super) struct Voice {
    settings: Arc<Settings>,
    session: Option<Session>,
    /// The places of the session's first timers, which were reserved when the session began, before the question.
    places: Option<[TimerPlace; 2]>,
}

#[derive(Debug)]
struct Settings {
    mode: SmolStr,
    speaks_only: bool,
    line: Option<SmolStr>,
    /// The number of turns after which the session ends; 0 is no limit.
    max_turns: f64,
    /// The keywords that end it, as written and in lower case.
    keywords: Vec<(SmolStr, String)>,
    ends_in_silence: bool,
    record: Value,
}

/// A session that nobody waits for any more.
#[derive(Debug, Clone)]
struct DetachedSession {
    situation: Situation,
    session: Session,
    is_open: bool,
}

impl Voice {
    pub(super) fn new(work: &VoiceWork) -> Voice {
        let trigger = work.exit.as_ref().and_then(|exit| exit.value);
        let keywords = work.keywords.iter().filter(|_| trigger == Some(VoiceTrigger::Keyword));
        let settings = Settings {
            mode: work.mode.as_ref().map(|mode| mode.value.clone()).unwrap_or_default(),
            speaks_only: work.speaks_only,
            line: work.line.as_ref().map(|line| line.value.clone()),
            max_turns: work.max_turns.as_ref().map_or(0.0, |turns| turns.value),
            keywords: keywords.map(|word| (word.value.clone(), word.value.to_lowercase())).collect(),
            ends_in_silence: trigger == Some(VoiceTrigger::Silence),
            record: work.settings.clone().unwrap_or(Value::Undefined),
        };
        Voice { settings: Arc::new(settings), session: None, places: None }
    }

    fn begin(&mut self, reply: Reply, work: &mut MachineContext<'_, '_>) -> Progress {
        let Reply::Session(events) = reply else {
            return Progress::done(NodeResult::failed("Voice node requires voiceTransport in state.scratch"));
        };
        let name = work.node().name.clone();
        if self.settings.speaks_only {
            session::emit_end(&name, "completed", work);
            return Progress::done(self.spoken(work));
        }
        let before = work.state().scratch.get(&name);
        let turns =
            before.and_then(|before| javascript::member(before, "turnIndex").map(|turns| turns.into_owned()));
        let turns = match turns {
            None | Some(Value::Undefined | Value::Null) => 0.0,
            Some(turns) => javascript::to_number(&turns),
        };
        session::emit_event(&name, "voice_session", [("action", Value::from("started"))], work);
        let mut session = Session::new(self.settings.clone(), name, turns, events);
        session.begin(self.places, work.context);
        self.session = Some(session);
        Progress::Wait
    }

    fn spoken(&self, work: &MachineContext<'_, '_>) -> NodeResult {
        let mut output = Map::new();
        output.insert("transcript", Value::List([].into()));
        output.insert("turns", Value::Number(0.0));
        output.insert("exitReason", Value::from("completed"));
        NodeResult { route: work.node().exit("completed"), ..NodeResult::done(output.into()) }
    }

    /// Ends the session for the node. Its listeners continue.
    fn end(&mut self, reason: &str, work: &mut MachineContext<'_, '_>) -> NodeResult {
        let name = work.node().name.clone();
        session::emit_end(&name, reason, work);
        let mut output = Map::new();
        let mut scratch = Map::new();
        if let Some(mut session) = self.session.take() {
            output = session.output(reason);
            scratch.insert(name, session.record(reason));
            session.catch_up(work);
            self.leave(session, false, work);
        }
        NodeResult {
            route: work.node().exit(reason),
            scratch: Some(scratch.into()),
            ..NodeResult::done(output.into())
        }
    }

    fn leave(&self, session: Session, is_open: bool, work: &mut MachineContext<'_, '_>) {
        let situation = work.situation.clone();
        work.context.begin(Box::new(DetachedSession { situation, session, is_open }));
    }
}

impl Machine for Voice {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start if !work.host().voice => {
                work.turns.without_executor();
                Progress::done(NodeResult::failed("VoiceNodeExecutor not configured"))
            }
            Wake::Start => {
                self.places = Some([work.context.reserve_place(), work.context.reserve_place()]);
                let (mode, line) = (self.settings.mode.clone(), self.settings.line.clone());
                work.ask(Question::Session(SessionQuestion { mode, line }));
                Progress::Wait
            }
            Wake::Answer(_, answer) => match answer.result {
                Ok(reply) => self.begin(reply, work),
                Err(failure) => Progress::done(NodeResult::failed(failure.message)),
            },
            Wake::Timer(timer) => match self.session.as_mut().map(|session| session.go(timer, work)) {
                Some(Step::Ended(reason)) => {
                    work.turns.catch_up(work.context.turn());
                    work.turns.take(turns::SESSION_EVENT + turns::SERVICE);
                    Progress::done(self.end(&reason, work))
                }
                _ => Progress::Wait,
            },
            _ => Progress::Wait,
        }
    }

    fn timed_out(&mut self, error: SmolStr, work: &mut MachineContext<'_, '_>) -> Progress {
        if let Some(session) = self.session.take() {
            self.leave(session, true, work);
        }
        Progress::done(NodeResult::failed(error))
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

impl Task<AgentOs> for DetachedSession {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        let mut turns = Turns::default();
        let mut work = MachineContext { situation: &self.situation, context, turns: &mut turns };
        match wake {
            Wake::Start => self.session.take_over(work.context),
            Wake::Timer(timer) => {
                if let Step::Ended(reason) = self.session.go(timer, &mut work)
                    && std::mem::take(&mut self.is_open)
                {
                    session::emit_end(&work.node().name, &reason, &mut work);
                }
            }
            _ => {}
        }
        Flow::Wait
    }

    fn copied(&self) -> Box<dyn Task<AgentOs>> {
        Box::new(self.clone())
    }
}
