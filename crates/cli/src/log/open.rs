//! Work in progress: the open spans, and the current span of each thread.
//!
//! Input: spans that begin, are entered, left, and end. Output: for a span, how long it has been open, and the current
//! spans of the threads inside of it. Invariant: each thread has its own list, so threads do not wait for each other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::span::Id;
use tracing_subscriber::Registry;
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use super::span::SpanFacts;

/// Work in progress.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// The watched spans by their ids: the start time, and the time until the next report.
    watched: Mutex<BTreeMap<u64, (Instant, Duration)>>,
    threads: Mutex<Vec<Thread>>,
}

/// The spans that a thread has entered and not left, the innermost last.
type Thread = Arc<Mutex<Vec<u64>>>;

thread_local! {
    static OWN: RefCell<Option<Thread>> = const { RefCell::new(None) };
}

/// Spans that are about one thing, so they should not take long.
pub(crate) const WATCHED: &[&str] = &["request", "notification", "parse", "judge"];

/// A span that is open for this long is reported. It is reported again whenever the time has doubled.
const PATIENCE: Duration = Duration::from_secs(5);

/// A watched span that has been open for too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Overdue {
    /// The name of the span, with its fields.
    pub(crate) what: String,
    /// How long it has been open.
    pub(crate) since: Duration,
    /// For each thread that works inside the span: the path to its innermost span, and how long that is open.
    pub(crate) inside: Vec<String>,
    /// Whether it is expected to take long.
    pub(crate) is_long: bool,
}

impl Open {
    /// A watched span begins.
    pub(crate) fn begin(&self, id: &Id, now: Instant) {
        lock(&self.watched).insert(id.into_u64(), (now, PATIENCE));
    }

    /// A watched span ends.
    pub(crate) fn end(&self, id: &Id) {
        lock(&self.watched).remove(&id.into_u64());
    }

    /// The thread enters a span.
    pub(crate) fn enter(&self, id: &Id) {
        self.with_thread(|entered| entered.push(id.into_u64()));
    }

    /// The thread leaves a span.
    pub(crate) fn exit(&self, id: &Id) {
        self.with_thread(|entered| {
            if let Some(position) = entered.iter().rposition(|one| *one == id.into_u64()) {
                entered.remove(position);
            }
        });
    }

    /// Changes the list of this thread. Does nothing if the thread is ending.
    fn with_thread(&self, note: impl FnOnce(&mut Vec<u64>)) {
        let noted = OWN.try_with(|own| {
            let mut own = own.borrow_mut();
            let thread = own.get_or_insert_with(|| {
                let thread = Thread::default();
                lock(&self.threads).push(Arc::clone(&thread));
                thread
            });
            note(&mut lock(thread));
        });
        noted.ok();
    }

    /// The watched spans that have been open for too long since their last report.
    pub(crate) fn overdue(&self, registry: &Registry, now: Instant) -> Vec<Overdue> {
        let mut due = Vec::new();
        for (id, (began, next)) in &mut *lock(&self.watched) {
            let since = now.saturating_duration_since(*began);
            if since >= *next {
                *next = since * 2;
                due.push((Id::from_u64(*id), since));
            }
        }
        if due.is_empty() {
            return Vec::new();
        }
        let innermost = self.innermost();
        due.iter().filter_map(|(id, since)| overdue(registry, id, *since, now, &innermost)).collect()
    }

    /// The innermost span of each thread.
    fn innermost(&self) -> Vec<Id> {
        let mut threads = lock(&self.threads);
        // The lists of finished threads have no other owner.
        threads.retain(|thread| Arc::strong_count(thread) > 1);
        threads.iter().filter_map(|thread| lock(thread).last().copied()).map(Id::from_u64).collect()
    }
}

fn overdue(registry: &Registry, id: &Id, since: Duration, now: Instant, innermost: &[Id]) -> Option<Overdue> {
    let span = registry.span(id)?;
    let is_counted = |span: &SpanRef<'_, Registry>| {
        let extensions = span.extensions();
        WATCHED.contains(&span.name()) && extensions.get::<SpanFacts>().is_some_and(|seen| !seen.has_waited)
    };
    // A span inside another one is reported with it.
    if !is_counted(&span) || span.scope().skip(1).any(|around| is_counted(&around)) {
        return None;
    }
    let is_long = span.extensions().get::<SpanFacts>().is_some_and(|seen| seen.is_long);
    let inside = innermost.iter().filter_map(|innermost| inside(registry, innermost, id, now)).collect();
    Some(Overdue { what: described(&span), since, inside, is_long })
}

/// The spans of a thread from an outer one to the innermost one, if the thread is inside the outer one.
fn inside(registry: &Registry, innermost: &Id, outer: &Id, now: Instant) -> Option<String> {
    let around: Vec<_> = registry.span(innermost)?.scope().collect();
    let depth = around.iter().position(|span| span.id() == *outer)?;
    let path: Vec<String> = around.get(..depth)?.iter().rev().map(described).collect();
    let began = around.first().and_then(|span| span.extensions().get::<SpanFacts>().map(|seen| seen.began));
    let since = began.map_or(Duration::ZERO, |began| now.saturating_duration_since(began));
    (!path.is_empty()).then(|| format!("{} for {}", path.join(" > "), length(since)))
}

/// A span with everything that is known about it.
pub(crate) fn described<'r, R: LookupSpan<'r>>(span: &SpanRef<'r, R>) -> String {
    let extensions = span.extensions();
    named(span.name(), extensions.get::<SpanFacts>().map_or("", |seen| &seen.words))
}

/// A span by its name and its fields.
pub(crate) fn named(name: &str, words: &str) -> String {
    if words.is_empty() { name.to_owned() } else { format!("{name}{{{words}}}") }
}

/// A duration for people.
pub(crate) fn length(time: Duration) -> String {
    match time.as_micros() {
        micros @ ..1_000 => format!("{micros} µs"),
        micros @ 1_000..10_000 => format!("{:.1} ms", micros as f64 / 1_000.0),
        micros @ 10_000..1_000_000 => format!("{} ms", micros / 1_000),
        micros => format!("{:.1} s", micros as f64 / 1_000_000.0),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Each change of the list is one step, so it is complete even after a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::length;

    fn check_length(micros: u64, expected: &str) {
        assert_eq!(length(Duration::from_micros(micros)), expected);
    }

    #[test]
    fn lengths_have_as_many_digits_as_matter() {
        check_length(12, "12 µs");
        check_length(1_240, "1.2 ms");
        check_length(812_400, "812 ms");
        check_length(5_020_000, "5.0 s");
    }
}
