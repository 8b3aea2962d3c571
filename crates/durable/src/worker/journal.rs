//! The host of a run: what it asks for goes into the engine's journal, and comes back out of it.
//!
//! Invariant: the same requests in the same order lead to the same entries in the journal, whatever the clock and the machine.

use std::collections::{BTreeSet, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_engine::time::Millis;
use nodewise_live::store::Moment;
use nodewise_live::telemetry::{EndedSpans, RunSpans, SpanSink};
use nodewise_simulation::trace;
use restate_sdk::context::{DurableFuture, RequestTarget};
use restate_sdk::prelude::{
    ContextClient, ContextPromises, ContextSideEffects, ContextTimers, ContextWriteState, RunFuture,
};
use restate_sdk::prelude::{DurableFuturesUnordered, Json, TerminalError, WorkflowContext};
use serde_json::{Value, json};

use super::pausing::suspend_when_waiting;
use super::record::{LARGEST, part_name};
use crate::client::ASKS;
use crate::host::{Arrival, DecisionPlace, RunCancelled, RunHost, Standing};
use crate::wire;

type Waiting<'c> = Pin<Box<dyn DurableFuture<Output = Arrived> + Send + 'c>>;

/// Something that happened, as it came out of the engine's journal.
struct Arrived {
    arrival: Arrival,
    /// For a decision of a person: the decision, who made it and when.
    taken: Option<Value>,
    /// Whether it was counted in `near` while it was awaited.
    was_near: bool,
}

pub(super) struct RunJournal<'c> {
    ctx: &'c WorkflowContext<'c>,
    run: String,
    /// What the target of the run needs of the world. Each question carries it, so that any worker can answer.
    wiring: Value,
    waiting: DurableFuturesUnordered<Waiting<'c>>,
    /// How many of the awaited things are expected soon: calls, and short timers. If there is none, the run can leave the memory.
    near: usize,
    /// Arrivals that did not come from the engine, such as the failure of a question that is too large.
    ready: VecDeque<Arrival>,
    /// How many parts of the record were written.
    parts: u64,
    /// The time of the last event that was reported, in the time of the run.
    at: u64,
    standing: Option<Value>,
    /// The decisions of people so far.
    decisions: Vec<Value>,
    spans: Option<JournalSpans>,
    /// The title of the run for the webhook; `None` if there is no webhook.
    title: Option<String>,
    /// The open questions that the last message to the webhook named.
    announced: Value,
}

/// The spans of a run. Each span is sent by the process that first gets to its end.
pub(super) struct JournalSpans {
    /// When the run began, in milliseconds since 1970.
    pub(super) began: i64,
    pub(super) spans: RunSpans,
    /// Where this process sends spans, if a collector is configured.
    pub(super) sink: Option<SpanSink>,
    /// Spans that have ended and were not sent yet.
    pub(super) ended: EndedSpans,
}

/// The status code with which the engine reports a cancelled invocation.
const CANCELLED: u16 = 409;
/// The size at which a part of a record is closed, in bytes.
const PART: usize = 1024 * 1024;
/// A run that sleeps this long or longer leaves the memory: loading it again costs less than keeping it.
const LONG_SLEEP: Duration = Duration::from_secs(10);

impl<'c> RunJournal<'c> {
    pub(super) fn new(ctx: &'c WorkflowContext<'c>, run: String, wiring: Value) -> RunJournal<'c> {
        RunJournal {
            ctx,
            run,
            wiring,
            waiting: DurableFuturesUnordered::new(),
            near: 0,
            ready: VecDeque::new(),
            parts: 0,
            at: 0,
            standing: None,
            decisions: Vec::new(),
            spans: None,
            title: None,
            announced: Value::Null,
        }
    }

    /// Also sends the spans of the run.
    pub(super) fn with_spans(self, spans: JournalSpans) -> RunJournal<'c> {
        RunJournal { spans: Some(spans), ..self }
    }

    /// Also informs the webhook when the run begins to wait.
    pub(super) fn with_webhook(self, title: String) -> RunJournal<'c> {
        RunJournal { title: Some(title), ..self }
    }

    /// Informs the webhook when the run waits for people, once for each set of questions.
    fn announce(&mut self, standing: &Value) {
        let (Some(title), Some(matters)) = (&self.title, standing.get("matters")) else { return };
        if standing.get("status").and_then(Value::as_str) != Some("waiting") || *matters == self.announced {
            return;
        }
        let message = json!({"run": self.run, "title": title, "matters": matters});
        let target = RequestTarget::service(ASKS, "announce");
        self.ctx.request::<Json<Value>, ()>(target, Json(message)).send();
        self.announced = matters.clone();
    }

    /// Sends the spans that have ended. The journal remembers that they were sent, so no other process sends them again.
    pub(super) async fn send_spans(&mut self) -> Result<(), RunCancelled> {
        let Some(JournalSpans { sink, ended, .. }) = &mut self.spans else { return Ok(()) };
        if ended.is_empty() {
            return Ok(());
        }
        let (sink, ended) = (sink.clone(), std::mem::take(ended));
        let sent = self.ctx.run(move || async move {
            sink.inspect(|sink| sink.send(ended));
            Ok(())
        });
        sent.name("spans").await.map_err(|_| RunCancelled)
    }

    /// Reads new events, and the end of the run, into the spans.
    fn read_spans(&mut self, standing: &Standing, events: &[Value]) {
        let Some(JournalSpans { began, spans, ended, .. }) = &mut self.spans else { return };
        let moment = |at: u64| Moment(began.saturating_add(i64::try_from(at).unwrap_or(i64::MAX)));
        for event in events {
            self.at = event.get("at").and_then(Value::as_u64).unwrap_or(self.at);
            ended.extend(spans.read(event, moment(self.at)));
        }
        match standing {
            Standing::Ended(outcome, _) => ended.extend(spans.end(outcome, moment(self.at))),
            Standing::Cancelled => {
                let outcome = Outcome::of(Status::Cancelled, nodewise_expr::value::Value::Null);
                ended.extend(spans.end(&outcome, moment(self.at)));
            }
            Standing::Running(_) | Standing::Waiting(_) => {}
        }
    }

    /// Keeps a decision in the state of the run, for those who read the record.
    fn keep_decision(&mut self, place: DecisionPlace, taken: &Value) {
        let word = place.word();
        let matters = self.standing.as_ref().and_then(|standing| standing.get("matters")?.as_array());
        let is_it = |matter: &&Value| matter.get("place").and_then(Value::as_str) == Some(&word);
        let node = matters.into_iter().flatten().find(is_it).and_then(|matter| matter.get("node")).cloned();
        self.decisions.push(json!({
            "place": word, "node": node.unwrap_or_else(|| "".into()), "decision": taken.get("decision"), "record": record_of(taken),
        }));
        self.ctx.set("decisions", Json(Value::Array(self.decisions.clone())));
    }

    fn keep(&mut self, events: &mut Vec<Value>) {
        if !events.is_empty() {
            self.ctx.set(&part_name(self.parts), Json(Value::Array(std::mem::take(events))));
            self.parts += 1;
            self.ctx.set("parts", Json(self.parts));
        }
    }
}

impl RunHost for RunJournal<'_> {
    fn ask(&mut self, id: AskId, ask: &Arc<Ask>, is_decided: bool) {
        // The key does not depend on the attempt: it is the same whenever this question is put to the world.
        let question = json!({
            "id": id.0, "ask": wire::ask_to_json(ask), "key": format!("{}/{}", self.run, id.0), "wiring": self.wiring,
            "decided": is_decided,
        });
        let size = question.to_string().len();
        if size > LARGEST {
            let message = format!("the question has {size} bytes, and a run on an engine takes {LARGEST}");
            let answer = Answer::failed(Failure::lasting("QuestionTooLarge", message));
            self.ready.push_back(Arrival::Answered { id, answer: Some(answer), at: 0 });
            return;
        }
        let call = self
            .ctx
            .request::<Json<Value>, Json<Value>>(RequestTarget::service(ASKS, "answer"), Json(question));
        self.near += 1;
        self.waiting.push(Box::pin(
            call.call().map(move |answered| Arrived::of_world(answered_as(id, answered), true)),
        ));
    }

    fn wake_in(&mut self, after: Millis, due: Millis) {
        let after = Duration::from_millis(after.0);
        let is_near = after < LONG_SLEEP;
        self.near += usize::from(is_near);
        let woken = move |_| Arrived::of_world(Arrival::Woken { due }, is_near);
        self.waiting.push(Box::pin(self.ctx.sleep(after).map(woken)));
    }

    fn wait_for(&mut self, place: DecisionPlace) {
        let promise = self.ctx.promise::<Json<Value>>(interned(&place.word()));
        self.waiting.push(Box::pin(promise.map(move |taken| decided_as(place, taken))));
    }

    async fn next(&mut self) -> Result<Arrival, RunCancelled> {
        self.send_spans().await?;
        if let Some(arrival) = self.ready.pop_front() {
            return Ok(arrival);
        }
        suspend_when_waiting(self.near == 0);
        let next = self.waiting.next().await;
        suspend_when_waiting(false);
        match next {
            Ok(Some((_, Arrived { arrival, taken, was_near }))) => {
                self.near -= usize::from(was_near);
                if let (Arrival::Decided { place, .. }, Some(taken)) = (&arrival, &taken) {
                    self.keep_decision(*place, taken);
                }
                Ok(arrival)
            }
            // `None` cannot happen: the loop only asks while something is awaited.
            Ok(None) | Err(_) => Err(RunCancelled),
        }
    }

    fn report(&mut self, standing: &Standing, events: Vec<Value>) {
        self.read_spans(standing, &events);
        // A part is one value of the engine's state, and engines limit the size of a value.
        let (mut part, mut size) = (Vec::new(), 0);
        for event in events {
            self.at = event.get("at").and_then(Value::as_u64).unwrap_or(self.at);
            size += event.to_string().len();
            part.push(event);
            if size > PART {
                self.keep(&mut part);
                size = 0;
            }
        }
        self.keep(&mut part);
        let mut written = standing.to_json();
        if let Value::Object(members) = &mut written {
            members.insert("at".to_owned(), self.at.into());
        }
        self.announce(&written);
        if self.standing.as_ref() != Some(&written) {
            self.ctx.set("standing", Json(written.clone()));
            self.standing = Some(written);
        }
    }
}

impl Arrived {
    fn of_world(arrival: Arrival, was_near: bool) -> Arrived {
        Arrived { arrival, taken: None, was_near }
    }
}

fn answered_as(id: AskId, answered: Result<Json<Value>, TerminalError>) -> Arrival {
    let failed = |class: &str, message: &str| Some(Answer::failed(Failure::lasting(class, message)));
    match answered {
        Ok(Json(answered)) => {
            let at = answered.get("at").and_then(Value::as_u64).unwrap_or_default();
            let answer = match answered.get("answer") {
                Some(written) => {
                    trace::answer(written).or_else(|| failed("UnreadableAnswer", "the answer cannot be read"))
                }
                None => None,
            };
            Arrival::Answered { id, answer, at }
        }
        Err(error) if error.code() == CANCELLED => {
            Arrival::Answered { id, answer: failed("Cancelled", "the call was cancelled"), at: 0 }
        }
        Err(error) => Arrival::Answered { id, answer: failed("CallFailed", error.message()), at: 0 },
    }
}

fn decided_as(place: DecisionPlace, taken: Result<Json<Value>, TerminalError>) -> Arrived {
    let taken = taken.map(Json::into_inner).unwrap_or_default();
    let at = taken.get("at").and_then(Value::as_u64).unwrap_or_default();
    let decision = taken.get("decision").and_then(trace::decision);
    // Decisions are checked before they are accepted, so a decision that cannot be read is not expected; it rejects.
    let decision = decision.unwrap_or_else(|| nodewise_engine::ask::Decision {
        word: "rejected".into(),
        data: None,
        updates: nodewise_expr::value::Map::new(),
        after: Millis::ZERO,
    });
    let taken = taken.get("decision").is_some().then_some(taken);
    Arrived { arrival: Arrival::Decided { place, decision, at }, taken, was_near: false }
}

/// The record of a decision: who decided, when, and with which word.
pub(super) fn record_of(taken: &Value) -> Value {
    let word = taken.get("decision").and_then(|decision| decision.get("word"));
    json!({"by": taken.get("by").and_then(Value::as_str).unwrap_or_default(), "at": taken.get("at"), "word": word})
}

/// A copy of a name that lives as long as the program, as the engine's promises require. Equal names share one copy, so there are
/// at most as many as the longest run has questions.
pub(super) fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match names.get(name) {
        Some(known) => known,
        None => {
            let known: &'static str = Box::leak(name.to_owned().into_boxed_str());
            names.insert(known);
            known
        }
    }
}
