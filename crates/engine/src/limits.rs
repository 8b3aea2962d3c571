//! What the simulator itself allows a run, beside what the simulated system allows it: a run always ends.

use crate::time::Millis;

/// The most that a run may use. A run that exceeds it ends with [`crate::outcome::Status::Stopped`].
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Visits of nodes, with repeated attempts.
    pub visits: u64,
    /// Virtual time.
    pub time: Millis,
    /// Tokens that models read and write.
    pub tokens: f64,
    /// Money, in US dollars.
    pub cost_usd: f64,
    /// Graphs that run inside one another.
    pub depth: u32,
    /// Pieces of work that are under way at once.
    pub fan_out: u32,
    /// Events of the log.
    pub events: u64,
}

/// A limit that a run reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Too many visits.
    Visits,
    /// Too much virtual time.
    Time,
    /// Too many tokens.
    Tokens,
    /// Too much money.
    Cost,
    /// Graphs too deep inside one another.
    Depth,
    /// Too much work at once.
    FanOut,
    /// Too many events.
    Events,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            visits: 1_000_000,
            time: Millis(1000 * 60 * 60 * 24 * 366),
            tokens: f64::INFINITY,
            cost_usd: f64::INFINITY,
            depth: 64,
            fan_out: 2_000_000,
            events: 50_000_000,
        }
    }
}

impl Limit {
    /// What there was too much of.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Limit::Visits => "visits",
            Limit::Time => "time",
            Limit::Tokens => "tokens",
            Limit::Cost => "cost",
            Limit::Depth => "depth",
            Limit::FanOut => "fan-out",
            Limit::Events => "events",
        }
    }
}
