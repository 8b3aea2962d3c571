//! What nodes of an AgentOS graph run (agentos:2.3 to agentos:2.5).

use nodewise_model::agentos::{ExtensionWork, GuardrailWork, ModelWork, VoiceTrigger, VoiceWork, Work};
use nodewise_model::work::{HumanAutomation, HumanWork, Judge, RouterWork, SubgraphWork, ToolWork};
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use super::condition::condition;
use super::{boolean_at, key_at, number_at, pairs, text_at, texts};
use crate::bind::reference;
use crate::lower::plain;
use crate::tables::agentos::{GRAPH, SPEAK_ONLY};
use crate::value::{Data, SpannedValue};

/// The maximum number of rounds between model and tools, if the node does not set one.
const MAX_ROUNDS: f64 = 10.0;
/// The only provider with which a judge needs no model name.
const DEFAULT_JUDGE_PROVIDER: &str = "openai";

/// The work of a node, and the word that decides it.
pub(super) fn work(node: &SpannedValue<'_>) -> (Work, Option<Located<SmolStr>>) {
    let Some(member) = node.get("executorConfig") else { return (Work::Unknown, None) };
    let config = &member.value;
    let word = text_at(config, "type");
    let work = match word.as_ref().map(|word| word.value.as_str()) {
        Some("gmi") => Work::Model(Box::new(model(config))),
        Some("tool") => Work::Tool(Box::new(ToolWork {
            tool: text_at(config, "toolName"),
            arguments: config.get("args").map(|member| plain::value(&member.value)),
        })),
        Some("extension") => Work::Extension(Box::new(ExtensionWork {
            extension: text_at(config, "extensionId"),
            method: text_at(config, "method"),
        })),
        Some("human") => Work::Human(Box::new(human(config, member.key_at))),
        Some("guardrail") => Work::Guardrail(Box::new(GuardrailWork {
            guardrails: texts(config, "guardrailIds"),
            guardrails_at: key_at(config, "guardrailIds"),
            on_violation: text_at(config, "onViolation"),
            reroute: text_at(config, "rerouteTarget"),
        })),
        Some("router") => Work::Router(Box::new(RouterWork { condition: condition(config) })),
        Some("subgraph") => Work::Subgraph(Box::new(subgraph(config, member.key_at))),
        Some("voice") => Work::Voice(Box::new(voice(config))),
        _ => Work::Unknown,
    };
    (work, word)
}

fn model(config: &SpannedValue<'_>) -> ModelWork {
    ModelWork {
        instructions: text_at(config, "instructions"),
        max_rounds: number_at(config, "maxInternalIterations").map_or(MAX_ROUNDS, |rounds| rounds.value),
        parallel_tools: boolean_at(config, "parallelTools").is_some_and(|parallel| parallel.value),
    }
}

fn subgraph(config: &SpannedValue<'_>, settings_at: Origin) -> SubgraphWork {
    let graph = config.get("graphId").map(|member| &member.value);
    SubgraphWork {
        graph: graph.and_then(|value| Some(reference(value.as_text()?, value, &GRAPH))),
        settings_at: Some(settings_at),
        inputs: pairs(config, "inputMapping"),
        outputs: pairs(config, "outputMapping"),
        max_iterations: None,
    }
}

fn human(config: &SpannedValue<'_>, settings_at: Origin) -> HumanWork {
    HumanWork {
        settings_at: Some(settings_at),
        prompt: text_at(config, "prompt"),
        automation: Some(HumanAutomation {
            auto_accept: boolean_at(config, "autoAccept"),
            auto_reject: rejection(config),
            judge: judge(config),
            on_timeout: text_at(config, "onTimeout"),
            guardrails_may_veto: boolean_at(config, "guardrailOverride").is_none_or(|may| may.value),
        }),
        ..HumanWork::default()
    }
}

/// The reason of an automatic rejection. `true` gives an empty reason; `false` and an empty text reject nothing.
fn rejection(config: &SpannedValue<'_>) -> Option<Located<SmolStr>> {
    let value = &config.get("autoReject")?.value;
    match &value.data {
        Data::Bool(true) => Some(Located::new(SmolStr::default(), value.at)),
        Data::Text(reason) if !reason.is_empty() => Some(Located::new(SmolStr::new(reason), value.at)),
        _ => None,
    }
}

fn judge(config: &SpannedValue<'_>) -> Option<Judge> {
    let member = config.get("judge").filter(|member| member.value.as_map().is_some())?;
    let provider = text_at(&member.value, "provider");
    Some(Judge {
        at: member.key_at,
        model: text_at(&member.value, "model"),
        has_default_model: provider.as_ref().is_none_or(|provider| provider.value == DEFAULT_JUDGE_PROVIDER),
        provider,
        threshold: number_at(&member.value, "confidenceThreshold"),
        effort: text_at(&member.value, "effort"),
        criteria: text_at(&member.value, "criteria"),
    })
}

fn voice(config: &SpannedValue<'_>) -> VoiceWork {
    let Some(settings) = config.get("voiceConfig") else { return VoiceWork::default() };
    let value = &settings.value;
    let mode = text_at(value, "mode");
    let exit = text_at(value, "exitOn").map(|word| {
        let trigger = match word.value.as_str() {
            "keyword" => Some(VoiceTrigger::Keyword),
            "turns-exhausted" => Some(VoiceTrigger::Turns),
            "silence-timeout" => Some(VoiceTrigger::Silence),
            _ => None,
        };
        Located::new(trigger, word.at)
    });
    VoiceWork {
        settings_at: Some(settings.key_at),
        settings: Some(plain::value(value)),
        speaks_only: mode.as_ref().is_some_and(|mode| mode.value == SPEAK_ONLY),
        mode,
        line: text_at(value, "speakText"),
        max_turns: number_at(value, "maxTurns"),
        exit,
        keywords: texts(value, "exitKeywords"),
        keywords_at: key_at(value, "exitKeywords"),
    }
}
