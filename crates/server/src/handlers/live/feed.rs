//! Sends what happens in a live run to a client that follows it.
//!
//! Input: events and parts of answers, as they come. Output: notifications, each with what came in a short time. Invariant:
//! everything is sent before the run's answer, the events of all notifications together are those of its trace, and the
//! run never waits for the client.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use nodewise_engine::event::{AskId, Event, EventKind};
use nodewise_simulation::log_parts::LogPartWriter;
use nodewise_simulation::render::json::usage;
use nodewise_simulation::run::Facts;
use serde_json::{Value, json};

use crate::editor::Editor;
use crate::handlers::simulate::written::{self, Locations};
use crate::request::File;
use crate::runs::growing::GrowingLogs;

/// What comes within this time is sent together.
const TOGETHER: Duration = Duration::from_millis(50);

/// Sends what happens in a run to the client that follows it. Without such a client, it sends nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Feed(Option<Sender<Item>>);

/// Ends the sending when it is dropped, so that the sending also ends if the run fails.
pub(super) struct FeedEnd(Feed);

/// The run that a client follows.
pub(super) struct Followed<'f> {
    /// The client's name for it.
    pub(super) follow: Value,
    /// The id of the run.
    pub(super) run: String,
    pub(super) logs: Arc<GrowingLogs>,
    /// Opens the file of its graph, whose project has the texts that the run uses. It is opened on the sending thread.
    pub(super) open: Box<dyn FnOnce() -> Option<File<'f>> + Send + 'f>,
}

/// Something to send.
#[derive(Debug)]
enum Item {
    Events(Vec<Event>),
    Part(AskId, String),
    Again(AskId, u64, String),
    End,
}

/// What is sent in one notification.
#[derive(Debug, Default)]
struct Batch {
    events: Vec<Event>,
    /// Parts of answers and repeated calls, each with its question.
    answers: Vec<(AskId, Value)>,
    is_last: bool,
}

impl Feed {
    /// Starts to send what happens in a run.
    pub(super) fn start<'scope, 'f: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        facts: &Facts,
        followed: Option<Followed<'f>>,
        editor: &Arc<dyn Editor>,
    ) -> (Feed, FeedEnd) {
        let Some(followed) = followed else { return (Feed::default(), FeedEnd(Feed::default())) };
        let (sender, items) = channel();
        let (facts, editor) = (facts.clone(), Arc::clone(editor));
        scope.spawn(move || {
            let Some(file) = (followed.open)() else { return };
            let mut locations = Locations::new(&file);
            let beginning = written::beginning(&facts, &mut locations);
            let (follow, run, logs) = (followed.follow, followed.run, followed.logs);
            let name = follow.to_string();
            let mut writer = LogPartWriter::new(&facts);
            let send =
                |batch: Batch, writer: &mut LogPartWriter, locations: &mut Locations<'_>, beginning| {
                    let mut part = batch.written(writer, locations);
                    part["follow"] = follow.clone();
                    part["run"] = json!(run);
                    if let Some(beginning) = beginning {
                        part["beginning"] = beginning;
                    }
                    editor.followed(part);
                };
            // Send the graph first, so that the client draws it before anything has happened.
            send(Batch::default(), &mut writer, &mut locations, Some(beginning));
            while let Some(batch) = Batch::next(&items) {
                let is_last = batch.is_last;
                if !batch.is_empty() {
                    // The client may ask for the state after an event as soon as it has the event.
                    logs.extend(&name, &batch.events);
                    send(batch, &mut writer, &mut locations, None);
                }
                if is_last {
                    break;
                }
            }
            logs.end(&name);
        });
        let feed = Feed(Some(sender));
        (feed.clone(), FeedEnd(feed))
    }

    /// Sends events that happened.
    pub(super) fn events(&self, events: &[Event]) {
        if self.0.is_some() && !events.is_empty() {
            self.send(Item::Events(events.to_vec()));
        }
    }

    /// Sends a part of a model's answer.
    pub(super) fn part(&self, ask: AskId, part: &str) {
        if self.0.is_some() {
            self.send(Item::Part(ask, part.to_owned()));
        }
    }

    /// Sends that a call will be repeated, after how many milliseconds and why.
    pub(super) fn again(&self, ask: AskId, wait_ms: u64, reason: &str) {
        if self.0.is_some() {
            self.send(Item::Again(ask, wait_ms, reason.to_owned()));
        }
    }

    fn send(&self, item: Item) {
        if let Some(sender) = &self.0 {
            // After the end, nobody follows.
            sender.send(item).ok();
        }
    }
}

impl Drop for FeedEnd {
    fn drop(&mut self) {
        self.0.send(Item::End);
    }
}

impl Batch {
    /// Waits for an item, and adds those that come within [`TOGETHER`]. `None` if no more can come.
    fn next(items: &Receiver<Item>) -> Option<Batch> {
        let mut batch = Batch::default();
        batch.take(items.recv().ok()?);
        let due = Instant::now() + TOGETHER;
        while !batch.is_last {
            match items.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(item) => batch.take(item),
                Err(_) => break,
            }
        }
        Some(batch)
    }

    fn take(&mut self, item: Item) {
        match item {
            Item::Events(events) => {
                for event in &events {
                    // A whole answer replaces its parts.
                    if let EventKind::Answered { ask, .. } = &event.kind {
                        self.answers.retain(|(of, _)| of != ask);
                    }
                }
                self.events.extend(events);
            }
            Item::Part(ask, part) => match self.answers.last_mut() {
                Some((of, Value::Object(written))) if *of == ask && written.contains_key("text") => {
                    if let Some(Value::String(text)) = written.get_mut("text") {
                        text.push_str(&part);
                    }
                }
                _ => self.answers.push((ask, json!({"ask": ask.0, "text": part}))),
            },
            Item::Again(ask, wait_ms, reason) => {
                self.answers
                    .push((ask, json!({"ask": ask.0, "again": {"waitMs": wait_ms, "reason": reason}})));
            }
            Item::End => self.is_last = true,
        }
    }

    fn is_empty(&self) -> bool {
        self.events.is_empty() && self.answers.is_empty()
    }

    fn written(self, writer: &mut LogPartWriter, locations: &mut Locations<'_>) -> Value {
        let mut part = writer.part(&self.events);
        for (event, place) in part.events.iter_mut().zip(part.places) {
            locations.mark(event, place);
        }
        let lines = part.lines.into_iter().map(|line| json!({"text": line.text, "event": line.event}));
        json!({
            "from": part.from,
            "events": part.events,
            "lines": lines.collect::<Vec<_>>(),
            "answers": self.answers.into_iter().map(|(_, answer)| answer).collect::<Vec<_>>(),
            "spent": usage(&part.spent),
            "locations": locations.take(),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use nodewise_engine::ask::{Answer, Reply};
    use nodewise_engine::time::Millis;
    use nodewise_expr::value::Value as Data;

    use super::*;

    fn answered(ask: u32) -> Item {
        let answer = Answer::now(Reply::Value(Data::Null));
        let kind = EventKind::Answered { ask: AskId(ask), answer: Arc::new(answer) };
        Item::Events(vec![Event { at: Millis::ZERO, kind }])
    }

    /// The answers of the batch that these items make.
    fn check_answers(items: Vec<Item>, expected: Value) {
        let (sender, received) = channel();
        items.into_iter().chain([Item::End]).for_each(|item| sender.send(item).unwrap());
        let batch = Batch::next(&received).unwrap();
        assert!(batch.is_last);
        let answers: Vec<Value> = batch.answers.into_iter().map(|(_, answer)| answer).collect();
        assert_eq!(Value::Array(answers), expected);
    }

    #[test]
    fn parts_of_an_answer_are_joined_and_a_whole_answer_replaces_them() {
        let part = |ask, text: &str| Item::Part(AskId(ask), text.to_owned());
        let again = || Item::Again(AskId(1), 500, "busy".to_owned());
        check_answers(
            vec![part(1, "De"), part(1, "ar"), part(2, "No"), part(1, "!")],
            json!([{"ask": 1, "text": "Dear"}, {"ask": 2, "text": "No"}, {"ask": 1, "text": "!"}]),
        );
        check_answers(
            vec![part(1, "De"), again(), part(1, "Dear")],
            json!([
                {"ask": 1, "text": "De"},
                {"ask": 1, "again": {"waitMs": 500, "reason": "busy"}},
                {"ask": 1, "text": "Dear"}
            ]),
        );
        check_answers(vec![part(1, "De"), part(2, "No"), answered(1)], json!([{"ask": 2, "text": "No"}]));
    }
}
