//! One connection to a server of tools: the session, and the program where the server is one.
//!
//! Input: how a server is reached; output: a session. Invariant: when a connection is dropped, its program is killed.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientRequest, PingRequest, Tool};
use rmcp::service::{
    ClientInitializeError, PeerRequestOptions, RoleClient, RunningService, ServiceError, ServiceExt,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};

use super::client::Client;
use crate::tools::process::{Pipes, Process, clean};
use crate::tools::tool_log::ToolLog;

/// After a call without an answer, how long the server may take to answer a ping.
const TIME_TO_SHOW_LIFE: Duration = Duration::from_secs(2);
/// How long the end of a session may take.
const TIME_TO_CLOSE: Duration = Duration::from_secs(2);
/// How long it may take to connect over the network.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);
/// How many redirects are followed. They must stay on the same server.
const MOST_REDIRECTS: usize = 5;

/// How a server is reached.
pub(super) enum Reached {
    /// A program that nodewise starts, with a clean environment and these variables.
    Program { program: String, arguments: Vec<String>, variables: Vec<(String, OsString)>, folder: PathBuf },
    /// A server that runs already.
    Address { url: String, key: Option<String> },
}

pub(super) struct Connection {
    service: RunningService<RoleClient, Client>,
    process: Mutex<Option<Process>>,
}

impl Connection {
    /// Starts the program or connects to the address, and initialises the session.
    pub(super) async fn new(name: &str, reached: &Reached, tool_log: &ToolLog) -> Result<Connection> {
        let client = Client::new(name, tool_log);
        match reached {
            Reached::Program { program, arguments, variables, folder } => {
                let mut command = clean(&program_path(program, folder));
                command.args(arguments).envs(variables.iter().map(|(name, value)| (name, value)));
                command.current_dir(folder);
                let (mut process, Pipes { input, output }) = Process::start(command, name, tool_log)
                    .with_context(|| {
                        format!(
                            "cannot start the server `{name}` with `{program}`\n  help: install it, or fix \
                             `command` under `[live.mcp.{name}]` in nodewise.toml"
                        )
                    })?;
                match client.serve(AsyncRwTransport::new_client(output, input)).await {
                    Ok(service) => Ok(Connection { service, process: Mutex::new(Some(process)) }),
                    Err(error) => {
                        let words = process.last_words().await;
                        Err(anyhow!(
                            "the server `{name}` does not follow the MCP protocol: {}: {words}",
                            without_dump(&error)
                        ))
                    }
                }
            }
            Reached::Address { url, key } => {
                let mut settings = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                if let Some(key) = key {
                    settings = settings.auth_header(key.as_str());
                }
                let transport = StreamableHttpClientTransport::with_client(http_client()?, settings);
                match client.serve(transport).await {
                    Ok(service) => Ok(Connection { service, process: Mutex::new(None) }),
                    Err(error) => {
                        let reason = tool_log.masked(&without_dump(&error));
                        let help = match error.is_authorization_required() {
                            true => format!(
                                "set its key under `[live.mcp.{name}]` in nodewise.toml: `key = {{ env = \
                                 \"NAME\" }}`"
                            ),
                            false => format!(
                                "check that it runs, and that `url` under `[live.mcp.{name}]` in nodewise.toml \
                                 is its address"
                            ),
                        };
                        Err(anyhow!(
                            "cannot connect to the server `{name}` at {url}: {reason}\n  help: {help}"
                        ))
                    }
                }
            }
        }
    }

    /// Whether the connection has ended.
    pub(super) fn is_over(&self) -> bool {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        process.as_ref().is_some_and(Process::is_over) || self.service.is_transport_closed()
    }

    /// Lists the server's tools.
    pub(super) async fn list(&self) -> Result<Vec<Tool>, ServiceError> {
        self.service.list_all_tools().await
    }

    /// Calls a tool.
    pub(super) async fn call(
        &self,
        parameters: CallToolRequestParams,
    ) -> Result<CallToolResult, ServiceError> {
        self.service.call_tool(parameters).await
    }

    /// Whether the server answers a ping.
    pub(super) async fn shows_life(&self) -> bool {
        let ping = ClientRequest::PingRequest(PingRequest::default());
        let options = PeerRequestOptions::with_timeout(TIME_TO_SHOW_LIFE);
        match self.service.send_request_with_option(ping, options).await {
            Ok(sent) => sent.await_response().await.is_ok(),
            Err(_) => false,
        }
    }

    /// How the program ended and what it printed last; `None` if the server is not a program of ours.
    pub(super) async fn last_words(&self) -> Option<String> {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        Some(process?.last_words().await)
    }

    /// Ends the session, then the program.
    pub(super) async fn end(mut self) {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.service.close_with_timeout(TIME_TO_CLOSE).await;
        if let Some(process) = process {
            process.end().await;
        }
    }
}

/// An error and its causes, on one line.
pub(super) fn words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut below = error.source();
    while let Some(cause) = below {
        let cause_words = cause.to_string();
        if !words.contains(&cause_words) {
            words = format!("{words}: {cause_words}");
        }
        below = cause.source();
    }
    words
}

/// Describes an HTTP error that the server answered with instead of a result, and whether it would answer so again. `None` for
/// other errors.
pub(super) fn refusal(error: &ServiceError) -> Option<(String, bool)> {
    let ServiceError::TransportSend(error) = error else { return None };
    let mut below: Option<&(dyn std::error::Error + 'static)> = Some(error.error.as_ref());
    while let Some(error) = below {
        match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(StreamableHttpError::HttpStatus(answer)) => {
                return Some((format!("HTTP {}", answer.status), false));
            }
            Some(StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_)) => {
                return Some(("it needs a key, or another key".to_owned(), true));
            }
            Some(StreamableHttpError::UnexpectedServerResponse(answer)) if answer.starts_with("HTTP 4") => {
                return Some((answer.lines().next().unwrap_or_default().to_owned(), true));
            }
            _ => below = error.source(),
        }
    }
    None
}

/// Describes why the session could not be initialised, without the whole message that arrived.
fn without_dump(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ExpectedInitResponse(_) | ClientInitializeError::ExpectedInitResult(_) => {
            "its first answer does not accept the connection".to_owned()
        }
        ClientInitializeError::TransportError { error, .. } => words(error.error.as_ref()),
        error => words(error),
    }
}

/// A path that begins with `./` or `../` is relative to the folder; other programs are found in `PATH`.
fn program_path(program: &str, folder: &std::path::Path) -> OsString {
    let is_relative = program.starts_with("./") || program.starts_with("../");
    if is_relative { folder.join(program).into_os_string() } else { OsStr::new(program).to_owned() }
}

/// A client that only follows redirects on the same server, so that no key goes to another one.
fn http_client() -> Result<reqwest::Client> {
    // An error means that another connection has installed it before, which is the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let redirects = reqwest::redirect::Policy::custom(|attempt| {
        let stays = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
        match stays
            && attempt.previous().len() <= MOST_REDIRECTS
            && matches!(attempt.status().as_u16(), 307 | 308)
        {
            true => attempt.follow(),
            false => attempt.stop(),
        }
    });
    reqwest::Client::builder()
        .redirect(redirects)
        .connect_timeout(TIME_TO_CONNECT)
        // A body that is not read to its end would block the next request on the same connection, so none is reused.
        .pool_max_idle_per_host(0)
        .build()
        .context("cannot create an HTTP client")
}
