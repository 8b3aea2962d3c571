//! The request that a question becomes, before it is sent.
//!
//! Input: the configuration, what the target needs, the tools, a question; output: address, headers and body. Invariant: nothing is
//! called or started, and no key is read: where one is sent stands its name.

use anyhow::{Context, Result, anyhow};
use nodewise_engine::ask::{ModelQuestion, Purpose};
use nodewise_project::config::live::{Header, Key, Live, ProviderKind};
use nodewise_simulation::system::RunnableSystem;
use serde_json::Value as Json;

use super::attachments::Attachments;
use super::conversation::{self, Conversation};
use super::plan::{Planned, plan, provider};
use super::shapes::Shape;
use super::wire::{Asking, Refused};
use super::{anthropic, connection, openai};
use crate::systems;
use crate::wiring::{OfferedTool, Wiring};

/// A request to a provider, as the preview shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// The name of the provider in the configuration.
    pub provider: String,
    /// The address, with the parameters that the configuration adds.
    pub url: String,
    /// The names and values of the headers. A note such as `(key of NAME)` replaces each secret.
    pub headers: Vec<(String, String)>,
    /// What is sent.
    pub body: Json,
}

/// The parts of a request that do not depend on the model that is asked.
pub(super) struct Prepared {
    pub(super) shape: Option<Shape>,
    pub(super) attachments: Attachments,
    pub(super) conversation: Conversation,
    pub(super) temperature: Option<f64>,
}

impl Prepared {
    pub(super) fn of(
        system: RunnableSystem,
        question: &ModelQuestion,
        output: Option<&Json>,
        tools: Vec<OfferedTool>,
    ) -> Prepared {
        let (marked, attachments) = Attachments::take(question);
        let question = marked.as_ref().unwrap_or(question);
        let usual = || systems::of(system).temperature(question.purpose);
        let shape = Shape::of(system, question.purpose, output);
        let mut conversation = Conversation::of(system, question, tools, shape.as_ref());
        let declared = output.filter(|_| question.purpose == Purpose::Work);
        if let Some(note) = declared.and_then(|schema| systems::of(system).answer_in_prompt(schema)) {
            conversation.system = format!("{}\n{note}", conversation.system).trim_start().to_owned();
        }
        Prepared { conversation, shape, attachments, temperature: question.temperature.or_else(usual) }
    }

    pub(super) fn asking<'a>(&'a self, planned: &'a Planned, refused: &'a Refused) -> Asking<'a> {
        let (conversation, shape) = (&self.conversation, self.shape.as_ref());
        Asking {
            planned,
            conversation,
            shape,
            attachments: &self.attachments,
            temperature: planned.settings.temperature.or(self.temperature),
            refused,
        }
    }
}

/// The first request that a question leads to. Nothing is sent.
///
/// # Errors
/// Where the configuration has no model or no valid provider for the agent that is asked.
pub fn request(
    live: &Live,
    wiring: &Wiring,
    tools: &[OfferedTool],
    question: &ModelQuestion,
) -> Result<ModelRequest> {
    let plan = plan(live, wiring)?;
    let planned =
        plan.get(&question.agent).with_context(|| format!("no model is set for `{}`", question.agent))?;
    let name = &planned.provider;
    let provider =
        provider(live, name).with_context(|| format!("the provider `{name}` is not configured"))?;
    let output = wiring.agents.get(&question.agent).and_then(|agent| agent.output.as_ref());
    let known = tools.iter().map(|tool| (tool.name.clone(), tool.clone())).collect();
    let offered = conversation::offered(wiring.system, question, &known);
    let prepared = Prepared::of(wiring.system, question, output, offered);
    if let Some(reason) = planned.settings.refused_attachment(prepared.attachments.all()) {
        return Err(anyhow!("the model `{}` of `{name}` {reason}", planned.model));
    }
    let refused = Refused::default();
    let asking = prepared.asking(planned, &refused);
    let (key, body) = match provider.kind {
        ProviderKind::OpenAi => ("authorization", openai::body(&asking)),
        ProviderKind::Anthropic => ("x-api-key", anthropic::body(&asking)),
    };
    let sent = provider.key.as_ref().map(|of| match provider.kind {
        ProviderKind::OpenAi => format!("Bearer {}", source(of)),
        ProviderKind::Anthropic => source(of),
    });
    let mut headers: Vec<(String, String)> = sent.into_iter().map(|sent| (key.to_owned(), sent)).collect();
    let mut url = connection::address(name, &provider)?.to_string();
    if let Some(settings) = live.providers.get(name) {
        headers.extend(settings.headers.iter().map(|(header, value)| (header.clone(), shown(value))));
        for (parameter, value) in &settings.query {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str(&format!("{parameter}={}", shown(value)));
        }
    }
    Ok(ModelRequest { provider: name.clone(), url, headers, body })
}

/// The value of a header or parameter. A note about the source replaces a value that is secret.
fn shown(value: &Header) -> String {
    match value {
        Header::Text(text) => text.clone(),
        Header::Key(key) => source(key),
    }
}

fn source(key: &Key) -> String {
    match key {
        Key::Env(variable) => format!("(key of {variable})"),
        Key::Command(words) => format!("(output of `{}`)", words.join(" ")),
    }
}
