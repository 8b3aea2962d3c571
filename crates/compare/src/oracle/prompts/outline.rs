//! The sections of a text, and the planted words in them, as `tests/oracles/outline.mjs` finds them.
//!
//! Input is a text. Output is the format of the recording. Invariant: both programs find the same.

use serde_json::{Value, json};

/// The choice of a supervisor that ends the run.
const DONE: &str = "__done__";

/// The sections of a text.
pub(super) fn sections(text: &str) -> Value {
    let mut sections = vec![json!({"holds": []})];
    let mut tag: Option<String> = None;
    for line in text.split('\n') {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(json!({"title": title, "holds": words(title)}));
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        if let Some(name) = tag_of(line) {
            tag = (!name.starts_with('/')).then(|| name.to_owned());
            if let Some(tag) = &tag {
                section["tag"] = tag.as_str().into();
                section["data"] = json!([]);
            }
            continue;
        }
        let member = tag.as_ref().and_then(|_| member(line));
        let held = section[if tag.is_some() { "data" } else { "holds" }].as_array_mut();
        let Some(held) = held else { continue };
        for word in member.into_iter().map(str::to_owned).chain(words(line)) {
            if !held.iter().any(|known| *known == word) {
                held.push(word.into());
            }
        }
    }
    let is_telling = |section: &Value| {
        let holds = section["holds"].as_array().is_some_and(|words| !words.is_empty());
        holds || section.get("title").is_some() || section.get("tag").is_some()
    };
    sections.into_iter().filter(is_telling).collect()
}

/// The planted words in a text, each once.
pub(super) fn words(text: &str) -> Vec<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|character| !is_part(character)) {
        let is_digit = |character: char| character.is_ascii_digit();
        let is_number = word.len() == 2 && word.starts_with('4') && word.ends_with(is_digit);
        let is_planted = word.starts_with("zz") || is_number || word == DONE;
        if is_planted && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// The members that a JSON Schema describes. A `?` marks optional ones.
pub(super) fn members(schema: &Value) -> Vec<String> {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let may_be_null =
        |member: &Value| member["type"].as_array().is_some_and(|types| types.contains(&"null".into()));
    let members = schema["properties"].as_object().into_iter().flatten();
    members
        .map(|(name, member)| match required.iter().any(|wanted| wanted == name) && !may_be_null(member) {
            true => name.clone(),
            false => format!("{name}?"),
        })
        .collect()
}

/// The name of the tag, if the line is one. A closing tag keeps its slash.
fn tag_of(line: &str) -> Option<&str> {
    let tag = line.strip_prefix('<')?.strip_suffix('>')?;
    let name = tag.strip_prefix('/').unwrap_or(tag);
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(tag)
}

/// The name of the member, if the line is a member of JSON.
fn member(line: &str) -> Option<&str> {
    let (name, _) = line.trim_start_matches(' ').strip_prefix('"')?.split_once("\":")?;
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')).then_some(name)
}
