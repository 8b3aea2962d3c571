//! A value as YAML block text.
//!
//! Input is a JSON value; output is its block notation. Invariant: reading a text with quotes gives the value back; a
//! text without them is for both sides to read, and a word in it may be no text any more.

use serde_json::Value;

const INDENTATION: usize = 2;
/// Words that are no texts, in this version of YAML or the one before.
const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// How texts are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::oracle) enum Quotes {
    /// In quotes wherever a reader could take them for anything else.
    Kept,
    /// Without quotes wherever the notation stays well-formed.
    Forgotten,
}

pub(in crate::oracle) fn block_text(value: &Value, quotes: Quotes) -> String {
    let mut writer = Writer { text: String::new(), quotes };
    writer.value(value, 0);
    writer.text
}

struct Writer {
    text: String,
    quotes: Quotes,
}

impl Writer {
    /// Writes the value and the end of its line; a collection begins on a line of its own.
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

/// Whether the text without quotes is one scalar, of whatever type.
fn may_be_plain(content: &str) -> bool {
    let is_harmless = |character: char| character.is_ascii_alphanumeric() || "_.+~*".contains(character);
    let begins_well = content.chars().next().is_some_and(|first| first != '*');
    begins_well && content.chars().all(is_harmless)
}

/// Plain where no reader can take it for anything else, else in double quotes.
fn quoted(content: &str) -> String {
    let is_word = content.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let begins_well = content.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
    if is_word && begins_well && !WORDS.contains(&content.to_ascii_lowercase().as_str()) {
        return content.to_owned();
    }
    Value::String(content.to_owned()).to_string()
}
