//! What well-known models cost. In: the name of a model; out: its price. The table was collected in November 2026, for plain
//! calls without discounts; price lists change, and `[live.models]` has the last word. Invariant: names are in order; a model
//! with a date behind its name costs what it costs without one.

use nodewise_engine::usage::Usage;
use nodewise_project::config::live::{ModelConfig, PromptCache};

/// The price of a model, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// For tokens that the model reads.
    pub input: f64,
    /// For tokens that the model writes.
    pub output: f64,
    /// For tokens that the model reads from the provider's cache.
    pub cached: f64,
    /// For tokens that the model reads and the provider puts into its cache.
    pub cache_write: f64,
}

const MILLION: f64 = 1_000_000.0;

/// The prices of well-known models: their name, then the price to read, to write, and to read from the cache. Sorted by name.
const PRICES: &[(&str, f64, f64, f64)] = &[
    ("claude-3-5-haiku", 0.8, 4.0, 0.08),
    ("claude-3-5-sonnet", 3.0, 15.0, 0.3),
    ("claude-3-7-sonnet", 3.0, 15.0, 0.3),
    ("claude-3-haiku", 0.25, 1.25, 0.03),
    ("claude-3-opus", 15.0, 75.0, 1.5),
    ("claude-fable-5", 10.0, 50.0, 1.0),
    ("claude-haiku-4-5", 1.0, 5.0, 0.1),
    ("claude-opus-4", 15.0, 75.0, 1.5),
    ("claude-opus-4-1", 15.0, 75.0, 1.5),
    ("claude-opus-4-5", 5.0, 25.0, 0.5),
    ("claude-opus-4-8", 5.0, 25.0, 0.5),
    ("claude-opus-5", 5.0, 25.0, 0.5),
    ("claude-sonnet-4", 3.0, 15.0, 0.3),
    ("claude-sonnet-4-5", 3.0, 15.0, 0.3),
    ("claude-sonnet-4-6", 3.0, 15.0, 0.3),
    ("claude-sonnet-5", 2.0, 10.0, 0.2),
    ("gpt-4", 30.0, 60.0, 30.0),
    ("gpt-4-turbo", 10.0, 30.0, 10.0),
    ("gpt-4.1", 2.0, 8.0, 0.5),
    ("gpt-4.1-mini", 0.4, 1.6, 0.1),
    ("gpt-4.1-nano", 0.1, 0.4, 0.025),
    ("gpt-4o", 2.5, 10.0, 1.25),
    ("gpt-4o-mini", 0.15, 0.6, 0.075),
    ("gpt-5", 1.25, 10.0, 0.125),
    ("gpt-5-mini", 0.25, 2.0, 0.025),
    ("gpt-5-nano", 0.05, 0.4, 0.005),
    ("o1", 15.0, 60.0, 7.5),
    ("o3", 2.0, 8.0, 0.5),
    ("o3-mini", 1.1, 4.4, 0.55),
    ("o4-mini", 1.1, 4.4, 0.275),
];

/// The price to put tokens into the cache, as a multiple of the price to read them.
fn write_factor(cache: Option<PromptCache>) -> f64 {
    match cache {
        None => 1.0,
        Some(PromptCache::FiveMinutes) => 1.25,
        Some(PromptCache::OneHour) => 2.0,
    }
}

/// The price of a model. The entry in the configuration comes before the table. `id` is the model's id at its provider.
pub(super) fn of(id: &str, entry: Option<&ModelConfig>) -> Option<Price> {
    let known = in_table(id);
    let (input, output) = match entry.map(|entry| (entry.input_usd, entry.output_usd)) {
        None | Some((None, None)) => known.map(|(input, output, _)| (input, output))?,
        // If the configuration sets other prices than the table, the table's price for cached tokens does not fit either.
        Some((input, output)) => (input.unwrap_or(0.0), output.unwrap_or(0.0)),
    };
    let of_table = known.filter(|known| (known.0, known.1) == (input, output)).map(|(.., cached)| cached);
    let cached = entry.and_then(|entry| entry.cached_usd).or(of_table).unwrap_or(input);
    let write = entry.and_then(|entry| entry.cache_write_usd);
    let cache_write =
        write.unwrap_or_else(|| input * write_factor(entry.and_then(|entry| entry.prompt_cache)));
    Some(Price { input, output, cached, cache_write })
}

/// The prices to read, to write and to read from the cache of a well-known model.
fn in_table(model: &str) -> Option<(f64, f64, f64)> {
    let found = |name: &str| PRICES.binary_search_by(|(known, ..)| (*known).cmp(name)).ok();
    let place = found(model).or_else(|| found(without_date(model)))?;
    PRICES.get(place).map(|(_, input, output, cached)| (*input, *output, *cached))
}

impl Price {
    /// The cost of a call in US dollars.
    #[must_use]
    pub fn cost(self, usage: &Usage) -> f64 {
        let fresh = (usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens).max(0.0);
        let read = fresh * self.input
            + usage.cached_tokens * self.cached
            + usage.cache_write_tokens * self.cache_write;
        (read + usage.output_tokens * self.output) / MILLION
    }
}

/// A name without the date of a release at its end: `-20250514`, or `-2024-08-06`.
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

    fn check_price(model: &str, expected: Option<(f64, f64, f64)>) {
        let found = of(model, None).map(|price| (price.input, price.output, price.cached));
        assert_eq!(found, expected, "{model}");
    }

    #[test]
    fn prices_are_found() {
        assert!(PRICES.is_sorted_by(|one, other| one.0 < other.0));
        assert!(PRICES.iter().all(|(_, input, output, cached)| cached <= input && input < output));
        check_price("gpt-4o", Some((2.5, 10.0, 1.25)));
        check_price("gpt-4o-2024-08-06", Some((2.5, 10.0, 1.25)));
        check_price("claude-sonnet-4-5-20250929", Some((3.0, 15.0, 0.3)));
        check_price("claude-opus-4-20250514", Some((15.0, 75.0, 1.5)));
        check_price("gpt-4o-audio", None);
        check_price("-20250929", None);
        check_price("é-2025", None);
    }

    /// What 1000 tokens read, of them 600 from the cache and 300 into it, and 500 written cost, in millionths of a dollar.
    #[track_caller]
    fn check_cost(model: &str, entry: &str, expected: f64) {
        let entry: ModelConfig = toml::from_str(entry).unwrap();
        let usage = Usage {
            input_tokens: 1000.0,
            cached_tokens: 600.0,
            cache_write_tokens: 300.0,
            output_tokens: 500.0,
            cost_usd: 0.0,
        };
        let cost = of(model, Some(&entry)).unwrap().cost(&usage) * MILLION;
        assert!((cost - expected).abs() < 1e-6, "{cost}");
    }

    #[test]
    fn costs_add_up() {
        check_cost("x", "input_usd = 2\noutput_usd = 8", 1000.0 * 2.0 + 500.0 * 8.0);
        check_cost("gpt-4.1", "", 400.0 * 2.0 + 600.0 * 0.5 + 500.0 * 8.0);
        check_cost("gpt-4.1", "input_usd = 1\noutput_usd = 8", 1000.0 * 1.0 + 500.0 * 8.0);
        check_cost("gpt-4.1", "cached_usd = 0.1", 400.0 * 2.0 + 600.0 * 0.1 + 500.0 * 8.0);
        let claude = 100.0 * 3.0 + 600.0 * 0.3 + 500.0 * 15.0;
        check_cost("claude-sonnet-4-5", "prompt_cache = \"5m\"", claude + 300.0 * 3.75);
        check_cost("claude-sonnet-4-5", "prompt_cache = \"1h\"", claude + 300.0 * 6.0);
        check_cost("claude-sonnet-4-5", "prompt_cache = \"1h\"\ncache_write_usd = 5", claude + 300.0 * 5.0);
    }
}
