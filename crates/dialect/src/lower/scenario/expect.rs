//! What must hold of a run.

use nodewise_model::Located;
use nodewise_model::scenario::{
    AmountBounds, CoverageThresholds, Expectations, ExpectedCalls, ExpectedError,
};

use super::{key, list, located, members, milliseconds, number, one_or_many, plain, span, text, texts};
use crate::value::{Data, SpannedEntry, SpannedValue};

pub(super) fn expectations(value: &SpannedValue<'_>) -> Expectations {
    let path = value.get("path").map(|member| &member.value);
    let exactly = path.and_then(|path| match path.as_list() {
        Some(_) => Some(Located::new(texts(value, "path"), path.at)),
        None => path.get("exactly").map(|member| Located::new(texts(path, "exactly"), member.value.at)),
    });
    let of_path = |key: &str| path.map(|path| texts(path, key)).unwrap_or_default();
    let state = members(value, "state").iter();
    Expectations {
        at: Some(value.at),
        status: text(value, "status"),
        error: value.get("error").and_then(|member| error(&member.value)),
        path: exactly,
        in_order: of_path("in_order"),
        includes: of_path("includes"),
        excludes: of_path("excludes"),
        next: value.get("next").map(|member| Located::new(one_or_many(value, "next"), member.value.at)),
        state: state
            .map(|member| (key(member), Located::new(plain::value(&member.value), member.value.at)))
            .collect(),
        whole_state: located(value, "whole_state"),
        output: located(value, "output"),
        calls: members(value, "calls").iter().map(calls).collect(),
        cost_usd: bounds(value, "cost"),
        tokens: bounds(value, "tokens"),
        time_ms: time(value),
        visits: bounds(value, "visits"),
        coverage: value.get("coverage").map(|member| coverage(&member.value)),
    }
}

fn error(value: &SpannedValue<'_>) -> Option<ExpectedError> {
    let words = |key: &str| text(value, key).map(|text| text.value);
    match &value.data {
        Data::Text(class) => {
            Some(ExpectedError { at: value.at, class: Some(class.as_ref().into()), message: None })
        }
        Data::Map(_) => {
            Some(ExpectedError { at: value.at, class: words("class"), message: words("message") })
        }
        _ => None,
    }
}

fn calls(member: &SpannedEntry<'_>) -> ExpectedCalls {
    let value = &member.value;
    let count = match value.data {
        Data::Number(count) => Some(Located::new(count, value.at)),
        _ => number(value, "count"),
    };
    let arguments = value.get("arguments").map(|member| {
        Located::new(list(value, "arguments").iter().map(plain::value).collect(), member.value.at)
    });
    ExpectedCalls { name: key(member), count, arguments }
}

/// Bounds for an amount. A single number is the maximum.
fn bounds(value: &SpannedValue<'_>, key: &str) -> Option<AmountBounds> {
    let value = &value.get(key)?.value;
    let amount = |key: &str| number(value, key).map(|number| number.value);
    Some(match value.data {
        Data::Number(most) => AmountBounds { at: value.at, at_least: None, at_most: Some(most) },
        _ => AmountBounds { at: value.at, at_least: amount("at_least"), at_most: amount("at_most") },
    })
}

fn time(value: &SpannedValue<'_>) -> Option<AmountBounds> {
    let value = &value.get("time")?.value;
    let amount = |key: &str| span(value, key).map(|span| span.value);
    Some(match value.data {
        Data::Map(_) => {
            AmountBounds { at: value.at, at_least: amount("at_least"), at_most: amount("at_most") }
        }
        _ => {
            AmountBounds { at: value.at, at_least: None, at_most: milliseconds(value).map(|span| span.value) }
        }
    })
}

fn coverage(value: &SpannedValue<'_>) -> CoverageThresholds {
    let amount = |key: &str| number(value, key).map(|number| number.value);
    match value.data {
        Data::Number(nodes) => {
            CoverageThresholds { at: value.at, nodes: Some(nodes), edges: None, conditions: None }
        }
        _ => CoverageThresholds {
            at: value.at,
            nodes: amount("nodes"),
            edges: amount("edges"),
            conditions: amount("conditions"),
        },
    }
}
