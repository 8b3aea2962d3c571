//! Asks the person at the terminal.
//!
//! Input: what a run waits for. Output: a decision. Invariant: an empty line or the end of the input decides nothing,
//! and the run waits.

use std::io::{BufRead, IsTerminal};
use std::sync::Arc;

use futures::future::BoxFuture;
use nodewise_engine::ask::Decision;
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::Map;
use nodewise_live::driver::ANSWER;
use nodewise_live::people::{Matter, People, Topic};

use super::decisions::{APPROVED, REJECTED, json_or_text};
use super::display::Display;

/// The user at the terminal.
pub(super) struct Terminal {
    display: Arc<Display>,
}

impl Terminal {
    /// The user, who also sees the display.
    pub(super) fn new(display: Arc<Display>) -> Terminal {
        Terminal { display }
    }

    /// Whether there is a user to ask.
    pub(super) fn is_there() -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }
}

impl People for Terminal {
    fn decide(&self, matter: Matter) -> BoxFuture<'static, Option<Decision>> {
        let display = self.display.clone();
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || display.ask(|| ask(&matter)));
            asked.await.ok().flatten()
        })
    }
}

/// Asks on standard error, and reads a line of standard input.
fn ask(matter: &Matter) -> (String, fn() -> Option<Decision>) {
    let mut text = format!("`{}` asks: {}", matter.node, words(&matter.question));
    if let Some(review) = matter.review.as_ref().filter(|review| !review.is_null()) {
        text.push_str(&format!("\n{review:#}"));
    }
    match matter.topic {
        Topic::Approval => {
            text.push_str("\n[a]pprove, [r]eject, or a word of your own, then JSON or text if you like; an empty line keeps the run waiting");
            (text, read)
        }
        Topic::Again => {
            text.push_str(
                "\n[y]es, [n]o: it fails, or its result as JSON; an empty line keeps the run waiting",
            );
            (text, read_again)
        }
    }
}

fn words(question: &serde_json::Value) -> String {
    question.as_str().map_or_else(|| format!("{question:#}"), str::to_owned)
}

fn read() -> Option<Decision> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let word = match word {
        "" => return None,
        "a" | "approve" | "y" | "yes" => APPROVED,
        "r" | "reject" | "n" | "no" => REJECTED,
        other => other,
    };
    let data = (!rest.trim().is_empty()).then(|| from_json(json_or_text(rest.trim())));
    Some(Decision { word: word.into(), data, updates: Map::new(), after: Millis::ZERO })
}

/// Whether a call is made again. A result must be JSON, so that a misspelt answer does not become one.
fn read_again() -> Option<Decision> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    let (word, data) = match line.trim() {
        "y" | "yes" => (APPROVED, None),
        "n" | "no" => (REJECTED, None),
        other => (ANSWER, Some(from_json(serde_json::from_str(other).ok()?))),
    };
    Some(Decision { word: word.into(), data, updates: Map::new(), after: Millis::ZERO })
}
