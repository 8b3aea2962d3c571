//! The prices of models that the host does not list. In: the name of a model; out: its price. Invariant: the prices
//! are those of the release, so that a budget in money ends a run at the same place.

use super::HostPrice;

/// Names of models, with their prices in US dollars for a million tokens read and for a million tokens written.
const PRICES: &[(&str, f64, f64)] = &[
    ("claude-3-5-haiku-20241022", 0.8, 4.0),
    ("claude-3-5-sonnet-20241022", 3.0, 15.0),
    ("claude-3-opus-20240229", 15.0, 75.0),
    ("claude-fable-5", 10.0, 50.0),
    ("claude-haiku-4-5-20251001", 1.0, 5.0),
    ("claude-opus-4-20250514", 15.0, 75.0),
    ("claude-opus-4-8", 5.0, 25.0),
    ("claude-opus-5", 5.0, 25.0),
    ("claude-sonnet-4-20250514", 3.0, 15.0),
    ("claude-sonnet-4-6", 3.0, 15.0),
    ("claude-sonnet-5", 2.0, 10.0),
    ("gpt-4", 30.0, 60.0),
    ("gpt-4-turbo", 10.0, 30.0),
    ("gpt-4o", 2.5, 10.0),
    ("gpt-4o-mini", 0.15, 0.6),
    ("o1", 15.0, 60.0),
    ("o1-mini", 1.1, 4.4),
    ("o1-preview", 15.0, 60.0),
    ("o3", 2.0, 8.0),
    ("o3-mini", 1.1, 4.4),
    ("o4-mini", 1.1, 4.4),
];

/// The price of a model; zero for an unknown model.
pub(super) fn of(model: &str) -> HostPrice {
    let place = PRICES.binary_search_by(|(name, ..)| (*name).cmp(model)).ok();
    let (input, output) =
        place.and_then(|place| PRICES.get(place)).map_or((0.0, 0.0), |(_, input, output)| (*input, *output));
    HostPrice { input, output }
}

#[cfg(test)]
mod tests {
    use super::{PRICES, of};

    #[test]
    fn prices_are_found() {
        assert!(PRICES.is_sorted_by(|one, other| one.0 < other.0));
        assert_eq!((of("gpt-4o").input, of("o4-mini").output, of("mock").input), (2.5, 4.4, 0.0));
    }
}
