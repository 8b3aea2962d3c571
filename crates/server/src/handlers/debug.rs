//! Requests that only tests send. The server answers them if the client asked for `debug` in `initialize`.
//!
//! Input: what to try. Output: the state of the server. Invariant: without `debug`, these methods are unknown.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::request::Asked;

/// What a test wants the server to do.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", tag = "what")]
pub(crate) enum Trial {
    /// Return the text of a document.
    Text {
        uri: String,
    },
    Panic,
    /// Work for some time, unless cancelled.
    Work {
        /// How long to work, in milliseconds.
        milliseconds: u64,
        /// The document that the work is about.
        #[serde(default)]
        uri: String,
    },
    /// Return how many requests were cancelled.
    Cancelled,
}

pub(crate) const METHOD: &str = "nodewise/debug";

impl Trial {
    /// The document of the request.
    pub(crate) fn uri(&self) -> &str {
        match self {
            Trial::Text { uri } | Trial::Work { uri, .. } => uri,
            Trial::Panic | Trial::Cancelled => "",
        }
    }
}

/// `nodewise/debug`
pub(crate) fn debug(asked: &Asked<'_>, trial: Trial) -> Value {
    match trial {
        Trial::Text { uri } => asked
            .view
            .documents
            .get(&*uri)
            .map_or(Value::Null, |document| json!({"text": &*document.text, "version": document.version})),
        #[expect(clippy::panic, reason = "a test asks for it, to check that the server survives")]
        // INVARIANT: only a test that asks for it reaches this line.
        Trial::Panic => panic!("a test asked for this panic"),
        Trial::Work { milliseconds, .. } => {
            let end = Instant::now() + Duration::from_millis(milliseconds);
            while Instant::now() < end {
                if asked.cancel.is_cancelled() {
                    return Value::Null;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            json!("done")
        }
        Trial::Cancelled => json!(asked.given_up),
    }
}
