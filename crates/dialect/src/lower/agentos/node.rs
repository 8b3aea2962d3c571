//! Nodes of an AgentOS graph and what they ask of a host (agentos:2.2, agentos:2.8 to agentos:2.13).

use nodewise_model::graph::{
    DiscoveryPolicy, ExecutionOptions, Exit, ExitReason, FailurePolicy, GraphNode, GuardrailPolicy,
    HostPolicies, MemoryPolicy, ModelOverride, PersonaPolicy,
};
use nodewise_model::work::AnyWork;
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use super::{boolean_at, id_at, key_at, number_at, text, text_at, texts, work};
use crate::lower::plain;
use crate::tables::agentos::EXIT_KEYWORD_PREFIX;
use crate::value::{Data, SpannedEntry, SpannedValue};

pub(super) fn node(value: &SpannedValue<'_>) -> GraphNode {
    let (work, work_word) = work::work(value);
    GraphNode {
        id: id_at(value, "id"),
        type_word: text_at(value, "type"),
        work_word,
        failure: failure(value),
        host: host(value).map(Box::new),
        execution: execution(value),
        ..GraphNode::new(AnyWork::new(work), value.head(), value.at)
    }
}

/// The policy of the node or edge, if it is a mapping.
pub(super) fn guardrails(value: &SpannedValue<'_>) -> Option<GuardrailPolicy> {
    let member = mapping(value, "guardrailPolicy")?;
    Some(GuardrailPolicy {
        at: member.key_at,
        input: texts(&member.value, "input"),
        output: texts(&member.value, "output"),
        on_violation: text_at(&member.value, "onViolation"),
        reroute: text_at(&member.value, "rerouteTarget"),
    })
}

fn failure(value: &SpannedValue<'_>) -> FailurePolicy {
    let timeout_ms = number_at(value, "timeout");
    let Some(policy) = mapping(value, "retryPolicy") else {
        return FailurePolicy { timeout_ms, ..FailurePolicy::default() };
    };
    let only_on = policy.value.get("retryOn").filter(|member| member.value.as_list().is_some());
    FailurePolicy {
        at: Some(policy.key_at),
        attempts: number_at(&policy.value, "maxAttempts"),
        backoff: text_at(&policy.value, "backoff"),
        first_wait_ms: number_at(&policy.value, "backoffMs"),
        only_on: only_on.map(|member| Located::new(texts(&policy.value, "retryOn"), member.value.at)),
        timeout_ms,
        ..FailurePolicy::default()
    }
}

fn execution(value: &SpannedValue<'_>) -> ExecutionOptions {
    let output_as = value.get("metadata").and_then(|metadata| text_at(&metadata.value, "outputAs"));
    let exits = value.get("edges").and_then(|member| member.value.as_map()).unwrap_or_default();
    let exit = |member: &SpannedEntry<'_>| Exit {
        reason: Located::new(SmolStr::new(&member.key), member.key_at),
        kind: exit_reason(&member.key),
        target: text(&member.value),
    };
    ExecutionOptions {
        execution_mode: text_at(value, "executionMode"),
        effect: text_at(value, "effectClass"),
        checkpoint: text_at(value, "checkpoint"),
        compensated: false,
        complexity: number_at(value, "complexity"),
        // An empty name counts as missing.
        output_as: output_as.filter(|name| !name.value.is_empty()),
        exits: exits.iter().map(exit).collect(),
        exits_at: key_at(value, "edges"),
    }
}

fn exit_reason(word: &str) -> Option<ExitReason> {
    Some(match word {
        "completed" => ExitReason::Completed,
        "interrupted" => ExitReason::Interrupted,
        "hangup" => ExitReason::Hangup,
        "turns-exhausted" => ExitReason::Turns,
        "silence-timeout" => ExitReason::Silence,
        _ => ExitReason::Keyword(SmolStr::new(word.strip_prefix(EXIT_KEYWORD_PREFIX)?)),
    })
}

/// The settings of the node for its host, if there are any.
fn host(value: &SpannedValue<'_>) -> Option<HostPolicies> {
    let schemas_at: Vec<Origin> =
        ["inputSchema", "outputSchema"].into_iter().filter_map(|key| key_at(value, key)).collect();
    let host = HostPolicies {
        llm: model_override(value),
        schemas_at,
        output_schema: value
            .get("outputSchema")
            .map(|member| Located::new(plain::value(&member.value), member.key_at)),
        memory: memory(value),
        discovery: discovery(value),
        persona: persona(value),
        guardrails: guardrails(value),
    };
    let asks = host.llm.is_some()
        || !host.schemas_at.is_empty()
        || host.memory.is_some()
        || host.discovery.is_some()
        || host.persona.is_some()
        || host.guardrails.is_some();
    asks.then_some(host)
}

fn model_override(value: &SpannedValue<'_>) -> Option<ModelOverride> {
    let member = value.get("llm")?;
    Some(ModelOverride {
        at: member.key_at,
        model: text_at(&member.value, "model"),
        provider: text_at(&member.value, "providerId"),
    })
}

fn memory(value: &SpannedValue<'_>) -> Option<MemoryPolicy> {
    let member = mapping(value, "memoryPolicy")?;
    let read = member.value.get("read").map(|member| &member.value);
    let write = member.value.get("write").map(|member| &member.value);
    let auto_encode = write.and_then(|write| boolean_at(write, "autoEncode")).filter(|encode| encode.value);
    Some(MemoryPolicy {
        at: member.key_at,
        auto_encode: auto_encode.map(|encode| encode.at),
        has_write_type: write.is_some_and(|write| write.get("type").is_some()),
        query: read.and_then(|read| text_at(read, "semanticQuery")),
    })
}

fn discovery(value: &SpannedValue<'_>) -> Option<DiscoveryPolicy> {
    let member = mapping(value, "discoveryPolicy")?;
    let is_switch = |member: &&SpannedEntry<'_>| member.key == "enabled";
    let others = member.value.as_map().unwrap_or_default().iter().filter(|member| !is_switch(member));
    Some(DiscoveryPolicy {
        at: member.key_at,
        enabled: boolean_at(&member.value, "enabled").map(|enabled| enabled.value),
        others: others.map(|member| member.key_at).collect(),
    })
}

fn persona(value: &SpannedValue<'_>) -> Option<PersonaPolicy> {
    let member = mapping(value, "personaPolicy")?;
    let traits = member.value.get("traits").and_then(|traits| traits.value.as_map()).unwrap_or_default();
    let strength = |member: &SpannedEntry<'_>| match member.value.data {
        Data::Number(number) => Some(Located::new(number, member.value.at)),
        _ => None,
    };
    Some(PersonaPolicy {
        at: member.key_at,
        traits: traits
            .iter()
            .map(|member| (Located::new(SmolStr::new(&member.key), member.key_at), strength(member)))
            .collect(),
    })
}

fn mapping<'v, 't>(value: &'v SpannedValue<'t>, key: &str) -> Option<&'v SpannedEntry<'t>> {
    value.get(key).filter(|member| member.value.as_map().is_some())
}
