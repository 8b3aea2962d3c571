//! A value as YAML block text.
//!
//! Input is a JSON value; output is its block notation. Invariant: reading the text gives the value back, so that the
//! two sides of a comparison read one document.

use serde_json::Value;

const INDENTATION: usize = 2;
/// Words that are no texts, in this version of YAML or the one before.
const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

pub(in crate::oracle) fn block_text(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value, 0);
    text
}

/// Writes the value and the end of its line; a collection begins on a line of its own.
fn write_value(text: &mut String, value: &Value, indentation: usize) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (number, (key, member)) in members.iter().enumerate() {
                if number > 0 || !text.ends_with("- ") {
                    text.push_str(&" ".repeat(indentation));
                }
                text.push_str(&scalar_text(key));
                text.push(':');
                write_member(text, member, indentation);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (number, item) in items.iter().enumerate() {
                if number > 0 || !text.ends_with("- ") {
                    text.push_str(&" ".repeat(indentation));
                }
                text.push_str("- ");
                write_value(text, item, indentation + INDENTATION);
            }
        }
        Value::String(content) => {
            text.push_str(&scalar_text(content));
            text.push('\n');
        }
        other => {
            text.push_str(&other.to_string());
            text.push('\n');
        }
    }
}

fn write_member(text: &mut String, value: &Value, indentation: usize) {
    let is_block = match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    text.push(if is_block { '\n' } else { ' ' });
    write_value(text, value, indentation + INDENTATION);
}

/// Plain where no reader can take it for anything else, else in double quotes.
fn scalar_text(content: &str) -> String {
    let is_word = content.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let begins_well = content.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
    if is_word && begins_well && !WORDS.contains(&content.to_ascii_lowercase().as_str()) {
        return content.to_owned();
    }
    Value::String(content.to_owned()).to_string()
}
