//! Reports for people.

use super::{Counts, Suite};
use crate::testing::{Ended, Mismatch, Tested};
use crate::words;

/// Each scenario with what does not hold.
#[must_use]
pub fn text(suites: &[Suite]) -> String {
    let mut out = String::new();
    for suite in suites {
        for tested in &suite.tests {
            scenario(suite, tested, &mut out);
        }
    }
    out
}

/// How many scenarios hold.
#[must_use]
pub fn summary(suites: &[Suite]) -> String {
    let counts = Counts::of(suites.iter().flat_map(|suite| &suite.tests));
    let noun = if counts.all() == 1 { "scenario" } else { "scenarios" };
    let mut line = format!("{} {noun}: {} passed", counts.all(), counts.passed);
    for (count, word) in [(counts.failed, "failed"), (counts.broken, "could not run")] {
        if count > 0 {
            line.push_str(&format!(", {count} {word}"));
        }
    }
    line.push('\n');
    line
}

fn scenario(suite: &Suite, tested: &Tested, out: &mut String) {
    let word = match (&tested.ended, tested.is_passed()) {
        (Err(_), _) => "error",
        (_, true) => "ok",
        (_, false) => "FAILED",
    };
    let place = suite.place(&tested.place);
    let ended = tested.ended.as_ref().map(|ended| format!("  ({})", in_words(ended))).unwrap_or_default();
    out.push_str(&format!("{word:<6}  {place}  {}{ended}\n", tested.title));
    if let Err(reason) = &tested.ended {
        for line in reason.lines() {
            out.push_str(&format!("        {line}\n"));
        }
    }
    for mismatch in &tested.mismatches {
        explained(suite, mismatch, out);
    }
}

fn explained(suite: &Suite, mismatch: &Mismatch, out: &mut String) {
    let at = mismatch.at.as_ref().map(|at| format!("  {}", suite.place(at))).unwrap_or_default();
    out.push_str(&format!("        {}{at}\n", mismatch.message));
    for line in &mismatch.difference {
        out.push_str(&format!("            {line}\n"));
    }
    if let Some(node) = &mismatch.node {
        out.push_str(&format!("            at {}\n", suite.place(node)));
    }
}

/// "completed, 4 visits, 1.5 s, 20 tokens".
fn in_words(ended: &Ended) -> String {
    let visits = if ended.visits == 1 { "visit" } else { "visits" };
    let mut text = format!("{} {visits}, {}", ended.visits, words::time(ended.time));
    if let Some(spent) = words::usage(&ended.spent) {
        text.push_str(&format!(", {spent}"));
    }
    text
}
