//! The waiting runs of an engine, for the page on which people decide.
//!
//! Input: an engine. Output: its runs that wait, and decisions that it keeps. Invariant: a decision is kept by the engine before it is
//! confirmed, and it counts for no other question than the one that the person saw.

use anyhow::Result;
use nodewise_engine::ask::Decision;
use nodewise_live::decisions::{FoundQuestion, QuestionState, RunFacts, WaitingRun, WaitingRuns};
use nodewise_live::driver::Taken;
use nodewise_live::store::{DecisionResult, Moment, OpenQuestion, RunId, RunStatus};
use serde_json::Value as Json;

use crate::client::{DecisionAnswer, ListedRun, RunStanding};
use crate::engine::Engine;
use crate::follow::{matter_of, place_of};
use crate::host::DecisionPlace;

/// The waiting runs of an engine, for the page on which people decide.
#[derive(Debug)]
pub struct EngineRuns(pub Engine);

impl WaitingRuns for EngineRuns {
    fn list(&self) -> Result<Vec<WaitingRun>> {
        let runs = self.0.list()?.into_iter();
        Ok(runs.filter(|run| !run.matters.is_empty()).map(waiting).collect())
    }

    fn find(&self, run: &str, key: &str) -> Result<Option<FoundQuestion>> {
        let Some((id, place)) = id_of(run).zip(DecisionPlace::of_word(key)) else { return Ok(None) };
        let Some(standing) = self.0.standing(&id, Some(&place.word()))? else { return Ok(None) };
        let RunStanding { title, name, begun, status, matters, decided, .. } = standing;
        let open = matters.iter().filter_map(question).find(|question| question.key == key);
        let state = match (decided, open) {
            (Some(record), _) => QuestionState::Decided(record),
            (None, Some(question)) => QuestionState::Open(Box::new(question)),
            (None, None) => QuestionState::Closed,
        };
        Ok(Some(FoundQuestion { run: RunFacts { id: id.to_string(), title, name, begun, status }, state }))
    }

    fn decide(&self, run: &str, key: &str, by: &str, decision: &Decision) -> Result<DecisionResult> {
        let Some(id) = id_of(run) else { return Ok(DecisionResult::NotWaiting) };
        let taken = Taken { node: None, ask: None, decision: decision.clone() };
        Ok(match self.0.decide(&id, &taken, Some(key), by)? {
            DecisionAnswer::Kept(record) => DecisionResult::Kept(record),
            DecisionAnswer::DecidedBefore(record) => DecisionResult::DecidedBefore(record),
            DecisionAnswer::NotWaiting(_) => DecisionResult::NotWaiting,
        })
    }
}

/// The id of a run, if it has the form of ids on engines.
fn id_of(run: &str) -> Option<RunId> {
    RunId::of_text(run).filter(RunId::is_unique)
}

fn waiting(run: ListedRun) -> WaitingRun {
    let questions = run.matters.iter().filter_map(question).collect();
    let facts = RunFacts {
        id: run.id.to_string(),
        title: run.title,
        name: run.name,
        begun: run.begun.unwrap_or(Moment(0)),
        status: RunStatus::Waiting(Json::Array(run.matters)),
    };
    WaitingRun { facts, questions }
}

/// An open question as the page needs it. Its place identifies it among the questions of the run.
pub(crate) fn question(written: &Json) -> Option<OpenQuestion> {
    let (key, matter) = (place_of(written), matter_of(written));
    let ask = match DecisionPlace::of_word(&key)? {
        DecisionPlace::Ask(id) | DecisionPlace::Again(id) => Some(id),
        DecisionPlace::Pause(_) => None,
    };
    Some(OpenQuestion {
        key,
        node: matter.node,
        ask,
        topic: matter.topic,
        question: matter.question,
        review: matter.review,
        decided: None,
    })
}

#[cfg(test)]
mod tests {
    use nodewise_live::people::Topic;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_question_is_known_by_its_place() {
        let read = |place: &str| {
            question(
                &json!({"place": place, "node": "ask", "question": "Go on?", "again": place == "again-7"}),
            )
        };
        let pause = read("pause-2").map(|question| (question.key, question.ask, question.topic));
        assert_eq!(pause, Some(("pause-2".to_owned(), None, Topic::Approval)));
        let again = read("again-7").map(|question| (question.ask.map(|ask| ask.0), question.topic));
        assert_eq!(again, Some((Some(7), Topic::Again)));
        for unknown in ["", "pause", "pause-", "pause-02", "sleep-1", "ask--1"] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
    }
}
