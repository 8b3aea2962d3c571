//! Limits of a run as the store keeps them.
//!
//! Input: limits, or JSON that was stored; output: the other. Invariant: limits that are stored are read again as they were.

use nodewise_model::scenario::RunLimits;
use serde_json::{Map, Value as Json, json};

pub(crate) fn limits_to_json(limits: &RunLimits) -> Json {
    let RunLimits { visits, time_ms, tokens, cost_usd, depth, fan_out, events } = *limits;
    let named = [
        ("visits", visits),
        ("time_ms", time_ms),
        ("tokens", tokens),
        ("cost_usd", cost_usd),
        ("depth", depth),
        ("fan_out", fan_out),
        ("events", events),
    ];
    let set = named.into_iter().filter_map(|(name, limit)| Some((name.to_owned(), json!(limit?))));
    Json::Object(set.collect::<Map<_, _>>())
}

pub(crate) fn limits_of_json(json: &Json) -> RunLimits {
    let limit = |name: &str| json.get(name).and_then(Json::as_f64);
    RunLimits {
        visits: limit("visits"),
        time_ms: limit("time_ms"),
        tokens: limit("tokens"),
        cost_usd: limit("cost_usd"),
        depth: limit("depth"),
        fan_out: limit("fan_out"),
        events: limit("events"),
    }
}

#[cfg(test)]
mod tests {
    use nodewise_model::scenario::RunLimits;

    use super::{limits_of_json, limits_to_json};

    #[test]
    fn limits_are_read_as_they_were_stored() {
        let some = RunLimits { tokens: Some(50.0), cost_usd: Some(0.5), ..RunLimits::default() };
        let all = RunLimits {
            visits: Some(1.0),
            time_ms: Some(2.0),
            tokens: Some(3.0),
            cost_usd: Some(4.5),
            depth: Some(5.0),
            fan_out: Some(6.0),
            events: Some(7.0),
        };
        for limits in [RunLimits::default(), some, all] {
            assert_eq!(limits_of_json(&limits_to_json(&limits)), limits);
        }
    }
}
