//! A recording in one line: how it ended, after how many visits, how long it took and what it cost.
//!
//! Input: a recording; output: a line. Invariant: parts that say nothing are left out.

use nodewise_engine::outcome::Status;

use super::text::in_words;
use crate::recording::Recording;
use crate::words;

/// The line: "completed in 7 steps · 120 ms · $0.003", "completed, 1 step failed, in 7 steps · 120 ms".
#[must_use]
pub fn summary(recording: &Recording) -> String {
    let visits = recording.visits().count();
    let steps = if visits == 1 { "1 step".to_owned() } else { format!("{visits} steps") };
    let outcome = words::shortened(&in_words(&recording.outcome), words::VALUE_MAX);
    let failed = match recording.failed_steps() {
        _ if recording.outcome.status != Status::Completed => String::new(),
        0 => String::new(),
        1 => ", 1 step failed,".to_owned(),
        count => format!(", {count} steps failed,"),
    };
    let mut line = format!("{outcome}{failed} in {steps} · {}", words::time(recording.time));
    if recording.spent.cost_usd > 0.0 {
        line.push_str(&format!(" · ${}", words::money(recording.spent.cost_usd)));
    }
    line
}
