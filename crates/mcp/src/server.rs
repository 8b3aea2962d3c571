//! The protocol: tools, resources and prompts for one client.
//!
//! Input: requests on a stream. Output: answers. Invariant: the server reads and runs what is inside of the roots only; a tool that
//! cannot answer says why in words that a model can act on.

use std::path::PathBuf;
use std::sync::Arc;

use nodewise_wire::uri;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt,
    PromptArgument, PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, Role, ServerCapabilities, ServerConfig, Tool as ListedTool,
    ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use tokio::sync::RwLock;

use crate::answer::Answer;
use crate::consent::{Consent, check_client, consent};
use crate::error::ToolError;
use crate::program::{Invocation, NodewiseProgram};
use crate::prompts::{PROMPTS, PromptTemplate};
use crate::resources::{self, GRAPHS, KINDS, SCHEMAS};
use crate::roots::Roots;
use crate::tool::{Effects, Request, Tool};
use crate::tools::TOOLS;
use crate::vocabulary::Vocabulary;

const INSTRUCTIONS: &str = "nodewise checks, formats, simulates and tests files that declare agent workflows ({systems}). Call `check` after each edit of such a file. No tool but `run` calls a model or the network; `run` is there if the user added it.";

/// The state of a server for one client.
#[derive(Clone)]
struct Server {
    program: NodewiseProgram,
    version: &'static str,
    roots: Arc<RwLock<Roots>>,
    /// Whether the user named the folders. If so, the client cannot name others.
    has_fixed_roots: bool,
    allows_runs: bool,
    vocabulary: Vocabulary,
}

/// The settings of a server.
pub struct ServerOptions {
    /// The nodewise command.
    pub program: NodewiseProgram,
    pub version: &'static str,
    /// The folders that the client may name files of.
    pub roots: Roots,
    /// Whether the user named the folders. If not, the client's folders replace them.
    pub has_fixed_roots: bool,
    /// Whether the server offers live runs. The user is asked before each run.
    pub allows_runs: bool,
    /// The names that are put into the texts for agents.
    pub vocabulary: Vocabulary,
}

/// Serves a client on standard input and output until it closes them.
///
/// Where the streams cannot be read or written, or the client does not follow the protocol. The error is a message for people.
///
/// A stream that cannot be read or written, or a client that does not speak the protocol, in words for people.
pub async fn serve(options: ServerOptions) -> Result<(), String> {
    let ServerOptions { program, version, roots, has_fixed_roots, allows_runs, vocabulary } = options;
    let roots = Arc::new(RwLock::new(roots));
    let server = Server { program, version, roots, has_fixed_roots, allows_runs, vocabulary };
    let running = server.serve((tokio::io::stdin(), tokio::io::stdout())).await;
    let running = running.map_err(|error| format!("the client does not begin a session: {error}"))?;
    running.waiting().await.map(drop).map_err(|error| error.to_string())
}

impl Server {
    async fn print(&self, invocation: Invocation) -> Result<String, ToolError> {
        let folder = self.roots.read().await.folder().to_owned();
        let finished = self.program.run(&folder, invocation).await?;
        match finished.code {
            0 => Ok(finished.stdout),
            _ => Err(finished.error()),
        }
    }

    /// The tools of this server.
    fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        TOOLS.iter().filter(|tool| self.allows_runs || !matches!(tool.effects, Effects::Outside { .. }))
    }

    async fn call(
        &self,
        tool: &Tool,
        mut asked: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ToolError> {
        let roots = self.roots.read().await.clone();
        let request = Request::new(&roots, asked.arguments.take().unwrap_or_default())?;
        if let Effects::Outside { plan } = tool.effects {
            check_client(context)?;
            let plan = self.program.run(roots.folder(), plan(&request)?).await?;
            if plan.code != 0 {
                return Err(plan.error());
            }
            match consent(&plan.stdout, &asked, context).await? {
                Consent::Given => {}
                Consent::Asked(question) => return Ok(question.into()),
            }
        }
        let finished = self.program.run(roots.folder(), (tool.ask)(&request)?).await?;
        let Answer { text, structured } = (tool.answer)(&request, finished)?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(structured);
        Ok(result.into())
    }

    /// Uses the folders that the client names, if it names any.
    async fn take_roots(&self, context: &NotificationContext<RoleServer>) {
        let names_roots = context.peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
        if self.has_fixed_roots || !names_roots {
            return;
        }
        let folders = named_folders(context).await;
        if let Some(roots) = Roots::new(folders) {
            *self.roots.write().await = roots;
        }
    }

    /// The names of the graphs of the workspace.
    async fn graphs(&self) -> Vec<String> {
        let printed = self.print(Invocation::new("graph").with("--format=json")).await;
        let printed = printed.ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let graphs = printed.as_ref().and_then(|value| value.get("graphs")?.as_array());
        let name = |graph: &Value| Some(graph.get("names")?.get(0)?.as_str()?.to_owned());
        let mut names: Vec<String> = graphs.into_iter().flatten().filter_map(name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Asks the client for its folders.
#[expect(
    deprecated,
    reason = "clients name their folders this way in all versions of the protocol but the newest"
)]
async fn named_folders(context: &NotificationContext<RoleServer>) -> Vec<PathBuf> {
    let listed = context.peer.list_roots().await;
    let roots = listed.map(|listed| listed.roots).unwrap_or_default();
    roots.iter().filter_map(|root| uri::to_path(&root.uri)).collect()
}

/// Describes a tool for the client's list.
fn listed(tool: &Tool, vocabulary: &Vocabulary) -> ListedTool {
    let schema = |schema: Value| members(vocabulary.filled_schema(schema));
    let is_live = matches!(tool.effects, Effects::Outside { .. });
    let annotations = ToolAnnotations::new()
        .read_only(matches!(tool.effects, Effects::None))
        .destructive(is_live)
        .idempotent(!is_live)
        .open_world(is_live);
    ListedTool::new(tool.name, vocabulary.filled(tool.description), schema((tool.input)()))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(schema((tool.output)())))
        .with_annotations(annotations)
}

fn members(value: Value) -> JsonObject {
    match value {
        Value::Object(members) => members,
        _ => JsonObject::new(),
    }
}

fn prompt(template: &PromptTemplate, vocabulary: &Vocabulary) -> Prompt {
    let argument = |(name, description): &(&str, &str)| {
        PromptArgument::new(*name).with_description(vocabulary.filled(description)).with_required(true)
    };
    let arguments = template.arguments.iter().map(argument).collect();
    Prompt::new(template.name, Some(template.description), Some(arguments)).with_title(template.title)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("nodewise", self.version))
            .with_instructions(self.vocabulary.filled(INSTRUCTIONS))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.take_roots(&context).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.take_roots(&context).await;
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools().map(|tool| listed(tool, &self.vocabulary)).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools().find(|tool| tool.name == request.name) else {
            let known: Vec<&str> = self.tools().map(|tool| tool.name).collect();
            let message = format!("there is no tool `{}`; use one of {}", request.name, known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let called = tokio::select! {
            called = self.call(tool, request, &context) => called,
            // Dropping the call kills its command.
            () = context.ct.cancelled() => Err(ToolError::new("the call was cancelled".to_owned())),
        };
        Ok(called.unwrap_or_else(|error| {
            CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into()
        }))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let schemas = self.vocabulary.schemas.iter().map(|name| (SCHEMAS, name.clone()));
        let graphs = self.graphs().await.into_iter().map(|name| (GRAPHS, name));
        let resources = graphs.chain(schemas).map(|(kind, name)| {
            Resource::new(resources::address(kind, &name), name)
                .with_description(self.vocabulary.filled(kind.description))
                .with_mime_type(kind.mime_type)
        });
        Ok(ListResourcesResult::with_all_items(resources.collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = KINDS.iter().map(|kind| {
            ResourceTemplate::new(kind.template, kind.title)
                .with_description(self.vocabulary.filled(kind.description))
                .with_mime_type(kind.mime_type)
        });
        Ok(ListResourceTemplatesResult::with_all_items(templates.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some((invocation, mime_type)) = resources::read(&request.uri) else {
            return Err(ErrorData::resource_not_found(
                format!("there is no resource `{}`", request.uri),
                None,
            ));
        };
        match self.print(invocation).await {
            Ok(text) => {
                let contents = ResourceContents::text(text, request.uri).with_mime_type(mime_type);
                Ok(ReadResourceResult::new(vec![contents]).into())
            }
            Err(error) => Err(ErrorData::resource_not_found(error.to_string(), None)),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(
            PROMPTS.iter().map(|template| prompt(template, &self.vocabulary)).collect(),
        ))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let Some(template) = PROMPTS.iter().find(|prompt| prompt.name == request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no prompt `{}`", request.name), None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let value = |name: &str| Some(arguments.get(name)?.as_str()?.to_owned());
        let message = template
            .message(value)
            .map_err(|name| ErrorData::invalid_params(format!("the argument `{name}` is missing"), None))?;
        let messages = vec![PromptMessage::new_text(Role::User, message)];
        Ok(GetPromptResult::new(messages).with_description(template.description).into())
    }
}
