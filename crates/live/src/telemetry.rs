//! Spans of a run for observability services, in the words of OpenTelemetry's conventions for generative models.
//!
//! Input: events as they are stored; output: spans over OTLP. Invariant: the run waits for nothing here and loses nothing here; what
//! cannot be sent is counted. Ids follow from the run's identity, so that a resumed run continues its trace.

#![allow(clippy::disallowed_methods, reason = "spans are sent after a while")]

mod content;
mod metrics;
mod otlp;
mod spans;

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, anyhow, ensure};
use nodewise_engine::outcome::Outcome;
use nodewise_project::config::live;
use nodewise_simulation::system::RunnableSystem;
use prost::Message;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::environment::Environment;
use crate::models;
use crate::secrets::{NeededKeys, Secrets};
use crate::store::{Moment, StoredEvent};
use crate::wiring::Wiring;
use metrics::Metrics;
use otlp::{OtlpSpan, TracesRequest};
use spans::Spans;

/// The run that spans are about.
#[derive(Clone)]
pub struct SpanSource {
    /// The run's identity, from which the ids of the trace and its spans follow.
    pub identity: [u8; 16],
    /// The run's id.
    pub run: String,
    /// The system of the graph.
    pub system: RunnableSystem,
    /// The name of the root span if the graph has no name.
    pub title: String,
    /// The provider and the model of each agent, by the agent's name.
    pub models: std::collections::BTreeMap<SmolStr, (SmolStr, SmolStr)>,
    /// Masks secrets in a text.
    pub mask: Arc<dyn Fn(&str) -> String + Send + Sync>,
}

/// The result of sending the spans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// How many spans the collector accepted.
    pub sent: u64,
    /// How many spans were not sent.
    pub lost: u64,
    /// Why spans were not sent, if that is known.
    pub reason: Option<String>,
}

/// The spans of a run that this process drives, with their export.
#[derive(Debug)]
pub struct Telemetry {
    spans: Spans,
    export: SpanExport,
}

/// The spans of a run that several processes carry in turn. It returns ended spans instead of sending them, so that each is sent
/// once.
#[derive(Debug)]
pub struct RunSpans(Spans);

#[derive(Debug, Clone, Default)]
pub struct EndedSpans(Vec<OtlpSpan>);

/// The connection to a collector, and the thread that sends to it.
#[derive(Debug)]
pub struct SpanExport {
    sink: SpanSink,
    done: Receiver<Option<String>>,
    endpoint: String,
}

/// Accepts the spans of many runs, on any thread.
#[derive(Debug, Clone)]
pub struct SpanSink {
    sender: SyncSender<OtlpSpan>,
    count: Arc<Count>,
    /// The metrics that ended spans add to; `None` if the configuration does not want metrics.
    metrics: Option<Arc<Mutex<Metrics>>>,
}

#[derive(Debug, Default)]
struct Count {
    made: AtomicU64,
    sent: AtomicU64,
    /// Whether the run has ended and a caller waits for the rest to be sent.
    is_awaited: AtomicBool,
}

/// The path of a collector for spans, after its address.
const PATH: &str = "/v1/traces";
/// The path of a collector for metrics.
const METRICS_PATH: &str = "/v1/metrics";
/// How many spans may wait to be sent. More are dropped.
const WAITING_MAX: usize = 4096;
/// How many spans one request holds.
const BATCH_MAX: usize = 512;
/// How long a span waits for others before it is sent.
const PERIOD: Duration = Duration::from_secs(1);
/// The longest time of one request.
const TIMEOUT: Duration = Duration::from_secs(5);

impl SpanSource {
    /// Describes a run by its identity, id and title, with the models of the configuration.
    #[must_use]
    pub fn new(
        (identity, run, title): ([u8; 16], String, String),
        live: &live::Live,
        wiring: &Wiring,
        mask: Arc<dyn Fn(&str) -> String + Send + Sync>,
    ) -> SpanSource {
        // If models are not configured here, spans name no models.
        let planned = models::plan(live, wiring).unwrap_or_default().into_iter();
        let models = planned.map(|(name, planned)| (name, (planned.provider.into(), planned.model)));
        SpanSource { identity, run, system: wiring.system, title, models: models.collect(), mask }
    }
}

impl Telemetry {
    /// Begins to send spans to the configured collector, with these headers.
    ///
    /// # Errors
    /// Where the address of the collector or a header is not valid.
    pub fn start(
        settings: &live::TelemetryConfig,
        headers: &[(&str, &str)],
        subject: SpanSource,
    ) -> Result<Telemetry> {
        let export = SpanExport::start(settings, headers)?;
        Ok(Telemetry { spans: Spans::new(subject, settings.content), export })
    }

    /// Reads earlier events when a run is resumed. Spans that ended then were sent then, so they are dropped here.
    pub fn recall(&mut self, past: &[StoredEvent]) {
        for stored in past {
            self.spans.read(&stored.event, stored.stored);
        }
    }

    /// Reads new events, and sends the spans that end with them.
    pub fn happened(&mut self, events: &[Json], stored: Moment) {
        for event in events {
            let ended = self.spans.read(event, stored);
            self.export.sink.send(EndedSpans(ended));
        }
    }

    /// Sends the spans that end with the run.
    pub fn end(&mut self, outcome: &Outcome, at: Moment) {
        let ended = self.spans.end(outcome, at);
        self.export.sink.send(EndedSpans(ended));
    }

    /// Sends the remaining spans, and waits at most this long.
    #[must_use]
    pub fn finish(self, wait: Duration) -> ExportReport {
        self.export.finish(wait)
    }
}

impl RunSpans {
    /// The spans of a run that begins. `has_content` adds the texts of models and tools.
    #[must_use]
    pub fn new(subject: SpanSource, has_content: bool) -> RunSpans {
        RunSpans(Spans::new(subject, has_content))
    }

    /// Reads an event. Returns the spans that end with it.
    pub fn read(&mut self, event: &Json, at: Moment) -> EndedSpans {
        EndedSpans(self.0.read(event, at))
    }

    /// Returns the spans that end with the run.
    pub fn end(&mut self, outcome: &Outcome, at: Moment) -> EndedSpans {
        EndedSpans(self.0.end(outcome, at))
    }
}

impl EndedSpans {
    /// Whether no span has ended.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds others.
    pub fn extend(&mut self, others: EndedSpans) {
        self.0.extend(others.0);
    }
}

impl SpanExport {
    /// Begins to send the spans of all runs of a process. Returns `None` if the project configures no collector.
    ///
    /// # Errors
    /// Where the address of the collector is not valid, or a header is not valid or its value cannot be found.
    pub fn of_project(live: &live::Live, folder: &Path) -> Result<Option<SpanExport>> {
        let Some(settings) = &live.telemetry else { return Ok(None) };
        let headers = settings.headers.iter().map(|(name, header)| (name.clone(), header.clone()));
        let needed = NeededKeys { headers: headers.collect(), ..NeededKeys::default() };
        let secrets = Secrets::resolve_in(&needed, Environment::of_folder(folder)?);
        Ok(Some(SpanExport::start(settings, &secrets.headers()?)?))
    }

    /// Begins to send spans to the configured collector, with these headers.
    ///
    /// # Errors
    /// Where the address of the collector or a header is not valid.
    pub fn start(settings: &live::TelemetryConfig, headers: &[(&str, &str)]) -> Result<SpanExport> {
        let endpoint = address(&settings.endpoint);
        let headers = header_map(headers)?;
        let broken = || {
            format!(
                "cannot send spans to `{endpoint}`\n  help: write the address of an OTLP collector that \
                     uses HTTP, for example `http://localhost:4318`"
            )
        };
        let url = reqwest::Url::parse(&endpoint).with_context(broken)?;
        ensure!(matches!(url.scheme(), "http" | "https"), broken());
        let collector =
            Collector { client: client(headers).with_context(broken)?, endpoint: endpoint.clone() };
        let metrics = settings.metrics.then(|| Arc::new(Mutex::new(Metrics::new(SystemTime::now()))));
        let to_send = metrics.clone();
        let (sender, waiting) = sync_channel(WAITING_MAX);
        let (end, done) = channel();
        let count = Arc::new(Count::default());
        let counted = Arc::clone(&count);
        thread::Builder::new()
            .name("telemetry".to_owned())
            .spawn(move || end.send(send_all(&collector, &waiting, &counted, to_send.as_deref())))
            .context("cannot start a thread for telemetry")?;
        Ok(SpanExport { sink: SpanSink { sender, count, metrics }, done, endpoint })
    }

    /// A handle that accepts spans for this export.
    #[must_use]
    pub fn sink(&self) -> SpanSink {
        self.sink.clone()
    }

    /// Sends the remaining spans, and waits at most this long.
    #[must_use]
    pub fn finish(self, wait: Duration) -> ExportReport {
        let SpanExport { sink: SpanSink { sender, count, .. }, done, endpoint } = self;
        count.is_awaited.store(true, Ordering::Relaxed);
        // The thread ends when no sender is left.
        drop(sender);
        let reason = match done.recv_timeout(wait) {
            Ok(reason) => reason,
            Err(_) => Some("the collector took too long".to_owned()),
        };
        let sent = count.sent.load(Ordering::Relaxed);
        let lost = count.made.load(Ordering::Relaxed).saturating_sub(sent);
        let reason = match (reason, lost) {
            (None, 0) => None,
            (Some(reason), _) => Some(format!("`{endpoint}`: {reason}")),
            (None, _) => Some(format!("`{endpoint}`: too many spans waited at once")),
        };
        ExportReport { sent, lost, reason }
    }
}

impl SpanSink {
    /// Queues spans. They are sent together with others.
    pub fn send(&self, ended: EndedSpans) {
        for span in ended.0 {
            if let Some(metrics) = &self.metrics {
                metrics.lock().unwrap_or_else(PoisonError::into_inner).add(&span);
            }
            self.count.made.fetch_add(1, Ordering::Relaxed);
            match self.sender.try_send(span) {
                // A span that does not fit into the queue is dropped. The report counts it as lost.
                Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
            }
        }
    }
}

impl fmt::Debug for SpanSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SpanSource").field("run", &self.run).finish_non_exhaustive()
    }
}

fn address(endpoint: &str) -> String {
    let endpoint = endpoint.trim_end_matches('/');
    if endpoint.ends_with(PATH) { endpoint.to_owned() } else { format!("{endpoint}{PATH}") }
}

/// The headers of each request. An error names the header, but never its value.
fn header_map(headers: &[(&str, &str)]) -> Result<HeaderMap> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let broken = || {
            format!(
                "the header `{name}` cannot be sent with spans\n  help: write a name of letters, digits and `-`, and a \
                 value of one line, under [live.telemetry.headers] in nodewise.toml"
            )
        };
        let mut value = HeaderValue::from_str(value).map_err(|_| anyhow!(broken()))?;
        value.set_sensitive(true);
        map.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| anyhow!(broken()))?, value);
    }
    Ok(map)
}

/// A collector of spans and metrics.
struct Collector {
    client: reqwest::Client,
    /// The address for spans.
    endpoint: String,
}

impl Collector {
    /// Sends spans. The error says why they were not sent.
    async fn send_spans(&self, spans: Vec<OtlpSpan>) -> Result<(), String> {
        match self.post(&self.endpoint, TracesRequest::new(spans).encode_to_vec()).await {
            Ok(status) if status.is_success() => Ok(()),
            Ok(status) => Err(format!("the collector answered {status}")),
            Err(error) => Err(format!("the collector cannot be reached: {error:#}")),
        }
    }

    /// Sends the metrics of a run, if there are any. The error says why they were not sent.
    async fn send_metrics(&self, metrics: &Mutex<Metrics>) -> Result<(), String> {
        let encoded = metrics.lock().unwrap_or_else(PoisonError::into_inner).encoded(SystemTime::now());
        let Some(body) = encoded else { return Ok(()) };
        let url = format!("{}{METRICS_PATH}", self.endpoint.trim_end_matches(PATH));
        match self.post(&url, body).await {
            Ok(status) if status.is_success() => Ok(()),
            Ok(status) => Err(format!(
                "`{METRICS_PATH}` answered {status} to the metrics; remove `metrics` from [live.telemetry] if it takes none"
            )),
            Err(error) => Err(format!("the metrics were not sent: {error:#}")),
        }
    }

    async fn post(&self, url: &str, body: Vec<u8>) -> Result<StatusCode> {
        let request = self.client.post(url).header(CONTENT_TYPE, "application/x-protobuf").body(body);
        // The address may have a secret in it.
        Ok(request.send().await.map_err(reqwest::Error::without_url)?.status())
    }
}

/// An HTTP client that follows no redirects.
fn client(headers: HeaderMap) -> Result<reqwest::Client> {
    // An error means that the same provider was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Ok(reqwest::Client::builder()
        .timeout(TIMEOUT)
        .default_headers(headers)
        // The user allowed only the configured address.
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("nodewise/", env!("CARGO_PKG_VERSION")))
        .build()?)
}

/// Sends spans until no more can come. Returns why some could not be sent, if so.
fn send_all(
    collector: &Collector,
    waiting: &Receiver<OtlpSpan>,
    count: &Count,
    metrics: Option<&Mutex<Metrics>>,
) -> Option<String> {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Some(error.to_string()),
    };
    let mut reason = None;
    let mut batch: Vec<OtlpSpan> = Vec::new();
    let mut oldest: Option<Instant> = None;
    let mut is_over = false;
    while !is_over {
        let wait = oldest.map_or(PERIOD, |oldest| PERIOD.saturating_sub(oldest.elapsed()));
        match waiting.recv_timeout(wait) {
            Ok(span) => batch.push(span),
            // Other senders may still exist, but nothing more comes from them.
            Err(RecvTimeoutError::Timeout) => is_over = count.is_awaited.load(Ordering::Relaxed),
            Err(RecvTimeoutError::Disconnected) => is_over = true,
        }
        batch.extend(waiting.try_iter().take(BATCH_MAX.saturating_sub(batch.len())));
        if batch.is_empty() {
            continue;
        }
        let is_old = oldest.get_or_insert_with(Instant::now).elapsed() >= PERIOD;
        if !(is_over || is_old || batch.len() >= BATCH_MAX) {
            continue;
        }
        oldest = None;
        let spans = std::mem::take(&mut batch);
        let number = spans.len() as u64;
        match runtime.block_on(collector.send_spans(spans)) {
            Ok(()) => drop(count.sent.fetch_add(number, Ordering::Relaxed)),
            Err(error) => {
                reason = Some(error);
                // If a caller waits, do not make it wait again for a collector that does not answer.
                if count.is_awaited.load(Ordering::Relaxed) {
                    return reason;
                }
            }
        }
    }
    let unsent = metrics.and_then(|metrics| runtime.block_on(collector.send_metrics(metrics)).err());
    reason.or(unsent)
}
