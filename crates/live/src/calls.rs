//! Which call is which: numbers for the record and keys for the world, which recognises by them a call that is repeated.
//!
//! Input: a stored run, a question of it; output: a number and a key. Invariant: the same question has the same key whenever it is
//! put to the world, after a crash too; no other question has it.

use std::collections::BTreeMap;

use nodewise_engine::ask::Ask;
use nodewise_engine::event::AskId;
use nodewise_simulation::render::json;
use serde_json::{Value as Json, json};
use smol_str::{SmolStr, format_smolstr};

use crate::store::{RunId, Stored};

/// The numbers and keys of a run's calls.
#[derive(Debug)]
pub(crate) struct Calls {
    run: RunId,
    /// Questions that were discarded when the run was opened again, by their numbers. A new question can have the same number.
    former: BTreeMap<AskId, Vec<Json>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CallId {
    ask: AskId,
    /// How many other, discarded questions had this number before.
    generation: u32,
}

impl Calls {
    /// The calls of a stored run.
    pub(crate) fn of(stored: &Stored) -> Calls {
        let mut former: BTreeMap<AskId, Vec<Json>> = BTreeMap::new();
        for event in &stored.discarded {
            let id = event.get("ask").and_then(Json::as_u64).and_then(|id| u32::try_from(id).ok());
            let Some(id) = id else { continue };
            let questions = former.entry(AskId(id)).or_default();
            let question = described(event.get("node"), event.get("of"), event.get("question"));
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
        Calls { run: stored.id.clone(), former }
    }

    pub(crate) fn run(&self) -> &RunId {
        &self.run
    }

    /// The call that puts this question to the world.
    pub(crate) fn call(&self, ask: AskId, what: &Ask) -> CallId {
        let generation = self.former.get(&ask).map_or(0, |questions| {
            let (node, of) = (Json::from(what.node.as_str()), Json::from(what.what.noun()));
            let question = described(Some(&node), Some(&of), Some(&json::question(&what.what)));
            questions.iter().position(|known| *known == question).unwrap_or(questions.len())
        });
        CallId { ask, generation: u32::try_from(generation).unwrap_or(u32::MAX) }
    }

    /// The idempotency key of a call: `<run>/<question>`, with `-2` and so on if other questions had the number before.
    pub(crate) fn key(&self, call: CallId) -> SmolStr {
        match call.generation {
            0 => format_smolstr!("{}/{}", self.run, call.ask.0),
            generation => format_smolstr!("{}/{}-{}", self.run, call.ask.0, generation + 1),
        }
    }
}

impl CallId {
    /// The number of the call in the store: the generation in the upper 32 bits, the question in the lower.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.ask.0)
    }
}

fn described(node: Option<&Json>, of: Option<&Json>, question: Option<&Json>) -> Json {
    json!([node, of, question])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodewise_engine::ask::{Question, ToolQuestion};
    use nodewise_expr::value::Value;
    use nodewise_model::scenario::RunLimits;

    use super::*;
    use crate::store::{Moment, NewRun, RunStatus};

    fn calls(tool: &str) -> Arc<Ask> {
        let what = ToolQuestion { tool: tool.into(), arguments: Value::Null, call: None };
        Arc::new(Ask { graph: "g".into(), node: "n".into(), attempt: 1, what: Question::Tool(what) })
    }

    fn asked(tool: &str) -> Json {
        let question = json::question(&calls(tool).what);
        json!({"event": "asked", "ask": 4, "node": "n", "of": "tool", "question": question})
    }

    /// The key and the number of question 4, a call of a tool, in a run with discarded questions of this number.
    #[track_caller]
    fn check_call(discarded: &[&str], tool: &str, key: &str, number: u64) {
        let stored = Stored {
            id: RunId::stored("20261122-1304-k7f2".to_owned()),
            new: NewRun::default(),
            identity: [0; 16],
            begun: Moment(0),
            status: RunStatus::Running,
            events: Vec::new(),
            attempts: BTreeMap::new(),
            discarded: discarded.iter().map(|tool| asked(tool)).collect(),
            spare: Vec::new(),
            limits: RunLimits::default(),
            is_cancelled: false,
            decisions: Vec::new(),
            pending: Vec::new(),
        };
        let found = Calls::of(&stored);
        let call = found.call(AskId(4), &calls(tool));
        assert_eq!((found.key(call).as_str(), call.number()), (key, number));
    }

    #[test]
    fn a_call_keeps_its_key_and_shares_it_with_no_other() {
        check_call(&[], "pay", "20261122-1304-k7f2/4", 4);
        check_call(&["pay"], "pay", "20261122-1304-k7f2/4", 4);
        check_call(&["refund"], "pay", "20261122-1304-k7f2/4-2", (1 << 32) + 4);
        check_call(&["refund", "pay", "refund"], "pay", "20261122-1304-k7f2/4-2", (1 << 32) + 4);
        check_call(&["refund", "pay"], "mail", "20261122-1304-k7f2/4-3", (2 << 32) + 4);
    }
}
