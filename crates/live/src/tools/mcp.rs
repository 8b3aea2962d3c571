//! Servers of tools that speak the Model Context Protocol, over the standard streams of a program or over HTTP.
//!
//! Input: the configuration of a server, calls of its tools; output: their results as values. Invariant: a call that reached a
//! server is not repeated unless the tool says that this does no harm.

mod client;
mod connection;
mod result;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nodewise_engine::outcome::Failure;
use nodewise_project::config::live::ToolServerConfig as Settings;
use rmcp::model::{CallToolRequestParams, ErrorCode, ErrorData, RequestMetaObject, Tool};
use rmcp::service::ServiceError;
use serde_json::Value as Json;

use self::connection::{Connection, Reached};
use super::Call;
use super::tool_log::ToolLog;

/// The class of a failed connection, and of an error that the server itself answers with.
const CLASS: &str = "McpError";
/// The class of a failure that a tool of the server reports.
const TOOL_CLASS: &str = "McpToolError";
/// The member of `_meta` by which a server recognises a repeated call.
const IDEMPOTENCY_KEY: &str = "nodewise/idempotency-key";
/// How long a server may take to start, and then to list its tools.
const TIME_TO_START: Duration = Duration::from_secs(60);

/// A server of tools, and the connection to it.
pub(super) struct Server {
    name: String,
    reached: Reached,
    limit: Duration,
    tool_log: ToolLog,
    connection: tokio::sync::Mutex<Option<Arc<Connection>>>,
    tools: BTreeMap<String, Tool>,
}

/// Why a call has no result.
enum Without {
    /// The server refused the call, or it could not be made.
    Failure(Failure),
    /// The connection broke during the call. The text says what is known about the reason.
    Connection(String),
}

impl Server {
    /// Starts a server or connects to it, and lists its tools.
    pub(super) async fn start(
        name: &str,
        settings: &Settings,
        key: Option<String>,
        folder: &Path,
        limit: Duration,
        tool_log: ToolLog,
    ) -> Result<Server> {
        let mut server = Server {
            name: name.to_owned(),
            reached: reached(name, settings, key, folder, &tool_log)?,
            limit,
            tool_log,
            connection: tokio::sync::Mutex::new(None),
            tools: BTreeMap::new(),
        };
        let connection = server.connect().await?;
        let listed = tokio::time::timeout(TIME_TO_START, connection.list()).await;
        let tools = match listed {
            Ok(Ok(tools)) => tools,
            Ok(Err(error)) => {
                let words =
                    connection.last_words().await.map(|words| format!(": {words}")).unwrap_or_default();
                let error = server.tool_log.masked(&error.to_string());
                bail!("the server `{name}` does not list its tools: {error}{words}")
            }
            Err(_) => {
                bail!("the server `{name}` did not list its tools within {} s", TIME_TO_START.as_secs())
            }
        };
        server.tools = tools.into_iter().map(|tool| (tool.name.to_string(), tool)).collect();
        *server.connection.get_mut() = Some(Arc::new(connection));
        Ok(server)
    }

    pub(super) fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values()
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.get(name)
    }

    /// Calls a tool.
    pub(super) async fn call(
        &self,
        tool: &str,
        call: Call<'_>,
        limit: Option<Duration>,
    ) -> Result<Json, Failure> {
        let arguments = match call.arguments {
            Json::Object(arguments) => arguments,
            _ => serde_json::Map::new(),
        };
        let mut parameters = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let mut meta = RequestMetaObject::new();
        meta.insert(IDEMPOTENCY_KEY.to_owned(), call.key.into());
        parameters.meta = Some(meta);
        let limit = limit.unwrap_or(self.limit);
        let mut result = self.call_once(tool, parameters.clone(), limit).await;
        if matches!(result, Err(Without::Connection(_))) && self.may_be_repeated(tool) {
            result = self.call_once(tool, parameters, limit).await;
        }
        match result {
            Ok(mut value) => {
                self.tool_log.mask(&mut value);
                Ok(value)
            }
            Err(Without::Failure(failure)) => Err(self.tool_log.masked_failure(failure)),
            Err(Without::Connection(reason)) => {
                let message = format!(
                    "the connection to the server `{}` broke while `{tool}` ran; the call may have taken \
                     effect: {reason}",
                    self.name
                );
                Err(self.tool_log.masked_failure(Failure::new(CLASS, message)))
            }
        }
    }

    /// Ends the connection, and the program if the server is one.
    pub(super) async fn end(self) {
        if let Some(connection) = self.connection.into_inner().and_then(Arc::into_inner) {
            connection.end().await;
        }
    }

    async fn call_once(
        &self,
        tool: &str,
        parameters: CallToolRequestParams,
        limit: Duration,
    ) -> Result<Json, Without> {
        let connection = self.connected().await.map_err(Without::Failure)?;
        match tokio::time::timeout(limit, connection.call(parameters)).await {
            Ok(Ok(result)) => {
                let has_shape = self.tool(tool).is_some_and(|tool| tool.output_schema.is_some());
                result::value(tool, result, has_shape).map_err(Without::Failure)
            }
            Ok(Err(ServiceError::McpError(error))) => Err(Without::Failure(self.refusal(tool, &error))),
            Ok(Err(error)) => {
                if let Some((answer, lasts)) = connection::refusal(&error) {
                    let message =
                        format!("the server `{}` rejects the call of `{tool}`: {answer}", self.name);
                    let failure = Failure { retryable: !lasts, ..Failure::new(CLASS, message) };
                    return Err(Without::Failure(failure));
                }
                let reason = match connection.last_words().await {
                    Some(words) => words,
                    None => connection::words(&error),
                };
                self.forget(&connection).await;
                Err(Without::Connection(reason))
            }
            Err(_) => {
                // A server that does not answer at all is dropped, so that the next call starts it again.
                if !connection.shows_life().await {
                    self.forget(&connection).await;
                }
                let message = format!(
                    "`{tool}` of the server `{}` took longer than {} s and was stopped\n  help: raise \
                     `timeout_s` under `[live]` in nodewise.toml",
                    self.name,
                    limit.as_secs_f64()
                );
                Err(Without::Failure(Failure::new("TimeoutError", message)))
            }
        }
    }

    /// The current connection, or a new one if that has ended.
    async fn connected(&self) -> Result<Arc<Connection>, Failure> {
        let mut connection = self.connection.lock().await;
        if let Some(connection) = connection.as_ref().filter(|connection| !connection.is_over()) {
            return Ok(connection.clone());
        }
        *connection = None;
        let new = self.connect().await.map_err(|error| Failure::new(CLASS, format!("{error:#}")))?;
        Ok(connection.insert(Arc::new(new)).clone())
    }

    async fn connect(&self) -> Result<Connection> {
        let connecting = Connection::new(&self.name, &self.reached, &self.tool_log);
        match tokio::time::timeout(TIME_TO_START, connecting).await {
            Ok(connection) => connection,
            Err(_) => bail!("the server `{}` was not ready after {} s", self.name, TIME_TO_START.as_secs()),
        }
    }

    /// Drops a connection, unless a new one has replaced it already.
    async fn forget(&self, broken: &Arc<Connection>) {
        let mut connection = self.connection.lock().await;
        if connection.as_ref().is_some_and(|current| Arc::ptr_eq(current, broken)) {
            *connection = None;
        }
    }

    fn may_be_repeated(&self, tool: &str) -> bool {
        let annotations = self.tool(tool).and_then(|tool| tool.annotations.as_ref());
        annotations.is_some_and(|annotations| {
            annotations.read_only_hint == Some(true) || annotations.idempotent_hint == Some(true)
        })
    }

    /// The failure for an error that the server answered with.
    fn refusal(&self, tool: &str, error: &ErrorData) -> Failure {
        let message = format!("the server `{}` rejects the call of `{tool}`: {}", self.name, error.message);
        match error.code {
            ErrorCode::INVALID_PARAMS | ErrorCode::INVALID_REQUEST | ErrorCode::METHOD_NOT_FOUND => {
                Failure::lasting(CLASS, message)
            }
            _ => Failure::new(CLASS, message),
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Reads from the settings how the server is reached. Returns an error if it is neither a command nor an address.
fn reached(
    name: &str,
    settings: &Settings,
    key: Option<String>,
    folder: &Path,
    tool_log: &ToolLog,
) -> Result<Reached> {
    match (settings.command.as_slice(), &settings.url) {
        ([program, arguments @ ..], None) => {
            let mut variables: Vec<(String, OsString)> = Vec::new();
            for wanted in &settings.env {
                let value = tool_log.variable(wanted).with_context(|| {
                    format!(
                        "the variable `{wanted}` of the server `{name}` is not set\n  help: set it in the environment or in `.env`, or remove \
                         it from `env` of `[live.mcp.{name}]` in nodewise.toml"
                    )
                })?;
                variables.push((wanted.clone(), value));
            }
            Ok(Reached::Program {
                program: program.clone(),
                arguments: arguments.to_vec(),
                variables,
                folder: folder.to_owned(),
            })
        }
        ([], Some(url)) => Ok(Reached::Address { url: url.clone(), key }),
        ([], None) => bail!(
            "the server `{name}` has neither a `command` nor a `url`\n  help: write one of them under \
             `[live.mcp.{name}]` in nodewise.toml"
        ),
        (_, Some(_)) => bail!(
            "the server `{name}` has both a `command` and a `url`\n  help: remove one of them from \
             `[live.mcp.{name}]` in nodewise.toml"
        ),
    }
}
