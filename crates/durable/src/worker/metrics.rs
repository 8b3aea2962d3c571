//! What a worker did, in numbers, as Prometheus reads them.

use std::sync::atomic::{AtomicU64, Ordering};

/// The counters of a worker since it started.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    pub(super) runs_begun: AtomicU64,
    pub(super) runs_refused: AtomicU64,
    pub(super) runs_ended: AtomicU64,
    pub(super) calls: AtomicU64,
    pub(super) calls_failed: AtomicU64,
    pub(super) calls_repeated: AtomicU64,
    pub(super) calls_under_way: AtomicU64,
}

/// Counts a call as under way until this is dropped.
pub(super) struct UnderWay<'m>(&'m Metrics);

impl Metrics {
    pub(super) fn call(&self) -> UnderWay<'_> {
        add(&self.calls);
        add(&self.calls_under_way);
        UnderWay(self)
    }

    /// The counters in the text format of Prometheus.
    pub(super) fn text(&self) -> String {
        let rows = [
            ("nodewise_runs_begun_total", "counter", "Runs that began on this worker.", &self.runs_begun),
            ("nodewise_runs_refused_total", "counter", "Runs that were not allowed.", &self.runs_refused),
            ("nodewise_runs_ended_total", "counter", "Runs that ended on this worker.", &self.runs_ended),
            ("nodewise_calls_total", "counter", "Calls of models, tools and functions.", &self.calls),
            ("nodewise_calls_failed_total", "counter", "Calls that failed.", &self.calls_failed),
            (
                "nodewise_calls_repeated_total",
                "counter",
                "Calls that may have been made before, on a worker that is gone.",
                &self.calls_repeated,
            ),
            ("nodewise_calls_under_way", "gauge", "Calls that are under way.", &self.calls_under_way),
        ];
        let row = |(name, kind, help, value): (&str, &str, &str, &AtomicU64)| {
            let value = value.load(Ordering::Relaxed);
            format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n")
        };
        rows.map(row).concat()
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.calls_under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Adds one to a counter.
pub(super) fn add(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
