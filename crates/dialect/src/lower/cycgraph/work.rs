//! What runs when a node is visited, from the block that belongs to its type. Blocks of other types stay beside it as
//! idle work: the release checks them, and some count for reachability (cycgraph:2.4 to cycgraph:2.13).

use nodewise_model::cycgraph::{
    AgentWork, Annealing, Assertion, EvolutionWork, Extractor, JsonPathCheck, MapWork, ReflectionWork,
    RemoteAgentWork, SupervisorWork, Swarm, Verification, VerifierWork, VotingWork, Work,
};
use nodewise_model::graph::KeyMapping;
use nodewise_model::work::{HumanWork, RouterWork, SubgraphWork, ToolWork};
use nodewise_model::{Located, Reference};
use smol_str::SmolStr;

use super::block::{Block, condition, number_at, opaque_reference, reference_at, text_at, texts_at};
use crate::lower::plain;
use crate::table::Variant;
use crate::tables::cycgraph::{
    A2A, AGENT, AGENT_NODE, ANNEALING, APPROVAL, APPROVAL_CONFIG, ASSERTION, EVOLUTION, EVOLUTION_CONFIG,
    EXTRACTOR, GRAPH, MAP, MAP_CONFIG, NODE_TYPES, REFLECTION, ROUTER, SUBGRAPH, SUBGRAPH_CONFIG, SUPERVISOR,
    SUPERVISOR_CONFIG, SWARM, SYNTHESIZER, TOOL_NODE, VERIFIER, VERIFIER_CONFIG, VOTING, VOTING_CONFIG,
};
use crate::value::{Data, SpannedEntry, SpannedValue};

/// The work of a node's type, and other works for which the node has settings that its type ignores.
pub(super) fn of_node(type_word: Option<&str>, node: &SpannedValue<'_>) -> (Work, Vec<Work>) {
    let own = match type_word {
        Some(word) => written(word, node).unwrap_or_else(|| unset(word)),
        None => Work::Unknown,
    };
    let others = NODE_TYPES.iter().map(|word| word.text).filter(|word| Some(*word) != type_word);
    (own, others.filter_map(|word| written(word, node)).collect())
}

/// The work of a type; `None` if the node has no settings for it.
fn written(type_word: &str, node: &SpannedValue<'_>) -> Option<Work> {
    match type_word {
        AGENT_NODE => agent(node),
        TOOL_NODE => {
            Some(Work::Tool(Box::new(ToolWork { tool: Some(text_at(node, "tool_id")?), arguments: None })))
        }
        SUBGRAPH => mapping(node, "subgraph_config").map(subgraph),
        A2A => mapping(node, "a2a_config").map(remote_agent),
        SUPERVISOR => mapping(node, "supervisor_config").map(supervisor),
        APPROVAL => mapping(node, "approval_config").map(approval),
        MAP => mapping(node, "map_reduce_config").map(map),
        VOTING => mapping(node, "voting_config").map(voting),
        EVOLUTION => mapping(node, "evolution_config").map(evolution),
        VERIFIER => mapping(node, "verifier_config").map(verifier),
        REFLECTION => mapping(node, "reflection_config").map(reflection),
        _ => None,
    }
}

/// The work of a type for a node without settings.
fn unset(type_word: &str) -> Work {
    match type_word {
        AGENT_NODE => Work::Agent(Box::default()),
        TOOL_NODE => Work::Tool(Box::default()),
        SUBGRAPH => Work::Subgraph(Box::default()),
        A2A => Work::RemoteAgent(Box::default()),
        SUPERVISOR => Work::Supervisor(Box::default()),
        APPROVAL => Work::Human(Box::default()),
        MAP => Work::Map(Box::default()),
        VOTING => Work::Voting(Box::default()),
        EVOLUTION => Work::Evolution(Box::default()),
        VERIFIER => Work::Verifier(Box::default()),
        REFLECTION => Work::Reflection(Box::default()),
        ROUTER => Work::Router(Box::<RouterWork>::default()),
        SYNTHESIZER => Work::Synthesizer,
        _ => Work::Unknown,
    }
}

fn agent(node: &SpannedValue<'_>) -> Option<Work> {
    let annealing = mapping(node, "annealing_config").map(|member| Box::new(annealing(member)));
    let swarm = mapping(node, "swarm_config").map(|member| {
        Box::new(Swarm {
            at: member.key_at,
            peers: texts_at(&member.value, "peer_nodes").unwrap_or_default(),
            max_handoffs: Block::of(Some(member), &SWARM).number("max_handoffs"),
        })
    });
    (annealing.is_some() || swarm.is_some()).then(|| Work::Agent(Box::new(AgentWork { annealing, swarm })))
}

fn annealing(member: &SpannedEntry<'_>) -> Annealing {
    let block = Block::of(Some(member), &ANNEALING);
    Annealing {
        at: member.key_at,
        evaluator: reference_at(&member.value, "evaluator_agent_id", &AGENT),
        score_path: block.word("score_path"),
        threshold: block.number("threshold"),
        max_iterations: block.number("max_iterations"),
        initial_temperature: block.number("initial_temperature"),
        final_temperature: block.number("final_temperature"),
        least_improvement: block.number("diminishing_returns_delta"),
    }
}

fn subgraph(member: &SpannedEntry<'_>) -> Work {
    let block = Block::of(Some(member), &SUBGRAPH_CONFIG);
    Work::Subgraph(Box::new(SubgraphWork {
        graph: reference_at(&member.value, "subgraph_id", &GRAPH),
        settings_at: Some(member.key_at),
        inputs: mappings(&member.value, "input_mapping"),
        outputs: mappings(&member.value, "output_mapping"),
        max_iterations: Some(block.number("max_iterations").value),
    }))
}

fn remote_agent(member: &SpannedEntry<'_>) -> Work {
    Work::RemoteAgent(Box::new(RemoteAgentWork {
        settings_at: Some(member.key_at),
        server: text_at(&member.value, "server_id"),
        skill: text_at(&member.value, "skill_id").map(|skill| skill.value),
        inputs: mappings(&member.value, "input_mapping"),
        outputs: mappings(&member.value, "output_mapping"),
        max_wait_ms: number_at(&member.value, "max_wait_ms"),
    }))
}

fn supervisor(member: &SpannedEntry<'_>) -> Work {
    Work::Supervisor(Box::new(SupervisorWork {
        settings_at: Some(member.key_at),
        agent: reference_at(&member.value, "agent_id", &AGENT),
        managed: texts_at(&member.value, "managed_nodes").unwrap_or_default(),
        max_iterations: Block::of(Some(member), &SUPERVISOR_CONFIG).number("max_iterations"),
    }))
}

fn approval(member: &SpannedEntry<'_>) -> Work {
    let block = Block::of(Some(member), &APPROVAL_CONFIG);
    let prompt = block.word("prompt_message");
    Work::Human(Box::new(HumanWork {
        settings_at: Some(member.key_at),
        prompt: Some(Located::new(prompt.value, prompt.at.unwrap_or(member.key_at))),
        review_keys: texts_at(&member.value, "review_keys"),
        timeout_ms: Some(block.number("timeout_ms").value),
        rejection: text_at(&member.value, "rejection_node_id"),
        automation: None,
    }))
}

fn map(member: &SpannedEntry<'_>) -> Work {
    let block = Block::of(Some(member), &MAP_CONFIG);
    let given = member.value.get("static_items").filter(|items| !items.value.is_null());
    let items = given.filter(|items| items.value.as_list().is_some());
    Work::Map(Box::new(MapWork {
        settings_at: Some(member.key_at),
        worker: text_at(&member.value, "worker_node_id"),
        items_path: condition(&member.value, "items_path"),
        items: items.map(|items| {
            let values = items.value.as_list().unwrap_or_default().iter().map(plain::value).collect();
            Located::new(values, items.key_at)
        }),
        has_other_items: given.is_some() && items.is_none(),
        synthesizer: text_at(&member.value, "synthesizer_node_id"),
        on_error: block.word("error_strategy"),
        max_concurrency: block.number("max_concurrency"),
        max_items: block.number("max_items"),
        timeout_ms: number_at(&member.value, "task_timeout_ms"),
    }))
}

fn voting(member: &SpannedEntry<'_>) -> Work {
    let block = Block::of(Some(member), &VOTING_CONFIG);
    let weights = member.value.get("weights").and_then(|weights| weights.value.as_map()).unwrap_or_default();
    let weight = |entry: &SpannedEntry<'_>| match entry.value.data {
        Data::Number(number) => Some((Located::new(SmolStr::new(&entry.key), entry.key_at), number)),
        _ => None,
    };
    Work::Voting(Box::new(VotingWork {
        settings_at: Some(member.key_at),
        voters: agents(&member.value, "voter_agent_ids"),
        strategy: block.word("strategy"),
        vote_key: block.word("vote_key"),
        quorum: number_at(&member.value, "quorum"),
        judge: reference_at(&member.value, "judge_agent_id", &AGENT),
        weights: weights.iter().filter_map(weight).collect(),
        timeout_ms: number_at(&member.value, "task_timeout_ms"),
    }))
}

fn evolution(member: &SpannedEntry<'_>) -> Work {
    let block = Block::of(Some(member), &EVOLUTION_CONFIG);
    Work::Evolution(Box::new(EvolutionWork {
        settings_at: Some(member.key_at),
        population_size: block.number("population_size"),
        candidate: reference_at(&member.value, "candidate_agent_id", &AGENT),
        evaluator: reference_at(&member.value, "evaluator_agent_id", &AGENT),
        selection: block.word("selection_strategy"),
        elite_count: block.number("elite_count"),
        max_generations: block.number("max_generations"),
        fitness_threshold: block.number("fitness_threshold"),
        stagnation_generations: block.number("stagnation_generations"),
        initial_temperature: block.number("initial_temperature"),
        final_temperature: block.number("final_temperature"),
        tournament_size: block.number("tournament_size"),
        max_concurrency: block.number("max_concurrency"),
        on_error: block.word("error_strategy"),
        criteria: text_at(&member.value, "evaluation_criteria").map(|text| text.value),
        timeout_ms: number_at(&member.value, "task_timeout_ms"),
    }))
}

fn verifier(member: &SpannedEntry<'_>) -> Work {
    let block = variant_block(member, &VERIFIER_CONFIG);
    Work::Verifier(Box::new(VerifierWork {
        settings_at: Some(member.key_at),
        verification: block.as_ref().and_then(|(word, block)| verification(word, block, &member.value)),
        result_key: text_at(&member.value, "result_key"),
        throws: block.map(|(_, block)| block.boolean("throw_on_fail")).unwrap_or_default(),
    }))
}

fn verification(word: &str, block: &Block<'_, '_>, value: &SpannedValue<'_>) -> Option<Verification> {
    match word {
        "llm_judge" => Some(Verification::Judge {
            target: text_at(value, "target_key"),
            evaluator: reference_at(value, "evaluator_agent_id", &AGENT),
            threshold: block.number("pass_threshold"),
            criteria: text_at(value, "evaluation_criteria").map(|text| text.value),
        }),
        "expression" => Some(Verification::Expression(condition(value, "expression"))),
        "jsonpath" => Some(Verification::JsonPath(Box::new(JsonPathCheck {
            target: text_at(value, "target_key"),
            path: condition(value, "path"),
            assertion: value.get("assertion").and_then(|member| assertion(&member.value)),
        }))),
        _ => None,
    }
}

fn assertion(value: &SpannedValue<'_>) -> Option<Assertion> {
    let number = || number_at(value, "value").map(|number| number.value);
    match ASSERTION.case(value.get(ASSERTION.key)?.value.as_text()?)?.word.text {
        "exists" => Some(Assertion::Exists),
        "equals" => Some(Assertion::Equals(plain::value(&value.get("value")?.value))),
        "matches" => Some(Assertion::Matches(text_at(value, "pattern"))),
        "gt" => number().map(Assertion::Above),
        "gte" => number().map(Assertion::AtLeast),
        "lt" => number().map(Assertion::Below),
        "lte" => number().map(Assertion::AtMost),
        _ => None,
    }
}

fn reflection(member: &SpannedEntry<'_>) -> Work {
    Work::Reflection(Box::new(ReflectionWork {
        settings_at: Some(member.key_at),
        sources: texts_at(&member.value, "source_keys").unwrap_or_default(),
        extractor: member.value.get("extractor").and_then(extractor),
        tags: texts_at(&member.value, "tags").unwrap_or_default(),
        entities: texts_at(&member.value, "entity_keys").unwrap_or_default(),
        result_key: text_at(&member.value, "result_key"),
    }))
}

fn extractor(member: &SpannedEntry<'_>) -> Option<Extractor> {
    let (word, block) = variant_block(member, &EXTRACTOR)?;
    match word {
        "rule_based" => Some(Extractor::Sentences { least_length: block.number("min_sentence_length") }),
        "llm" => Some(Extractor::Agent {
            agent: reference_at(&member.value, "agent_id", &AGENT),
            instruction: text_at(&member.value, "instruction").map(|text| text.value),
            max_facts: block.number("max_facts"),
        }),
        _ => None,
    }
}

/// The member with a key, if its value is a mapping. Other values are refused, so they set nothing.
fn mapping<'v, 't>(node: &'v SpannedValue<'t>, key: &str) -> Option<&'v SpannedEntry<'t>> {
    node.get(key).filter(|member| member.value.as_map().is_some())
}

/// The word that decides which fields exist, and the fields with the defaults for that word.
fn variant_block<'v, 't>(
    member: &'v SpannedEntry<'t>,
    variant: &'static Variant,
) -> Option<(&'static str, Block<'v, 't>)> {
    let case = variant.case(member.value.get(variant.key)?.value.as_text()?)?;
    Some((case.word.text, Block::of(Some(member), &case.shape)))
}

fn mappings(value: &SpannedValue<'_>, key: &str) -> Vec<KeyMapping> {
    let members = value.get(key).and_then(|member| member.value.as_map()).unwrap_or_default();
    let mapping = |member: &SpannedEntry<'_>| KeyMapping {
        from: Located::new(SmolStr::new(&member.key), member.key_at),
        to: member.value.as_text().map(|text| Located::new(SmolStr::new(text), member.value.at)),
    };
    members.iter().map(mapping).collect()
}

fn agents(value: &SpannedValue<'_>, key: &str) -> Vec<Reference> {
    let names = texts_at(value, key).unwrap_or_default();
    names.into_iter().map(|name| opaque_reference(name.value, name.at, &AGENT)).collect()
}
