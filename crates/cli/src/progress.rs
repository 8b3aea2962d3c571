//! A progress bar, for people who wait.
//!
//! Input: steps. Output: a bar on standard error, if that is a terminal and the work takes long. Invariant: short runs,
//! pipes and logs never contain it.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::is_quiet;

const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of a run.
pub(crate) struct Progress {
    start: Instant,
    bar: Option<ProgressBar>,
    shown: OnceLock<()>,
}

impl Progress {
    /// Progress for a terminal, unless it is not wanted.
    pub(crate) fn new(is_wanted: bool) -> Progress {
        let bar = (is_wanted && !is_quiet() && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Progress { start: Instant::now(), bar, shown: OnceLock::new() }
    }

    /// Starts a stage with a number of steps.
    pub(crate) fn stage(&self, name: &'static str, steps: usize) {
        if let Some(bar) = &self.bar {
            bar.set_message(name);
            bar.set_length(steps as u64);
            bar.set_position(0);
        }
    }

    /// Completes a step.
    pub(crate) fn step(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            if self.start.elapsed() > PATIENCE {
                self.shown.get_or_init(|| bar.set_draw_target(ProgressDrawTarget::stderr()));
            }
        }
    }

    /// Removes the bar, so that results can be printed.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
