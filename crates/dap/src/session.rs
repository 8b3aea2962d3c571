//! One client, and the run that it debugs.
//!
//! Input: requests, one at a time, and turns to continue the run. Output: messages in order. Invariant: a response comes
//! before the events that the request leads to, and each message has the next number.

mod children;
mod output;
mod progress;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use nodewise_debugger::breakpoints::{BreakpointSpec, Trigger};
use nodewise_debugger::debugger::{DebugStop, Debugger, Forward, Progress, StopReason};
use nodewise_debugger::locations::Locations;
use nodewise_engine::outcome::Status;
use nodewise_project::debug_configuration::DebugRequest;
use nodewise_simulation::timeline::Timeline;
use nodewise_simulation::trace::Replay;
use serde_json::{Value, json};

use crate::arguments::{DataBreakpoint, FunctionBreakpoint, SetExceptionBreakpoints, SourceBreakpoint};
use crate::files::{Counting, Files};
use crate::launch::{
    BreakOnAsk, LaunchArguments, Launched, Launcher, RecordedAnswers, RunBeginning, RunSource,
};
use crate::references::References;
use crate::refusal::{Refusal, RefusalKind};
use children::ChildSessions;
use progress::RunProgress;

/// How many steps of the run are done before the next message is read.
pub const STEPS_IN_TURN: usize = 2048;
/// The name of the list with the breakpoint on questions, which comes from the debug configuration.
const QUESTIONS: &str = "questions";

/// How far the session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The client has not sent `initialize`.
    New,
    /// The client has sent `initialize`.
    Initialized,
    /// The run is compiled, and the client sets breakpoints.
    Launched,
    /// The run has begun.
    Active,
    /// The run is over, or the client has ended it.
    Terminated,
    /// The client has left.
    Disconnected,
}

/// The breakpoints as the client sent them. They are set again when the run is compiled again.
#[derive(Default)]
pub(crate) struct ClientBreakpoints {
    pub(crate) files: BTreeMap<String, Vec<SourceBreakpoint>>,
    pub(crate) functions: Vec<FunctionBreakpoint>,
    pub(crate) exceptions: SetExceptionBreakpoints,
    pub(crate) data: Vec<DataBreakpoint>,
}

pub struct DebugSession<'l> {
    pub(crate) launcher: &'l dyn Launcher,
    pub(crate) phase: Phase,
    pub(crate) counting: Counting,
    pub(crate) run: Option<DebuggedRun>,
    pub(crate) client_breakpoints: ClientBreakpoints,
    pub(crate) references: References,
    pub(crate) arguments: LaunchArguments,
    pub(crate) raw_arguments: (DebugRequest, Value),
    pub(crate) progress: RunProgress,
    pub(crate) children: ChildSessions,
    out: Vec<Value>,
    sequence: u64,
}

/// A run that is debugged, with its files and what the console has shown of it.
pub(crate) struct DebuggedRun {
    pub(crate) debugger: Debugger,
    pub(crate) files: Files,
    /// What the run began with, to make a scenario of it. `None` if this is not known.
    pub(crate) beginning: Option<RunBeginning>,
    /// The id and the folder of the run, if it is stored.
    pub(crate) stored: Option<(String, PathBuf)>,
    /// Notes for the user, which the console shows before the run begins.
    pub(crate) notes: Vec<String>,
    /// The number of events that the console has shown or skipped.
    pub(crate) shown: usize,
    /// The breakpoints of which it was reported that their condition has no value.
    pub(crate) reported: Vec<u64>,
}

impl<'l> DebugSession<'l> {
    /// A session with a client that has not sent anything.
    #[must_use]
    pub fn new(launcher: &'l dyn Launcher) -> DebugSession<'l> {
        DebugSession {
            launcher,
            phase: Phase::New,
            counting: Counting::default(),
            run: None,
            client_breakpoints: ClientBreakpoints::default(),
            references: References::default(),
            arguments: LaunchArguments::default(),
            raw_arguments: (DebugRequest::Launch, Value::Null),
            progress: RunProgress::default(),
            children: ChildSessions::default(),
            out: Vec::new(),
            sequence: 0,
        }
    }

    /// Responds to a request whose handler panicked.
    pub fn fail(&mut self, message: &Value) {
        let command = message.get("command").and_then(Value::as_str).unwrap_or_default().to_owned();
        let request = message.get("seq").and_then(Value::as_i64).unwrap_or(0);
        let text = "this is a bug in nodewise; please report what you were doing";
        self.respond(request, &command, Err(Refusal::new(RefusalKind::Internal, text)));
    }

    /// Responds to a request that the client cancelled before it was handled.
    pub fn cancelled(&mut self, message: &Value) {
        let command = message.get("command").and_then(Value::as_str).unwrap_or_default().to_owned();
        let request = message.get("seq").and_then(Value::as_i64).unwrap_or(0);
        self.respond(
            request,
            &command,
            Err(Refusal::new(RefusalKind::Cancelled, "the request was cancelled")),
        );
    }

    pub(crate) fn respond(&mut self, request: i64, command: &str, result: Result<Value, Refusal>) {
        let mut message = json!({
            "type": "response", "request_seq": request, "command": command, "success": result.is_ok(),
        });
        if let Value::Object(members) = &mut message {
            match result {
                Ok(Value::Null) => {}
                Ok(body) => drop(members.insert("body".to_owned(), body)),
                Err(refusal) => {
                    members.insert("message".to_owned(), refusal.kind.word().into());
                    members.insert("body".to_owned(), refusal.body());
                }
            }
        }
        self.send(message);
    }

    /// Sends an event.
    pub(crate) fn event(&mut self, name: &str, body: Value) {
        let mut message = json!({"type": "event", "event": name});
        if let (Value::Object(members), false) = (&mut message, body.is_null()) {
            members.insert("body".to_owned(), body);
        }
        self.send(message);
    }

    /// Sends a request to the client. Returns its number.
    pub(crate) fn request(&mut self, command: &str, arguments: &Value) -> u64 {
        self.send(json!({"type": "request", "command": command, "arguments": arguments}));
        self.sequence
    }

    fn send(&mut self, mut message: Value) {
        self.sequence += 1;
        if let Value::Object(members) = &mut message {
            members.shift_insert(0, "seq".to_owned(), self.sequence.into());
        }
        self.out.push(message);
    }

    /// Takes the messages to send to the client.
    pub fn take_messages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.out)
    }

    /// Whether a move is under way, so that [`DebugSession::work`] continues the run.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.phase == Phase::Active && self.run.as_ref().is_some_and(|run| run.debugger.is_running())
    }

    /// Whether the client has left.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Disconnected
    }

    /// Continues the run for one turn, and reports the stop or the end if the run comes to one.
    pub fn work(&mut self) {
        let Some(run) = self.run.as_mut().filter(|run| run.debugger.is_running()) else { return };
        let from = run.debugger.cursor().position + 1;
        let progress = run.debugger.work(STEPS_IN_TURN);
        self.show_printed();
        match progress {
            Progress::Running => {
                self.show_timeline();
                self.show_progress();
            }
            Progress::Stopped(stop) => {
                self.show_timeline();
                self.show_logged(from);
                self.stopped(&stop);
            }
            Progress::Finished => {
                self.show_timeline();
                self.show_logged(from);
                self.finished();
            }
        }
    }

    /// Compiles the run for `launch`, or opens it for `attach`. It replaces the current run.
    pub(crate) fn launch(&mut self, request: DebugRequest, arguments: &Value) -> Result<(), Refusal> {
        let read = LaunchArguments::read(arguments, request)?;
        // A live run must be let go before it can be opened again.
        let let_go = self.run.take_if(|run| run.debugger.has_live_run());
        let mut old = let_go.map(|run| run.debugger.breakpoints);
        let launched = match request {
            DebugRequest::Launch => self.launcher.launch(&read)?,
            DebugRequest::Attach => self.launcher.attach(&read)?,
        };
        let Launched { root, snapshot, mut run, mut source, beginning, stored, mut notes } = launched;
        if let Some(answers) = &read.answers {
            run.recall(recorded(answers)?);
            // What follows the recorded answers is simulated, whatever the run was.
            source = RunSource::Simulated;
            notes = vec![children::SIMULATED.to_owned()];
        }
        let locations = Arc::new(Locations::new(&snapshot, &run.facts().charts));
        let stops_at_end = read.stop_at_end.unwrap_or(true) && !read.no_debug;
        let mut debugger = match source {
            RunSource::Simulated => Debugger::new(run, locations, read.only, stops_at_end),
            RunSource::Recorded(at_end, outcome) => {
                let timeline = Timeline::recorded(*at_end, outcome);
                Debugger::of_timeline(run, timeline, locations, false, stops_at_end)
            }
            RunSource::Live(feed) => {
                let timeline = Timeline::fed(run.facts().clone(), feed);
                Debugger::of_timeline(run, timeline, locations, false, stops_at_end)
            }
        };
        old = self.run.take().map(|run| run.debugger.breakpoints).or(old);
        if let Some(breakpoints) = old {
            // Keep the old breakpoints, so that no number of a breakpoint is used twice.
            debugger.breakpoints = breakpoints;
            debugger.breakpoints.cut(0);
        }
        let questions = match read.break_on_ask {
            _ if read.no_debug => None,
            BreakOnAsk::Never => None,
            BreakOnAsk::Tools => Some(Trigger::Question { only_tools: true }),
            BreakOnAsk::All => Some(Trigger::Question { only_tools: false }),
        };
        let spec = |trigger| BreakpointSpec { trigger, condition: None, hit: None, log: None };
        debugger.breakpoints.replace(QUESTIONS, questions.into_iter().map(spec).collect());
        let files = Files { root, snapshot };
        self.run =
            Some(DebuggedRun { debugger, files, beginning, stored, notes, shown: 0, reported: Vec::new() });
        self.arguments = read;
        self.raw_arguments = (request, arguments.clone());
        self.references.clear();
        self.children.forget();
        Ok(())
    }

    /// Begins the run, and moves to the first stop that the configuration wants.
    pub(crate) fn begin(&mut self) {
        self.phase = Phase::Active;
        let motion = match (self.arguments.stop_at_event, self.arguments.stop_on_entry) {
            _ if self.arguments.no_debug => Forward::Continue,
            (Some(event), _) => Forward::Past(event),
            (None, true) => Forward::Event,
            (None, false) => Forward::Continue,
        };
        if let Some(run) = &mut self.run {
            run.debugger.go_from_beginning(motion);
        }
    }

    /// Whether the run is driven elsewhere, so that there is nothing to do until it has news.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.debugger.timeline().is_fed())
    }

    /// Reports to the client that the run stopped.
    pub(crate) fn stopped(&mut self, stop: &DebugStop) {
        self.references.clear();
        self.end_progress();
        self.report_failures();
        let reason = match stop.reason {
            StopReason::Entry => "entry",
            StopReason::Step => "step",
            StopReason::Breakpoint => "breakpoint",
            StopReason::FunctionBreakpoint => "function breakpoint",
            StopReason::DataBreakpoint => "data breakpoint",
            StopReason::Exception => "exception",
            StopReason::Pause => "pause",
            StopReason::Goto => "goto",
            StopReason::Restart => "restart",
            StopReason::End => "end",
            StopReason::Decision => "decision",
        };
        // The client did not set the breakpoint on questions, so it does not know its number.
        let is_known = |id: &u64| {
            let breakpoint = self.run.as_ref().and_then(|run| run.debugger.breakpoints.get(*id));
            breakpoint.is_some_and(|one| one.list != QUESTIONS)
        };
        let ids: Vec<u64> = stop.hits.iter().map(|hit| hit.id).filter(is_known).collect();
        let mut body = json!({
            "reason": reason, "description": stop.description, "threadId": stop.lane, "allThreadsStopped": true,
        });
        if let (Value::Object(members), false) = (&mut body, ids.is_empty()) {
            members.insert("hitBreakpointIds".to_owned(), json!(ids));
        }
        if let (Value::Object(members), StopReason::Exception) = (&mut body, &stop.reason) {
            members.insert("text".to_owned(), stop.description.clone().into());
        }
        self.event("stopped", body);
    }

    /// Reports to the client that the run is over.
    pub(crate) fn finished(&mut self) {
        self.phase = Phase::Terminated;
        self.end_progress();
        let outcome = self.run.as_ref().and_then(|run| run.debugger.timeline().outcome());
        let is_completed = outcome.is_some_and(|outcome| outcome.status == Status::Completed);
        self.event("exited", json!({"exitCode": i32::from(!is_completed)}));
        self.event("terminated", Value::Null);
    }

    /// The run. Refused if it has not begun, is moving or is over.
    pub(crate) fn stopped_run(&self) -> Result<&DebuggedRun, Refusal> {
        match &self.run {
            Some(run) if self.phase == Phase::Active && !run.debugger.is_running() => Ok(run),
            _ => Err(Refusal::not_stopped()),
        }
    }

    /// Like [`DebugSession::stopped_run`], to change the run.
    pub(crate) fn stopped_run_mut(&mut self) -> Result<&mut DebuggedRun, Refusal> {
        self.stopped_run()?;
        self.run.as_mut().ok_or_else(Refusal::not_stopped)
    }

    /// Ends the run after a panic in one of its turns.
    pub(crate) fn end_after_fault(&mut self) {
        self.run = None;
        self.output("important", "this is a bug in nodewise; please report what you were doing\n", None);
        self.finished();
    }
}

fn recorded(answers: &RecordedAnswers) -> Result<Replay, Refusal> {
    Replay::of_events(answers.seed, &answers.events).map_err(|error| {
        let text = format!("`answers` of the debug configuration cannot be read: {}", error.message);
        Refusal::new(RefusalKind::BadArguments, text)
    })
}
