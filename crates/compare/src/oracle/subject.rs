//! A subject of the comparison: questions that both sides answer in the same format.
//!
//! Input is random choices. Output is questions, our answers, and the compared part of the oracle's answers. Invariant:
//! the two sides agree if their answers are equal except for the reasons. Exactly one entry explains a difference that
//! we keep.

use serde_json::Value;

use super::random::Random;

/// The member of an answer with its reason. The ledger uses it, and it is not compared.
pub(super) const WHY: &str = "why";

pub(super) struct Subject {
    pub(super) system: &'static str,
    /// The name for `--only`.
    pub(super) name: &'static str,
    pub(super) generate: fn(&mut Random) -> Value,
    /// Our answer, in the oracle's format.
    pub(super) ours: fn(&Value) -> Value,
    /// The part of the oracle's answer to a question that is compared.
    pub(super) theirs: fn(&Value, &Value) -> Value,
    /// Slightly smaller questions, the smallest first.
    pub(super) smaller: fn(&Value) -> Vec<Value>,
    pub(super) ledger: &'static [Entry],
    /// The number of cases that `--record` writes.
    pub(super) recorded: usize,
}

/// A kind of difference that we keep.
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// Why our answer differs.
    pub(super) reason: &'static str,
    /// How much of our answer is checked in such a case.
    pub(super) known: Known,
    pub(super) holds: fn(&Disagreement<'_>) -> bool,
}

/// How much of our answer an entry checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// All of it. The entry computes the answer again, without the compared code.
    Whole,
    /// The part that differs for this reason is not checked.
    Part,
}

pub(super) struct Disagreement<'a> {
    pub(super) question: &'a Value,
    pub(super) ours: &'a Value,
    pub(super) theirs: &'a Value,
}

/// The explanation of a difference by the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Explanation {
    /// Only this entry explains it.
    Entry(usize),
    /// Two entries match, so one of them is too general.
    Ambiguous,
    None,
}

/// Whether two answers are equal, ignoring the reasons.
pub(super) fn agree(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let mut keys = ours.keys().chain(theirs.keys()).filter(|key| *key != WHY);
            keys.all(|key| ours.get(key) == theirs.get(key))
        }
        _ => ours == theirs,
    }
}

impl Subject {
    /// The question of one case.
    pub(super) fn question(&self, seed: u64, case: u64) -> Value {
        (self.generate)(&mut Random::for_case(seed, case))
    }

    pub(super) fn explain(&self, disagreement: &Disagreement<'_>) -> Explanation {
        let mut holding =
            self.ledger.iter().enumerate().filter(|(_, entry)| (entry.holds)(disagreement)).map(|(at, _)| at);
        match (holding.next(), holding.next()) {
            (Some(entry), None) => Explanation::Entry(entry),
            (Some(_), Some(_)) => Explanation::Ambiguous,
            (None, _) => Explanation::None,
        }
    }

    /// The path of the recorded answers, from the root of the checkout.
    pub(super) fn recorded_path(&self) -> String {
        format!("tests/data/recorded/{}_{}.jsonl", self.system, self.name)
    }
}
