//! Prompts of AgentOS: what the release tells models, in its order, in words of our own.
//!
//! Input: a question; output: the text of the author, and the first turn of the user. The release hands the instructions of a node and
//! the state to a function of the program as they are, so they have no sections; its judge has a prompt. Source:
//! `tests/data/recorded/agentos_prompts.jsonl`. Invariant: a state is data between tags that it cannot close.

use nodewise_engine::ask::{ModelQuestion, Purpose, Role};
use nodewise_engine::opening::{OpeningParts, PromptOpening};
use nodewise_expr::value::Value;

use crate::models::{DATA_NOTE, tagged};
use crate::systems::OpeningText;

/// The sampling temperature of the judge.
pub(super) const JUDGE_TEMPERATURE: f64 = 0.1;

/// The beginning of a question's prompt; `None` if the release adds nothing to the question.
pub(super) fn opening_text(question: &ModelQuestion) -> Option<OpeningText> {
    match question.opening.as_deref() {
        Some(PromptOpening { messages, author, parts: OpeningParts::State(state) }) => Some(OpeningText {
            messages: *messages,
            system: format!("{author}\n\n{DATA_NOTE}").trim_start().to_owned(),
            user: tagged("state", state),
        }),
        _ => judge(question),
    }
}

/// The prompt of a model that judges; `None` for other questions.
fn judge(question: &ModelQuestion) -> Option<OpeningText> {
    if question.purpose != Purpose::Judge {
        return None;
    }
    let text = |role: Role| {
        let message = question.prompt.iter().find(|message| message.role == role);
        match message.map(|message| &message.content) {
            Some(Value::Text(text)) => text.to_string(),
            _ => String::new(),
        }
    };
    let (criteria, request) = (text(Role::System), text(Role::Human));
    let system = format!(
        "You decide about approvals, in place of a person. The request is: \"{request}\".\n\
         Criteria: {criteria}\n\n\
         Answer with a JSON object and nothing else: {{ \"approved\": boolean, \"confidence\": number from 0 to 1, \"reasoning\": string }}"
    );
    Some(OpeningText { messages: question.prompt.len(), system, user: request })
}
