//! Keys: where they come from, and how they are kept out of everything that a run leaves behind.
//!
//! Input: the configuration, which names variables and commands; output: keys for who calls, and texts without any. A key that
//! cannot be had is an error of who needs it. Invariant: no known secret is in the `Debug` text, in an error, or in what was
//! masked.

mod command;
mod masks;
mod names;

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Result, anyhow};
use nodewise_engine::ask::{Answer, Reply};
use nodewise_engine::outcome::Failure;
use nodewise_expr::value::{Map, Value};
use nodewise_project::config::live::{Header, HeaderPart, Key, header_parts};
use serde_json::Value as Json;
use smol_str::SmolStr;

pub(crate) use self::masks::MaskedParts;
use self::masks::Masks;
use crate::environment::Environment;

/// The keys of a run, and all texts that must stay secret.
#[derive(Default)]
pub struct Secrets {
    providers: BTreeMap<String, Resolved>,
    servers: BTreeMap<String, Resolved>,
    headers: BTreeMap<String, Resolved>,
    webhook: Option<Resolved>,
    sent: Vec<SentPart>,
    environment: Environment,
    masks: Masks,
}

/// The keys that a run may need, with the names of those that use them.
#[derive(Debug, Default)]
pub struct NeededKeys {
    /// The keys of model providers, by provider.
    pub providers: Vec<(String, Key)>,
    /// The keys of tool servers, by server.
    pub servers: Vec<(String, Key)>,
    /// The headers that are sent with spans, by name.
    pub headers: Vec<(String, Header)>,
    /// The address that gets a message when a run waits.
    pub webhook: Option<Header>,
    /// The headers and parameters that are sent to model providers: the provider, where the part goes, its name, and its value.
    pub sent: Vec<(String, SentAs, String, Header)>,
    /// Variables of the environment whose values are secret, whether they are used or not.
    pub variables: Vec<String>,
}

/// Where a part of a request to a provider goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentAs {
    Header,
    /// A parameter of the address.
    Query,
}

/// A header or parameter that is sent to a provider besides its key.
struct SentPart {
    provider: String,
    place: SentAs,
    name: String,
    is_secret: bool,
    value: Resolved,
}

/// The headers and parameters that are sent to a provider besides its key.
#[derive(Debug, Default)]
pub struct SentParts<'s> {
    /// Headers: names and values.
    pub headers: Vec<(&'s str, &'s str)>,
    /// Parameters of the address: names and values.
    pub query: Vec<(&'s str, &'s str)>,
    /// Whether a value came from the environment or a command.
    pub has_secret: bool,
}

/// The value of a key, or a message for the part of the run that needs it: why the value cannot be found.
type Resolved = Result<String, String>;

/// The shortest line of a longer secret that is masked on its own, in bytes. Shorter lines may be ordinary words.
const LEAST_LINE: usize = 16;

impl Secrets {
    /// Finds the keys that a run may need. Each command runs once. The listed variables are secret too, and so are variables
    /// whose names say that they hold secrets.
    #[must_use]
    pub fn resolve(needed: &NeededKeys) -> Secrets {
        Secrets::resolve_in(needed, Environment::default())
    }

    /// Like [`Secrets::resolve`], with the variables of a project's `.env`.
    #[must_use]
    pub fn resolve_in(needed: &NeededKeys, environment: Environment) -> Secrets {
        let mut secrets = Secrets { environment, ..Secrets::default() };
        for (name, key) in &needed.providers {
            let owner = format!("the provider `{name}`");
            let resolved = secrets.key(key, &owner, &format!("[live.providers.{name}]"), "`key` of ");
            secrets.providers.insert(name.clone(), resolved);
        }
        for (name, key) in &needed.servers {
            let owner = format!("the server `{name}`");
            let resolved = secrets.key(key, &owner, &format!("[live.mcp.{name}]"), "`key` of ");
            secrets.servers.insert(name.clone(), resolved);
        }
        for (name, header) in &needed.headers {
            let owner = format!("the header `{name}` of the spans");
            let resolved = secrets.header(header, &owner, "[live.telemetry.headers]", false);
            secrets.headers.insert(name.clone(), resolved);
        }
        if let Some(webhook) = &needed.webhook {
            let resolved = secrets.header(webhook, "the webhook", "[live.decisions]", true);
            secrets.webhook = Some(resolved);
        }
        for (provider, place, name, header) in &needed.sent {
            let (noun, table) = match place {
                SentAs::Header => ("header", "headers"),
                SentAs::Query => ("parameter", "query"),
            };
            let owner = format!("the {noun} `{name}` of the provider `{provider}`");
            let table = format!("[live.providers.{provider}.{table}]");
            let value = secrets.header(header, &owner, &table, !names::is_for_secret(name));
            let is_secret = !matches!(header, Header::Text(_)) || !header.variables().is_empty();
            let (provider, name) = (provider.clone(), name.clone());
            secrets.sent.push(SentPart { provider, place: *place, name, is_secret, value });
        }
        for variable in &needed.variables {
            if let Ok(value) = secrets.environment.get(variable) {
                secrets.add(&value);
            }
        }
        let variables: Vec<(String, String)> = secrets.environment.all().collect();
        for (name, value) in &variables {
            if names::is_secret(name, value) {
                secrets.add(value);
            } else if let Some(password) = password_in(value) {
                secrets.add(&password);
            }
        }
        secrets
    }

    /// The variables that the configuration can name.
    #[must_use]
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The key of a model provider; `None` if it needs none. Returns an error if the key cannot be found.
    pub fn of_provider(&self, name: &str) -> Result<Option<&str>> {
        found(&self.providers, name)
    }

    /// The key of a tool server; `None` if it needs none. Returns an error if the key cannot be found.
    pub fn of_server(&self, name: &str) -> Result<Option<&str>> {
        found(&self.servers, name)
    }

    /// The headers and parameters that are sent to a model provider besides its key.
    ///
    /// # Errors
    /// Where a value cannot be found.
    pub fn sent_to(&self, provider: &str) -> Result<SentParts<'_>> {
        let mut parts = SentParts::default();
        for part in self.sent.iter().filter(|part| part.provider == provider) {
            let value = part.value.as_ref().map_err(|problem| anyhow!("{problem}"))?;
            parts.has_secret |= part.is_secret;
            match part.place {
                SentAs::Header => parts.headers.push((&part.name, value)),
                SentAs::Query => parts.query.push((&part.name, value)),
            }
        }
        Ok(parts)
    }

    /// The headers that are sent with spans.
    ///
    /// # Errors
    /// Where a value cannot be found.
    pub fn headers<'s>(&'s self) -> Result<Vec<(&'s str, &'s str)>> {
        let value = |(name, value): (&'s String, &'s Resolved)| match value {
            Ok(value) => Ok((name.as_str(), value.as_str())),
            Err(problem) => Err(anyhow!("{problem}")),
        };
        self.headers.iter().map(value).collect()
    }

    /// The address that gets a message when a run waits; `None` if none is configured.
    ///
    /// # Errors
    /// Where the address cannot be found.
    pub fn webhook(&self) -> Result<Option<&str>> {
        match &self.webhook {
            None => Ok(None),
            Some(Ok(address)) => Ok(Some(address)),
            Some(Err(problem)) => Err(anyhow!("{problem}")),
        }
    }

    /// Adds a secret, and the parts of it that can appear alone: its lines, and the password of an address.
    pub fn add(&mut self, secret: &str) {
        let secret = secret.trim();
        self.masks.add(secret);
        let lines =
            secret.lines().filter(|line| line.len() < secret.len() && line.trim().len() >= LEAST_LINE);
        lines.for_each(|line| self.masks.add(line.trim()));
        if let Some(password) = password_in(secret) {
            self.masks.add(&password);
        }
    }

    /// A text in which secrets are masked.
    #[must_use]
    pub fn mask_text(&self, text: &str) -> String {
        self.masks.text(text).into_owned()
    }

    /// Masks secrets in a JSON value, including its keys.
    pub fn mask_json(&self, json: &mut Json) {
        match json {
            Json::String(text) if self.masks.has_any_in(text) => *text = self.mask_text(text),
            Json::Array(items) => items.iter_mut().for_each(|item| self.mask_json(item)),
            Json::Object(entries) => {
                entries.iter_mut().for_each(|(_, value)| self.mask_json(value));
                if entries.keys().any(|key| self.masks.has_any_in(key)) {
                    let masked = std::mem::take(entries).into_iter();
                    *entries = masked.map(|(key, value)| (self.mask_text(&key), value)).collect();
                }
            }
            _ => {}
        }
    }

    /// A value in which secrets are masked.
    #[must_use]
    pub fn mask_value(&self, value: &Value) -> Value {
        match value {
            Value::Text(text) => Value::Text(self.short(text)),
            Value::List(items) => items.iter().map(|item| self.mask_value(item)).collect(),
            Value::Map(map) => {
                let entries = map.iter().map(|(key, value)| (self.short(key), self.mask_value(value)));
                entries.collect::<Map>().into()
            }
            other => other.clone(),
        }
    }

    /// A failure in which secrets are masked.
    #[must_use]
    pub fn mask_failure(&self, failure: &Failure) -> Failure {
        Failure {
            class: self.short(&failure.class),
            message: self.short(&failure.message),
            retryable: failure.retryable,
            cause: failure.cause.as_ref().map(|cause| self.short(cause)),
        }
    }

    /// An answer in which secrets are masked, so that it can be recorded.
    #[must_use]
    pub fn mask_answer(&self, mut answer: Answer) -> Answer {
        answer.aside = answer.aside.map(|aside| self.mask_value(&aside));
        answer.result = match answer.result {
            Ok(reply) => Ok(self.mask_reply(reply)),
            Err(failure) => Err(self.mask_failure(&failure)),
        };
        answer
    }

    /// Masks a text that arrives in parts, even if a secret is split between two parts.
    pub(crate) fn parts(&self) -> MaskedParts<'_> {
        MaskedParts::new(&self.masks)
    }

    fn mask_reply(&self, reply: Reply) -> Reply {
        match reply {
            Reply::Model(mut reply) => {
                reply.text = self.short(&reply.text);
                reply.value = reply.value.map(|value| self.mask_value(&value));
                for call in &mut reply.calls {
                    call.id = self.short(&call.id);
                    call.tool = self.short(&call.tool);
                    call.arguments = self.mask_value(&call.arguments);
                }
                Reply::Model(reply)
            }
            Reply::Value(value) => Reply::Value(self.mask_value(&value)),
            Reply::Decision(mut decision) => {
                decision.word = self.short(&decision.word);
                decision.data = decision.data.map(|data| self.mask_value(&data));
                let updates = decision.updates.iter();
                decision.updates =
                    updates.map(|(key, value)| (self.short(key), self.mask_value(value))).collect();
                Reply::Decision(decision)
            }
            Reply::Verdict(mut verdict) => {
                verdict.results = self.mask_value(&verdict.results);
                Reply::Verdict(verdict)
            }
            Reply::Remote(mut reply) => {
                reply.task = self.short(&reply.task);
                reply.state = self.short(&reply.state);
                reply.message = reply.message.map(|message| self.short(&message));
                for (name, artifact) in &mut reply.artifacts {
                    *name = self.short(name);
                    *artifact = self.mask_value(artifact);
                }
                Reply::Remote(reply)
            }
            Reply::Session(mut events) => {
                events.iter_mut().for_each(|event| event.data = self.mask_value(&event.data));
                Reply::Session(events)
            }
        }
    }

    /// Finds a key and adds it to the secrets. `owner`, `table` and `entry` say in errors who needs it and where it is
    /// configured.
    fn key(&mut self, key: &Key, owner: &str, table: &str, entry: &str) -> Resolved {
        let resolved = match key {
            Key::Env(variable) => {
                from_environment(&self.environment, variable, owner, &format!("{entry}{table}"))
            }
            Key::Command(command) => command::first_line(command, command::LIMIT).map_err(|fault| {
                let program = command.first().map_or("", String::as_str);
                format!(
                    "{owner} needs a key: the command `{program}` of {table} {fault}\n  help: run it in a terminal; it \
                     must print the key as its first line"
                )
            }),
        };
        if let Ok(key) = &resolved {
            self.add(key);
        }
        resolved
    }

    /// Finds the value of a header or parameter. `may_be_plain` allows a text without variables, which is not a secret.
    fn header(&mut self, header: &Header, owner: &str, table: &str, may_be_plain: bool) -> Resolved {
        let text = match header {
            Header::Key(key) => return self.key(key, owner, table, ""),
            Header::Text(text) => text,
        };
        if header.variables().is_empty() && !may_be_plain {
            return Err(format!(
                "{owner} names no variable of the environment\n  help: write `${{NAME}}` for the key in {table} of \
                 nodewise.toml, for example \"Bearer ${{NAME}}\""
            ));
        }
        let mut value = String::new();
        for part in header_parts(text) {
            match part {
                HeaderPart::Literal(text) => value.push_str(text),
                HeaderPart::Variable(variable) => {
                    let key = from_environment(&self.environment, variable, owner, table)?;
                    self.add(&key);
                    value.push_str(&key);
                }
            }
        }
        Ok(value)
    }

    fn short(&self, text: &SmolStr) -> SmolStr {
        if self.masks.has_any_in(text) { self.mask_text(text).into() } else { text.clone() }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let providers: Vec<&String> = self.providers.keys().collect();
        let servers: Vec<&String> = self.servers.keys().collect();
        let mut shown = formatter.debug_struct("Secrets");
        shown.field("providers", &providers).field("servers", &servers).finish_non_exhaustive()
    }
}

fn found<'s>(keys: &'s BTreeMap<String, Resolved>, name: &str) -> Result<Option<&'s str>> {
    match keys.get(name) {
        None => Ok(None),
        Some(Ok(key)) => Ok(Some(key)),
        Some(Err(problem)) => Err(anyhow!("{problem}")),
    }
}

fn from_environment(environment: &Environment, variable: &str, owner: &str, place: &str) -> Resolved {
    let fault = match environment.get(variable) {
        Ok(value) if !value.trim().is_empty() => return Ok(value.trim().to_owned()),
        Ok(_) => "is empty",
        Err(std::env::VarError::NotPresent) => "is not set",
        Err(std::env::VarError::NotUnicode(_)) => "is not valid UTF-8",
    };
    Err(format!(
        "{owner} needs a key: the variable `{variable}` {fault}\n  help: set it in the environment or in `.env`, or name \
         another variable or a command in {place}"
    ))
}

/// The password in an address, if the value is an address with one.
fn password_in(value: &str) -> Option<String> {
    let address = value.contains("://").then(|| reqwest::Url::parse(value.trim()).ok()).flatten()?;
    address.password().map(str::to_owned)
}

#[cfg(test)]
mod tests;
