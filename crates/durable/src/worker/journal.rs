//! The host of a run: what it asks for goes into the engine's journal, and comes back out of it.
//!
//! Invariant: the same requests in the same order lead to the same entries in the journal, whatever the clock and the machine.

use std::collections::{BTreeSet, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::Failure;
use nodewise_engine::time::Millis;
use nodewise_simulation::trace;
use restate_sdk::context::{DurableFuture, RequestTarget};
use restate_sdk::prelude::{ContextClient, ContextPromises, ContextTimers, ContextWriteState};
use restate_sdk::prelude::{DurableFuturesUnordered, Json, TerminalError, WorkflowContext};
use serde_json::{Value, json};

use super::record::{LARGEST, part_name};
use crate::client::ASKS;
use crate::host::{Arrival, DecisionPlace, RunCancelled, RunHost, Standing};
use crate::wire;

type Waiting<'c> = Pin<Box<dyn DurableFuture<Output = Arrival> + Send + 'c>>;

/// The journal of a run.
pub(super) struct RunJournal<'c> {
    ctx: &'c WorkflowContext<'c>,
    run: String,
    /// What its target needs of the world, for those who answer.
    wiring: Value,
    waiting: DurableFuturesUnordered<Waiting<'c>>,
    /// What happened without the engine.
    ready: VecDeque<Arrival>,
    /// How many parts of the record are written.
    parts: u64,
    /// When the last event happened that was told, in the time of the run.
    at: u64,
    standing: Option<Value>,
}

/// The code of an invocation that was cancelled.
const CANCELLED: u16 = 409;
/// How large a part of a record is, about.
const PART: usize = 1024 * 1024;

impl<'c> RunJournal<'c> {
    pub(super) fn new(ctx: &'c WorkflowContext<'c>, run: String, wiring: Value) -> RunJournal<'c> {
        RunJournal {
            ctx,
            run,
            wiring,
            waiting: DurableFuturesUnordered::new(),
            ready: VecDeque::new(),
            parts: 0,
            at: 0,
            standing: None,
        }
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
        // The key is the same whenever the question is put to the world.
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
        self.waiting.push(Box::pin(call.call().map(move |answered| answered_as(id, answered))));
    }

    fn wake_in(&mut self, after: Millis, due: Millis) {
        let sleep = self.ctx.sleep(Duration::from_millis(after.0));
        self.waiting.push(Box::pin(sleep.map(move |_| Arrival::Woken { due })));
    }

    fn wait_for(&mut self, place: DecisionPlace) {
        let promise = self.ctx.promise::<Json<Value>>(interned(&place.word()));
        self.waiting.push(Box::pin(promise.map(move |taken| decided_as(place, taken))));
    }

    async fn next(&mut self) -> Result<Arrival, RunCancelled> {
        if let Some(arrival) = self.ready.pop_front() {
            return Ok(arrival);
        }
        match self.waiting.next().await {
            Ok(Some((_, arrival))) => Ok(arrival),
            // The loop does not ask where nothing is waited for.
            Ok(None) | Err(_) => Err(RunCancelled),
        }
    }

    fn tell(&mut self, standing: &Standing, events: Vec<Value>) {
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
        let mut told = standing.to_json();
        if let Value::Object(members) = &mut told {
            members.insert("at".to_owned(), self.at.into());
        }
        if self.standing.as_ref() != Some(&told) {
            self.ctx.set("standing", Json(told.clone()));
            self.standing = Some(told);
        }
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

fn decided_as(place: DecisionPlace, taken: Result<Json<Value>, TerminalError>) -> Arrival {
    let taken = taken.map(Json::into_inner).unwrap_or_default();
    let at = taken.get("at").and_then(Value::as_u64).unwrap_or_default();
    let decision = taken.get("decision").and_then(trace::decision);
    // Decisions are checked before they are taken.
    let decision = decision.unwrap_or_else(|| nodewise_engine::ask::Decision {
        word: "rejected".into(),
        data: None,
        updates: nodewise_expr::value::Map::new(),
        after: Millis::ZERO,
    });
    Arrival::Decided { place, decision, at }
}

/// A name that lives as long as the program, as the engine's promises want it: one of each, and there are as many as the longest run
/// has questions.
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
