//! What runs cost: for each model and node, what its answers used.
//!
//! Input: a stored run. Output: calls, tokens and costs. Answers of a run that was opened again count also where they were given
//! up, because they were paid for. Invariant: the sum is what the list of runs shows for answers.

use std::collections::BTreeMap;

use nodewise_engine::usage::Usage;
use serde_json::Value as Json;

use crate::models::{self, Planned};
use crate::restore::{self, RestoredRun};
use crate::store::Stored;
use crate::systems;

/// The usage of one model by one node.
#[derive(Debug, Clone, PartialEq)]
pub struct CostItem {
    /// `provider/model`. `None` if a tool or a service used something.
    pub model: Option<String>,
    pub node: String,
    /// How many answers there were.
    pub answers: u64,
    /// The tokens and costs of these answers.
    pub usage: Usage,
    /// Whether some tokens have no known price, so that the cost is too low.
    pub is_unpriced: bool,
}

/// The usage of a run by model and node. `events` are all stored events, including discarded ones.
#[must_use]
pub fn costs(stored: &Stored, events: &[Json]) -> Vec<CostItem> {
    let models = models_of(stored);
    // The first answers of a fork are those that it took over. The other run paid for them.
    let mut recalled = stored.new.origin.as_ref().map_or(0, |origin| origin.answers);
    // The answers by question. When a run was opened again, it records the answers that it keeps a second time, which must not
    // count twice.
    let mut known: BTreeMap<u64, Vec<[Option<&Json>; 2]>> = BTreeMap::new();
    let mut asked: BTreeMap<u64, (&str, Option<&str>)> = BTreeMap::new();
    let mut items: BTreeMap<(Option<String>, &str), CostItem> = BTreeMap::new();
    for event in events {
        let text = |path: &str| event.pointer(path).and_then(Json::as_str);
        if text("/event") == Some("resumed") {
            recalled = recalled.saturating_sub(1);
        }
        let Some(ask) = event.get("ask").and_then(Json::as_u64) else { continue };
        match text("/event") {
            Some("asked") => {
                let agent = text("/question/agent").filter(|_| text("/of") == Some("model"));
                asked.insert(ask, (text("/node").unwrap_or_default(), agent));
            }
            Some("answered") if recalled > 0 => recalled -= 1,
            Some("answered") => {
                let answer = [event.pointer("/answer/reply"), event.pointer("/answer/usage")];
                let answers = known.entry(ask).or_default();
                if answers.contains(&answer) {
                    continue;
                }
                answers.push(answer);
                let Some((node, agent)) = asked.get(&ask).copied() else { continue };
                let usage = usage(event);
                // A failed call has no answer, and another run paid for a pinned one.
                let is_answer = event.pointer("/answer/reply").is_some() && text("/answer/pinned").is_none();
                if (agent.is_none() || !is_answer) && usage == Usage::default() {
                    continue;
                }
                let fallback = text("/answer/fallback");
                let planned = agent.and_then(|agent| models.get(agent));
                let planned = planned.and_then(|planned| match fallback {
                    Some(name) => planned.all().find(|one| one.name() == name),
                    None => Some(planned),
                });
                let named = || planned.map(Planned::name).or_else(|| fallback.map(str::to_owned));
                let model = agent.map(|agent| named().unwrap_or_else(|| agent.to_owned()));
                let item = items.entry((model.clone(), node)).or_insert_with(|| CostItem {
                    model,
                    node: node.to_owned(),
                    answers: 0,
                    usage: Usage::default(),
                    is_unpriced: false,
                });
                item.answers += 1;
                item.usage += usage;
                let has_price = planned.is_some_and(|planned| planned.price.is_some());
                item.is_unpriced |= usage.tokens() > 0.0 && usage.cost_usd == 0.0 && !has_price;
            }
            _ => {}
        }
    }
    items.into_values().collect()
}

/// The model of each agent, in the configuration with which the run began.
fn models_of(stored: &Stored) -> BTreeMap<String, Planned> {
    let plan = || {
        let live = restore::config(&stored.new.sources).live;
        let restored = RestoredRun::of(stored).ok()?;
        let inputs = restored.inputs();
        let system = inputs.target.system(inputs.snapshot)?;
        models::plan(&live, &systems::configured_wiring(&inputs, system, &live)).ok()
    };
    plan().unwrap_or_default().into_iter().map(|(agent, planned)| (agent.to_string(), planned)).collect()
}

fn usage(event: &Json) -> Usage {
    let amount = |key: &str| {
        let used = event.pointer("/answer/usage").and_then(|usage| usage.get(key));
        used.and_then(Json::as_f64).unwrap_or_default()
    };
    Usage {
        input_tokens: amount("input_tokens"),
        cached_tokens: amount("cached_tokens"),
        cache_write_tokens: amount("cache_write_tokens"),
        output_tokens: amount("output_tokens"),
        cost_usd: amount("cost_usd"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use nodewise_model::scenario::RunLimits;
    use serde_json::{Value as Json, json};

    use super::costs;
    use crate::store::{Moment, NewRun, RunId, RunOrigin, RunStatus, Stored};

    fn asked(ask: u32, node: &str) -> Json {
        json!({"event": "asked", "ask": ask, "node": node, "of": "model", "question": {"agent": "writer"}})
    }

    fn answered(ask: u32, text: &str) -> Json {
        json!({"event": "answered", "ask": ask, "answer": {"reply": {"text": text}, "usage": {"input_tokens": 10}}})
    }

    /// The input tokens of each node, where the first answers are those of another run.
    #[track_caller]
    fn check(recalled: usize, events: &[Json], expected: &[(&str, u64, f64)]) {
        let origin = RunOrigin { answers: recalled, ..RunOrigin::default() };
        let stored = Stored {
            id: RunId::stored("20261122-1304-k7f2".to_owned()),
            new: NewRun { origin: Some(origin), ..NewRun::default() },
            identity: [0; 16],
            begun: Moment(0),
            status: RunStatus::Running,
            events: Vec::new(),
            attempts: BTreeMap::new(),
            discarded: Vec::new(),
            spare: Vec::new(),
            limits: RunLimits::default(),
            is_cancelled: false,
            decisions: Vec::new(),
            pending: Vec::new(),
        };
        let found = costs(&stored, events);
        let found: Vec<(&str, u64, f64)> =
            found.iter().map(|item| (item.node.as_str(), item.answers, item.usage.input_tokens)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn each_answer_counts_once_and_only_where_it_was_paid_for() {
        let events = [asked(0, "a"), answered(0, "x"), asked(1, "b"), answered(1, "failed")];
        check(0, &events, &[("a", 1, 10.0), ("b", 1, 10.0)]);
        check(1, &events, &[("b", 1, 10.0)]);
        // The run was opened again: it keeps one answer, and asks again for the other.
        let again = [json!({"event": "reopened", "keep": 1}), answered(0, "x"), answered(1, "y")];
        check(0, &[&events[..], &again].concat(), &[("a", 1, 10.0), ("b", 2, 20.0)]);
        let decided = [json!({"event": "resumed"}), asked(0, "a"), answered(0, "x")];
        check(1, &decided, &[("a", 1, 10.0)]);
    }

    #[test]
    fn failed_calls_and_pinned_outputs_are_no_answers() {
        let failed =
            json!({"event": "answered", "ask": 0, "answer": {"failure": {"message": "no connection"}}});
        let pinned = json!({"event": "answered", "ask": 1, "answer": {"reply": {"text": "x"}, "pinned": "20261122-1304-k7f2"}});
        check(0, &[asked(0, "a"), failed, asked(1, "b"), pinned], &[]);
        let rejected =
            json!({"event": "answered", "ask": 0, "answer": {"failure": {}, "usage": {"input_tokens": 7}}});
        check(0, &[asked(0, "a"), rejected], &[("a", 1, 7.0)]);
    }
}
