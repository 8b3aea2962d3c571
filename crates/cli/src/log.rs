//! The log: what the command and its libraries do, to find bugs.
//!
//! Input: spans and events of all crates, and the options that every command has. Output: lines on standard error or in
//! a file. Reading order: [`wants`] (what is logged), [`open`] (work in progress), [`layer`] (spans and events to
//! lines), [`watch`] (work that takes too long), [`sink`] (where lines go). Invariant: without a log, there is no
//! subscriber, and a span costs one comparison.

mod layer;
mod open;
mod sink;
mod span;
mod wants;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{ArgAction, Args, ValueEnum};
use tracing::Level;
use tracing_subscriber::Registry;
use tracing_subscriber::layer::SubscriberExt;

use self::layer::Log;
use self::sink::Sink;
use self::wants::Wants;
use crate::output;

/// How much is printed in addition to results. Every command has these options.
#[derive(Args)]
#[command(next_help_heading = "Log")]
#[group(skip)]
pub(crate) struct LogOptions {
    /// Log each step and its time to standard error; `-vv` logs each file too.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,
    /// Print only results and errors: no counts, notes and warnings.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Write a log of this level.
    ///
    /// The variable `NODEWISE_LOG` does the same. It can set a level for each part: `nodewise_server=debug,warn`.
    #[arg(long, global = true, value_enum, value_name = "LEVEL")]
    log_level: Option<Word>,
    /// Append the log to this file instead of standard error.
    #[arg(long, global = true, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// The level of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Word {
    /// Errors.
    Error,
    /// Also slow work, and what is skipped.
    Warn,
    /// Also requests, projects and steps, with their times.
    Info,
    /// Also files.
    Debug,
    /// Also rules.
    Trace,
}

/// The variable that enables the log.
pub(crate) const VARIABLE: &str = "NODEWISE_LOG";

impl Word {
    fn level(self) -> Level {
        match self {
            Word::Error => Level::ERROR,
            Word::Warn => Level::WARN,
            Word::Info => Level::INFO,
            Word::Debug => Level::DEBUG,
            Word::Trace => Level::TRACE,
        }
    }
}

impl LogOptions {
    /// What to log. `None` by default.
    fn wants(&self) -> Result<Option<Wants>> {
        let of_verbose = match self.verbose {
            0 => None,
            1 => Some(Level::INFO),
            2 => Some(Level::DEBUG),
            _ => Some(Level::TRACE),
        };
        if let Some(level) = self.log_level.map(Word::level).or(of_verbose) {
            return Ok(Some(Wants::all(level)));
        }
        let variable = std::env::var(VARIABLE).ok().filter(|words| !words.is_empty());
        let asked = variable.map(|words| Wants::read(&words)).transpose()?;
        Ok(asked.or_else(|| self.log.is_some().then(|| Wants::all(Level::INFO))))
    }
}

/// Starts the log if it is enabled. `command` is the command that runs.
pub(crate) fn begin(options: &LogOptions, command: &str) -> Result<()> {
    output::be_quiet(options.quiet);
    let Some(wants) = options.wants()? else { return Ok(()) };
    let sink = match &options.log {
        Some(path) => Sink::file(path)?,
        None => Sink::standard_error(),
    };
    let is_warned = wants.would("nodewise", &Level::WARN);
    let sink = Arc::new(sink);
    let log = Log::new(wants, Arc::clone(&sink));
    let open = Arc::clone(&log.open);
    tracing::subscriber::set_global_default(Registry::default().with(log))
        .context("the log cannot be started")?;
    if is_warned {
        watch::start(open, Arc::clone(&sink)).context("the watchdog of the log cannot be started")?;
    }
    note_panics(sink);
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        process = std::process::id(),
        "`nodewise {command}` begins"
    );
    Ok(())
}

/// Also writes panics to the log, because an editor hides standard error.
fn note_panics(sink: Arc<Sink>) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |fault| {
        if sink.is_file() {
            sink.line(Level::ERROR, &format!("a bug in nodewise: {fault}"));
        }
        before(fault);
    }));
}
