//! cycgraph documents as model: bundles, graphs, nodes, edges, agents (cycgraph:2, defaults of cycgraph:2.3).
//! In: a value that a kind of the table fits. Out: the declaration. Never fails; what cannot be read is absent.

mod block;
mod work;

use nodewise_model::graph::{
    Access, AgentDefinition, Budget, Bundle, CircuitBreaker, EdgeCondition, EdgeGuard, Endpoint,
    EndpointRole, ExecutionOptions, FailurePolicy, Graph, GraphEdge, GraphNode, MemoryQuery, Port,
    Requirements, ToolSource, ToolSourceKind,
};
use nodewise_model::work::AnyWork;
use nodewise_model::{Body, Declaration, Located};
use smol_str::SmolStr;
use thin_vec::thin_vec;

use super::plain;
use crate::table::{Kind, KindRole};
use crate::tables::cycgraph::CONVENTIONS;
use crate::tables::cycgraph::{
    AGENT, AGENT_KIND_NAME, BUILTIN_TOOLS, CIRCUIT_BREAKER, FAILURE_POLICY, GRAPH_KIND_NAME,
};
use crate::tight::tight;
use crate::value::{Data, SpannedEntry, SpannedValue};
use block::{Block, condition, is_true, number_at, owned_texts, reference_at, text_at, texts_at};

/// Converts a document to a declaration. Graphs and agents are identified by their ids.
#[must_use]
pub fn declaration(kind: &'static Kind, value: &SpannedValue<'_>) -> Option<Declaration> {
    let (name, body) = match kind.role {
        KindRole::Graph => (text_at(value, "id"), Body::Graph(Box::new(graph(value)))),
        KindRole::Bundle => (None, Body::Bundle(Box::new(bundle(value)))),
        KindRole::GraphNode => (None, Body::Graph(Box::new(graph_of(node(value))))),
        KindRole::Agent => (text_at(value, "id"), Body::Agent(Box::new(agent(value)))),
        _ => return None,
    };
    Some(Declaration { kind: kind.name, name, head: value.head(), body })
}

fn bundle(value: &SpannedValue<'_>) -> Bundle {
    let manifest = value.get("manifest").map(|member| &member.value);
    let requires = manifest.and_then(|manifest| manifest.get("requires"));
    Bundle {
        head: value.head(),
        graph_kind: GRAPH_KIND_NAME,
        agent_kind: AGENT_KIND_NAME,
        graph: value
            .get("graph")
            .filter(|graph| graph.value.as_map().is_some())
            .map(|graph_member| graph(&graph_member.value)),
        graphs: mappings(value, "graphs").map(graph).collect(),
        agents: mappings(value, "agents").map(agent).collect(),
        requires: requires.map(requirements).unwrap_or_default(),
        inputs: manifest.and_then(|manifest| ports(manifest, "inputs")),
        outputs: manifest.and_then(|manifest| ports(manifest, "outputs")),
    }
}

fn requirements(member: &SpannedEntry<'_>) -> Requirements {
    let named =
        |list: &str, key: &str| mappings(&member.value, list).filter_map(|item| text_at(item, key)).collect();
    Requirements {
        at: Some(member.key_at),
        tools: named("tools", "name"),
        arguments: mappings(&member.value, "tools")
            .filter_map(|tool| {
                let schema = tool.get("input_schema")?;
                Some((text_at(tool, "name")?.value, Located::new(plain::value(&schema.value), schema.key_at)))
            })
            .collect(),
        tainting: mappings(&member.value, "tools")
            .filter(|tool| is_true(tool, "taints"))
            .filter_map(|tool| Some(text_at(tool, "name")?.value))
            .collect(),
        servers: named("mcp_servers", "id"),
        models: texts_at(&member.value, "models").unwrap_or_default(),
    }
}

fn graph(value: &SpannedValue<'_>) -> Graph {
    let ends = value.get("end_nodes").filter(|member| member.value.as_list().is_some());
    Graph {
        id: text_at(value, "id"),
        name: text_at(value, "name"),
        nodes: tight(mappings(value, "nodes").map(node)),
        nodes_at: value
            .get("nodes")
            .filter(|member| member.value.as_list().is_some())
            .map(|member| member.key_at),
        edges: tight(mappings(value, "edges").map(edge)),
        edges_at: value.get("edges").map(|member| member.key_at),
        start: text_at(value, "start_node"),
        ends: ends
            .map(|member| Located::new(texts_at(value, "end_nodes").unwrap_or_default(), member.key_at)),
        inputs: ports(value, "inputs"),
        outputs: ports(value, "outputs"),
        strict_keys: is_true(value, "strict_keys"),
        strict_taint: is_true(value, "strict_taint"),
        ..Graph::new(value.head(), &CONVENTIONS)
    }
}

/// A node that is a document of its own is checked like the release's tools do it: as a graph that begins and ends with the
/// node.
fn graph_of(node: GraphNode) -> Graph {
    let head = node.head;
    let id = node.id.clone();
    Graph {
        is_fragment: true,
        start: id.clone(),
        ends: id.map(|id| Located::new(vec![id], node.at)),
        nodes: thin_vec![node],
        ..Graph::new(head, &CONVENTIONS)
    }
}

fn ports(value: &SpannedValue<'_>, key: &str) -> Option<Vec<Port>> {
    let members = value.get(key)?.value.as_map()?;
    let port = |member: &SpannedEntry<'_>| Port {
        key: Located::new(SmolStr::new(&member.key), member.key_at),
        required: !matches!(
            member.value.get("required").map(|required| &required.value.data),
            Some(Data::Bool(false))
        ),
        schema: member.value.get("schema").map(|schema| plain::value(&schema.value)),
        description: text_at(&member.value, "description").map(|text| text.value),
    };
    Some(members.iter().map(port).collect())
}

fn node(value: &SpannedValue<'_>) -> GraphNode {
    let type_word = text_at(value, "type");
    let (work, idle) = work::of_node(type_word.as_ref().map(|word| word.value.as_str()), value);
    GraphNode {
        id: text_at(value, "id"),
        type_word,
        idle: idle.into_iter().map(AnyWork::new).collect(),
        agent: reference_at(value, "agent_id", &AGENT),
        tools: tools(value),
        access: access(value),
        failure: failure_policy(value),
        budget: budget(value),
        memory_query: value.get("memory_query").map(|query| Box::new(memory_query(query))),
        execution: ExecutionOptions {
            compensated: is_true(value, "requires_compensation"),
            ..ExecutionOptions::default()
        },
        ..GraphNode::new(AnyWork::new(work), value.head(), value.at)
    }
}

fn access(value: &SpannedValue<'_>) -> Access {
    Access {
        reads: texts_at(value, "read_keys").unwrap_or_default(),
        reads_at: value.get("read_keys").map(|member| member.key_at),
        writes: texts_at(value, "write_keys").unwrap_or_default(),
        writes_at: value.get("write_keys").map(|member| member.key_at),
        default_write: text_at(value, "default_write_key"),
    }
}

/// The failure policy with its defaults, even if none is written. Defaults have the place of the node.
fn failure_policy(value: &SpannedValue<'_>) -> FailurePolicy {
    let written = value.get("failure_policy").filter(|member| member.value.as_map().is_some());
    let policy = Block::of(written, &FAILURE_POLICY);
    let number = |key: &str| {
        let setting = policy.number(key);
        Some(Located::new(setting.value, setting.at.unwrap_or(value.head())))
    };
    let word = policy.word("backoff_strategy");
    FailurePolicy {
        at: written.map(|member| member.key_at),
        attempts: number("max_retries"),
        backoff: Some(Located::new(word.value, word.at.unwrap_or(value.head()))),
        first_wait_ms: number("initial_backoff_ms"),
        longest_wait_ms: number("max_backoff_ms"),
        only_on: None,
        timeout_ms: written.and_then(|member| number_at(&member.value, "timeout_ms")),
        breaker: written.and_then(|member| member.value.get("circuit_breaker")).map(|member| {
            let breaker = Block::of(Some(member), &CIRCUIT_BREAKER);
            Box::new(CircuitBreaker {
                at: member.key_at,
                enabled: breaker.boolean("enabled"),
                failures: breaker.number("failure_threshold").value,
                successes: breaker.number("success_threshold").value,
                cool_down_ms: breaker.number("timeout_ms").value,
            })
        }),
    }
}

fn budget(value: &SpannedValue<'_>) -> Budget {
    let number = |key: &str| value.get("budget").and_then(|budget| number_at(&budget.value, key));
    Budget {
        at: value.get("budget").map(|budget| budget.key_at),
        max_tokens: number("max_tokens"),
        max_cost_usd: number("max_cost_usd"),
    }
}

fn memory_query(member: &SpannedEntry<'_>) -> MemoryQuery {
    let value = &member.value;
    MemoryQuery {
        at: Some(member.key_at),
        text: text_at(value, "text").map(|text| text.value),
        entities: owned_texts(value, "entity_ids"),
        tags: texts_at(value, "tags").unwrap_or_default(),
        max_facts: number_at(value, "max_facts").map(|number| number.value),
        untrusted: is_true(value, "untrusted"),
    }
}

fn tools(value: &SpannedValue<'_>) -> Option<Located<Vec<ToolSource>>> {
    let member = value.get("tools")?;
    let sources = member.value.as_list()?.iter().filter_map(tool_source).collect();
    Some(Located::new(sources, member.key_at))
}

/// Converts a source of tools, in full or short form.
fn tool_source(value: &SpannedValue<'_>) -> Option<ToolSource> {
    let named = |name: Located<SmolStr>| match BUILTIN_TOOLS.iter().any(|tool| tool.text == name.value) {
        true => ToolSourceKind::Builtin(name),
        false => ToolSourceKind::Custom(name),
    };
    let kind = if let Some(text) = value.as_text() {
        named(Located::new(SmolStr::new(text), value.at))
    } else if let Some(server) = text_at(value, "mcp") {
        ToolSourceKind::Server(server, texts_at(value, "tools").or_else(|| texts_at(value, "tool_names")))
    } else {
        match value.get("type")?.value.as_text()? {
            "builtin" => ToolSourceKind::Builtin(text_at(value, "name")?),
            "custom" => ToolSourceKind::Custom(text_at(value, "name")?),
            "mcp" => ToolSourceKind::Server(text_at(value, "server_id")?, texts_at(value, "tool_names")),
            _ => return None,
        }
    };
    Some(ToolSource { at: value.at, kind })
}

fn edge(value: &SpannedValue<'_>) -> GraphEdge {
    let end = |key: &str| text_at(value, key).map(|name| Endpoint { role: EndpointRole::Node, name });
    let mut foreign_keys = Vec::new();
    let guard = match value.get("condition").map(|member| &member.value) {
        None => EdgeGuard::Always,
        Some(written) => match written.get("type").and_then(|word| word.value.as_text()) {
            Some("always") => {
                foreign_keys.extend(written.get("condition").map(|member| member.key_at));
                EdgeGuard::Always
            }
            Some("conditional") => {
                EdgeGuard::When(Some(EdgeCondition::Expression(condition(written, "condition"))))
            }
            _ => EdgeGuard::Unknown,
        },
    };
    GraphEdge {
        id: text_at(value, "id"),
        at: value.at,
        head: value.head(),
        source: end("source"),
        target: end("target"),
        guard,
        host: None,
        foreign_keys,
    }
}

fn agent(value: &SpannedValue<'_>) -> AgentDefinition {
    let permissions = value.get("permissions").map(|member| &member.value);
    let ceiling = |key: &str| permissions.and_then(|permissions| texts_at(permissions, key));
    AgentDefinition {
        id: text_at(value, "id"),
        head: value.head(),
        model: text_at(value, "model"),
        provider: text_at(value, "provider"),
        prompt: text_at(value, "system_prompt"),
        tools: tools(value).map(|tools| tools.value).unwrap_or_default(),
        reads: ceiling("read_keys"),
        writes: ceiling("write_keys"),
        temperature: number_at(value, "temperature").map(|number| number.value),
        max_steps: number_at(value, "max_steps").map(|number| number.value),
    }
}

/// The items of a list that are mappings.
fn mappings<'v, 't>(
    value: &'v SpannedValue<'t>,
    key: &str,
) -> impl Iterator<Item = &'v SpannedValue<'t>> + use<'v, 't> {
    let items = value.get(key).and_then(|member| member.value.as_list()).unwrap_or_default();
    items.iter().filter(|item| item.as_map().is_some())
}
