//! Asks the person at the editor.
//!
//! Input: what a run waits for. Output: a message with the decisions as its buttons, and the choice. Invariant: if the
//! user closes the message, nothing is decided and the run waits.

use std::sync::Arc;

use futures::future::BoxFuture;
use nodewise_engine::ask::Decision;
use nodewise_engine::time::Millis;
use nodewise_expr::value::Map;
use nodewise_live::people::{Matter, People, Topic};
use serde_json::Value;

use crate::editor::{Editor, Level};

/// The person at the editor.
pub(super) struct AtEditor {
    editor: Arc<dyn Editor>,
}

const CHOICES: &[&str] = &[APPROVE, REJECT, "Later"];
const CHOICES_AGAIN: &[&str] = &[AGAIN, FAIL, "Later"];
const AGAIN: &str = "Call It Again";
const FAIL: &str = "Let It Fail";
const APPROVE: &str = "Approve";
const REJECT: &str = "Reject";
/// The maximum number of characters that a message shows of the data to review.
const REVIEW_MAX: usize = 1500;

impl AtEditor {
    pub(super) fn new(editor: Arc<dyn Editor>) -> AtEditor {
        AtEditor { editor }
    }
}

impl People for AtEditor {
    fn decide(&self, matter: Matter) -> BoxFuture<'static, Option<Decision>> {
        let choices = match matter.topic {
            Topic::Approval => CHOICES,
            Topic::Again => CHOICES_AGAIN,
        };
        let chosen = self.editor.ask(Level::Note, message(&matter), choices);
        Box::pin(async move {
            let word = match chosen.await?.as_str() {
                APPROVE | AGAIN => "approved",
                REJECT | FAIL => "rejected",
                _ => return None,
            };
            Some(Decision { word: word.into(), data: None, updates: Map::new(), after: Millis::ZERO })
        })
    }
}

/// A text from outside, without characters that could disguise it as another text.
fn printable(text: &str) -> String {
    let is_odd = |one: char| {
        (one.is_control() && one != '\n') || matches!(one, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|one| if is_odd(one) { '\u{fffd}' } else { one }).collect()
}

fn message(matter: &Matter) -> String {
    let question = matter.question.as_str().map_or_else(|| format!("{:#}", matter.question), str::to_owned);
    let mut text = format!("`{}` asks: {question}", matter.node);
    if let Some(review) = matter.review.as_ref().filter(|review| !is_nothing(review)) {
        let review = format!("{review:#}");
        let shown: String = review.chars().take(REVIEW_MAX).collect();
        let rest = if shown.len() < review.len() { " …" } else { "" };
        text.push_str(&format!("\n{shown}{rest}"));
    }
    printable(&text)
}

fn is_nothing(review: &Value) -> bool {
    review.is_null() || review.as_object().is_some_and(serde_json::Map::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_shows_the_question_and_a_part_of_what_it_is_about() {
        let topic = Topic::Approval;
        let matter =
            |question: Value, review| Matter { ask: None, node: "ok".into(), question, review, topic };
        assert_eq!(message(&matter(json!("Send\u{1b}[2J it?"), None)), "`ok` asks: Send\u{fffd}[2J it?");
        assert_eq!(message(&matter(json!("Send it?"), Some(json!({})))), "`ok` asks: Send it?");
        let long = message(&matter(json!({"why": 1}), Some(json!("é".repeat(REVIEW_MAX + 9)))));
        assert!(long.starts_with("`ok` asks: {\n  \"why\": 1\n}\n\"éé") && long.ends_with("é …"), "{long}");
    }
}
