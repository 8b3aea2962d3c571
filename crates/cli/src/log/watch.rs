//! Work that takes too long. A span that hangs never ends, so a separate thread looks for it.
//!
//! Input: work in progress. Output: a line for each span that has not ended after some seconds, with the current place.
//! Invariant: the line is written while the work hangs, by a thread that does nothing else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::{Level, dispatcher};
use tracing_subscriber::Registry;

use super::open::{Open, Overdue, length};
use super::sink::Sink;

/// The time between two checks.
const LOOK: Duration = Duration::from_millis(500);

/// Checks until the program ends.
pub(crate) fn start(open: Arc<Open>, sink: Arc<Sink>) -> std::io::Result<()> {
    let look = move || {
        loop {
            std::thread::sleep(LOOK);
            let overdue = dispatcher::get_default(|dispatch| {
                let registry = dispatch.downcast_ref::<Registry>();
                registry.map(|registry| open.overdue(registry, Instant::now())).unwrap_or_default()
            });
            for overdue in overdue {
                let level = if overdue.is_long { Level::INFO } else { Level::WARN };
                sink.line(level, &overdue.line());
            }
        }
    };
    std::thread::Builder::new().name("nodewise-log".to_owned()).spawn(look).map(drop)
}

impl Overdue {
    fn line(&self) -> String {
        let place = match self.inside.is_empty() {
            true => String::new(),
            false => format!(", now in {}", self.inside.join(" and ")),
        };
        format!("still running after {}: {}{place}", length(self.since), self.what)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Overdue;

    fn check_line(inside: &[&str], expected: &str) {
        let overdue = Overdue {
            what: "request{method=textDocument/hover id=3}".to_owned(),
            since: Duration::from_secs(5),
            inside: inside.iter().map(|one| (*one).to_owned()).collect(),
            is_long: false,
        };
        assert_eq!(overdue.line(), expected);
    }

    #[test]
    fn a_hang_says_where_it_is() {
        check_line(
            &["judge{file=a.yaml} > rule{rule=unknown-target} for 4.9 s"],
            "still running after 5.0 s: request{method=textDocument/hover id=3}, now in judge{file=a.yaml} > \
             rule{rule=unknown-target} for 4.9 s",
        );
        check_line(&[], "still running after 5.0 s: request{method=textDocument/hover id=3}");
    }
}
