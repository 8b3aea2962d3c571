//! What an engine calls: runs, decisions about them, what is recorded of them, and questions to the world.
//!
//! Invariant: what comes from the world comes out of `ctx.run`, where the engine keeps it; a handler computes nothing else that it
//! gives back.

use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context as _, Result, anyhow};
use futures::FutureExt;
use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::Failure;
use nodewise_live::answering::{Asked, Unwatched};
use nodewise_live::decisions::Webhook;
use nodewise_live::driver::fault;
use nodewise_live::people::called;
use nodewise_live::session::BEGINNING;
use nodewise_live::store::{NewRun, OpenQuestion, RunId};
use nodewise_live::systems::configured_wiring;
use nodewise_live::telemetry::{EndedSpans, RunSpans, SpanSource};
use nodewise_live::wiring::Wiring;
use nodewise_project::config::live::Again;
use nodewise_simulation::render::json;
use nodewise_simulation::run::Run;
use nodewise_simulation::{RunInputs, prepare, setup, trace};
use restate_sdk::prelude::*;
use serde_json::{Value, json};

use super::journal::{JournalSpans, RunJournal, interned, record_of};
use super::metrics::add;
use super::record::{LARGEST, part_name};
use super::{Shared, now_ms};
use crate::decisions::question;
use crate::host::{DecisionPlace, HostedRun, RunCancelled};
use crate::wire;

/// The service that carries runs, each under its id.
pub(super) struct Runs(pub(super) Arc<Shared>);

/// The service that puts questions to the world.
pub(super) struct Asks(pub(super) Arc<Shared>);

/// How much of a record one answer holds, in bytes; the last part may exceed it.
const PAGE: usize = 4 * 1024 * 1024;
/// How many parts of a record are requested at once. A part has about a megabyte, or one answer that is larger.
const AT_ONCE: usize = 16;

// The engine suspends a run that waits longer than this. A run that only waits for people is suspended at once.
#[restate_sdk::workflow(name = "nodewise.v1.Runs", inactivity_timeout = "10s")]
impl Runs {
    /// Carries a run from its beginning to its end.
    #[handler]
    async fn run(&self, ctx: WorkflowContext<'_>, begin: Json<Value>) -> HandlerResult<Json<Value>> {
        let Json(begin) = begin;
        let new = begin.get("new").and_then(wire::new_run_of_json);
        let new = new.ok_or_else(|| TerminalError::new_with_code(400, UNREADABLE))?;
        let shared = Arc::clone(&self.0);
        let asked = new.clone();
        let began = ctx.run(move || async move { Ok(Json(shared.begin(&asked).await)) }).name("begin");
        let Json(began) = began.await?;
        let at = began.get("at").and_then(Value::as_u64).unwrap_or_default();
        ctx.set("title", Json(json!({"title": new.title, "name": new.name, "began": at})));
        if let Some(reason) = text(&began, "refused") {
            // Readers recognise a run that has begun by its standing, so a refused run gets one, too.
            ctx.set("begin", Json(beginning(&new, &began, &begin)));
            ctx.set("standing", Json(json!({"status": "refused", "message": reason})));
            return Err(TerminalError::new_with_code(403, reason).into());
        }
        let version = text(&began, "version").unwrap_or_default();
        if version != env!("CARGO_PKG_VERSION") {
            return Err(anyhow!(
                "the run began with nodewise {version}, and this worker is nodewise {}; keep a worker of that version at an address of \
                 its own",
                env!("CARGO_PKG_VERSION")
            )
            .into_boxed_dyn_error()
            .into());
        }
        let scenario = text(&began, "scenario").unwrap_or_default().to_owned();
        let new = NewRun { scenario, ..new };
        ctx.set("begin", Json(beginning(&new, &began, &begin)));
        let run =
            self.0.prepared(&new).map_err(|error| TerminalError::new_with_code(400, format!("{error:#}")))?;
        // The wiring comes from the journal, since the configuration of the worker may change while the run is under way.
        let wiring = began.get("wiring").cloned().unwrap_or_default();
        let mut journal = RunJournal::new(&ctx, ctx.key().to_owned(), wiring.clone());
        if began.get("spans").and_then(Value::as_bool) == Some(true)
            && let Some(spans) = self.0.spans(&new, ctx.key(), &begin, &wiring, at).await
        {
            journal = journal.with_spans(spans);
        }
        if began.get("webhook").and_then(Value::as_bool) == Some(true) {
            journal = journal.with_webhook(new.title.clone());
        }
        // A run may wait for days, so free what is not needed any more: the engine keeps what the run began with.
        drop((new, begin, began, wiring));
        let driven = HostedRun::new(run, at, &mut journal).drive().await;
        journal.send_spans().await.ok();
        match driven {
            Ok(recording) => {
                add(&self.0.metrics.runs_ended);
                Ok(Json(json!({"outcome": recording.outcome.status.word()})))
            }
            Err(RunCancelled) => Err(TerminalError::new_with_code(409, "the run was cancelled").into()),
        }
    }

    /// Accepts a decision about what a run waits for, at a place or at a node.
    #[handler]
    async fn decide(&self, ctx: SharedWorkflowContext<'_>, taken: Json<Value>) -> HandlerResult<Json<Value>> {
        let Json(taken) = taken;
        let standing = ctx.get::<Json<Value>>("standing").await?.map(Json::into_inner).unwrap_or_default();
        let now = ctx.run(|| async { Ok(Json(now_ms())) }).name("now").await?.into_inner();
        let (node, place) = (text(&taken, "node"), text(&taken, "place"));
        if let Some(before) = decided_at(&ctx, place).await? {
            return Ok(Json(json!({"before": before})));
        }
        let matters =
            standing.get("matters").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let is_meant = |matter: &&Value| {
            node.is_none_or(|node| text(matter, "node") == Some(node))
                && place.is_none_or(|place| text(matter, "place") == Some(place))
        };
        let Some(matter) = matters.iter().find(is_meant) else {
            let place = node.map(|node| format!(" at `{node}`")).unwrap_or_default();
            return Ok(Json(json!({"refused": format!("the run is not waiting for a decision{place}")})));
        };
        let written = taken.get("decision");
        let Some((written, decision)) =
            written.and_then(|written| Some((written, trace::decision(written)?)))
        else {
            return Err(TerminalError::new_with_code(400, "the decision cannot be read").into());
        };
        check_word(matter, written).map_err(|reason| TerminalError::new_with_code(400, reason))?;
        let place = text(matter, "place").unwrap_or_default();
        // The request may name only a node, so its place is known only now.
        if let Some(before) = decided_at(&ctx, Some(place)).await? {
            return Ok(Json(json!({"before": before})));
        }
        let by = text(&taken, "by").unwrap_or_default();
        ctx.resolve_promise(interned(place), Json(json!({"decision": written, "at": now, "by": by})));
        Ok(Json(json!({"kept": {"by": by, "at": now, "word": decision.word.as_str()}})))
    }

    /// The record of a run from the part `from` on, as much as fits one answer.
    #[handler]
    async fn record(&self, ctx: SharedWorkflowContext<'_>, from: Json<Value>) -> HandlerResult<Json<Value>> {
        let Json(wanted) = from;
        let from = wanted.get("from").and_then(Value::as_u64).unwrap_or_default();
        let standing = ctx.get::<Json<Value>>("standing").await?.map(Json::into_inner);
        let parts = ctx.get::<Json<u64>>("parts").await?.map_or(0, Json::into_inner);
        let begin = match from {
            0 => ctx.get::<Json<Value>>("begin").await?.map(Json::into_inner),
            _ => None,
        };
        let events = parts_of_record(&ctx, from..parts).await?;
        let about = ctx.get::<Json<Value>>("title").await?.map(Json::into_inner);
        let decisions = ctx.get::<Json<Value>>("decisions").await?.map(Json::into_inner);
        let decided = decided_at(&ctx, text(&wanted, "place")).await?;
        Ok(Json(json!({
            "standing": standing, "about": about, "begin": begin, "parts": parts, "events": events, "decisions": decisions,
            "decided": decided,
        })))
    }
}

#[restate_sdk::service(name = "nodewise.v1.Asks")]
impl Asks {
    /// Puts a question to the world.
    #[handler]
    async fn answer(&self, ctx: Context<'_>, question: Json<Value>) -> HandlerResult<Json<Value>> {
        let shared = Arc::clone(&self.0);
        let question =
            Question::read(&question.0).ok_or_else(|| TerminalError::new_with_code(400, UNREADABLE))?;
        // First the marker, then the effect. If another process issued the marker, an earlier attempt may have had its effect.
        let issuer = Arc::clone(&self.0);
        let marker = ctx.run(move || async move {
            let marker = issuer.new_marker().map_err(anyhow::Error::into_boxed_dyn_error)?;
            issuer.markers().insert(marker);
            Ok(Json(marker))
        });
        let Json(marker) = marker.name("attempt").await?;
        let is_first = self.0.markers().remove(&marker);
        let answered = ctx.run(move || async move { Ok(Json(shared.answer(question, is_first).await)) });
        Ok(answered.name("effect").await?)
    }

    /// Informs the webhook that a run waits. If the message cannot be sent, the worker reports it, and the run continues.
    #[handler]
    async fn announce(&self, ctx: Context<'_>, message: Json<Value>) -> HandlerResult<()> {
        let shared = Arc::clone(&self.0);
        let sent = ctx.run(move || async move {
            let run = text(&message.0, "run").unwrap_or_default().to_owned();
            if let Err(reason) = shared.announce(&run, &message.0).await {
                let note = format!("the webhook did not learn that the run {run} waits: {reason:#}");
                shared.setup.notes.note("warning", &note);
            }
            Ok(())
        });
        Ok(sent.name("webhook").await?)
    }
}

/// The parts of a record, as many as fit one answer.
async fn parts_of_record(
    ctx: &SharedWorkflowContext<'_>,
    wanted: Range<u64>,
) -> Result<Vec<Value>, TerminalError> {
    let (mut parts, mut size) = (Vec::new(), 0);
    let names: Vec<String> = wanted.map(part_name).collect();
    for names in names.chunks(AT_ONCE) {
        // One round trip to the engine for a chunk of them, since a long run has thousands.
        let asked: Vec<_> = names.iter().map(|name| ctx.get::<Json<Value>>(name)).collect();
        for part in asked {
            let Some(Json(part)) = part.await? else { return Ok(parts) };
            size += part.to_string().len();
            parts.push(part);
            if size > PAGE {
                return Ok(parts);
            }
        }
    }
    Ok(parts)
}

/// Who decided at a place of a run; `None` if nobody did.
async fn decided_at(
    ctx: &SharedWorkflowContext<'_>,
    place: Option<&str>,
) -> Result<Option<Value>, TerminalError> {
    // Interned names are never freed, so only names of places are interned.
    let Some(place) = place.and_then(DecisionPlace::of_word) else { return Ok(None) };
    let taken = ctx.peek_promise::<Json<Value>>(interned(&place.word())).await?;
    Ok(taken.map(|Json(taken)| record_of(&taken)))
}

fn text<'j>(json: &'j Value, key: &str) -> Option<&'j str> {
    json.get(key)?.as_str()
}

/// A question as a worker receives it.
struct Question {
    id: AskId,
    ask: Arc<Ask>,
    key: String,
    wiring: Wiring,
    /// Whether a person allowed the call although it may have been made before.
    is_decided: bool,
}

impl Question {
    fn read(json: &Value) -> Option<Question> {
        Some(Question {
            id: AskId(u32::try_from(json.get("id")?.as_u64()?).ok()?),
            ask: Arc::new(wire::ask_of_json(json.get("ask")?)?),
            key: json.get("key")?.as_str()?.to_owned(),
            wiring: wire::wiring_of_json(json.get("wiring")?)?,
            is_decided: json.get("decided")?.as_bool()?,
        })
    }
}

/// What is kept of the start of a run, for those who read its record.
fn beginning(new: &NewRun, began: &Value, begin: &Value) -> Value {
    json!({"new": wire::new_run_to_json(new), "began": began.get("at"), "identity": begin.get("identity")})
}

impl Shared {
    /// Prepares a run at its beginning, with the same result on every worker.
    fn prepared(&self, new: &NewRun) -> Result<Run> {
        let snapshot = self.declarations.of(&new.sources);
        let (target, scenario) = setup::read(&snapshot, &new.scenario)?;
        Ok(prepare(&snapshot, &target, &scenario)?)
    }

    /// Begins a run on this worker. Returns when it began and the completed scenario, or why the worker refuses it.
    async fn begin(&self, new: &NewRun) -> Value {
        let at = now_ms();
        add(&self.metrics.runs_begun);
        match self.completed(new).await {
            Ok((scenario, wiring)) => json!({
                "at": at, "scenario": scenario, "wiring": wire::wiring_to_json(&wiring), "version": env!("CARGO_PKG_VERSION"),
                "spans": self.setup.live.telemetry.is_some(), "webhook": self.setup.live.decisions.webhook.is_some(),
            }),
            Err(error) => {
                add(&self.metrics.runs_refused);
                json!({"at": at, "refused": format!("{error:#}")})
            }
        }
    }

    async fn announce(&self, run: &str, message: &Value) -> Result<()> {
        let webhook = Webhook::for_engine(&self.setup.live, &self.setup.folder)?;
        let webhook = webhook.context("it is not configured on this worker")?;
        let run = RunId::of_text(run).context("the run has no id")?;
        let matters = message.get("matters").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let questions: Vec<OpenQuestion> = matters.iter().filter_map(question).collect();
        webhook.notify(&run, text(message, "title").unwrap_or_default(), &questions).await
    }

    /// The spans of a run. Which spans end is the same on every worker; the names of models come from this worker's
    /// configuration.
    async fn spans(
        &self,
        new: &NewRun,
        run: &str,
        begin: &Value,
        wiring: &Value,
        began: u64,
    ) -> Option<JournalSpans> {
        let wiring = wire::wiring_of_json(wiring)?;
        let identity = wire::identity_of(text(begin, "identity")?)?;
        let about = (identity, run.to_owned(), new.title.clone());
        let live = &self.setup.live;
        let has_content = live.telemetry.as_ref().is_some_and(|telemetry| telemetry.content);
        // Texts of models and tools are only sent if their secrets can be masked, which the started world does.
        let started = if has_content { self.world(&wiring).await.ok() } else { None };
        let has_content = started.is_some();
        let mask: Arc<dyn Fn(&str) -> String + Send + Sync> = match started {
            Some(started) => Arc::new(move |text| started.facts.mask_text(text)),
            None => Arc::new(str::to_owned),
        };
        Some(JournalSpans {
            began: i64::try_from(began).ok()?,
            spans: RunSpans::new(SpanSource::new(about, live, &wiring, mask), has_content),
            sink: self.spans.clone(),
            ended: EndedSpans::default(),
        })
    }

    /// The scenario of a run, completed with the tools of this worker's servers, and what the run needs of the world.
    async fn completed(&self, new: &NewRun) -> Result<(String, Wiring)> {
        let snapshot = self.declarations.of(&new.sources);
        let (target, mut scenario) = setup::read(&snapshot, &new.scenario)?;
        let system = target.system(&snapshot).context(GONE)?;
        let inputs = RunInputs { snapshot: &snapshot, target: &target, scenario: &scenario };
        let wiring = configured_wiring(&inputs, system, &self.setup.live);
        let started = self.world(&wiring).await?;
        started.facts.complete(&mut scenario);
        let uses = scenario.uses.iter().map(|name| name.value.trim_start_matches('/').to_owned());
        let uses: Vec<String> = uses.collect();
        let text = setup::text(&snapshot, &target, &scenario, BEGINNING, &uses);
        Ok((started.facts.mask_text(&text), wiring))
    }

    /// The answer of the world with its time, or `repeated` without an answer: then a person has to decide first.
    async fn answer(&self, question: Question, is_first: bool) -> Value {
        let may_be_second = !is_first && !question.is_decided;
        if may_be_second {
            add(&self.metrics.calls_repeated);
        }
        let answer = match self.answered(question, may_be_second).await {
            Ok(Some(answer)) => answer,
            Ok(None) => return json!({"at": now_ms(), "repeated": true}),
            Err(error) => Answer::failed(Failure::new("WorkerNotReady", format!("{error:#}"))),
        };
        if answer.result.is_err() {
            add(&self.metrics.calls_failed);
        }
        let written = recordable(&answer, LARGEST);
        json!({"at": now_ms(), "answer": written, "repeated": may_be_second})
    }

    /// The answer of the world; `None` if a person has to decide whether the call is repeated.
    async fn answered(&self, question: Question, may_be_second: bool) -> Result<Option<Answer>> {
        let Question { id, ask, key, wiring, .. } = question;
        let started = self.world(&wiring).await?;
        if may_be_second {
            match started.answering.again(&ask) {
                Again::Repeat => {
                    let warning = format!(
                        "the call {key} is made again; it may have been made before, by a worker that is gone"
                    );
                    self.setup.notes.note("warning", &warning);
                }
                Again::Ask => return Ok(None),
                Again::Never => {
                    let message = format!(
                        "{} may have had its effect, and `again = \"never\"` forbids to repeat it",
                        called(&ask)
                    );
                    return Ok(Some(Answer::failed(Failure::lasting("MayHaveHappened", message))));
                }
            }
        }
        let _permit = self.permits.acquire().await;
        let _under_way = self.metrics.call();
        let asked = Asked { id, ask, key: key.into(), watch: Arc::new(Unwatched) };
        let answer = AssertUnwindSafe(started.answering.answer(asked)).catch_unwind().await;
        Ok(Some(answer.unwrap_or_else(|_| Answer::failed(fault()))))
    }

    /// How many calls this worker makes now.
    pub(super) fn calls_under_way(&self) -> u64 {
        self.metrics.calls_under_way.load(Ordering::Relaxed)
    }
}

/// An answer as it is recorded. An answer that is too large for an engine becomes a failure.
fn recordable(answer: &Answer, largest: usize) -> Value {
    let written = json::answer(answer);
    let size = written.to_string().len();
    if size <= largest {
        return written;
    }
    let message = format!("the answer has {size} bytes, and a run on an engine takes {largest}");
    json::answer(&Answer::failed(Failure::lasting("AnswerTooLarge", message)))
}

/// Refuses a decision whose word does not say what to do with a call that may have been made before.
fn check_word(matter: &Value, decision: &Value) -> Result<(), String> {
    let is_again = matter.get("again").and_then(Value::as_bool).unwrap_or_default();
    let word = decision.get("word").and_then(Value::as_str).unwrap_or_default();
    match is_again && !["approved", "rejected", "answer"].contains(&word) {
        true => Err(format!(
            "`{word}` does not say what becomes of a call: approve it, reject it, or give its result"
        )),
        false => Ok(()),
    }
}

const UNREADABLE: &str =
    "this worker does not know the format of the request; it is another version of nodewise";
const GONE: &str = "the graph of this run is not declared in its files";

#[cfg(test)]
mod tests {
    use nodewise_expr::value::Value as Given;

    use super::*;

    #[test]
    fn an_answer_that_no_engine_takes_is_a_failure() {
        let answer = Answer::value(Given::from("x".repeat(100).as_str()));
        assert_eq!(recordable(&answer, 1000), json::answer(&answer));
        let failed = recordable(&answer, 100);
        assert_eq!(failed["failure"]["class"], "AnswerTooLarge");
        assert_eq!(trace::answer(&failed).map(|answer| answer.result.is_err()), Some(true));
    }

    #[test]
    fn a_word_about_a_call_must_say_what_becomes_of_it() {
        let matter = json!({"again": true});
        assert!(check_word(&matter, &json!({"word": "approved"})).is_ok());
        assert!(check_word(&matter, &json!({"word": "later"})).is_err());
        assert!(check_word(&json!({"again": false}), &json!({"word": "later"})).is_ok());
    }
}
