//! Converts spans and events to lines.
//!
//! Input: spans and events. Output: a line for each event, and for each span at its end with its duration. A watched
//! span that took long is a warning, at any level. Invariant: a span or event that is neither wanted nor watched is
//! rejected once, at its call site.

use std::fmt::{Debug, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use super::open::{Open, WATCHED, described, length, named};
use super::sink::Sink;
use super::span::SpanFacts;
use super::wants::Wants;

/// The log, as a subscriber.
pub(crate) struct Log {
    wants: Wants,
    sink: Arc<Sink>,
    /// Work in progress.
    pub(crate) open: Arc<Open>,
}

/// The minimum duration of a watched span for a warning.
const SLOW: Duration = Duration::from_millis(200);
/// A rule that takes at least this long is noted in the span around it.
const NOTABLE: Duration = Duration::from_millis(20);
/// The name of the span in which a rule runs.
const RULE: &str = "rule";

impl Log {
    pub(crate) fn new(wants: Wants, sink: Arc<Sink>) -> Log {
        Log { wants, sink, open: Arc::default() }
    }

    fn is_watched(metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target().starts_with("nodewise") && WATCHED.contains(&metadata.name())
    }

    /// Whether a span or event is recorded. Rules always are, so that the report of a hang can name one.
    fn listens_to(&self, metadata: &Metadata<'_>) -> bool {
        let is_rule = metadata.is_span() && metadata.name() == RULE;
        Log::is_watched(metadata) || is_rule || self.wants.has(metadata)
    }

    fn ended<'r, R: LookupSpan<'r>>(&self, span: &SpanRef<'r, R>) {
        let metadata = span.metadata();
        let extensions = span.extensions();
        let Some(seen) = extensions.get::<SpanFacts>() else { return };
        let took = seen.began.elapsed();
        let is_excused = seen.is_long || seen.has_waited;
        let is_slow = Log::is_watched(metadata) && took >= SLOW && !is_excused;
        let level = if is_slow { Level::WARN } else { *metadata.level() };
        if !self.wants.would(metadata.target(), &level) {
            return;
        }
        let mut line = if is_slow { "slow: ".to_owned() } else { String::new() };
        if let Some(judging) = span.parent().filter(|_| span.name() == RULE) {
            line = format!("{} > ", described(&judging));
        }
        // Writing to a string cannot fail.
        let _ = write!(line, "{} took {}", named(span.name(), &seen.words), length(took));
        if let Some((time, rule)) = &seen.slowest {
            let _ = write!(line, ", {} of it in {RULE}{{{rule}}}", length(*time));
        }
        self.sink.line(level, &line);
    }
}

impl<S: Subscriber + for<'r> LookupSpan<'r>> Layer<S> for Log {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        match self.listens_to(metadata) {
            true => Interest::always(),
            false => Interest::never(),
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        self.listens_to(metadata)
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let began = Instant::now();
        let mut seen =
            SpanFacts { began, words: String::new(), is_long: false, has_waited: false, slowest: None };
        attributes.record(&mut seen);
        span.extensions_mut().insert(seen);
        if Log::is_watched(span.metadata()) {
            self.open.begin(id, began);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(seen) = span.extensions_mut().get_mut::<SpanFacts>() {
            values.record(seen);
        }
    }

    fn on_enter(&self, id: &Id, _: Context<'_, S>) {
        self.open.enter(id);
    }

    fn on_exit(&self, id: &Id, _: Context<'_, S>) {
        self.open.exit(id);
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        if Log::is_watched(span.metadata()) {
            self.open.end(&id);
        }
        if span.name() == RULE {
            remember(&span);
        }
        self.ended(&span);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let metadata = event.metadata();
        if !self.wants.has(metadata) {
            return;
        }
        let mut said = Said::default();
        event.record(&mut said);
        let mut line = format!("{}{}", said.message, said.words);
        let around = context.event_scope(event).and_then(|scope| scope.last());
        if let Some(around) = around {
            // Writing to a string cannot fail.
            let _ = write!(line, ", in {}", described(&around));
        }
        self.sink.line(*metadata.level(), &line);
    }
}

/// Notes a slow rule in the span around it, unless a slower one is noted there.
fn remember<'r, R: LookupSpan<'r>>(rule: &SpanRef<'r, R>) {
    let extensions = rule.extensions();
    let Some(seen) = extensions.get::<SpanFacts>() else { return };
    let took = seen.began.elapsed();
    if took < NOTABLE {
        return;
    }
    let Some(judging) = rule.parent() else { return };
    let mut extensions = judging.extensions_mut();
    if let Some(judged) = extensions.get_mut::<SpanFacts>()
        && judged.slowest.as_ref().is_none_or(|(time, _)| *time < took)
    {
        judged.slowest = Some((took, seen.words.clone()));
    }
}

impl Visit for SpanFacts {
    fn record_bool(&mut self, field: &Field, value: bool) {
        match field.name() {
            "is_long" => self.is_long = value,
            "has_waited" => self.has_waited = value,
            _ => self.record_debug(field, &value),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        add(&mut self.words, field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        add(&mut self.words, field, format_args!("{value:?}"));
    }
}

/// The content of an event.
#[derive(Default)]
struct Said {
    message: String,
    /// Its fields, each after a space.
    words: String,
}

impl Visit for Said {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.words, " {name}={value:?}"),
        };
    }
}

fn add(words: &mut String, field: &Field, value: std::fmt::Arguments<'_>) {
    let blank = if words.is_empty() { "" } else { " " };
    // Writing to a string cannot fail.
    let _ = write!(words, "{blank}{}={value}", field.name());
}
