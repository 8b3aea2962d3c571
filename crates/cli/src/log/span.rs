//! What the log knows about a span that is open.

use std::time::{Duration, Instant};

/// What is known about a span.
#[derive(Debug)]
pub(crate) struct SpanFacts {
    /// The time when it began.
    pub(crate) began: Instant,
    /// Its fields.
    pub(crate) words: String,
    /// Whether it is expected to take long.
    pub(crate) is_long: bool,
    /// Whether it waited for an event, so its duration has no meaning.
    pub(crate) has_waited: bool,
    /// The slowest rule inside of it, with its duration. `None` if no rule took long.
    pub(super) slowest: Option<(Duration, String)>,
}
