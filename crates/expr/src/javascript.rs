//! Values as JavaScript sees them: conversions, identity and members, for languages that run in it.
//!
//! Input: values; output: numbers, texts, truth, parts. Invariant: nothing here fails; what has no number is NaN.

mod json;
mod members;

use std::fmt::Write;

use crate::value::Value;

pub use json::{entries, json_text};
pub use members::member;

/// Whether a value counts as true.
pub fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Undefined | Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => *number != 0.0 && !number.is_nan(),
        Value::Text(text) => !text.is_empty(),
        Value::List(_) | Value::Map(_) | Value::Pattern(_) | Value::Function(_) => true,
    }
}

/// The name of the value's type, as `typeof` gives it.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Undefined => "undefined",
        Value::Null | Value::List(_) | Value::Map(_) | Value::Pattern(_) => "object",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::Text(_) => "string",
        Value::Function(_) => "function",
    }
}

/// Whether two values are the same, where NaN is the same as itself.
pub fn same_value_zero(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if one.is_nan() => other.is_nan(),
        _ => one.is_same(other),
    }
}

/// The number that a value converts to.
pub fn to_number(value: &Value) -> f64 {
    match value {
        Value::Undefined | Value::Map(_) | Value::Pattern(_) | Value::Function(_) => f64::NAN,
        Value::Null => 0.0,
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::Number(number) => *number,
        Value::Text(text) => text_to_number(text),
        Value::List(_) => text_to_number(&to_text(value)),
    }
}

/// The 32 bits of a number that bit operators use. A number that is not finite has no bits set.
pub fn to_int32(number: f64) -> i32 {
    const RANGE: f64 = 4_294_967_296.0;
    // A cast takes NaN for 0.
    (number.trunc() % RANGE) as i64 as i32
}

/// The number that a text converts to: decimal, or binary, octal or hexadecimal with a prefix. A text of spaces is 0.
pub fn text_to_number(text: &str) -> f64 {
    let text = text.trim_matches(is_blank);
    if text.is_empty() {
        return 0.0;
    }
    for (prefix, bits) in [("0x", 4), ("0X", 4), ("0o", 3), ("0O", 3), ("0b", 1), ("0B", 1)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return digits_to_number(digits, bits).unwrap_or(f64::NAN);
        }
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_decimal =
        unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if is_decimal || unsigned == "Infinity" { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// The number for digits of `bits` bits each; `None` if one of the characters is not a digit.
pub(crate) fn digits_to_number(digits: &str, bits: u32) -> Option<f64> {
    // Enough for the mantissa, its rounding, and one digit more; later digits only break ties.
    const FULL: u64 = 1 << 58;
    let mut mantissa = 0u64;
    let mut exponent = 0i32;
    let mut is_inexact = false;
    for character in digits.chars() {
        let digit = character.to_digit(1 << bits)?;
        if mantissa < FULL {
            mantissa = (mantissa << bits) | u64::from(digit);
        } else {
            exponent = exponent.saturating_add(bits.cast_signed());
            is_inexact |= digit != 0;
        }
    }
    let number = (mantissa | u64::from(is_inexact)) as f64;
    (!digits.is_empty()).then(|| number * 2f64.powi(exponent))
}

/// The text that a value converts to.
pub fn to_text(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number_to_text(*number),
        Value::Text(text) => text.to_string(),
        Value::List(items) => {
            let texts: Vec<String> = items
                .iter()
                .map(|item| match item {
                    Value::Undefined | Value::Null => String::new(),
                    item => to_text(item),
                })
                .collect();
            texts.join(",")
        }
        Value::Map(_) => "[object Object]".to_owned(),
        Value::Pattern(pattern) => format!("/{}/{}", pattern.source, pattern.flags),
        Value::Function(name) => {
            let name = name.rsplit('.').next().unwrap_or_default();
            format!("function {name}() {{ [native code] }}")
        }
    }
}

/// A number as text: the fewest digits that identify it, with an exponent from 1e21 upwards and below 1e-6.
pub fn number_to_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&number.abs()) {
        return number.to_string();
    }
    let scientific = format!("{number:e}");
    match scientific.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => {
            let mut text = digits.to_owned();
            // Writing to a text cannot fail.
            let _ = write!(text, "e+{exponent}");
            text
        }
        _ => scientific,
    }
}

/// Whether a character is white space or ends a line.
pub fn is_blank(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

/// The length of a text in UTF-16 units.
pub fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Map;

    fn check_number(text: &str, expected: f64) {
        let found = text_to_number(text);
        assert!(found == expected || (found.is_nan() && expected.is_nan()), "`{text}`: {found}");
    }

    #[test]
    fn texts_convert_to_numbers() {
        for (text, expected) in [
            ("", 0.0),
            (" \u{a0}\u{feff}\n7 ", 7.0),
            ("\u{85}7", f64::NAN),
            ("1e3", 1000.0),
            (".5", 0.5),
            ("5.", 5.0),
            (".", f64::NAN),
            ("+", f64::NAN),
            ("-1.5E-2", -0.015),
            ("1_000", f64::NAN),
            ("0x1F", 31.0),
            ("-0x1F", f64::NAN),
            ("0b101", 5.0),
            ("0o17", 15.0),
            ("0x", f64::NAN),
            ("010", 10.0),
            ("Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("infinity", f64::NAN),
            ("nan", f64::NAN),
            ("12px", f64::NAN),
            ("0x20000000000001", 9_007_199_254_740_992.0),
            ("0x20000000000003", 9_007_199_254_740_996.0),
            ("0x200000000000010000000000", 9.903520314283042e27),
            ("0x200000000000010000000001", 9.903520314283044e27),
        ] {
            check_number(text, expected);
        }
    }

    #[test]
    fn numbers_convert_to_texts() {
        for (number, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
            (1e-6, "0.000001"),
            (1.25e-7, "1.25e-7"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(number_to_text(number), expected);
        }
    }

    #[test]
    fn lists_convert_through_their_text() {
        let list = |items: &[Value]| items.iter().cloned().collect::<Value>();
        let inner = list(&[Value::Null, Value::from(1.5), Value::from(true)]);
        assert_eq!(
            to_text(&list(&[inner, Value::from("a"), Map::new().into()])),
            ",1.5,true,a,[object Object]"
        );
        assert_eq!(to_number(&list(&[])), 0.0);
        assert_eq!(to_number(&list(&[Value::from(" 7 ")])), 7.0);
        assert!(to_number(&list(&[Value::from(1.0), Value::from(2.0)])).is_nan());
        assert!(to_number(&Map::new().into()).is_nan());
    }

    #[test]
    fn truth_is_about_emptiness_of_simple_values_alone() {
        for truthy in [Value::from("0"), Value::from(-1.0), Map::new().into(), std::iter::empty().collect()] {
            assert!(is_truthy(&truthy), "{truthy:?}");
        }
        for falsy in
            [Value::from(""), Value::from(-0.0), Value::from(f64::NAN), Value::Null, Value::Undefined]
        {
            assert!(!is_truthy(&falsy), "{falsy:?}");
        }
    }

    #[test]
    fn texts_are_counted_in_units() {
        assert_eq!(length("é😀"), 3);
    }
}
