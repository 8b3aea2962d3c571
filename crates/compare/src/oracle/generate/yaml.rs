//! A value as YAML block text.
//!
//! Input is a JSON value. Output is its block notation. Invariant: with quotes, reading the text gives the same value.
//! Without quotes, both sides read the text, and a word in it may no longer be a text.

use serde_json::Value;

const INDENTATION: usize = 2;
/// Words that are not texts in YAML 1.2 or YAML 1.1.
const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// The style of texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// In quotes if a reader could read another type.
    Kept,
    /// Without quotes if the YAML stays valid.
    Forgotten,
}

pub(crate) fn block_text(value: &Value, quotes: Quotes) -> String {
    let mut writer = Writer { text: String::new(), quotes };
    writer.value(value, 0);
    writer.text
}

struct Writer {
    text: String,
    quotes: Quotes,
}

impl Writer {
    /// Writes the value and the end of its line. A collection starts on a new line.
    fn value(&mut self, value: &Value, indentation: usize) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                for (number, (key, member)) in members.iter().enumerate() {
                    if number > 0 || !self.text.ends_with("- ") {
                        self.text.push_str(&" ".repeat(indentation));
                    }
                    self.text.push_str(&quoted(key));
                    self.text.push(':');
                    self.member(member, indentation);
                }
            }
            Value::Array(items) if !items.is_empty() => {
                for (number, item) in items.iter().enumerate() {
                    if number > 0 || !self.text.ends_with("- ") {
                        self.text.push_str(&" ".repeat(indentation));
                    }
                    self.text.push_str("- ");
                    self.value(item, indentation + INDENTATION);
                }
            }
            Value::String(content) => {
                self.text.push_str(&self.scalar(content));
                self.text.push('\n');
            }
            other => {
                self.text.push_str(&other.to_string());
                self.text.push('\n');
            }
        }
    }

    fn member(&mut self, value: &Value, indentation: usize) {
        let is_block = match value {
            Value::Object(members) => !members.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => false,
        };
        self.text.push(if is_block { '\n' } else { ' ' });
        self.value(value, indentation + INDENTATION);
    }

    fn scalar(&self, content: &str) -> String {
        let is_plain = self.quotes == Quotes::Forgotten && may_be_plain(content);
        if is_plain { content.to_owned() } else { quoted(content) }
    }
}

/// Whether the text without quotes is one scalar of any type.
fn may_be_plain(content: &str) -> bool {
    let is_harmless = |character: char| character.is_ascii_alphanumeric() || "_.+~*".contains(character);
    let begins_well = content.chars().next().is_some_and(|first| first != '*');
    begins_well && content.chars().all(is_harmless)
}

/// A plain scalar if every reader reads it as a text, else in double quotes.
fn quoted(content: &str) -> String {
    let is_word = content.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let begins_well = content.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
    if is_word && begins_well && !WORDS.contains(&content.to_ascii_lowercase().as_str()) {
        return content.to_owned();
    }
    Value::String(content.to_owned()).to_string()
}
