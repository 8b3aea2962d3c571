//! How runs of an engine stand, without what happened in them.
//!
//! Input: what a worker tells of a run. Output: the status as a store would have it, the questions, and who decided one of them.

use nodewise_live::store::{DecisionRecord, Moment, RunId, RunStatus};
use serde_json::Value as Json;

use crate::wire;

#[derive(Debug, Clone, PartialEq)]
pub struct RunStanding {
    pub id: RunId,
    /// A description of what runs.
    pub title: String,
    /// The name that the user gave the run.
    pub name: Option<String>,
    pub begun: Moment,
    pub status: RunStatus,
    /// The open questions that it waits for, as JSON.
    pub matters: Vec<Json>,
    /// Who decided at the place that was asked about; `None` if nobody did.
    pub decided: Option<DecisionRecord>,
}

/// What the engine did with a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionAnswer {
    /// The engine keeps the decision.
    Kept(DecisionRecord),
    /// Someone decided earlier, and that decision counts.
    DecidedBefore(DecisionRecord),
    /// The run does not wait for this decision, for this reason.
    NotWaiting(String),
}

impl RunStanding {
    pub(super) fn of_record(id: &RunId, record: &Json) -> Option<RunStanding> {
        let (standing, about) = (record.get("standing")?, record.get("about")?);
        let begun = Moment(about.get("began")?.as_i64()?);
        Some(RunStanding {
            id: id.clone(),
            title: about.get("title")?.as_str()?.to_owned(),
            name: about.get("name").and_then(Json::as_str).map(str::to_owned),
            begun,
            status: status_of(standing, begun)?.0,
            matters: standing.get("matters").and_then(Json::as_array).cloned().unwrap_or_default(),
            decided: record.get("decided").and_then(wire::decision_record),
        })
    }
}

/// The status as the local store writes it, and why workers refused the run, if they did.
pub(super) fn status_of(standing: &Json, begun: Moment) -> Option<(RunStatus, Option<String>)> {
    let text = |key: &str| standing.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let at = standing.get("at").and_then(Json::as_i64).unwrap_or_default();
    let ended = |outcome: &str, summary: String| {
        let at = Moment(begun.0.saturating_add(at));
        RunStatus::Ended { at, outcome: outcome.to_owned(), summary }
    };
    let status = match standing.get("status")?.as_str()? {
        "running" => RunStatus::Running,
        "waiting" => RunStatus::Waiting(standing.get("matters").cloned().unwrap_or_default()),
        "ended" => ended(&text("outcome"), text("summary")),
        "cancelled" => ended("cancelled", "cancelled".to_owned()),
        "refused" => return Some((ended("refused", text("message")), Some(text("message")))),
        _ => return None,
    };
    Some((status, None))
}
