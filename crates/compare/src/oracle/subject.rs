//! What is compared: a family of questions that both sides answer in one form.
//!
//! Input is random choices; output is questions, our answers, and what of the oracle's answers counts. Invariant: the
//! two sides agree exactly when their answers are equal but for their reasons, and a kept disagreement is explained by one entry alone.

use serde_json::Value;

use super::random::Random;

/// The member of an answer that says why it is what it is: for the ledger, not for the comparison.
pub(super) const WHY: &str = "why";

pub(super) struct Subject {
    pub(super) system: &'static str,
    /// The word behind `--only`.
    pub(super) name: &'static str,
    pub(super) generate: fn(&mut Random) -> Value,
    /// Our answer, in the form of the oracle's.
    pub(super) ours: fn(&Value) -> Value,
    /// The part of the oracle's answer to a question that is compared.
    pub(super) theirs: fn(&Value, &Value) -> Value,
    /// Questions that are a little smaller, the smallest first.
    pub(super) smaller: fn(&Value) -> Vec<Value>,
    pub(super) ledger: &'static [Entry],
    /// How many cases `--record` writes.
    pub(super) recorded: usize,
}

/// A kind of disagreement that we mean to keep.
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// Why we answer otherwise.
    pub(super) reason: &'static str,
    /// How much of our answer is known for such a case.
    pub(super) known: Known,
    pub(super) holds: fn(&Disagreement<'_>) -> bool,
}

/// How much of our answer an entry holds us to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// All of it: the entry comes to the answer a second time, without the code that is compared.
    Whole,
    /// The part that differs for the entry's reason is not compared.
    Part,
}

pub(super) struct Disagreement<'a> {
    pub(super) question: &'a Value,
    pub(super) ours: &'a Value,
    pub(super) theirs: &'a Value,
}

/// What the ledger says about a disagreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Explanation {
    /// This entry alone explains it.
    Entry(usize),
    /// Two entries hold, so that one of them says too much.
    Ambiguous,
    None,
}

/// Whether two answers are one, whatever the reasons.
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

    /// Where the recorded answers are, from the root of the checkout.
    pub(super) fn recorded_path(&self) -> String {
        format!("tests/data/recorded/{}_{}.jsonl", self.system, self.name)
    }
}
