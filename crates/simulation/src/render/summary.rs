//! A recording in one line: how it ended, after how many visits, how long it took and what it cost.
//!
//! Input: a recording; output: a line. Invariant: parts that say nothing are left out.

use super::text::in_words;
use crate::recording::Recording;
use crate::words;

/// The line: "completed in 7 steps · 120 ms · $0.003".
#[must_use]
pub fn summary(recording: &Recording) -> String {
    let visits = recording.visits().count();
    let steps = if visits == 1 { "1 step".to_owned() } else { format!("{visits} steps") };
    let outcome = words::shortened(&in_words(&recording.outcome), words::VALUE_MAX);
    let mut line = format!("{outcome} in {steps} · {}", words::time(recording.time));
    if recording.spent.cost_usd > 0.0 {
        line.push_str(&format!(" · ${}", words::money(recording.spent.cost_usd)));
    }
    line
}
