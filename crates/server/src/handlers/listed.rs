//! Runs in the list of the history, and the decorations of runs that are shown again.
//!
//! Input: what is known of a run. Output: an entry of the list, with how the run ended. Invariant: a text that has changed since
//! the run has no decorations.

use serde_json::{Value, json};

use crate::request::Asked;
use crate::runs::Ran;
use crate::view::ProjectView;

pub(crate) struct ListedRun {
    /// When a dry run ended, or a live run began, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The entry that the client gets.
    pub(crate) written: Value,
}

/// How a run ended, for a list with colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunResult {
    /// It completed, or met the expectations of its scenario.
    Good,
    /// It completed, but a step failed, or answers were made up.
    Doubtful,
    /// It failed, or was cancelled.
    Bad,
    /// It is not over.
    Open,
}

impl RunResult {
    fn as_str(self) -> &'static str {
        match self {
            RunResult::Good => "good",
            RunResult::Doubtful => "doubtful",
            RunResult::Bad => "bad",
            RunResult::Open => "open",
        }
    }
}

impl ListedRun {
    /// Adds the time and the result to an entry.
    pub(crate) fn new(at: i64, result: RunResult, mut written: Value) -> ListedRun {
        written["at"] = json!(at);
        written["result"] = json!(result.as_str());
        ListedRun { at, written }
    }

    /// Whether each word occurs in the entry. The words `live` and `dry` also fit the kind of the run.
    pub(crate) fn has(&self, words: &[String]) -> bool {
        let members = ["title", "summary", "status", "name", "tags", "run", "folder", "uri", "system"];
        let text = members.map(|member| self.written[member].to_string().to_lowercase()).join(" ");
        let kind = if self.written["isLive"] == true { "live" } else { "dry" };
        words.iter().all(|word| text.contains(word) || kind == word)
    }
}

/// The result for the status of a run. `is_doubtful` says that a step failed, or that answers were made up.
pub(crate) fn of_status(status: &str, is_doubtful: bool) -> RunResult {
    match status {
        "completed" if is_doubtful => RunResult::Doubtful,
        "completed" => RunResult::Good,
        "waiting" | "interrupted" | "running" => RunResult::Open,
        _ => RunResult::Bad,
    }
}

/// Removes the decorations of files whose texts are not those of the run any more.
pub(crate) fn keep_current(asked: &Asked<'_>, then: &ProjectView, ran: &mut Ran) {
    ran.files.retain(|ran| {
        let now = asked.view.file(&ran.uri).map(|now| now.facts);
        now.is_some_and(|now| {
            let source = then.snapshot.source(&now.path);
            source.and_then(|source| then.snapshot.file(source)).is_some_and(|then| then.text == now.text)
        })
    });
}
