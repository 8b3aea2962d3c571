//! Edges of an AgentOS graph (agentos:2.6, agentos:2.7).

use nodewise_model::graph::{
    CapabilitySearch, EdgeGuard, Endpoint, EndpointRole, GraphEdge, HostPolicies, Personality,
};

use super::condition::condition;
use super::node::guardrails;
use super::{id_at, number_at, text_at};
use crate::tables::agentos::{END, PLACEHOLDERS, START};
use crate::value::SpannedValue;

/// The keys that belong to one type of edge alone, and that type.
const KEYS_BY_TYPE: &[(&str, &str)] = &[
    ("condition", "conditional"),
    ("discoveryQuery", "discovery"),
    ("discoveryKind", "discovery"),
    ("discoveryFallback", "discovery"),
    ("personalityCondition", "personality"),
];

pub(super) fn edge(value: &SpannedValue<'_>) -> GraphEdge {
    let word = value.get("type").and_then(|member| member.value.as_text());
    let guard = match word {
        Some("static") => EdgeGuard::Always,
        Some("conditional") => EdgeGuard::When(condition(value)),
        Some("discovery") => EdgeGuard::Discovery(Box::new(CapabilitySearch {
            query: text_at(value, "discoveryQuery"),
            kind: text_at(value, "discoveryKind"),
            fallback: text_at(value, "discoveryFallback"),
        })),
        Some("personality") => EdgeGuard::Personality(personality(value)),
        _ => EdgeGuard::Unknown,
    };
    let foreign_keys = match guard {
        EdgeGuard::Unknown => Vec::new(),
        _ => KEYS_BY_TYPE
            .iter()
            .filter(|(_, owner)| word != Some(*owner))
            .filter_map(|(key, _)| value.get(key).map(|member| member.key_at))
            .collect(),
    };
    let host = guardrails(value)
        .map(|guardrails| Box::new(HostPolicies { guardrails: Some(guardrails), ..HostPolicies::default() }));
    GraphEdge {
        id: text_at(value, "id"),
        at: value.at,
        head: value.head(),
        source: endpoint(value, "source"),
        target: endpoint(value, "target"),
        guard,
        host,
        foreign_keys,
    }
}

fn endpoint(value: &SpannedValue<'_>, key: &str) -> Option<Endpoint> {
    let name = id_at(value, key)?;
    let role = match name.value.as_str() {
        START => EndpointRole::Start,
        END => EndpointRole::End,
        name if PLACEHOLDERS.contains(&name) => EndpointRole::Placeholder,
        _ => EndpointRole::Node,
    };
    Some(Endpoint { role, name })
}

fn personality(value: &SpannedValue<'_>) -> Option<Box<Personality>> {
    let choice = &value.get("personalityCondition").filter(|member| member.value.as_map().is_some())?.value;
    Some(Box::new(Personality {
        trait_name: text_at(choice, "trait"),
        threshold: number_at(choice, "threshold"),
        above: text_at(choice, "above"),
        below: text_at(choice, "below"),
    }))
}
