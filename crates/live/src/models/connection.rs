//! A provider that is called. In: a body; out: an answer, read part by part, or why there is none. Invariant: a call that is
//! dropped ends its connection; the key goes to the provider's own address and nowhere else.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use nodewise_project::config::live::ProviderKind;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde_json::Value as Json;
use smol_str::SmolStr;
use tokio::sync::Semaphore;

use super::call_failure::{CallFailure, Sort, one_line};
use super::plan::Provider;
use super::stream::{Event, Events, TooLarge};
use super::wire::{Asking, Feature, Reading, Refused};
use super::{anthropic, openai};
use crate::secrets::SentParts;

/// The connection to a provider.
pub(super) struct Connection {
    pub(super) kind: ProviderKind,
    /// Permits for calls that may be under way at the same time.
    pub(super) permits: Semaphore,
    /// Whether the provider runs on this machine.
    pub(super) is_near: bool,
    /// Whether a key is sent without encryption to another machine.
    pub(super) is_open: bool,
    client: Client,
    url: Url,
    /// The features that the server refused, by model.
    refused: Mutex<BTreeMap<SmolStr, Refused>>,
}

/// How long it may take to connect.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);
/// The largest answer, and the largest body of an error that is read, in bytes. Both are more than a provider sends.
const LARGEST_ANSWER: usize = 32 * 1024 * 1024;
const LARGEST_ERROR: usize = 64 * 1024;
const AGENT: &str = concat!("nodewise/", env!("CARGO_PKG_VERSION"));
/// The header by which a provider recognises a repeated call.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
const RETRY_AFTER_MS: &str = "retry-after-ms";

static CRYPTOGRAPHY: Once = Once::new();

/// Chooses the cryptography for all connections of the program, unless something has chosen already.
pub fn choose_cryptography() {
    CRYPTOGRAPHY.call_once(|| {
        // An error means that another part of the program has chosen already.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

impl Connection {
    /// Prepares the connection to a provider. Nothing is sent yet.
    pub(super) fn new(
        name: &str,
        provider: &Provider,
        key: Option<&str>,
        sent: &SentParts<'_>,
    ) -> Result<Connection> {
        let mut url = address(name, provider)?;
        for (parameter, value) in &sent.query {
            url.query_pairs_mut().append_pair(parameter, value);
        }
        choose_cryptography();
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            let (header, value) = match provider.kind {
                ProviderKind::OpenAi => (AUTHORIZATION, format!("Bearer {key}")),
                ProviderKind::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
            };
            let Ok(mut value) = HeaderValue::from_str(&value) else {
                bail!(
                    "the key of the provider `{name}` has characters that a key cannot have\n  help: check \
                     where the key comes from"
                );
            };
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        if provider.kind == ProviderKind::Anthropic {
            headers.insert("anthropic-version", HeaderValue::from_static(anthropic::VERSION));
        }
        for (header, value) in &sent.headers {
            let known = HeaderName::try_from(*header).ok().zip(HeaderValue::from_str(value).ok());
            let Some((header, mut value)) = known else {
                bail!(
                    "the header `{header}` of the provider `{name}` has a name or a value that no header can have\n  \
                     help: check [live.providers.{name}.headers] in nodewise.toml"
                );
            };
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        // A redirect would take the key to another address.
        let builder = Client::builder().redirect(Policy::none()).connect_timeout(CONNECT_LIMIT);
        let builder = builder.user_agent(AGENT).default_headers(headers);
        let is_near = is_near(&url);
        let builder = if is_near { builder.no_proxy() } else { builder };
        let client = builder.build().with_context(|| format!("the provider `{name}` cannot be called"))?;
        Ok(Connection {
            kind: provider.kind,
            permits: Semaphore::new(provider.calls_at_once.clamp(1, Semaphore::MAX_PERMITS)),
            is_near,
            is_open: (key.is_some() || sent.has_secret) && !is_near && url.scheme() == "http",
            client,
            url,
            refused: Mutex::default(),
        })
    }

    /// The features that the server refused for this model.
    pub(super) fn refused(&self, model: &SmolStr) -> Refused {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get(model).cloned().unwrap_or_default()
    }

    /// Notes that the server refused a feature for this model.
    pub(super) fn note_refused(&self, model: &SmolStr, feature: Feature) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.entry(model.clone()).or_default().insert(feature);
    }

    /// Sends a request and reads the answer. `said` gets each part of what the model says.
    pub(super) async fn call(
        &self,
        asking: &Asking<'_>,
        key: &str,
        limits: TimeLimits,
        reader: &mut dyn Reading,
        said: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), CallFailure> {
        let body = match self.kind {
            ProviderKind::OpenAi => openai::body(asking),
            ProviderKind::Anthropic => anthropic::body(asking),
        };
        let exchange = self.exchange(body.to_string(), key, limits.idle, reader, said);
        match tokio::time::timeout(limits.whole, exchange).await {
            Ok(result) => result,
            Err(_) => {
                let limit = limits.whole.as_secs_f64();
                let text = format!("did not finish its answer in time: timeout after {limit} s");
                Err(CallFailure::passing(Sort::Timeout, text))
            }
        }
    }

    /// A reader of answers in the provider's protocol.
    pub(super) fn reader(&self) -> Box<dyn Reading> {
        match self.kind {
            ProviderKind::OpenAi => Box::<openai::Reader>::default(),
            ProviderKind::Anthropic => Box::<anthropic::Reader>::default(),
        }
    }

    async fn exchange(
        &self,
        body: String,
        key: &str,
        idle: Option<Duration>,
        reader: &mut dyn Reading,
        said: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), CallFailure> {
        let request = self.client.post(self.url.clone()).body(body);
        let request = request.header(IDEMPOTENCY_KEY, key).header(CONTENT_TYPE, "application/json");
        let request = request.header(ACCEPT, "text/event-stream, application/json");
        let response = within(idle, request.send()).await?.map_err(|error| self.unreachable(&error))?;
        let status = response.status();
        if !status.is_success() {
            let wait = wait(response.headers());
            let body = beginning(response).await;
            return Err(CallFailure::of_status(status, &body, wait));
        }
        let sort = response.headers().get(CONTENT_TYPE).and_then(|sort| sort.to_str().ok());
        match sort.is_some_and(|sort| sort.starts_with("text/event-stream")) {
            true => read_events(response, idle, reader, said).await,
            false => read_whole(response, idle, reader, said).await,
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> CallFailure {
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port_or_known_default().unwrap_or_default();
        let text = match error.is_connect() {
            true => format!("cannot be reached at {host}:{port}: {}", innermost(error)),
            false => {
                format!("at {host}:{port} closed the connection without an answer: {}", innermost(error))
            }
        };
        CallFailure::passing(Sort::Connection, text)
    }
}

/// The time limits of one call.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeLimits {
    pub(super) whole: Duration,
    /// The longest time in which nothing arrives.
    pub(super) idle: Option<Duration>,
}

/// Waits for something, and fails if it takes longer than `idle`.
async fn within<T>(idle: Option<Duration>, coming: impl Future<Output = T>) -> Result<T, CallFailure> {
    let Some(idle) = idle else { return Ok(coming.await) };
    tokio::time::timeout(idle, coming).await.map_err(|_| {
        let text =
            format!("sent nothing for {} s, which is `idle_timeout_s` of the model", idle.as_secs_f64());
        CallFailure::passing(Sort::Timeout, text)
    })
}

/// Returns an error if an answer is too large.
fn refuse_large(length: usize) -> Result<(), CallFailure> {
    if length <= LARGEST_ANSWER {
        return Ok(());
    }
    let largest = LARGEST_ANSWER >> 20;
    Err(CallFailure::malformed(format!(
        "sent an answer that is larger than {largest} MB, so it was not read on"
    )))
}

async fn read_events(
    mut response: Response,
    idle: Option<Duration>,
    reader: &mut dyn Reading,
    said: &mut (dyn FnMut(&str) + Send),
) -> Result<(), CallFailure> {
    let mut events = Events::default();
    let mut count = 0_usize;
    let mut length = 0;
    let cut = loop {
        match within(idle, response.chunk()).await? {
            Ok(Some(bytes)) => {
                length += bytes.len();
                refuse_large(length)?;
                let complete = events.push(&bytes).map_err(|TooLarge| {
                    CallFailure::malformed(format!("sent a part that is too long (part {})", count + 1))
                })?;
                for event in complete {
                    count += 1;
                    read_event(&event, count, reader, said)?;
                }
            }
            Ok(None) => break None,
            Err(error) => break Some(innermost(&error)),
        }
    };
    if cut.is_none()
        && let Some(event) = events.end()
    {
        count += 1;
        read_event(&event, count, reader, said)?;
    }
    if reader.is_complete() {
        return Ok(());
    }
    let reason = cut.map(|reason| format!(": {reason}")).unwrap_or_default();
    Err(CallFailure::passing(
        Sort::Connection,
        format!("closed the connection in the middle of its answer, after {count} parts{reason}"),
    ))
}

/// Reads an event of an answer, and passes on what the model says in it.
fn read_event(
    event: &Event,
    count: usize,
    reader: &mut dyn Reading,
    said: &mut (dyn FnMut(&str) + Send),
) -> Result<(), CallFailure> {
    let part = reader.event(event).map_err(|call_failure| CallFailure {
        text: format!("{} (part {count} of its answer)", call_failure.text),
        ..call_failure
    })?;
    part.iter().for_each(|part| said(part));
    Ok(())
}

async fn read_whole(
    mut response: Response,
    idle: Option<Duration>,
    reader: &mut dyn Reading,
    said: &mut (dyn FnMut(&str) + Send),
) -> Result<(), CallFailure> {
    let mut bytes = Vec::new();
    loop {
        match within(idle, response.chunk()).await? {
            Ok(Some(more)) => bytes.extend_from_slice(&more),
            Ok(None) => break,
            Err(error) => {
                let (length, reason) = (bytes.len(), innermost(&error));
                let text = format!(
                    "closed the connection in the middle of its answer, after {length} bytes: {reason}"
                );
                return Err(CallFailure::passing(Sort::Connection, text));
            }
        }
        refuse_large(bytes.len())?;
    }
    if is_event(&bytes) {
        return read_whole_events(&bytes, reader, said);
    }
    let json: Json = serde_json::from_slice(&bytes).map_err(|error| {
        let begin = one_line(&String::from_utf8_lossy(&bytes).chars().take(60).collect::<String>());
        CallFailure::malformed(format!("sent an answer that is not JSON ({error}); it starts with: {begin}"))
    })?;
    reader.whole(&json)?;
    let text = reader.text();
    if !text.is_empty() {
        said(&text);
    }
    Ok(())
}

/// Whether a body consists of events, although its content type does not say so: some gateways change the type.
fn is_event(bytes: &[u8]) -> bool {
    let begins = |field: &str| bytes.trim_ascii_start().starts_with(field.as_bytes());
    begins("data:") || begins("event:")
}

/// Reads events from a body that has arrived as a whole.
fn read_whole_events(
    bytes: &[u8],
    reader: &mut dyn Reading,
    said: &mut (dyn FnMut(&str) + Send),
) -> Result<(), CallFailure> {
    let mut events = Events::default();
    let too_long = |TooLarge| CallFailure::malformed("sent a part that is too long");
    let mut complete = events.push(bytes).map_err(too_long)?;
    complete.extend(events.end());
    for (count, event) in (1..).zip(&complete) {
        read_event(event, count, reader, said)?;
    }
    match reader.is_complete() {
        true => Ok(()),
        false => Err(CallFailure::passing(
            Sort::Connection,
            format!("closed the connection in the middle of its answer, after {} parts", complete.len()),
        )),
    }
}

/// The beginning of a body, as far as it arrives.
async fn beginning(mut response: Response) -> String {
    let mut bytes = Vec::new();
    while let Ok(Some(more)) = response.chunk().await {
        bytes.extend_from_slice(&more);
        if bytes.len() > LARGEST_ERROR {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How long the provider asks to wait: a number of seconds or milliseconds, or a date by the provider's own clock.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |name: &str| -> Option<f64> { text(name)?.parse().ok() };
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    let seconds = number(RETRY_AFTER_MS).map(|wait| wait / 1000.0);
    match seconds.or_else(|| number(RETRY_AFTER.as_str())) {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => {
            let until = date(RETRY_AFTER.as_str())?;
            let now = date(DATE.as_str()).unwrap_or_else(SystemTime::now);
            Some(until.duration_since(now).unwrap_or_default())
        }
    }
}

/// The address for requests of a provider, from its base address.
pub(super) fn address(name: &str, provider: &Provider) -> Result<Url> {
    let written = &provider.base_url;
    let wrong = |fact: &str| {
        format!(
            "`base_url` of the provider `{name}` {fact}\n  help: write the base address of the API, for \
             example `http://localhost:8000/v1`"
        )
    };
    let mut url = Url::parse(written).with_context(|| wrong("is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        bail!(wrong("is not an `http` or `https` URL"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        bail!(
            "`base_url` of the provider `{name}` contains a user name or a password\n  help: write `key = {{ \
             env = \"…\" }}` instead, so that no file contains the secret"
        );
    }
    let path = url.path().trim_end_matches('/');
    let path = match provider.kind {
        _ if path.ends_with("/chat/completions") || path.ends_with("/messages") => path.to_owned(),
        ProviderKind::OpenAi => format!("{path}/chat/completions"),
        ProviderKind::Anthropic if path.ends_with("/v1") => format!("{path}/messages"),
        ProviderKind::Anthropic => format!("{path}/v1/messages"),
    };
    url.set_path(&path);
    Ok(url)
}

/// Whether the provider runs on this machine. Then no proxy is used.
fn is_near(url: &Url) -> bool {
    match url.host_str() {
        Some(host) => host == "localhost" || host == "[::1]" || host.starts_with("127."),
        None => false,
    }
}

/// The innermost cause of an error, on one line; the layers above it say less.
fn innermost(error: &reqwest::Error) -> String {
    let mut bottom: &dyn Error = error;
    while let Some(source) = bottom.source() {
        bottom = source;
    }
    one_line(&bottom.to_string())
}
