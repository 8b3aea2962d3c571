//! The question to the user before a live run.
//!
//! Input: what the run would start and call. Output: consent, or the question for the client. Invariant: without a yes to the plan as
//! it is now, nothing runs.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, ProtocolVersion,
};
use rmcp::service::RequestContext;

use crate::error::ToolError;

/// The name of the question in the client's answers.
const QUESTION: &str = "allow";

/// Whether the user allows a run.
pub(crate) enum Consent {
    /// The user allows it.
    Given,
    /// The user is not asked yet. The client asks, and then calls the tool again.
    Asked(InputRequiredResult),
}

/// Returns an error if the client cannot ask its user.
pub(crate) fn check_client(context: &RequestContext<RoleServer>) -> Result<(), ToolError> {
    match context.client_capabilities().and_then(|client| client.elicitation) {
        Some(_) => Ok(()),
        None => Err(ToolError::new("this client cannot ask the user, so nothing runs".to_owned())
            .help("run it in a terminal with `nodewise run`")),
    }
}

/// Asks the user, or reads the answer that the call brings. Returns an error if the user does not allow the run.
pub(crate) async fn consent(
    plan: &str,
    asked: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Consent, ToolError> {
    let question = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("Allow this live run? It may cost money.\n\n{plan}"),
        requested_schema: ElicitationSchema::new(std::collections::BTreeMap::new()),
    };
    let calls_again = context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    if !calls_again {
        let answer = context.peer.create_elicitation(question).await;
        let answer = answer.map_err(|error| ToolError::new(format!("the user cannot be asked: {error}")))?;
        return given(answer.action);
    }
    let answer = asked.input_responses.as_ref().and_then(|answers| answers.get(QUESTION));
    // The client returns the plan that the user saw. If the plan is another one now, the user is asked again.
    let is_about_this = asked.request_state.as_deref() == Some(plan);
    match answer.filter(|_| is_about_this) {
        Some(answer) => {
            let answer: ElicitResult = serde_json::from_value(answer.clone())
                .map_err(|error| ToolError::new(format!("the answer of the user cannot be read: {error}")))?;
            given(answer.action)
        }
        None => {
            let request = InputRequest::Elicitation(ElicitRequest::new(question));
            let requests = InputRequests::from([(QUESTION.to_owned(), request)]);
            Ok(Consent::Asked(InputRequiredResult::new(Some(requests), Some(plan.to_owned()))))
        }
    }
}

fn given(action: ElicitationAction) -> Result<Consent, ToolError> {
    match action {
        ElicitationAction::Accept => Ok(Consent::Given),
        _ => Err(ToolError::new("the user did not allow the run".to_owned())
            .help("ask the user what to change; `simulate` needs no permission")),
    }
}
