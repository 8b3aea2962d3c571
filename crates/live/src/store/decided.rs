//! Decisions that people give while no process drives their run: kept with who gave them and when, until the run continues.
//!
//! Input: the question that a waiting run has, a decision. Output: the decision as an event of the store. Invariant: a question is
//! decided once, and a decision counts for no other question than the one that the person saw.

use anyhow::Result;
use nodewise_engine::ask::Decision;
use nodewise_engine::event::AskId;
use nodewise_simulation::render::json::decision as decision_to_json;
use nodewise_simulation::trace::decision as read_decision;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::clock::Moment;
use super::id::{RunId, hash};
use super::{RunStatus, Store, StoredEvent, refuse_ended};
use crate::people::Topic;

/// The event of a decision. Only the store writes it, never the kernel.
const DECIDED: &str = "decided";

/// A question that a waiting run has for people.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenQuestion {
    /// Identifies the question, also among equal questions of one run. It is a hash of the stored question.
    pub key: String,
    /// The node that asks.
    pub node: SmolStr,
    /// The number of the question; `None` if the whole run waits.
    pub ask: Option<AskId>,
    /// Whether the graph asks, or nodewise asks about a repeated call.
    pub topic: Topic,
    /// The question itself, as a text or as data.
    pub question: Json,
    /// The part of the state that is shown to the person.
    pub review: Option<Json>,
    /// Who decided it, if someone has decided and the run has not continued since.
    pub decided: Option<DecisionRecord>,
}

/// Who decided a question, when, and with which word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRecord {
    /// The name that the person gave.
    pub by: String,
    pub at: Moment,
    /// The word of the decision.
    pub word: SmolStr,
}

/// A decision that the store keeps for a run.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDecision {
    /// The key of the question.
    pub key: String,
    /// The node that asked.
    pub node: SmolStr,
    /// The number of the question; `None` if the whole run waited.
    pub ask: Option<AskId>,
    /// Whether the graph asked, or nodewise asked about a repeated call.
    pub topic: Topic,
    /// Who decided when.
    pub record: DecisionRecord,
    pub decision: Decision,
}

/// What [`Store::decide`] did with a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionResult {
    Kept(DecisionRecord),
    /// Someone decided earlier, and that decision counts.
    DecidedBefore(DecisionRecord),
    /// The run does not wait for this question any more.
    NotWaiting,
}

impl Store {
    /// Keeps a decision about a question of a waiting run. The run uses it when a process resumes the run.
    ///
    /// # Errors
    /// Where the run is not there, another process drives it, or it cannot be written.
    pub fn decide(
        &mut self,
        run: &RunId,
        key: &str,
        by: &str,
        decision: &Decision,
    ) -> Result<DecisionResult> {
        if !matches!(self.read(run)?.status, RunStatus::Waiting(_)) {
            return Ok(DecisionResult::NotWaiting);
        }
        let now = Moment::now();
        let record = DecisionRecord { by: by.to_owned(), at: now, word: decision.word.clone() };
        let result = self.write_run(run, |tx, row| {
            refuse_ended(row)?;
            let written = row.question.as_deref().filter(|_| row.standing == "waiting");
            let mut written: Json =
                written.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
            let found = written.as_array_mut().into_iter().flatten().find_map(|entry| {
                let question = OpenQuestion::of_json(entry).filter(|question| question.key == key)?;
                Some((entry, question))
            });
            let Some((entry, question)) = found else { return Ok(DecisionResult::NotWaiting) };
            if let Some(before) = question.decided {
                return Ok(DecisionResult::DecidedBefore(before));
            }
            put(entry, "decided", record.to_json());
            row.question = Some(written.to_string());
            let OpenQuestion { key, node, ask, topic, .. } = question;
            let kept =
                StoredDecision { key, node, ask, topic, record: record.clone(), decision: decision.clone() };
            row.add_event(tx, now, &kept.to_json())?;
            Ok(DecisionResult::Kept(record))
        });
        self.let_go(run);
        result
    }
}

impl OpenQuestion {
    /// The open questions of a waiting run; empty for any other status.
    #[must_use]
    pub fn all(status: &RunStatus) -> Vec<OpenQuestion> {
        let RunStatus::Waiting(questions) = status else { return Vec::new() };
        let questions = questions.as_array().into_iter().flatten();
        questions.filter_map(OpenQuestion::of_json).collect()
    }

    fn of_json(entry: &Json) -> Option<OpenQuestion> {
        let members = entry.as_object()?;
        let asked: Vec<(&String, &Json)> = members.iter().filter(|(name, _)| *name != "decided").collect();
        let basis = serde_json::to_string(&asked).ok()?;
        Some(OpenQuestion {
            key: format!("{:016x}", hash(&[basis.as_bytes()])),
            node: entry.get("node")?.as_str()?.into(),
            ask: ask_of(entry),
            topic: topic_of(entry),
            question: entry.get("question").cloned().unwrap_or_default(),
            review: entry.get("review").filter(|review| !review.is_null()).cloned(),
            decided: entry.get("decided").and_then(DecisionRecord::of_json),
        })
    }
}

impl DecisionRecord {
    fn to_json(&self) -> Json {
        json!({"by": self.by, "at": self.at.0, "word": self.word.as_str()})
    }

    fn of_json(json: &Json) -> Option<DecisionRecord> {
        Some(DecisionRecord {
            by: json.get("by")?.as_str()?.to_owned(),
            at: Moment(json.get("at")?.as_i64()?),
            word: json.get("word")?.as_str()?.into(),
        })
    }
}

impl StoredDecision {
    fn to_json(&self) -> Json {
        let mut event = json!({
            "event": DECIDED, "question": self.key, "node": self.node.as_str(), "by": self.record.by,
            "decision": decision_to_json(&self.decision),
        });
        if let Some(ask) = self.ask {
            put(&mut event, "ask", json!(ask.0));
        }
        if self.topic == Topic::Again {
            put(&mut event, "again", json!(true));
        }
        event
    }

    /// Reads an event; `None` if it is not a decision.
    pub(super) fn of_event(stored: &StoredEvent) -> Option<StoredDecision> {
        let event = &stored.event;
        if event.get("event")?.as_str()? != DECIDED {
            return None;
        }
        let decision = read_decision(event.get("decision")?)?;
        Some(StoredDecision {
            key: event.get("question")?.as_str()?.to_owned(),
            node: event.get("node")?.as_str()?.into(),
            ask: ask_of(event),
            topic: topic_of(event),
            record: DecisionRecord {
                by: event.get("by")?.as_str()?.to_owned(),
                at: stored.stored,
                word: decision.word.clone(),
            },
            decision,
        })
    }

    /// Whether this event of the run shows that the run continued with the decision.
    pub(super) fn is_used_by(&self, event: &Json) -> bool {
        match (event.get("event").and_then(Json::as_str), self.ask) {
            (Some("answered"), Some(ask)) => ask_of(event) == Some(ask),
            (Some("resumed"), None) => true,
            _ => false,
        }
    }
}

fn ask_of(entry: &Json) -> Option<AskId> {
    Some(AskId(u32::try_from(entry.get("ask")?.as_u64()?).ok()?))
}

fn topic_of(entry: &Json) -> Topic {
    if entry.get("again") == Some(&Json::Bool(true)) { Topic::Again } else { Topic::Approval }
}

fn put(entry: &mut Json, name: &str, value: Json) {
    if let Some(members) = entry.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}
