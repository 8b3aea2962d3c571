//! Requests that only tests send, answered if the client asked for `debug` when it introduced itself.
//!
//! Input: what to try. Output: what the server holds. Invariant: without `debug` they are unknown methods.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::backend::Asked;

/// What to try.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", tag = "what")]
pub(crate) enum Trial {
    /// Give the text of a document.
    Text {
        /// Its URI.
        uri: String,
    },
    /// Panic.
    Panic,
    /// Work for so long, unless cancelled.
    Work {
        /// How long.
        milliseconds: u64,
        /// About which document.
        #[serde(default)]
        uri: String,
    },
    /// How many works were cancelled.
    Cancelled,
}

/// The method.
pub(crate) const METHOD: &str = "nodewise/debug";

impl Trial {
    /// The document that it is about.
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
        #[expect(clippy::panic, reason = "a test asks for it, to see the server live on")]
        // INVARIANT: reached only by a test that asks for it.
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
