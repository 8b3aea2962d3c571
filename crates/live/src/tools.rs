//! Tools, functions and services of a live run: Python functions of the workspace, and servers of tools.
//!
//! Input: the configuration, what the target needs, questions of the run; output: answers. Reading order: [`tool_log`] (what is
//! said beside answers), [`process`] (programs that are started), [`python`] (functions), [`mcp`] (servers), [`arguments`]
//! (what a call may hold), [`services`] (what answers other questions). Invariant: nothing is started that the target does not
//! need, and all of it has ended when this is dropped.

pub(crate) mod tool_log;

pub(crate) mod process;

mod mcp;
mod python;

mod arguments;

mod services;

mod needs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures::future::{join_all, try_join_all};
use nodewise_engine::ask::{Answer, FunctionQuestion, Reply, ToolQuestion};
use nodewise_engine::outcome::Failure;
use nodewise_expr::json::{from_json, to_json};
use nodewise_project::config::live::{Again, Live, Service, TIMEOUT_S, ToolConfig as Settings};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use self::arguments::Arguments;
use self::mcp::Server;
pub(crate) use self::needs::{functions, interpreter, may_call};
use self::python::{How, Python};
use self::tool_log::ToolLog;
pub use self::tool_log::{NoNotes, Notes};
use crate::secrets::Secrets;
use crate::wiring::{OfferedTool, Tool, Wiring};

/// The prefix of a server's tool if the run uses the plain name for another tool.
const OF_SERVER: &str = "mcp__";

/// The tools, functions and services of a run.
#[derive(Debug)]
pub struct Tools {
    tools: BTreeMap<SmolStr, Wired>,
    servers: BTreeMap<SmolStr, Served>,
    services: BTreeMap<Service, String>,
    /// What a resumed run does with earlier calls of a tool, for tools whose configuration sets it.
    again: BTreeMap<SmolStr, Again>,
    python: Python,
}

/// A started server, and those of its tools that the target needs.
#[derive(Debug)]
struct Served {
    server: Server,
    tools: Vec<SmolStr>,
}

/// A call of a tool.
#[derive(Debug)]
struct Call<'c> {
    arguments: Json,
    /// Its idempotency key.
    key: &'c str,
}

/// A tool, and what answers its calls.
#[derive(Debug)]
struct Wired {
    behind: Behind,
    description: Option<String>,
    parameters: Json,
    /// The checks of the arguments; `None` if they are not described.
    arguments: Option<Arguments>,
    limit: Option<Duration>,
}

/// What answers the calls of a tool.
#[derive(Debug)]
enum Behind {
    Function(String),
    Server { server: SmolStr, tool: String },
    Nothing,
}

impl Tools {
    /// Starts everything that the target needs.
    pub async fn start(
        live: &Live,
        folder: &Path,
        wiring: &Wiring,
        secrets: Arc<Secrets>,
        notes: Arc<dyn Notes>,
    ) -> Result<Tools> {
        let tool_log = ToolLog::new(notes, Arc::clone(&secrets));
        let limit = Duration::try_from_secs_f64(live.timeout_s.unwrap_or(TIMEOUT_S)).context(
            "`timeout_s` under `[live]` in nodewise.toml is not a valid time limit\n  help: write seconds, for \
             example 30",
        )?;
        let python = Python::new(live, folder, limit, tool_log.clone())?;
        let needed = needed_servers(live, wiring);
        let starting = needed.into_iter().map(|(name, wanted)| {
            let (tool_log, secrets) = (tool_log.clone(), &secrets);
            async move {
                let settings = live.mcp.get(name.as_str()).with_context(|| {
                    format!(
                        "the MCP server `{name}` is not configured\n  help: write how to reach it under \
                         `[live.mcp.{name}]` in nodewise.toml: `command = [\"…\"]` or `url = \"…\"`"
                    )
                })?;
                let limit = seconds(settings.timeout_s, || format!("[live.mcp.{name}]"))?.unwrap_or(limit);
                let key = secrets.of_server(&name)?.map(str::to_owned);
                let server = Server::start(&name, settings, key, folder, limit, tool_log).await?;
                let tools = wanted_tools(&name, &server, wanted.as_ref())?;
                anyhow::Ok((name, Served { server, tools }))
            }
        });
        let servers: BTreeMap<SmolStr, Served> = try_join_all(starting).await?.into_iter().collect();
        let again = live.tools.iter().filter_map(|(name, tool)| Some((name.into(), tool.again?))).collect();
        let services = live.services.clone();
        let mut tools = Tools { tools: BTreeMap::new(), servers, services, again, python };
        tools.wire(live, wiring, &tool_log).await?;
        Ok(tools)
    }

    /// The tools that can be offered to models.
    #[must_use]
    pub fn offered(&self) -> Vec<OfferedTool> {
        self.offered_beside(&|_| false)
    }

    /// The tools that can be offered to models, if a script answers for some of them.
    #[must_use]
    pub fn offered_beside(&self, is_scripted: &dyn Fn(&SmolStr) -> bool) -> Vec<OfferedTool> {
        let offered = |(name, tool): (&SmolStr, &Wired)| OfferedTool {
            name: name.clone(),
            description: tool.description.clone(),
            parameters: tool.parameters.clone(),
        };
        let can_answer =
            |(name, tool): &(&SmolStr, &Wired)| !matches!(tool.behind, Behind::Nothing) || is_scripted(name);
        self.tools.iter().filter(can_answer).map(offered).collect()
    }

    /// The tools that the target needs of each server.
    #[must_use]
    pub fn of_servers(&self) -> BTreeMap<SmolStr, Vec<SmolStr>> {
        self.servers.iter().map(|(name, served)| (name.clone(), served.tools.clone())).collect()
    }

    /// The tools that have no function and no server. Each call of one fails.
    #[must_use]
    pub fn unwired(&self) -> Vec<SmolStr> {
        let unwired = self.tools.iter().filter(|(_, tool)| matches!(tool.behind, Behind::Nothing));
        unwired.map(|(name, _)| name.clone()).collect()
    }

    /// What a resumed run does with an earlier call of a tool.
    #[must_use]
    pub fn again(&self, tool: &SmolStr) -> Again {
        self.again.get(tool).copied().unwrap_or_default()
    }

    /// Calls a tool, and passes the idempotency key on.
    pub async fn call(&self, question: &ToolQuestion, key: &str) -> Answer {
        let arguments = match to_json(&question.arguments) {
            Json::Null => json!({}),
            arguments => arguments,
        };
        let call = Call { arguments, key };
        self.called(&question.tool, call).await.unwrap_or_else(Answer::failed)
    }

    /// Calls a Python function of the project.
    pub async fn function(&self, question: &FunctionQuestion, key: &str) -> Answer {
        let input = to_json(&question.input);
        match self.python.call(&question.path, How::Input, &input, key, None).await {
            Ok(returned) => returned.answer(),
            Err(failure) => Answer::failed(failure),
        }
    }

    /// Calls the Python function that is configured for a service.
    pub async fn service(&self, service: Service, question: Json, key: &str) -> Answer {
        let word = services::word(service);
        let Some(function) = self.services.get(&service) else {
            return Answer::failed(Failure::lasting(
                "ServiceNotWired",
                format!(
                    "no function is set for the service `{word}`\n  help: name a Python function under \
                     `[live.services]` in nodewise.toml: `{word} = \"module.function\"`"
                ),
            ));
        };
        match self.python.call(function, How::Input, &question, key, None).await {
            Ok(returned) => services::answer(service, function, returned.value),
            Err(failure) => Answer::failed(failure),
        }
    }

    /// Ends all servers and processes.
    pub async fn stop(self) {
        let servers = self.servers.into_values().map(|served| served.server.end());
        futures::future::join(join_all(servers), self.python.end()).await;
    }

    async fn called(&self, name: &SmolStr, call: Call<'_>) -> Result<Answer, Failure> {
        let Some(tool) = self.tools.get(name) else { return self.called_longer(name, call).await };
        if let Some(declared) = &tool.arguments {
            declared.check(name, &call.arguments)?;
        }
        match &tool.behind {
            Behind::Function(function) => {
                let returned =
                    self.python.call(function, How::Tool, &call.arguments, call.key, tool.limit).await?;
                Ok(returned.answer())
            }
            Behind::Server { server, tool: own_name } => {
                self.call_server(server, own_name, call, tool.limit).await
            }
            Behind::Nothing => Err(nothing_behind(name)),
        }
    }

    /// Calls a tool of a server by the longer name (`mcp__` and its name). The run uses it if the plain name belongs to another
    /// tool.
    async fn called_longer(&self, name: &SmolStr, call: Call<'_>) -> Result<Answer, Failure> {
        let found = name.strip_prefix(OF_SERVER).and_then(|plain| self.of_some_server(plain));
        let (server, tool) = found.ok_or_else(|| nothing_behind(name))?;
        let declared = self.servers.get(server).and_then(|served| served.server.tool(tool));
        let schema = declared.map(|declared| Json::Object(declared.input_schema.as_ref().clone()));
        if let Some(Ok(declared)) = schema.as_ref().map(Arguments::new) {
            declared.check(name, &call.arguments)?;
        }
        self.call_server(server, tool, call, None).await
    }

    async fn call_server(
        &self,
        server: &str,
        tool: &str,
        call: Call<'_>,
        limit: Option<Duration>,
    ) -> Result<Answer, Failure> {
        let served = self.servers.get(server).ok_or_else(|| nothing_behind(tool))?;
        let value = served.server.call(tool, call, limit).await?;
        Ok(Answer::now(Reply::Value(from_json(value))))
    }

    /// A server that has a tool of this name. If the tool of that plain name is of one server already, another server comes
    /// first.
    fn of_some_server<'a>(&'a self, tool: &'a str) -> Option<(&'a str, &'a str)> {
        let taken = match self.tools.get(tool).map(|wired| &wired.behind) {
            Some(Behind::Server { server, .. }) => Some(server),
            _ => None,
        };
        let has = |served: &Served| served.tools.iter().any(|known| known == tool);
        let mut having = self.servers.iter().filter(|(_, served)| has(served)).map(|(name, _)| name);
        let first = having.next();
        let other = first.filter(|first| taken == Some(*first)).and_then(|_| having.next());
        Some((other.or(first)?.as_str(), tool))
    }
}

/// Connects names of tools with functions and servers, before the run begins.
impl Tools {
    async fn wire(&mut self, live: &Live, wiring: &Wiring, tool_log: &ToolLog) -> Result<()> {
        let mut tools = BTreeMap::new();
        for (name, declared) in &wiring.tools {
            tools.insert(name.clone(), self.wired(name, declared, live.tools.get(name.as_str()), tool_log)?);
        }
        for (server, served) in &self.servers {
            let names = wiring.servers.contains_key(server).then_some(&served.tools);
            for tool in names.into_iter().flatten().filter(|tool| !wiring.tools.contains_key(*tool)) {
                let behind = Behind::Server { server: server.clone(), tool: tool.to_string() };
                let wired = self.with_declaration(behind, tool, &Tool::default(), None, tool_log)?;
                tools.entry(tool.clone()).or_insert(wired);
            }
        }
        self.tools = tools;
        let calls_functions = self.tools.values().any(|tool| matches!(tool.behind, Behind::Function(_)));
        if calls_functions || !wiring.functions.is_empty() {
            self.python.warm_up().await?;
        }
        self.describe_functions().await;
        Ok(())
    }

    /// Connects a declared tool with what the configuration or the declaration says.
    fn wired(
        &self,
        name: &SmolStr,
        declared: &Tool,
        settings: Option<&Settings>,
        tool_log: &ToolLog,
    ) -> Result<Wired> {
        let behind = match settings {
            Some(Settings { function: Some(_), mcp: Some(_), .. }) => bail!(
                "the tool `{name}` has both a `function` and a server\n  help: remove `function` or `mcp` from \
                 `[live.tools.{name}]` in nodewise.toml"
            ),
            Some(Settings { function: Some(function), .. }) => Behind::Function(function.clone()),
            Some(Settings { mcp: Some(server), name: own_name, .. }) => {
                let tool = own_name.clone().unwrap_or_else(|| name.to_string());
                Behind::Server { server: server.into(), tool }
            }
            _ => match (&declared.function, &declared.server) {
                (Some(function), _) => Behind::Function(function.to_string()),
                (None, Some(server)) => Behind::Server { server: server.clone(), tool: name.to_string() },
                (None, None) => match self.of_some_server(name) {
                    Some((server, tool)) => Behind::Server { server: server.into(), tool: tool.to_owned() },
                    None => Behind::Nothing,
                },
            },
        };
        self.with_declaration(behind, name, declared, settings, tool_log)
    }

    /// Finds the tool's description and parameters: first in the configuration, then in the declaration, then from the server.
    fn with_declaration(
        &self,
        behind: Behind,
        name: &str,
        declared: &Tool,
        settings: Option<&Settings>,
        tool_log: &ToolLog,
    ) -> Result<Wired> {
        let of_server = match &behind {
            Behind::Server { server, tool } => Some(self.tool_of_server(name, server, tool)?),
            _ => None,
        };
        let description = settings
            .and_then(|settings| settings.description.clone())
            .or_else(|| declared.description.clone())
            .or_else(|| of_server.and_then(|tool| tool.description.as_deref().map(str::to_owned)));
        let of_settings = settings.and_then(|settings| settings.parameters.clone());
        let declared = of_settings.clone().or_else(|| declared.parameters.clone());
        let parameters =
            declared.or_else(|| of_server.map(|tool| Json::Object(tool.input_schema.as_ref().clone())));
        let arguments = match parameters.as_ref().map(Arguments::new).transpose() {
            Ok(arguments) => arguments,
            Err(error) if of_settings.is_some() => {
                return Err(error.context(format!(
                    "`parameters` of `[live.tools.{name}]` in nodewise.toml is not a valid JSON Schema"
                )));
            }
            Err(error) => {
                tool_log.note(
                    name,
                    &format!("its arguments are not checked, because its schema is not valid: {error}"),
                );
                None
            }
        };
        let limit =
            seconds(settings.and_then(|settings| settings.timeout_s), || format!("[live.tools.{name}]"))?;
        let parameters = parameters.unwrap_or_else(|| json!({"type": "object"}));
        Ok(Wired { behind, description, parameters, arguments, limit })
    }

    fn tool_of_server(&self, name: &str, server: &str, tool: &str) -> Result<&rmcp::model::Tool> {
        let served = self.servers.get(server);
        let found = served.and_then(|served| served.server.tool(tool));
        found.with_context(|| {
            let known: Vec<&str> = served
                .into_iter()
                .flat_map(|served| served.server.tools())
                .map(|tool| tool.name.as_ref())
                .collect();
            format!(
                "the server `{server}` of the tool `{name}` has no tool `{tool}`\n  help: it has {}",
                list(&known)
            )
        })
    }

    /// Reads descriptions and parameters from the functions themselves, for tools that no declaration describes.
    async fn describe_functions(&mut self) {
        for tool in self.tools.values_mut() {
            let (Behind::Function(function), None) = (&tool.behind, &tool.arguments) else { continue };
            // A function that cannot be imported fails when it is called, if it is called at all.
            let Ok(described) = self.python.call(function, How::Describe, &Json::Null, "", None).await else {
                continue;
            };
            if let Some(parameters) = described.value.get("parameters") {
                tool.parameters = parameters.clone();
                tool.arguments = Arguments::new(parameters).ok();
            }
            if tool.description.is_none() {
                tool.description =
                    described.value.get("description").and_then(Json::as_str).map(str::to_owned);
            }
        }
    }
}

/// The servers that declarations name or that configured tools use, with the tools that are needed of each. `None` means all
/// tools.
fn needed_servers(live: &Live, wiring: &Wiring) -> BTreeMap<SmolStr, Option<BTreeSet<SmolStr>>> {
    let mut needed = wiring.servers.clone();
    for (name, declared) in &wiring.tools {
        let settings = live.tools.get(name.as_str());
        let configured = settings.and_then(|settings| settings.mcp.as_deref()).map(SmolStr::from);
        let is_function = settings.is_some_and(|settings| settings.function.is_some());
        let declared = declared.server.clone().filter(|_| !is_function && declared.function.is_none());
        if let Some(server) = configured.or(declared) {
            needed.entry(server).or_insert_with(|| Some(BTreeSet::new()));
        }
    }
    needed
}

/// The tools that are needed of a server. Returns an error if the server lacks one of them.
fn wanted_tools(name: &str, server: &Server, wanted: Option<&BTreeSet<SmolStr>>) -> Result<Vec<SmolStr>> {
    let known: Vec<SmolStr> = server.tools().map(|tool| SmolStr::from(tool.name.as_ref())).collect();
    let Some(wanted) = wanted else { return Ok(known) };
    if let Some(missing) = wanted.iter().find(|wanted| !known.contains(wanted)) {
        bail!("the server `{name}` has no tool `{missing}`\n  help: it has {}", list(&known));
    }
    Ok(wanted.iter().cloned().collect())
}

fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn seconds(seconds: Option<f64>, whose: impl Fn() -> String) -> Result<Option<Duration>> {
    let duration = seconds.map(Duration::try_from_secs_f64).transpose();
    duration.with_context(|| {
        format!(
            "`timeout_s` of `{}` in nodewise.toml is not a valid time limit\n  help: write seconds, for \
             example 30",
            whose()
        )
    })
}

fn nothing_behind(tool: &str) -> Failure {
    Failure::lasting(
        "ToolNotWired",
        format!(
            "no function or server is set for the tool `{tool}`\n  help: name one under `[live.tools.{tool}]` \
             in nodewise.toml: `function = \"module.function\"` or `mcp = \"server\"`"
        ),
    )
}
