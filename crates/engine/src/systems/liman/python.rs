//! Values as the releases write them into messages: as Python's text of the value.
//!
//! Input: a value; output: what `str` and `repr` give. Invariant: a number without a fraction is an integer, since JSON
//! does not tell the two apart.

use std::fmt::Write;

use nodewise_expr::value::Value;

/// Whole numbers below this limit are written without an exponent.
const WRITTEN_OUT: f64 = 1e16;

/// How many characters a failed validation shows at the start of a long value.
const HEAD: usize = 25;
const TAIL: usize = 24;

/// The result of `str`: a text is itself.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        value => representation(value),
    }
}

/// The result of `repr`: the value as Python code.
pub(super) fn representation(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// A representation as failed validations show it: only its two ends if it is long.
pub(super) fn clipped(representation: &str) -> String {
    let characters: Vec<char> = representation.chars().collect();
    if characters.len() <= HEAD + TAIL + 1 {
        return representation.to_owned();
    }
    let tail = characters.iter().skip(characters.len() - TAIL);
    characters.iter().take(HEAD).chain(&['.'; 3]).chain(tail).collect()
}

/// The name of a value's type.
pub(super) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Undefined | Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.fract() == 0.0 => "int",
        Value::Number(_) => "float",
        Value::Text(_) => "str",
        Value::List(_) => "list",
        Value::Map(_) => "dict",
        Value::Pattern(_) | Value::Function(_) => "object",
    }
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Undefined | Value::Null | Value::Pattern(_) | Value::Function(_) => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => out.push_str(&number_text(*number)),
        Value::Text(text) => write_quoted(out, text),
        Value::List(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                separate(out, position);
                write_value(out, item);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (position, (key, value)) in map.iter().enumerate() {
                separate(out, position);
                write_quoted(out, key);
                out.push_str(": ");
                write_value(out, value);
            }
            out.push('}');
        }
    }
}

fn separate(out: &mut String, position: usize) {
    if position > 0 {
        out.push_str(", ");
    }
}

/// Writes a text in single quotes, or in double quotes if only these avoid an escape.
fn write_quoted(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            same if same == quote => {
                out.push('\\');
                out.push(same);
            }
            control if (control as u32) < 0x20 || control as u32 == 0x7f => {
                // Writing to a text never fails.
                let _ = write!(out, "\\x{:02x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push(quote);
}

fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    if number.fract() == 0.0 && number.abs() < WRITTEN_OUT {
        // Adding 0 removes the sign of a negative zero.
        return format!("{:.0}", number + 0.0);
    }
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        return format!("{number}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
