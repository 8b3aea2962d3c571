//! Values in one line, cut off where they become long.

use std::fmt::Write;

use nodewise_expr::json::to_json_with_marks;
use nodewise_expr::value::Value;

/// The maximum length of a shown list or mapping, in bytes.
pub const PREVIEW_MAX: usize = 160;
/// The maximum length of a shown text, in bytes.
pub const TEXT_MAX: usize = 2048;

/// A value in one line. A value that is too long is cut and ends with `…`.
#[must_use]
pub fn shown(value: &Value) -> String {
    let most = if matches!(value, Value::Text(_)) { TEXT_MAX } else { PREVIEW_MAX };
    let mut out = String::new();
    write(value, most, &mut out);
    cut(out, most)
}

/// A value without cuts: a text as it is, other values as JSON.
#[must_use]
pub fn shown_whole(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        value => serde_json::to_string_pretty(&to_json_with_marks(value)).unwrap_or_default(),
    }
}

fn write(value: &Value, most: usize, out: &mut String) {
    if out.len() > most {
        return;
    }
    match value {
        Value::Map(map) => {
            out.push('{');
            for (index, (key, value)) in map.iter().enumerate() {
                if out.len() > most {
                    break;
                }
                let comma = if index == 0 { "" } else { ", " };
                write!(out, "{comma}{key}: ").ok();
                write(value, most, out);
            }
            out.push('}');
        }
        Value::List(items) => {
            out.push('[');
            for (index, value) in items.iter().enumerate() {
                if out.len() > most {
                    break;
                }
                if index > 0 {
                    out.push_str(", ");
                }
                write(value, most, out);
            }
            out.push(']');
        }
        Value::Text(text) if text.len() > most => {
            let short = cut(text.to_string(), most);
            out.push_str(&to_json_with_marks(&Value::from(short.as_str())).to_string());
        }
        Value::Undefined => out.push_str("undefined"),
        scalar => out.push_str(&to_json_with_marks(scalar).to_string()),
    }
}

fn cut(mut text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push('…');
    text
}
