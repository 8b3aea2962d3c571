//! Requests, a file for each group.
//!
//! Input: a command and its arguments; output: the body of the response, and what happens after it was sent.

mod answers;
mod breakpoints;
mod console;
mod data_breakpoints;
mod execution;
mod export;
mod inspection;
mod lifecycle;
mod sources;
mod values;

use nodewise_project::debug_configuration::DebugRequest;
use serde_json::Value;

use crate::arguments::read;
use crate::refusal::{Refusal, RefusalKind};
use crate::session::{DebugSession, Phase};

/// What the session does after it has sent the response.
pub(crate) type Then = Box<dyn FnOnce(&mut DebugSession<'_>)>;

/// The answer to a request.
pub(crate) struct Answer {
    pub(crate) body: Value,
    pub(crate) then: Option<Then>,
}

impl Answer {
    /// An answer with nothing to do after it.
    pub(crate) fn of(body: Value) -> Answer {
        Answer { body, then: None }
    }

    /// An answer without a body, and what to do after it.
    pub(crate) fn then(then: impl FnOnce(&mut DebugSession<'_>) + 'static) -> Answer {
        Answer { body: Value::Null, then: Some(Box::new(then)) }
    }
}

/// Answers a request. `given` is its arguments.
pub(crate) fn answer(
    session: &mut DebugSession<'_>,
    command: &str,
    given: &Value,
) -> Result<Answer, Refusal> {
    if session.phase == Phase::New && !matches!(command, "initialize" | "disconnect") {
        return Err(Refusal::new(RefusalKind::BadOrder, format!("`{command}` came before `initialize`")));
    }
    match command {
        "initialize" => lifecycle::initialize(session, &read(given)?),
        "launch" => lifecycle::launch(session, DebugRequest::Launch, given),
        "attach" => lifecycle::launch(session, DebugRequest::Attach, given),
        "configurationDone" => lifecycle::configuration_done(session),
        "restart" => lifecycle::restart(session, &read(given)?),
        "terminate" => lifecycle::terminate(session),
        "disconnect" => Ok(lifecycle::disconnect(session)),
        "cancel" => Ok(lifecycle::cancel(session, &read(given)?)),
        "setBreakpoints" => breakpoints::set(session, read(given)?),
        "setFunctionBreakpoints" => breakpoints::set_functions(session, read(given)?),
        "setExceptionBreakpoints" => breakpoints::set_exceptions(session, read(given)?),
        "dataBreakpointInfo" => data_breakpoints::info(session, &read(given)?),
        "setDataBreakpoints" => data_breakpoints::set(session, read(given)?),
        "breakpointLocations" => breakpoints::locations(session, &read(given)?),
        "continue" | "next" | "stepIn" | "stepOut" => execution::forward(session, command, &read(given)?),
        "stepInTargets" => execution::step_in_targets(session, &read(given)?),
        "stepBack" | "reverseContinue" => execution::backward(session, command, &read(given)?),
        "restartFrame" => execution::restart_frame(session, &read(given)?),
        "gotoTargets" => execution::goto_targets(session, &read(given)?),
        "goto" => execution::goto(session, &read(given)?),
        "pause" => execution::pause(session),
        "threads" => inspection::threads(session),
        "stackTrace" => inspection::stack_trace(session, &read(given)?),
        "scopes" => inspection::scopes(session, &read(given)?),
        "variables" => inspection::variables(session, &read(given)?),
        "exceptionInfo" => inspection::exception_info(session),
        "setVariable" => values::set_variable(session, &read(given)?),
        "setExpression" => values::set_expression(session, &read(given)?),
        "evaluate" => values::evaluate(session, &read(given)?),
        "completions" => values::completions(session, &read(given)?),
        "loadedSources" => sources::loaded(session),
        "source" => sources::source(session, &read(given)?),
        "locations" => sources::location(session, &read(given)?),
        _ => Err(Refusal::new(RefusalKind::Unsupported, format!("the request `{command}` is not supported"))),
    }
}
