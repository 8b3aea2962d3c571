//! Other answers, and the runs that they lead to.
//!
//! Input: a position of a question or an answer, and another answer; output: a run whose log is the same up to the answer.
//! Invariant: the run that it branches off is kept, and no answer before the position is asked for again.

use nodewise_engine::ask::{Purpose, Question};
use nodewise_engine::event::{Event, EventKind};
use nodewise_simulation::timeline::Timeline;
use nodewise_simulation::trace::Replay;
use serde_json::{Value as Json, json};

use crate::branches::RunBranch;
use crate::debugger::{DebugStop, Debugger, StopReason};
use crate::lanes::Lanes;

/// So many steps are done before the log is looked at.
const STEPS_BETWEEN_LOOKS: usize = 64;

/// Why there is no fork.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForkError {
    /// Nothing is asked there.
    NoQuestion,
    /// The answer does not fit the question.
    BadAnswer(String),
}

impl Debugger {
    /// Gives another answer to the current question, or decision to the current pause: a fork, which becomes current.
    ///
    /// # Errors
    /// If nothing is asked at the position, or the answer cannot be read.
    pub fn answer(&mut self, text: &str) -> Result<DebugStop, ForkError> {
        let at = self.cursor().position;
        let answered = self.answered_at(at).ok_or(ForkError::NoQuestion)?;
        let log = self.timeline.log();
        let (before, event) = match (log.get(..answered), log.get(answered)) {
            (Some(before), Some(event)) => (before, event),
            _ => return Err(ForkError::NoQuestion),
        };
        let other = self.written(before, event, text);
        let replay = Replay::of(self.timeline.facts().seed, before)
            .otherwise(before, event, &other)
            .map_err(|fault| ForkError::BadAnswer(fault.message))?;
        let mut run = self.fresh();
        run.recall(replay);
        let mut timeline = self.timeline_of(&run);
        while timeline.log().len() <= answered + 1 && timeline.advance(1) {}
        let short = nodewise_simulation::words::time(event.at);
        let label = format!("{} at {short}: {}", self.what(answered), first_line(text));
        self.keep(timeline, label);
        self.breakpoints.cut(answered);
        Ok(self.jump(at, StopReason::Goto))
    }

    /// The position of the answer to what is asked at a position; a run that has not come there is driven to it.
    fn answered_at(&mut self, position: usize) -> Option<usize> {
        let asked = self.timeline.log().get(position)?.kind.clone();
        if matches!(asked, EventKind::Answered { .. } | EventKind::Resumed { .. }) {
            return Some(position);
        }
        let is_answer = |event: &Event| match (&asked, &event.kind) {
            (EventKind::Asked { ask, .. }, EventKind::Answered { ask: answered, .. }) => ask == answered,
            (EventKind::Paused { .. }, EventKind::Resumed { .. }) => true,
            _ => false,
        };
        let mut looked = position + 1;
        loop {
            let log = self.timeline.log();
            if let Some(found) = log.get(looked..)?.iter().position(is_answer) {
                return Some(looked + found);
            }
            looked = log.len();
            if self.is_over() {
                return None;
            }
            self.advance(STEPS_BETWEEN_LOOKS);
        }
    }

    /// An answer in the notation of traces: a text is what a model says, JSON is a value, the notation of traces is itself.
    fn written(&self, before: &[Event], event: &Event, text: &str) -> Json {
        let value: Option<Json> = serde_json::from_str(text).ok();
        if matches!(event.kind, EventKind::Resumed { .. }) {
            return match value {
                Some(Json::Object(decision)) if decision.contains_key("word") => Json::Object(decision),
                Some(Json::String(word)) => json!({ "word": word }),
                _ => json!({ "word": text }),
            };
        }
        let is_notation = |json: &Json| json.get("reply").is_some() || json.get("failure").is_some();
        if let Some(whole) = value.as_ref().filter(|json| is_notation(json)) {
            return whole.clone();
        }
        if let Some(reply) = value.as_ref().filter(|json| json.get("of").is_some_and(Json::is_string)) {
            return json!({ "reply": reply });
        }
        let asked = before.iter().rev().find_map(|asked| match (&asked.kind, &event.kind) {
            (EventKind::Asked { ask, what, .. }, EventKind::Answered { ask: answered, .. })
                if ask == answered =>
            {
                Some(&what.what)
            }
            _ => None,
        });
        match (asked, value) {
            (Some(Question::Model(model)), Some(value))
                if model.purpose != Purpose::Work || !value.is_string() =>
            {
                json!({ "reply": { "of": "model", "text": "", "value": value, "calls": [] } })
            }
            (Some(Question::Model(_)), Some(Json::String(said))) => {
                json!({ "reply": { "of": "model", "text": said, "calls": [] } })
            }
            (Some(Question::Model(_)), _) => json!({ "reply": { "of": "model", "text": text, "calls": [] } }),
            (Some(Question::Human(_)), value) => {
                let word = value.as_ref().and_then(Json::as_str).unwrap_or(text);
                json!({ "reply": { "of": "decision", "decision": { "word": word } } })
            }
            (_, Some(value)) => json!({ "reply": { "of": "value", "value": value } }),
            (_, None) => json!({ "reply": { "of": "value", "value": text } }),
        }
    }

    /// Makes a run the current one, and keeps the one that was.
    fn keep(&mut self, timeline: Timeline, label: String) {
        let mut lanes = Lanes::default();
        lanes.extend(timeline.log(), timeline.moments());
        let cursor = self.cursor();
        let old = (
            std::mem::replace(&mut self.timeline, timeline),
            std::mem::replace(&mut self.lanes, lanes),
            cursor,
        );
        if let Some(branch) = self.branches.get_mut(self.current) {
            branch.kept = Some(old);
        }
        self.branches.push(RunBranch { label, kept: None });
        self.current = self.branches.len() - 1;
    }

    /// The branches, in the order in which they began, each with whether it is the current one.
    pub fn branches(&self) -> impl Iterator<Item = (&str, bool)> {
        let current = self.current;
        self.branches
            .iter()
            .enumerate()
            .map(move |(number, branch)| (branch.label.as_str(), number == current))
    }

    /// Continues with another branch; `None` if there is none of that number, from 0.
    pub fn switch(&mut self, number: usize) -> Option<DebugStop> {
        if number == self.current {
            return Some(self.jump(self.cursor().position, StopReason::Goto));
        }
        let (timeline, lanes, cursor) = self.branches.get_mut(number)?.kept.take()?;
        let own = self.cursor();
        let old =
            (std::mem::replace(&mut self.timeline, timeline), std::mem::replace(&mut self.lanes, lanes), own);
        if let Some(branch) = self.branches.get_mut(self.current) {
            branch.kept = Some(old);
        }
        self.current = number;
        self.breakpoints.cut(0);
        Some(self.jump(cursor.position, StopReason::Goto))
    }
}

fn first_line(text: &str) -> String {
    let line: String = text.lines().next().unwrap_or_default().chars().take(40).collect();
    line
}
