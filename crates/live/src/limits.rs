//! Limits that are raised while a run is stored.

use nodewise_model::scenario::RunLimits;
use serde_json::{Map, Value as Json, json};

/// Limits, with those that are raised.
pub(crate) fn raise(limits: &mut RunLimits, raised: &RunLimits) {
    let RunLimits { visits, time_ms, tokens, cost_usd, depth, fan_out, events } = *raised;
    limits.visits = visits.or(limits.visits);
    limits.time_ms = time_ms.or(limits.time_ms);
    limits.tokens = tokens.or(limits.tokens);
    limits.cost_usd = cost_usd.or(limits.cost_usd);
    limits.depth = depth.or(limits.depth);
    limits.fan_out = fan_out.or(limits.fan_out);
    limits.events = events.or(limits.events);
}

/// Limits as the store keeps them.
pub(crate) fn limits_to_json(limits: &RunLimits) -> Json {
    let RunLimits { visits, time_ms, tokens, cost_usd, .. } = *limits;
    let named = [("visits", visits), ("time_ms", time_ms), ("tokens", tokens), ("cost_usd", cost_usd)];
    named
        .into_iter()
        .filter_map(|(name, limit)| Some((name.to_owned(), json!(limit?))))
        .collect::<Map<_, _>>()
        .into()
}

/// Limits that the store kept.
pub(crate) fn limits_of_json(json: &Json) -> RunLimits {
    let limit = |name: &str| json.get(name).and_then(Json::as_f64);
    RunLimits {
        visits: limit("visits"),
        time_ms: limit("time_ms"),
        tokens: limit("tokens"),
        cost_usd: limit("cost_usd"),
        ..RunLimits::default()
    }
}
