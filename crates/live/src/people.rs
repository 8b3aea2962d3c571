//! What people decide while a graph runs.
//!
//! Input: a matter: where the run stands, and what is asked. Output: a decision, or none for now; it can be given when the run is
//! resumed. Invariant: nobody decides in a person's place.

use futures::future::BoxFuture;
use nodewise_engine::ask::{Ask, Decision, Question};
use nodewise_engine::event::{AskId, Event, EventKind};
use nodewise_engine::outcome::Outcome;
use nodewise_expr::json::to_json;
use nodewise_simulation::recording::LogIndex;
use nodewise_simulation::render::json::question;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

/// A question for a person: something that only people can decide.
#[derive(Debug, Clone, PartialEq)]
pub struct Matter {
    /// The number of the question; `None` if the whole run waits.
    pub ask: Option<AskId>,
    /// The node that asks.
    pub node: SmolStr,
    /// The question itself, as a text or as data.
    pub question: Json,
    /// The part of the state that is shown to the person.
    pub review: Option<Json>,
    /// Whether the graph asks, or nodewise asks about a repeated call.
    pub topic: Topic,
}

/// The two reasons to ask a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// The graph asks a person.
    Approval,
    /// Whether to repeat a call that was made before and may have had its effect.
    Again,
}

/// Someone who can answer the questions that a run has for people.
pub trait People: Send + Sync {
    /// Asks for a decision. The result is `None` if nobody is there to decide now. Dropping the future takes the question back.
    fn decide(&self, matter: Matter) -> BoxFuture<'static, Option<Decision>>;
}

/// The keys under which the data of a pause has the question for a person, and what to show.
const PROMPT: &str = "prompt_message";
const REVIEW: &str = "review_data";

/// Nobody is there to decide, so every question stays open.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl People for Nobody {
    fn decide(&self, _matter: Matter) -> BoxFuture<'static, Option<Decision>> {
        Box::pin(std::future::ready(None))
    }
}

impl Matter {
    /// The matter as JSON, for programs.
    #[must_use]
    pub fn to_json(&self) -> Json {
        json!({"node": self.node.as_str(), "question": self.question, "review": self.review})
    }

    /// The matter as the store keeps it. `events` is the number of events that the run has: it distinguishes equal pauses of one
    /// run.
    #[must_use]
    pub fn to_stored(&self, events: usize) -> Json {
        let mut stored = self.to_json();
        let (name, number) = match self.ask {
            Some(ask) => ("ask", json!(ask.0)),
            None => ("pause", json!(events)),
        };
        if let Some(members) = stored.as_object_mut() {
            members.insert(name.to_owned(), number);
            if self.topic == Topic::Again {
                members.insert("again".to_owned(), json!(true));
            }
        }
        stored
    }

    /// The matters of a run with this number of events, as the store keeps them.
    pub(crate) fn all_stored(matters: &[Matter], events: usize) -> Json {
        matters.iter().map(|matter| matter.to_stored(events)).collect()
    }

    /// The matter of a question to a person; `None` for other questions.
    #[must_use]
    pub fn of_question(id: AskId, ask: &Ask) -> Option<Matter> {
        let Question::Human(human) = &ask.what else { return None };
        Some(Matter {
            ask: Some(id),
            node: ask.node.clone(),
            question: Json::from(human.prompt.as_str()),
            review: Some(to_json(&human.review)),
            topic: Topic::Approval,
        })
    }

    /// The matter that asks whether to repeat a call that may have had its effect.
    #[must_use]
    pub fn of_call(id: AskId, ask: &Ask) -> Matter {
        Matter {
            ask: Some(id),
            node: ask.node.clone(),
            question: format!("{} may have had its effect. Call it again?", called(ask)).into(),
            review: Some(question(&ask.what)),
            topic: Topic::Again,
        }
    }

    /// The matter of a paused run: the question of its last pause, or the outcome if the log has no pause.
    #[must_use]
    pub fn of_pause(log: &[Event], outcome: &Outcome) -> Matter {
        let pause = log.iter().rev().find_map(|event| match &event.kind {
            EventKind::Paused { visit, question } => Some((*visit, question)),
            _ => None,
        });
        let mut cast = LogIndex::default();
        log.iter().for_each(|event| cast.apply(event));
        let node = pause.and_then(|(visit, _)| cast.visit(visit)).map(|visit| visit.node.clone());
        let (question, review) = parted(to_json(pause.map_or(&outcome.output, |(_, question)| question)));
        Matter { ask: None, node: node.unwrap_or_default(), question, review, topic: Topic::Approval }
    }
}

/// Describes a call, for messages about repeating it.
#[must_use]
pub fn called(ask: &Ask) -> String {
    match &ask.what {
        Question::Tool(tool) => format!("the call of the tool `{}`", tool.tool),
        other => format!("the call for a {}", other.noun()),
    }
}

/// Separates the question of a pause from what the person is shown. A runtime may have both in one mapping.
fn parted(asked: Json) -> (Json, Option<Json>) {
    match asked {
        Json::Object(mut parts) if parts.get(PROMPT).is_some_and(Json::is_string) => {
            let review = parts.remove(REVIEW);
            (parts.remove(PROMPT).unwrap_or_default(), review)
        }
        other => (other, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pause_reports_and_what_it_shows_are_distinguished() {
        let whole =
            json!({"node_id": "look", "prompt_message": "Send it?", "review_data": {"letter": "Dear all."}});
        assert_eq!(parted(whole), (json!("Send it?"), Some(json!({"letter": "Dear all."}))));
        assert_eq!(parted(json!({"prompt_message": "Send it?"})), (json!("Send it?"), None));
        for other in [json!({"node_id": "gate", "policy_gate": true}), json!("Well?"), json!(null)] {
            assert_eq!(parted(other.clone()), (other, None));
        }
    }
}
