//! What nodes of cycgraph mean to untrusted text, as the engine taints keys (cycgraph:6.21).

use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{AgentDefinition, GraphNode, ToolSource, ToolSourceKind};
use nodewise_model::work::WorkKind;
use nodewise_model::{Body, Located, Reference};
use smol_str::SmolStr;

use crate::rule::Context;
use crate::rules::security::trust::{GraphPlace, NodeTrust};
use crate::rules::wording::short;
use crate::settings::SecuritySettings;

/// How a node handles untrusted text.
pub(super) fn trust_of(context: &Context<'_>, place: GraphPlace<'_>, node: &GraphNode) -> NodeTrust {
    let trust = Trust { security: &context.file.settings.security, place };
    let kind = node.work.kind();
    let memory = node.memory_query.as_ref().filter(|query| query.untrusted);
    let mut found = NodeTrust {
        source: memory.map(|_| "reads untrusted memory".to_owned()),
        is_check: matches!(kind, WorkKind::Person | WorkKind::Judge),
        is_carrier: matches!(kind, WorkKind::Agent | WorkKind::Many),
        ..NodeTrust::default()
    };
    match Work::of(node) {
        Work::RemoteAgent(remote) => {
            let server = remote.server.as_ref().filter(|server| trust.is_untrusted(&server.value));
            let answers = |server: &Located<SmolStr>| {
                format!("gets answers of the remote agent `{}`", short(&server.value))
            };
            found.source = server.map(answers);
        }
        Work::Reflection(_) => found.effect = Some("keeps facts for later runs".to_owned()),
        Work::Tool(tool) => trust.add_tools(tool.tool.as_slice(), &mut found),
        _ => {}
    }
    if matches!(kind, WorkKind::Agent | WorkKind::Many | WorkKind::Tool) {
        for tool in tools(context, place, node) {
            trust.add(tool, &mut found);
        }
    }
    found
}

/// The agents whose models run at a node.
pub(super) fn agents<'a>(
    context: &Context<'a>,
    place: GraphPlace<'a>,
    node: &'a GraphNode,
) -> impl Iterator<Item = (&'a Reference, &'a AgentDefinition)> {
    let voters = match Work::of(node) {
        Work::Voting(voting) => voting.voters.as_slice(),
        _ => &[],
    };
    let (context, document) = (*context, place.document);
    let named = node.agent.iter().chain(voters);
    named.filter_map(move |agent| Some((agent, context.agent(document, agent)?)))
}

/// The sources of a node's tools. Its own sources replace those of its agent.
fn tools<'a>(context: &Context<'a>, place: GraphPlace<'a>, node: &'a GraphNode) -> Vec<&'a ToolSource> {
    match &node.tools {
        Some(own) => own.value.iter().collect(),
        None => agents(context, place, node).flat_map(|(_, agent)| &agent.tools).collect(),
    }
}

/// The data that decides which tools are trusted in a graph.
struct Trust<'a> {
    security: &'a SecuritySettings,
    place: GraphPlace<'a>,
}

impl Trust<'_> {
    /// Whether a server is untrusted. It is, unless the project says otherwise.
    fn is_untrusted(&self, server: &str) -> bool {
        self.security.is_untrusted(server).unwrap_or(true)
    }

    fn add(&self, tool: &ToolSource, found: &mut NodeTrust) {
        match &tool.kind {
            ToolSourceKind::Custom(name) => self.add_tools(std::slice::from_ref(name), found),
            ToolSourceKind::Server(server, names) => {
                self.add_acting(names.as_deref().unwrap_or_default(), found);
                if found.source.is_none() && self.brings_in(&server.value, names.as_deref()) {
                    found.source = Some(format!("reads from the server `{}`", short(&server.value)));
                }
            }
            ToolSourceKind::Builtin(_) => {}
        }
    }

    /// Whether a server returns untrusted text through any of its tools, or through one of `names`.
    fn brings_in(&self, server: &str, names: Option<&[Located<SmolStr>]>) -> bool {
        let is_untrusted = self.is_untrusted(server);
        // The result of a tool that acts is not a text to read.
        let tool = |name: &Located<SmolStr>| {
            let usual = is_untrusted && !self.security.acts(&name.value);
            self.security.is_untrusted(&name.value).unwrap_or(usual)
        };
        names.map_or(is_untrusted, |names| names.iter().any(tool))
    }

    /// Adds what tools do that the program registers: whether they return untrusted text, and whether they act.
    fn add_tools(&self, names: &[Located<SmolStr>], found: &mut NodeTrust) {
        self.add_acting(names, found);
        let brought_in = |name: &Located<SmolStr>| match self.security.is_untrusted(&name.value) {
            Some(is_untrusted) => is_untrusted.then(|| calls(&name.value)),
            None => self.taints(&name.value).then(|| format!("{}, which taints", calls(&name.value))),
        };
        found.source = found.source.take().or_else(|| names.iter().find_map(brought_in));
    }

    fn add_acting(&self, names: &[Located<SmolStr>], found: &mut NodeTrust) {
        let first = |says: &dyn Fn(&str) -> bool| {
            names.iter().find(|name| says(&name.value)).map(|name| calls(&name.value))
        };
        found.effect = found.effect.take().or_else(|| first(&|name| self.security.acts(name)));
        found.irreversible =
            found.irreversible.take().or_else(|| first(&|name| self.security.is_irreversible(name)));
    }

    /// Whether the bundle declares that the tool's results are tainted.
    fn taints(&self, tool: &str) -> bool {
        match &self.place.declaration.body {
            Body::Bundle(bundle) => bundle.requires.tainting.iter().any(|name| name == tool),
            _ => false,
        }
    }
}

fn calls(tool: &str) -> String {
    format!("calls `{}`", short(tool))
}
