//! Values, times and amounts in few words, for people.

use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::json::to_json_with_marks;
use nodewise_expr::value::Value;

/// Values with more characters are shortened.
pub(crate) const VALUE_MAX: usize = 72;

/// Conditions with more characters are shortened.
pub(crate) const TEXT_MAX: usize = 100;

/// A value on one line, shortened.
pub(crate) fn value(value: &Value) -> String {
    shortened(&to_json_with_marks(value).to_string(), VALUE_MAX)
}

/// A text in quotes on one line, shortened.
pub(crate) fn quoted(text: &str) -> String {
    value(&Value::from(text))
}

/// The first characters of a text, with a mark if something is left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => {
            let end = text.char_indices().nth(most.saturating_sub(1)).map_or(0, |(end, _)| end);
            format!("{}…", text.get(..end).unwrap_or_default())
        }
        None => text.to_owned(),
    }
}

/// A span or moment: "250 ms", "1.5 s", "2 h 30 min".
#[must_use]
pub fn time(span: Millis) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let milliseconds = span.0;
    if milliseconds < 1000 {
        return format!("{milliseconds} ms");
    }
    if milliseconds < 60_000 {
        return format!("{} s", milliseconds as f64 / 1000.0);
    }
    let mut rest = milliseconds / 1000;
    let mut parts: Vec<String> = Vec::new();
    for (unit, name) in UNITS {
        if rest >= unit && parts.len() < 2 {
            parts.push(format!("{} {name}", rest / unit));
            rest %= unit;
        }
    }
    parts.join(" ")
}

/// The usage in words: "15 tokens, 0.002 USD". `None` if nothing was used.
pub(crate) fn usage(usage: &Usage) -> Option<String> {
    if usage.is_zero() {
        return None;
    }
    let tokens = (usage.tokens() > 0.0).then(|| format!("{} tokens", usage.tokens()));
    let cost = (usage.cost_usd > 0.0).then(|| format!("{} USD", money(usage.cost_usd)));
    let parts: Vec<String> = tokens.into_iter().chain(cost).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// An amount in few digits.
pub(crate) fn amount(amount: f64) -> String {
    money(amount).to_string()
}

/// An amount of money, without digits that arithmetic left behind. Minus zero becomes zero.
#[must_use]
pub fn money(amount: f64) -> f64 {
    const DIGITS: f64 = 1e9;
    (amount * DIGITS).round() / DIGITS + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(time(Millis(0)), "0 ms");
        assert_eq!(time(Millis(1500)), "1.5 s");
        assert_eq!(time(Millis(9_000_000)), "2 h 30 min");
        assert_eq!(time(Millis(2_592_000_000)), "30 d");
        for (amount, text) in [(0.1 + 0.2, "0.3"), (0.0, "0"), (-0.0, "0"), (-1e-12, "0")] {
            assert_eq!(money(amount).to_string(), text);
        }
        assert_eq!(shortened("größer", 4), "grö…");
        assert_eq!(shortened("größ", 4), "größ");
        assert_eq!(quoted("a\nb"), "\"a\\nb\"");
        let spent = Usage { input_tokens: 10.0, output_tokens: 5.0, cost_usd: 0.1 + 0.2, ..Usage::default() };
        assert_eq!(usage(&spent).as_deref(), Some("15 tokens, 0.3 USD"));
        assert_eq!(usage(&Usage::default()), None);
    }
}
