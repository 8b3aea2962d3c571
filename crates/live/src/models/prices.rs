//! What well-known models cost. In: the name of a model; out: its price. The table was collected in November 2026, for plain
//! calls without discounts; price lists change, and `[live.models]` has the last word. Invariant: names are in order; a model
//! with a date behind its name costs what it costs without one.

use nodewise_engine::usage::Usage;

/// The price of a million tokens, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of what a model reads.
    pub input: f64,
    /// Of what it writes.
    pub output: f64,
}

const MILLION: f64 = 1_000_000.0;

const PRICES: &[(&str, f64, f64)] = &[
    ("claude-3-5-haiku", 0.8, 4.0),
    ("claude-3-5-sonnet", 3.0, 15.0),
    ("claude-3-7-sonnet", 3.0, 15.0),
    ("claude-3-haiku", 0.25, 1.25),
    ("claude-3-opus", 15.0, 75.0),
    ("claude-fable-5", 10.0, 50.0),
    ("claude-haiku-4-5", 1.0, 5.0),
    ("claude-opus-4", 15.0, 75.0),
    ("claude-opus-4-1", 15.0, 75.0),
    ("claude-opus-4-5", 5.0, 25.0),
    ("claude-opus-4-8", 5.0, 25.0),
    ("claude-opus-5", 5.0, 25.0),
    ("claude-sonnet-4", 3.0, 15.0),
    ("claude-sonnet-4-5", 3.0, 15.0),
    ("claude-sonnet-4-6", 3.0, 15.0),
    ("claude-sonnet-5", 2.0, 10.0),
    ("gpt-4", 30.0, 60.0),
    ("gpt-4-turbo", 10.0, 30.0),
    ("gpt-4.1", 2.0, 8.0),
    ("gpt-4.1-mini", 0.4, 1.6),
    ("gpt-4.1-nano", 0.1, 0.4),
    ("gpt-4o", 2.5, 10.0),
    ("gpt-4o-mini", 0.15, 0.6),
    ("gpt-5", 1.25, 10.0),
    ("gpt-5-mini", 0.25, 2.0),
    ("gpt-5-nano", 0.05, 0.4),
    ("o1", 15.0, 60.0),
    ("o3", 2.0, 8.0),
    ("o3-mini", 1.1, 4.4),
    ("o4-mini", 1.1, 4.4),
];

/// The price of a model.
pub(super) fn of(model: &str) -> Option<Price> {
    let found = |name: &str| PRICES.binary_search_by(|(known, ..)| (*known).cmp(name)).ok();
    let place = found(model).or_else(|| found(without_date(model)))?;
    PRICES.get(place).map(|(_, input, output)| Price { input: *input, output: *output })
}

impl Price {
    /// What a call costs.
    #[must_use]
    pub fn cost(self, usage: &Usage) -> f64 {
        (usage.input_tokens * self.input + usage.output_tokens * self.output) / MILLION
    }
}

/// A name without the release's date: `-20250514`, or `-2024-08-06`.
fn without_date(model: &str) -> &str {
    let ends_in_date = |shape: &str| {
        let tail = model.len().checked_sub(shape.len()).and_then(|start| model.get(start..));
        tail.is_some_and(|tail| {
            tail.bytes().zip(shape.bytes()).all(|(byte, shape)| match shape {
                b'0' => byte.is_ascii_digit(),
                shape => byte == shape,
            })
        })
    };
    let shape = ["-00000000", "-0000-00-00"].into_iter().find(|shape| ends_in_date(shape));
    shape.and_then(|shape| model.get(..model.len() - shape.len())).unwrap_or(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_price(model: &str, expected: Option<(f64, f64)>) {
        assert_eq!(of(model).map(|price| (price.input, price.output)), expected, "{model}");
    }

    #[test]
    fn prices_are_found() {
        assert!(PRICES.is_sorted_by(|one, other| one.0 < other.0));
        check_price("gpt-4o", Some((2.5, 10.0)));
        check_price("gpt-4o-2024-08-06", Some((2.5, 10.0)));
        check_price("claude-sonnet-4-5-20250929", Some((3.0, 15.0)));
        check_price("claude-opus-4-20250514", Some((15.0, 75.0)));
        check_price("gpt-4o-audio", None);
        check_price("-20250929", None);
        check_price("é-2025", None);
    }

    #[test]
    fn costs_add_up() {
        let usage = Usage { input_tokens: 1000.0, output_tokens: 500.0, cost_usd: 0.0 };
        assert_eq!(Price { input: 2.0, output: 8.0 }.cost(&usage), 0.006);
    }
}
