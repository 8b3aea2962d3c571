//! What nodes of cycgraph mean to untrusted text, as the engine taints keys (cycgraph:6.21).

use nodewise_model::Body;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{GraphNode, ToolSource, ToolSourceKind};
use nodewise_model::work::WorkKind;

use crate::rule::Context;
use crate::rules::security::trust::{GraphPlace, NodeTrust};
use crate::rules::wording::short;
use crate::tool_words;

/// What a node means to untrusted text.
pub(super) fn trust_of(context: &Context<'_>, place: GraphPlace<'_>, node: &GraphNode) -> NodeTrust {
    let (mut source, mut effect) = (None, None);
    let kind = node.work.kind();
    if node.memory_query.as_ref().is_some_and(|query| query.untrusted) {
        source = Some("reads untrusted memory".to_owned());
    }
    match Work::of(node) {
        Work::RemoteAgent(remote) => {
            source = remote
                .server
                .as_ref()
                .map(|server| format!("gets answers of the remote agent `{}`", short(&server.value)));
        }
        Work::Reflection(_) => {
            effect = Some("keeps facts for later runs".to_owned());
        }
        Work::Tool(tool) => {
            let acting = tool.tool.as_ref().filter(|tool| tool_words::acts(&tool.value));
            effect = acting.map(|tool| calls(&tool.value));
        }
        _ => {}
    }
    if matches!(kind, WorkKind::Agent | WorkKind::Many | WorkKind::Tool) {
        for tool in tools(context, place, node) {
            source = source.or_else(|| brought_in(place, tool));
            effect = effect.or_else(|| act(tool));
        }
    }
    NodeTrust {
        source,
        effect,
        is_check: matches!(kind, WorkKind::Person | WorkKind::Judge),
        is_carrier: matches!(kind, WorkKind::Agent | WorkKind::Many),
    }
}

/// Where a node has its tools from: its own sources replace those of its agent.
fn tools<'a>(context: &Context<'a>, place: GraphPlace<'a>, node: &'a GraphNode) -> Vec<&'a ToolSource> {
    if let Some(own) = &node.tools {
        return own.value.iter().collect();
    }
    let voters = match Work::of(node) {
        Work::Voting(voting) => voting.voters.as_slice(),
        _ => &[],
    };
    let agents = node.agent.iter().chain(voters);
    agents.filter_map(|agent| context.agent(place.document, agent)).flat_map(|agent| &agent.tools).collect()
}

/// How a source of tools brings in untrusted text.
fn brought_in(place: GraphPlace<'_>, tool: &ToolSource) -> Option<String> {
    match &tool.kind {
        // What a tool that acts gives back is no text to read.
        ToolSourceKind::Server(_, Some(names)) if names.iter().all(|name| tool_words::acts(&name.value)) => {
            None
        }
        ToolSourceKind::Server(server, _) => {
            Some(format!("reads from the server `{}`", short(&server.value)))
        }
        ToolSourceKind::Custom(name) => {
            let Body::Bundle(bundle) = &place.declaration.body else { return None };
            let taints = bundle.requires.tainting.contains(&name.value);
            taints.then(|| format!("calls `{}`, which taints", short(&name.value)))
        }
        ToolSourceKind::Builtin(_) => None,
    }
}

/// How a source of tools lets a node act.
fn act(tool: &ToolSource) -> Option<String> {
    let names = match &tool.kind {
        ToolSourceKind::Custom(name) => std::slice::from_ref(name),
        ToolSourceKind::Server(_, Some(names)) => names.as_slice(),
        ToolSourceKind::Server(_, None) | ToolSourceKind::Builtin(_) => &[],
    };
    let acting = names.iter().find(|name| tool_words::acts(&name.value))?;
    Some(calls(&acting.value))
}

fn calls(tool: &str) -> String {
    format!("calls `{}`", short(tool))
}
