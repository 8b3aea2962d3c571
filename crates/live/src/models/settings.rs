//! What the configuration says about a model besides its name: sampling, reasoning, time limits, more keys for the body.
//!
//! Input: an entry of `[live.models]`; output: what is added to the body of a call. Invariant: a setting that a protocol does not
//! have is an error before the run, and no setting replaces what nodewise itself sends.

use std::time::Duration;

use super::attachments::Attachment;
use anyhow::{Result, bail};
use nodewise_project::config::live::{AttachmentKind, ModelConfig, PromptCache, ProviderKind};
use serde_json::{Map, Value as Json, json};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelSettings {
    /// The sampling temperature. It replaces the one of the declaration.
    pub temperature: Option<f64>,
    top_p: Option<f64>,
    seed: Option<i64>,
    reasoning_effort: Option<String>,
    thinking_tokens: Option<u32>,
    body: Map<String, Json>,
    /// How long the provider caches the prompt, if requests ask for that.
    prompt_cache: Option<PromptCache>,
    /// What the model accepts besides text; `None` means what its protocol accepts.
    attachments: Option<Vec<AttachmentKind>>,
    /// The longest time of an answer; `None` means the limit of all calls.
    pub limit: Option<Duration>,
    /// The longest time in which no part of an answer arrives.
    pub idle: Option<Duration>,
}

/// The keys of a body that nodewise writes itself, so the configuration cannot set them.
const OWN: [&str; 10] = [
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "model",
    "response_format",
    "stream",
    "stream_options",
    "system",
    "tool_choice",
    "tools",
];

impl ModelSettings {
    /// Reads the settings of a model's entry. `table` is the entry's name in the configuration, for errors.
    pub(super) fn of(entry: &ModelConfig, kind: ProviderKind, table: &str) -> Result<ModelSettings> {
        let other = match kind {
            ProviderKind::OpenAi if entry.thinking_tokens.is_some() => {
                Some(("thinking_tokens", "reasoning_effort"))
            }
            ProviderKind::Anthropic if entry.reasoning_effort.is_some() => {
                Some(("reasoning_effort", "thinking_tokens"))
            }
            ProviderKind::Anthropic if entry.seed.is_some() => Some(("seed", "temperature = 0")),
            ProviderKind::OpenAi if entry.prompt_cache.is_some() => bail!(
                "`prompt_cache` of {table} has no meaning for a provider of the kind `openai`, which caches by itself\n  \
                 help: remove it; `nodewise runs cost` shows the cached tokens"
            ),
            _ => None,
        };
        if let Some((key, instead)) = other {
            let protocol = if kind == ProviderKind::OpenAi { "openai" } else { "anthropic" };
            bail!(
                "`{key}` of {table} has no meaning for a provider of the kind `{protocol}`\n  help: remove it, or write \
                 `{instead}` instead"
            );
        }
        if let Some(own) = entry.body.keys().find(|key| OWN.contains(&key.as_str())) {
            bail!(
                "`body` of {table} sets `{own}`, which nodewise writes itself\n  help: remove it; `[live.models]` has \
                 `id` and `max_tokens`"
            );
        }
        Ok(ModelSettings {
            temperature: entry.temperature,
            top_p: entry.top_p,
            seed: entry.seed,
            reasoning_effort: entry.reasoning_effort.clone(),
            thinking_tokens: entry.thinking_tokens,
            body: entry.body.clone().into_iter().collect(),
            prompt_cache: entry.prompt_cache,
            attachments: entry.attachments.clone(),
            limit: seconds(entry.timeout_s, "timeout_s", table)?,
            idle: seconds(entry.idle_timeout_s, "idle_timeout_s", table)?,
        })
    }

    /// How long the provider caches the prompt; `None` if requests do not ask for that.
    pub(crate) fn prompt_cache(&self) -> Option<PromptCache> {
        self.prompt_cache
    }

    /// Why the model does not accept one of these attachments, as the rest of a sentence that begins with the model's name.
    pub(super) fn refused_attachment(&self, attachments: &[Attachment]) -> Option<String> {
        let takes =
            |kind: AttachmentKind| self.attachments.as_ref().is_none_or(|taken| taken.contains(&kind));
        let refused = attachments.iter().find(|attachment| !attachment.kind().is_some_and(takes))?;
        let kinds =
            [(AttachmentKind::Image, "PNG, JPEG, GIF and WebP images"), (AttachmentKind::Pdf, "PDF files")];
        let taken: Vec<&str> =
            kinds.into_iter().filter(|(kind, _)| takes(*kind)).map(|(_, words)| words).collect();
        let taken = if taken.is_empty() { "no images and files".to_owned() } else { taken.join(" and ") };
        let setting = if self.attachments.is_some() { " (`attachments` under [live.models])" } else { "" };
        Some(format!("takes {taken}{setting}, and its prompt has `{}`", refused.media_type))
    }

    /// Adds the settings of chat completions to a body.
    pub(super) fn add_to_openai(&self, body: &mut Json) {
        self.add(body);
        if let Some(seed) = self.seed {
            put(body, "seed", json!(seed));
        }
        if let Some(effort) = &self.reasoning_effort {
            put(body, "reasoning_effort", json!(effort));
        }
    }

    /// Adds the settings of Anthropic's messages to a body. `thinks` comes from [`ModelSettings::thinking`].
    pub(super) fn add_to_anthropic(&self, body: &mut Json, thinks: Option<u32>) {
        self.add(body);
        if let Some(tokens) = thinks {
            put(body, "thinking", json!({"type": "enabled", "budget_tokens": tokens}));
        }
    }

    /// How many tokens the model may think. `continues` means that the conversation ends with results of tools. Then the protocol
    /// requires the earlier thinking, which no record has, so the model does not think.
    pub(super) fn thinking(&self, continues: bool) -> Option<u32> {
        self.thinking_tokens.filter(|_| !continues)
    }

    fn add(&self, body: &mut Json) {
        if let Some(top_p) = self.top_p {
            put(body, "top_p", json!(top_p));
        }
        for (key, value) in &self.body {
            put(body, key, value.clone());
        }
    }
}

/// Reads a time limit from the configuration. `key` and `table` are for errors.
pub(super) fn seconds(seconds: Option<f64>, key: &str, table: &str) -> Result<Option<Duration>> {
    let Some(seconds) = seconds else { return Ok(None) };
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(Some(limit)),
        _ => bail!("`{key}` of {table} is not a valid time limit\n  help: write seconds, for example `120`"),
    }
}

/// Inserts an entry into an object.
pub(super) fn put(body: &mut Json, key: &str, value: Json) {
    if let Json::Object(body) = body {
        body.insert(key.to_owned(), value);
    }
}
