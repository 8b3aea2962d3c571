//! What the adapter announces, and which requests it answers.

use nodewise_debugger::breakpoints::FILTERS;
use serde_json::{Value, json};

/// The requests that are answered, each with the capability that announces it; some need none.
pub const REQUESTS: [(&str, Option<&str>); 37] = [
    ("initialize", None),
    ("launch", None),
    ("attach", None),
    ("configurationDone", Some("supportsConfigurationDoneRequest")),
    ("disconnect", None),
    ("terminate", Some("supportsTerminateRequest")),
    ("restart", Some("supportsRestartRequest")),
    ("setBreakpoints", None),
    ("setFunctionBreakpoints", Some("supportsFunctionBreakpoints")),
    ("setExceptionBreakpoints", None),
    ("dataBreakpointInfo", Some("supportsDataBreakpoints")),
    ("setDataBreakpoints", Some("supportsDataBreakpoints")),
    ("breakpointLocations", Some("supportsBreakpointLocationsRequest")),
    ("continue", None),
    ("next", None),
    ("stepIn", None),
    ("stepOut", None),
    ("stepInTargets", Some("supportsStepInTargetsRequest")),
    ("stepBack", Some("supportsStepBack")),
    ("reverseContinue", Some("supportsStepBack")),
    ("restartFrame", Some("supportsRestartFrame")),
    ("gotoTargets", Some("supportsGotoTargetsRequest")),
    ("goto", Some("supportsGotoTargetsRequest")),
    ("pause", None),
    ("threads", None),
    ("stackTrace", Some("supportsDelayedStackTraceLoading")),
    ("scopes", None),
    ("variables", None),
    ("setVariable", Some("supportsSetVariable")),
    ("setExpression", Some("supportsSetExpression")),
    ("evaluate", Some("supportsEvaluateForHovers")),
    ("completions", Some("supportsCompletionsRequest")),
    ("exceptionInfo", Some("supportsExceptionInfoRequest")),
    ("loadedSources", Some("supportsLoadedSourcesRequest")),
    ("source", None),
    ("locations", None),
    ("cancel", Some("supportsCancelRequest")),
];

/// Capabilities that are not announced to a client because it uses them badly: the id of the client, and the capability.
///
/// VS Code 1.139 asks for `breakpointLocations` before it draws the breakpoints of an editor. If the editor shows
/// another file when the response comes, VS Code draws them in that file and takes the places there for their new
/// places. From then on, the run stops at other places.
const WITHHELD: [(&str, &str); 1] = [("vscode", "supportsBreakpointLocationsRequest")];

/// The body of the response to `initialize`. `client` is the id that the client sent.
#[must_use]
pub fn capabilities(client: Option<&str>) -> Value {
    let mut announced = json!({
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsExceptionFilterOptions": true,
        "supportsClipboardContext": true,
        "supportsSteppingGranularity": true,
        "completionTriggerCharacters": [".", "$", "/"],
    });
    if let Value::Object(members) = &mut announced {
        let is_withheld =
            |capability: &&str| WITHHELD.iter().any(|(from, one)| client == Some(*from) && one == capability);
        let announced = REQUESTS.iter().filter_map(|(_, capability)| *capability);
        for capability in announced.filter(|capability| !is_withheld(capability)) {
            members.insert(capability.to_owned(), true.into());
        }
        let filters = FILTERS.iter().map(|(_, id, label, doc, is_default)| {
            json!({
                "filter": id, "label": label, "description": doc, "default": is_default,
                "supportsCondition": matches!(*id, "run-failed" | "node-failed" | "retried"),
                "conditionDescription": "class names, separated by |",
            })
        });
        members.insert("exceptionBreakpointFilters".to_owned(), filters.collect());
    }
    announced
}
