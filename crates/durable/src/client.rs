//! Runs on an engine, from outside: started, decided, read, listed and cancelled over HTTP.
//!
//! Input: the addresses of an engine, what a run begins with, decisions. Output: runs as the store of a project has them, to be
//! shown and replayed here. Invariant: nobody else's run is taken for the own one, and an error names the address.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nodewise_engine::ask::Decision;
use nodewise_live::driver::Taken;
use nodewise_live::models::choose_cryptography;
use nodewise_live::store::{Moment, NewRun, RunId, RunStatus, Stored, StoredEvent};
use nodewise_model::scenario::RunLimits;
use nodewise_simulation::render::json;
use reqwest::{Client, Method, StatusCode, Url};
use serde_json::{Value as Json, json};

use crate::wire;

mod listing;
mod standing;

pub use listing::{ListedRun, StuckItem};
pub use standing::{DecisionAnswer, RunStanding};

/// The service of workers that carries runs, by its name on the wire.
pub const RUNS: &str = "nodewise.v1.Runs";
/// The service that puts questions to the world.
pub const ASKS: &str = "nodewise.v1.Asks";

/// How long an engine may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
pub struct EngineClient {
    /// The name or address by which the user refers to the engine.
    pub name: String,
    http: Client,
    /// Addresses at which runs are started and decided. If one does not answer, the next one is tried.
    ingress: Vec<Url>,
    /// The address at which runs are listed and cancelled, if it is configured.
    admin: Option<Url>,
    key: Option<String>,
}

/// A run as an engine has it.
#[derive(Debug, Clone)]
pub struct RemoteRun {
    /// The run in the form that the local store uses.
    pub stored: Stored,
    /// The open questions that the run waits for, as JSON.
    pub matters: Vec<Json>,
    /// Why a worker refused to begin the run; `None` if none did.
    pub refusal: Option<String>,
    /// How many parts of the run's record were read so far.
    parts: u64,
}

impl EngineClient {
    /// Creates a client for the engine at these addresses.
    ///
    /// # Errors
    /// Where one of them is not an address.
    pub fn new(
        name: &str,
        ingress: &[String],
        admin: Option<&str>,
        key: Option<String>,
    ) -> Result<EngineClient> {
        choose_cryptography();
        let address = |text: &str| {
            let url = Url::parse(text)
                .with_context(|| format!("`{text}` of the engine `{name}` is not an address"))?;
            if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
                bail!(
                    "`{text}` of the engine `{name}` is not an address of HTTP\n  help: write it like `http://localhost:8080`"
                );
            }
            Ok(url)
        };
        let ingress = ingress.iter().map(|url| address(url)).collect::<Result<Vec<Url>>>()?;
        let is_near = ingress.iter().chain(&admin.map(address).transpose()?).all(is_loopback);
        let builder = Client::builder().timeout(PATIENCE).redirect(reqwest::redirect::Policy::none());
        let builder = if is_near { builder.no_proxy() } else { builder };
        let http = builder.build().with_context(|| format!("the engine `{name}` cannot be called"))?;
        Ok(EngineClient { name: name.to_owned(), http, ingress, admin: admin.map(address).transpose()?, key })
    }

    /// Starts a run under a new id, which no other run has.
    ///
    /// # Errors
    /// Where the engine does not answer, or has no worker.
    pub async fn start(&self, new: &NewRun) -> Result<RunId> {
        let identity: [u8; 16] = wire::random()?;
        let begin = json!({"new": wire::new_run_to_json(new), "identity": wire::identity_to_text(identity)});
        let id = RunId::unique(Moment::now(), &identity);
        // If the first address accepted the run but its answer was lost, sending the same id to the next address starts no second
        // run.
        let (status, answer) = self.ingress(&format!("restate/send/{RUNS}/{id}/run"), Some(&begin)).await?;
        self.check(status, &answer)?;
        Ok(id)
    }

    /// Reads a run; `None` where the engine has no such run, or no worker has begun it yet.
    ///
    /// # Errors
    /// Where the engine does not answer, or the record cannot be read.
    pub async fn read(&self, id: &RunId) -> Result<Option<RemoteRun>> {
        let Some((record, mut parts)) = self.record(id, 0).await? else { return Ok(None) };
        let mut run = RemoteRun::of_record(id, &record).with_context(|| self.unreadable(id))?;
        while run.parts < parts {
            parts = self.read_part(&mut run).await?;
        }
        Ok(Some(run))
    }

    /// Reads what was recorded since the last read, and updates `run`.
    ///
    /// # Errors
    /// Where the engine does not answer, or the record cannot be read.
    pub async fn read_on(&self, run: &mut RemoteRun) -> Result<()> {
        while self.read_part(run).await? > run.parts {}
        Ok(())
    }

    /// Reads the next piece of the record into `run`. Returns the number of parts that the record has in all.
    async fn read_part(&self, run: &mut RemoteRun) -> Result<u64> {
        let id = run.stored.id.clone();
        let Some((record, parts)) = self.record(&id, run.parts).await? else { return Ok(run.parts) };
        run.take(&record).with_context(|| self.unreadable(&id))?;
        Ok(parts)
    }

    /// The record of a run from the part `from` on, as much as fits one answer, and how many parts there are in all. `None` if
    /// nothing is recorded.
    async fn record(&self, id: &RunId, from: u64) -> Result<Option<(Json, u64)>> {
        let path = format!("restate/call/{RUNS}/{id}/record");
        let (status, answer) = self.ingress(&path, Some(&json!({"from": from}))).await?;
        self.check(status, &answer)?;
        let parts = answer.get("parts").and_then(Json::as_u64).unwrap_or_default();
        Ok(answer.get("standing").is_some_and(|standing| !standing.is_null()).then_some((answer, parts)))
    }

    fn unreadable(&self, id: &RunId) -> String {
        format!("the record of the run {id} on `{}` has a format that this version does not know", self.name)
    }

    /// The status of a run, and who decided at this place, if someone did. `None` if the engine has no such run.
    ///
    /// # Errors
    /// Where the engine does not answer, or the answer cannot be read.
    pub async fn standing(&self, id: &RunId, place: Option<&str>) -> Result<Option<RunStanding>> {
        let path = format!("restate/call/{RUNS}/{id}/record");
        // No record has as many parts, so the answer has no events.
        let (status, answer) = self.ingress(&path, Some(&json!({"from": u32::MAX, "place": place}))).await?;
        self.check(status, &answer)?;
        if answer.get("standing").is_none_or(Json::is_null) {
            return Ok(None);
        }
        match RunStanding::of_record(id, &answer) {
            Some(standing) => Ok(Some(standing)),
            None => bail!("the run {id} on `{}` has a format that this version does not know", self.name),
        }
    }

    /// Sends a decision about what a run waits for: at `place`, or else at the node that the decision names. `by` is the name
    /// that the person gave.
    ///
    /// # Errors
    /// Where the engine does not answer, or the decision says nothing about what is asked.
    pub async fn decide(
        &self,
        id: &RunId,
        taken: &Taken,
        place: Option<&str>,
        by: &str,
    ) -> Result<DecisionAnswer> {
        let decision = json::decision(&decision_of(taken));
        let body = json!({"node": taken.node.as_deref(), "place": place, "by": by, "decision": decision});
        let (status, answer) = self.ingress(&format!("restate/call/{RUNS}/{id}/decide"), Some(&body)).await?;
        if status == StatusCode::BAD_REQUEST {
            bail!(
                "{}\n  help: `nodewise runs show {id} --on {}` shows what it waits for",
                message(&answer),
                self.name
            );
        }
        self.check(status, &answer)?;
        let record = |key: &str| answer.get(key).and_then(wire::decision_record);
        match (record("kept"), record("before"), answer.get("refused").and_then(Json::as_str)) {
            (Some(record), ..) => Ok(DecisionAnswer::Kept(record)),
            (_, Some(record), _) => Ok(DecisionAnswer::DecidedBefore(record)),
            (.., Some(reason)) => Ok(DecisionAnswer::NotWaiting(reason.to_owned())),
            _ => bail!("the worker on `{}` is another version of nodewise", self.name),
        }
    }

    /// Calls the engine, at the first address that answers.
    async fn ingress(&self, path: &str, body: Option<&Json>) -> Result<(StatusCode, Json)> {
        let mut last_error = None;
        for address in &self.ingress {
            match self.call(Method::POST, address, path, body).await {
                Ok(answer) => return Ok(answer),
                Err(error) => last_error = Some(error),
            }
        }
        Err(last_error.unwrap_or_else(|| anyhow::anyhow!("the engine `{}` has no address", self.name)))
    }

    async fn call(
        &self,
        method: Method,
        address: &Url,
        path: &str,
        body: Option<&Json>,
    ) -> Result<(StatusCode, Json)> {
        let url = format!("{}/{path}", address.as_str().trim_end_matches('/'));
        let mut request = self.http.request(method, url).header("accept", "application/json");
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let no_answer = || {
            format!(
                "the engine `{}` does not answer at {address}\n  help: check that it runs, and the address under \
                 [live.engines] in nodewise.toml",
                self.name
            )
        };
        let response = request.send().await.with_context(no_answer)?;
        let status = response.status();
        let text = response.text().await.with_context(no_answer)?;
        let answer = serde_json::from_str(&text).unwrap_or(Json::String(text));
        Ok((status, answer))
    }

    fn check(&self, status: StatusCode, answer: &Json) -> Result<()> {
        let reason = message(answer);
        match status {
            status if status.is_success() => Ok(()),
            StatusCode::NOT_FOUND if reason.contains("not found") => bail!(
                "the engine `{}` has no worker of nodewise: {reason}\n  help: start one with `nodewise serve --register ADMIN --as \
                 ADDRESS`",
                self.name
            ),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => bail!(
                "the engine `{}` does not let you in: {reason}\n  help: set `key` under [live.engines.{}] in nodewise.toml",
                self.name,
                self.name
            ),
            status => bail!("the engine `{}` answers with {status}: {reason}", self.name),
        }
    }
}

impl RemoteRun {
    fn of_record(id: &RunId, record: &Json) -> Option<RemoteRun> {
        let begin = record.get("begin")?;
        let new = wire::new_run_of_json(begin.get("new")?)?;
        let began = i64::try_from(begin.get("began")?.as_u64()?).ok()?;
        let identity = wire::identity_of(begin.get("identity")?.as_str()?)?;
        let stored = Stored {
            id: id.clone(),
            new,
            identity,
            begun: Moment(began),
            status: RunStatus::Running,
            events: Vec::new(),
            attempts: BTreeMap::new(),
            discarded: Vec::new(),
            spare: Vec::new(),
            limits: RunLimits::default(),
            is_cancelled: false,
            decisions: Vec::new(),
            pending: Vec::new(),
        };
        let mut run = RemoteRun { stored, matters: Vec::new(), refusal: None, parts: 0 };
        run.take(record)?;
        Some(run)
    }

    /// Reads the status, and the parts of the record that are new. Returns `None` if the format is unknown.
    fn take(&mut self, record: &Json) -> Option<()> {
        let standing = record.get("standing")?;
        for part in record.get("events")?.as_array()? {
            for event in part.as_array()? {
                let at = i64::try_from(event.get("at")?.as_u64()?).ok()?;
                let stored = Moment(self.stored.begun.0.saturating_add(at));
                self.stored.events.push(StoredEvent { stored, event: event.clone() });
            }
            self.parts += 1;
        }
        self.matters = standing.get("matters").and_then(Json::as_array).cloned().unwrap_or_default();
        let decisions = record.get("decisions").and_then(Json::as_array);
        self.stored.decisions = decisions.into_iter().flatten().filter_map(wire::stored_decision).collect();
        (self.stored.status, self.refusal) = standing::status_of(standing, self.stored.begun)?;
        self.stored.is_cancelled = standing.get("status").and_then(Json::as_str) == Some("cancelled");
        Some(())
    }
}

/// The decision as it is sent: without a time, since the engine adds it.
fn decision_of(taken: &Taken) -> Decision {
    Decision { after: nodewise_engine::time::Millis::ZERO, ..taken.decision.clone() }
}

/// The error message in an answer of the engine, or else the whole answer.
fn message(answer: &Json) -> String {
    let text = answer.get("message").and_then(Json::as_str).or(answer.as_str());
    text.map_or_else(|| answer.to_string(), str::to_owned)
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}
