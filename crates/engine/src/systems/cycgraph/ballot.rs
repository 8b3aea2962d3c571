//! How votes become a consensus.
//!
//! Input: votes in the order of the voters; output: the value of the winner. Invariant: votes are equal if their JSON
//! is equal, whatever the order of keys. Of equally strong values, the one that was cast first wins.

use std::collections::BTreeMap;

use nodewise_expr::javascript::json_text;
use nodewise_expr::value::Value;
use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vote {
    /// The agent that votes.
    pub(crate) agent: SmolStr,
    /// The value that it votes for; undefined if it said nothing.
    pub(crate) value: Value,
}

/// The value with the most votes; `None` if there are no votes, or if most voters said nothing.
pub(crate) fn majority(votes: &[Vote]) -> Option<Value> {
    winner(votes, |_| 1.0)
}

/// The value whose votes have the greatest total weight. An agent without a weight has weight 1.
pub(crate) fn weighted(votes: &[Vote], weights: &[(SmolStr, f64)]) -> Option<Value> {
    // If an agent has several weights, the last one applies.
    let weights: BTreeMap<&SmolStr, f64> = weights.iter().map(|(agent, weight)| (agent, *weight)).collect();
    winner(votes, |agent| weights.get(agent).copied().unwrap_or(1.0))
}

struct Candidate<'v> {
    /// `None` stands for voters that said nothing.
    value: Option<&'v Value>,
    strength: f64,
}

fn winner(votes: &[Vote], weight: impl Fn(&SmolStr) -> f64) -> Option<Value> {
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut places: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for vote in votes {
        let key = json_text(&sorted(&vote.value));
        let value = key.is_some().then_some(&vote.value);
        let place = *places.entry(key).or_insert_with(|| {
            candidates.push(Candidate { value, strength: 0.0 });
            candidates.len() - 1
        });
        if let Some(candidate) = candidates.get_mut(place) {
            candidate.strength += weight(&vote.agent);
        }
    }
    let mut best: Option<&Candidate<'_>> = None;
    for candidate in &candidates {
        if candidate.strength > best.map_or(0.0, |best| best.strength) {
            best = Some(candidate);
        }
    }
    best?.value.cloned()
}

/// The value with the keys of its mappings sorted.
fn sorted(value: &Value) -> Value {
    match value {
        Value::List(items) => items.iter().map(sorted).collect(),
        Value::Map(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.arrange_by_key(|(key, _)| *key);
            let entries = entries.into_iter().map(|(key, value)| (key.clone(), sorted(value)));
            entries.collect::<nodewise_expr::value::Map>().into()
        }
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use nodewise_expr::json::from_json;
    use serde_json::json;

    use super::*;

    fn votes(cast: &[(&str, serde_json::Value)]) -> Vec<Vote> {
        let vote = |(agent, value): &(&str, serde_json::Value)| Vote {
            agent: (*agent).into(),
            value: from_json(value.clone()),
        };
        cast.iter().map(vote).collect()
    }

    #[test]
    fn the_majority_wins_and_the_first_of_equals() {
        let cast = votes(&[("a", json!("x")), ("b", json!("y")), ("c", json!("y"))]);
        assert_eq!(majority(&cast), Some("y".into()));
        let cast = votes(&[("a", json!("x")), ("b", json!("y"))]);
        assert_eq!(majority(&cast), Some("x".into()));
        assert_eq!(majority(&[]), None);
    }

    #[test]
    fn the_order_of_keys_makes_no_difference() {
        let cast = votes(&[
            ("a", json!("x")),
            ("b", json!({"p": 1, "q": [{"r": 2, "s": 3}]})),
            ("c", json!({"q": [{"s": 3, "r": 2}], "p": 1})),
        ]);
        assert_eq!(majority(&cast), cast.get(1).map(|vote| vote.value.clone()));
        // A number and the text that shows it are no equals.
        let cast = votes(&[("a", json!("1")), ("b", json!(1)), ("c", json!(1))]);
        assert_eq!(majority(&cast), Some(Value::Number(1.0)));
    }

    #[test]
    fn silence_can_win_and_is_no_consensus() {
        let silent = |agent: &str| Vote { agent: agent.into(), value: Value::Undefined };
        let cast = [silent("a"), silent("b"), Vote { agent: "c".into(), value: "x".into() }];
        assert_eq!(majority(&cast), None);
        assert_eq!(weighted(&cast, &[("c".into(), 3.0)]), Some("x".into()));
    }

    #[test]
    fn weights_count_in_all() {
        let cast = votes(&[("a", json!("x")), ("b", json!("y")), ("c", json!("y"))]);
        assert_eq!(weighted(&cast, &[("a".into(), 2.5)]), Some("x".into()));
        assert_eq!(weighted(&cast, &[("a".into(), 2.0)]), Some("x".into()));
        let none = [("a".into(), 0.0), ("b".into(), -1.0), ("c".into(), 0.0)];
        assert_eq!(weighted(&cast, &none), None);
    }
}
