//! Models: questions go to the providers of the configuration, and what comes back becomes an answer.
//!
//! Input: a question of a run; output: an answer, or a failure that the node's policy decides about. Reading order: [`plan`]
//! (which model answers whom, and [`prices`]), [`settings`] (what the configuration says about a model), [`conversation`] (what a model reads, with [`attachments`], in [`shapes`] where a value is
//! wanted), [`wire`] (the protocols: [`openai`], [`anthropic`], both over a [`stream`]), [`connection`] (the call itself), [`request`] (what a call would send),
//! [`call_failure`] (why there is no answer), [`retries`] (when a call is repeated). Invariant: within one answer, a call is repeated
//! only as the configuration allows, or without a part of the protocol that the provider refuses; everything else is for the
//! node to decide.

mod plan;
mod prices;
mod settings;

mod attachments;
mod conversation;
mod shapes;

mod anthropic;
mod openai;
mod stream;
mod wire;

mod call_failure;
mod connection;
mod request;
mod retries;

pub use connection::choose_cryptography;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use nodewise_engine::ask::{Answer, CallRetry, ModelQuestion, ModelReply, Purpose, Reply};
use nodewise_engine::outcome::Failure;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::json::from_json;
use nodewise_project::config::live::{self, Live, ProviderKind};
use nodewise_simulation::system::RunnableSystem;
use serde_json::Value as Json;
use smol_str::SmolStr;

use self::call_failure::{CallFailure, Sort};
use self::connection::{Connection, TimeLimits};
pub(crate) use self::conversation::{DATA_NOTE, tagged};
pub(crate) use self::plan::{KEY_VARIABLES, provider, providers};
pub use self::plan::{Planned, plan};
pub use self::prices::Price;
use self::request::Prepared;
pub use self::request::{ModelRequest, request};
use self::retries::{Retries, RetryPolicy};
use self::wire::{Asking, ModelOutput, refused_part};
use crate::answering::Asked;
use crate::secrets::Secrets;
use crate::systems;
use crate::wiring::{OfferedTool, Wiring};

/// The models of a run, with the connections to their providers.
pub struct Models {
    system: RunnableSystem,
    plan: BTreeMap<SmolStr, Planned>,
    connections: BTreeMap<String, Connection>,
    outputs: BTreeMap<SmolStr, Json>,
    tools: BTreeMap<SmolStr, OfferedTool>,
    limit: Duration,
    retries: RetryPolicy,
    secrets: Arc<Secrets>,
}

impl Models {
    /// Plans the models that a target needs, and prepares their providers. No provider is called yet.
    pub fn new(
        live: &Live,
        wiring: &Wiring,
        tools: Vec<OfferedTool>,
        secrets: Arc<Secrets>,
    ) -> Result<Models> {
        let plan = plan(live, wiring)?;
        let used: BTreeSet<&String> = plan.values().flat_map(Planned::all).map(|one| &one.provider).collect();
        let mut connections = BTreeMap::new();
        for name in used {
            let known =
                provider(live, name).ok_or_else(|| anyhow!("the provider `{name}` is not configured"))?;
            let sent = secrets.sent_to(name)?;
            let connection = Connection::new(name, &known, secrets.of_provider(name)?, &sent)?;
            connections.insert(name.clone(), connection);
        }
        let outputs = wiring.agents.iter();
        let limit =
            settings::seconds(Some(live.timeout_s.unwrap_or(live::TIMEOUT_S)), "timeout_s", "[live]")?;
        Ok(Models {
            system: wiring.system,
            plan,
            connections,
            outputs: outputs
                .filter_map(|(name, agent)| Some((name.clone(), agent.output.clone()?)))
                .collect(),
            tools: tools.into_iter().map(|tool| (tool.name.clone(), tool)).collect(),
            limit: limit.unwrap_or_default(),
            retries: RetryPolicy::new(live, wiring.system),
            secrets,
        })
    }

    /// Notes that a user should read before the run begins.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let costs = |planned: &&Planned| {
            let connection = self.connections.get(&planned.provider);
            planned.price.is_none() && connection.is_some_and(|connection| !connection.is_near)
        };
        let unknown = self.plan.values().flat_map(Planned::all).filter(costs);
        let unknown: BTreeSet<(&str, &str)> =
            unknown.map(|planned| (planned.model.as_str(), planned.provider.as_str())).collect();
        let note = |(model, provider): (&str, &str)| {
            format!(
                "the price of the model `{model}` of `{provider}` is unknown and counts as 0; set `input_usd` \
                 and `output_usd` under [live.models]"
            )
        };
        let open = self.connections.iter().filter(|(_, connection)| connection.is_open);
        let open = open.map(|(name, _)| {
            format!("the key of the provider `{name}` is sent unencrypted: its `base_url` is not `https`")
        });
        open.chain(unknown.into_iter().map(note)).collect()
    }

    /// Asks the model of a question, then its fallbacks in order until one gives an answer.
    pub async fn answer(&self, asked: &Asked, question: &ModelQuestion) -> Answer {
        let Some(planned) = self.plan.get(&question.agent) else {
            let text = format!("no model is set for `{}`", question.agent);
            return Answer::failed(Failure::lasting("Error", text));
        };
        let tools = conversation::offered(self.system, question, &self.tools);
        let output = self.outputs.get(&question.agent);
        let prepared = Prepared::of(self.system, question, output, tools);
        let (mut total, mut retried) = (Usage::default(), Vec::new());
        let mut models = planned.all().peekable();
        let mut is_first = true;
        loop {
            let Some((planned, connection)) = models.next().and_then(|planned| self.connected(planned))
            else {
                let text = format!("no model is set for `{}`", question.agent);
                return Answer::failed(Failure::lasting("Error", text));
            };
            let mut call = Call {
                models: self,
                asked,
                question,
                planned,
                connection,
                prepared: &prepared,
                usage: Usage::default(),
                retried: std::mem::take(&mut retried),
            };
            let result = call.answer().await;
            if let (Err(call_failure), Some(next)) = (&result, models.peek()) {
                call.note_fallback(next, call_failure);
            }
            let mut usage = call.usage;
            retried = call.retried;
            usage.cost_usd = planned.price.map_or(0.0, |price| price.cost(&usage));
            total += usage;
            if result.is_ok() || models.peek().is_none() {
                let result = result.map_err(|call_failure| call_failure.failure(self.system, planned));
                let fallback = (!is_first && result.is_ok()).then(|| planned.name().into());
                let answer = Answer { usage: total, retries: retried, fallback, ..Answer::of(result) };
                return self.secrets.mask_answer(answer);
            }
            is_first = false;
        }
    }

    fn connected<'m>(&'m self, planned: &'m Planned) -> Option<(&'m Planned, &'m Connection)> {
        Some((planned, self.connections.get(&planned.provider)?))
    }
}

impl fmt::Debug for Models {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Models").field("plan", &self.plan).finish_non_exhaustive()
    }
}

/// The call of one model, with everything that is needed to repeat it.
struct Call<'c> {
    models: &'c Models,
    asked: &'c Asked,
    question: &'c ModelQuestion,
    planned: &'c Planned,
    connection: &'c Connection,
    prepared: &'c Prepared,
    usage: Usage,
    retried: Vec<CallRetry>,
}

impl Call<'_> {
    async fn answer(&mut self) -> Result<Reply, CallFailure> {
        let permit = self.connection.permits.acquire().await;
        let _permit = permit.map_err(|_| CallFailure::passing(Sort::Connection, "is no longer called"))?;
        let attachments = self.prepared.attachments.all();
        if let Some(reason) = self.planned.settings.refused_attachment(attachments) {
            return Err(CallFailure::unsupported(self.planned, &reason));
        }
        let mut refused = self.connection.refused(&self.planned.model);
        let mut retries = Retries::new(self.models.retries, self.asked.id);
        loop {
            let asking = self.prepared.asking(self.planned, &refused);
            let call_failure = match self.once(&asking).await {
                Ok(model_output) => return Ok(self.reply(model_output)),
                Err(call_failure) => call_failure,
            };
            let is_anthropic = self.connection.kind == ProviderKind::Anthropic;
            let may_be_part = matches!(call_failure.sort, Sort::Status(400 | 422 | 501));
            let part = may_be_part.then(|| refused_part(&call_failure.text, &asking, is_anthropic)).flatten();
            // A feature that the server refuses is left out from now on. This call does not count as a retry.
            if let Some(feature) = part {
                self.connection.note_refused(&self.planned.model, feature);
                refused.insert(feature);
                continue;
            }
            let Some(wait) = retries.wait_after(&call_failure) else { return Err(call_failure) };
            self.note_retry(wait, &call_failure);
            tokio::time::sleep(wait).await;
        }
    }

    async fn once(&mut self, asking: &Asking<'_>) -> Result<ModelOutput, CallFailure> {
        let mut reader = self.connection.reader();
        let mut parts = self.models.secrets.parts();
        let report = |part: String| {
            if !part.is_empty() {
                self.asked.watch.on_delta(self.asked.id, &part);
            }
        };
        let mut on_delta = |part: &str| report(parts.push(part));
        let settings = &self.planned.settings;
        let limits = TimeLimits { whole: settings.limit.unwrap_or(self.models.limit), idle: settings.idle };
        let result =
            self.connection.call(asking, &self.asked.key, limits, reader.as_mut(), &mut on_delta).await;
        report(parts.end());
        self.usage += reader.usage();
        result?;
        reader.model_output()
    }

    /// Reports to observers that the call is repeated, and notes it for the record.
    fn note_retry(&mut self, wait: Duration, call_failure: &CallFailure) {
        let reason = format!("the provider `{}` {}", self.planned.provider, call_failure.text);
        let reason = self.models.secrets.mask_text(&reason);
        let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        self.asked.watch.on_retry(self.asked.id, wait, &reason);
        self.retried.push(CallRetry { wait: Millis(wait), reason: reason.into() });
    }

    /// Reports to observers that the fallback is asked, and notes it for the record.
    fn note_fallback(&mut self, next: &Planned, call_failure: &CallFailure) {
        let (provider, text) = (&self.planned.provider, &call_failure.text);
        let reason = format!(
            "the provider `{provider}` {text}; `{}` of `{}` is asked instead",
            next.model, next.provider
        );
        let reason = self.models.secrets.mask_text(&reason);
        self.asked.watch.on_retry(self.asked.id, 0, &reason);
        self.retried.push(CallRetry { wait: Millis::ZERO, reason: reason.into() });
    }

    fn reply(&self, mut model_output: ModelOutput) -> Reply {
        let value = self.prepared.shape.as_ref().and_then(|shape| {
            let of_tool = anthropic::take_answer(&mut model_output, shape);
            of_tool.or_else(|| {
                model_output.calls.is_empty().then(|| shape.value_in(&model_output.text)).flatten()
            })
        });
        let is_text_read =
            systems::of(self.models.system).offers_every_tool() && self.question.purpose == Purpose::Work;
        if value.is_some() && !is_text_read {
            model_output.text.clear();
        }
        let number = self.asked.id.0;
        let calls = conversation::model_output(
            self.question,
            &self.prepared.conversation.names,
            model_output.calls,
            number,
        );
        Reply::Model(ModelReply { text: model_output.text.into(), value: value.map(from_json), calls })
    }
}
