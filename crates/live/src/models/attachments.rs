//! Images and files among what a model reads: taken out of texts and values, and sent as parts of a message.
//!
//! Input: a question, whose state and messages may hold data URIs (`data:image/png;base64,…`) and images of MCP servers. Output: the
//! question with a short mark in the place of each, and the attachments. Invariant: a mark stands where its attachment stood, and
//! equal attachments are sent once.

use std::sync::Arc;

use nodewise_engine::ask::ModelQuestion;
use nodewise_engine::opening::{OpeningParts, PromptOpening, Surroundings};
use nodewise_expr::value::{Map, Value};
use nodewise_project::config::live::AttachmentKind;
use serde_json::{Value as Json, json};

/// An image or a file in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attachment {
    /// The media type, for example `image/png`.
    pub(super) media_type: String,
    /// The data in base64.
    data: String,
    /// The text that replaces it in the prompt, such as `[attachment 1: image/png]`.
    mark: String,
}

/// The attachments of a question, in the order of their marks.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Attachments(Vec<Attachment>);

/// The beginning of a data URI.
const SCHEME: &str = "data:";
/// The text between the media type and the data.
const BASE64: &str = ";base64,";
/// The longest media type that is recognised, with its parameters, in bytes.
const LONGEST_TYPE: usize = 200;
/// The shortest data that counts as an attachment, in characters of base64. Shorter data is an example in a text.
const SHORTEST: usize = 32;
/// The beginnings of media types whose data is not text.
const MEDIA: [&str; 4] = ["image/", "audio/", "video/", "application/pdf"];
/// The images that both protocols accept.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const PDF: &str = "application/pdf";

impl Attachment {
    /// The kind that a model must accept; `None` if no protocol accepts the media type.
    pub(super) fn kind(&self) -> Option<AttachmentKind> {
        match self.media_type.as_str() {
            PDF => Some(AttachmentKind::Pdf),
            image if IMAGES.contains(&image) => Some(AttachmentKind::Image),
            _ => None,
        }
    }

    /// Whether a text has the mark of this attachment.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.contains(&self.mark)
    }

    /// The attachment as a part of a message of chat completions.
    pub(super) fn openai_part(&self) -> Json {
        let uri = format!("{SCHEME}{}{BASE64}{}", self.media_type, self.data);
        match self.kind() {
            Some(AttachmentKind::Pdf) => {
                let name = self.mark.trim_start_matches('[').split(':').next().unwrap_or_default();
                json!({"type": "file", "file": {"filename": format!("{name}.pdf"), "file_data": uri}})
            }
            _ => json!({"type": "image_url", "image_url": {"url": uri}}),
        }
    }

    /// The attachment as a block of one of Anthropic's messages.
    pub(super) fn anthropic_block(&self) -> Json {
        let kind = if self.kind() == Some(AttachmentKind::Pdf) { "document" } else { "image" };
        json!({"type": kind, "source": {"type": "base64", "media_type": self.media_type, "data": self.data}})
    }
}

impl Attachments {
    /// Takes the attachments out of a question. Returns the question with marks in their places, or `None` if it has no
    /// attachments.
    pub(super) fn take(question: &ModelQuestion) -> (Option<ModelQuestion>, Attachments) {
        let mut found = Attachments::default();
        let mut prompt = Vec::with_capacity(question.prompt.len());
        for message in question.prompt.iter() {
            let content = found.value(&message.content).unwrap_or_else(|| message.content.clone());
            prompt.push(nodewise_engine::ask::Message { content, ..message.clone() });
        }
        let opening = question.opening.as_ref().map(|opening| found.opening(opening));
        if found.0.is_empty() {
            return (None, found);
        }
        (Some(ModelQuestion { prompt: prompt.into(), opening, ..question.clone() }), found)
    }

    pub(super) fn all(&self) -> &[Attachment] {
        &self.0
    }

    fn opening(&mut self, opening: &Arc<PromptOpening>) -> Arc<PromptOpening> {
        let mut opening = PromptOpening::clone(opening);
        match &mut opening.parts {
            OpeningParts::Work(parts) => {
                self.surroundings(&mut parts.surroundings);
                if let Some(context) = &mut parts.context {
                    self.replace(context);
                }
            }
            OpeningParts::Route(parts) => self.surroundings(&mut parts.surroundings),
            OpeningParts::Judge(parts) => self.replace(&mut parts.subject),
            OpeningParts::Extract(parts) => {
                if let Some(text) = self.text(&parts.source) {
                    parts.source = text.into();
                }
            }
            OpeningParts::State(state) => self.replace(state),
        }
        Arc::new(opening)
    }

    fn surroundings(&mut self, surroundings: &mut Surroundings) {
        self.replace(&mut surroundings.recalled);
        if let Some(memory) = self.map(&surroundings.memory) {
            surroundings.memory = Arc::new(memory);
        }
    }

    fn replace(&mut self, value: &mut Value) {
        if let Some(replaced) = self.value(value) {
            *value = replaced;
        }
    }

    /// The value with marks in place of attachments; `None` if it has none.
    fn value(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Text(text) => self.text(text).map(|text| Value::from(text.as_str())),
            Value::List(items) => {
                let replaced: Vec<Option<Value>> = items.iter().map(|item| self.value(item)).collect();
                if replaced.iter().all(Option::is_none) {
                    return None;
                }
                let items = items.iter().zip(replaced);
                Some(Value::List(items.map(|(item, new)| new.unwrap_or_else(|| item.clone())).collect()))
            }
            Value::Map(map) => match self.of_server(map) {
                Some(mark) => Some(mark),
                None => self.map(map).map(|map| Value::Map(Arc::new(map))),
            },
            _ => None,
        }
    }

    fn map(&mut self, map: &Map) -> Option<Map> {
        let replaced: Vec<Option<Value>> = map.iter().map(|(_, value)| self.value(value)).collect();
        if replaced.iter().all(Option::is_none) {
            return None;
        }
        let entries = map.iter().zip(replaced);
        Some(entries.map(|((key, value), new)| (key.clone(), new.unwrap_or_else(|| value.clone()))).collect())
    }

    /// The mark of an image that an MCP server answered with; `None` if the mapping is something else.
    fn of_server(&mut self, map: &Map) -> Option<Value> {
        let text = |key: &str| match map.get(key) {
            Some(Value::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        let (Some("image"), Some(media_type), Some(data)) = (text("type"), text("mimeType"), text("data"))
        else {
            return None;
        };
        is_base64(data).then(|| Value::from(self.mark(media_type, data).as_str()))
    }

    /// The text with marks in place of data URIs; `None` if it has none.
    fn text(&mut self, text: &str) -> Option<String> {
        let mut marked = String::new();
        let mut rest = text;
        let mut seen = 0;
        while let Some(start) = rest.get(seen..).and_then(|after| after.find(SCHEME)) {
            let start = seen + start;
            match data_uri(rest.get(start..).unwrap_or_default()) {
                Some((media_type, data, length)) => {
                    marked.push_str(rest.get(..start).unwrap_or_default());
                    marked.push_str(&self.mark(media_type, data));
                    rest = rest.get(start + length..).unwrap_or_default();
                    seen = 0;
                }
                None => seen = start + SCHEME.len(),
            }
        }
        (rest.len() != text.len()).then(|| marked + rest)
    }

    fn mark(&mut self, media_type: &str, data: &str) -> String {
        let media_type = media_type.to_ascii_lowercase();
        if let Some(known) = self.0.iter().find(|known| known.media_type == media_type && known.data == data)
        {
            return known.mark.clone();
        }
        let mark = format!("[attachment {}: {media_type}]", self.0.len() + 1);
        self.0.push(Attachment { media_type, data: data.to_owned(), mark: mark.clone() });
        mark
    }
}

/// The media type, the data and the length in bytes of a data URI at the beginning of a text.
fn data_uri(text: &str) -> Option<(&str, &str, usize)> {
    let after = text.strip_prefix(SCHEME)?;
    let head = after.as_bytes().get(..after.len().min(LONGEST_TYPE + BASE64.len()))?;
    let end = head.windows(BASE64.len()).position(|window| window == BASE64.as_bytes())?;
    let declared = after.get(..end)?;
    let media_type = declared.split(';').next().unwrap_or_default();
    if !MEDIA.iter().any(|kind| media_type.starts_with(kind)) || media_type.contains(char::is_whitespace) {
        return None;
    }
    let data = after.get(end + BASE64.len()..)?;
    let length = data.bytes().take_while(|byte| is_of_base64(*byte)).count();
    let data = data.get(..length).filter(|data| data.len() >= SHORTEST)?;
    Some((media_type, data, SCHEME.len() + end + BASE64.len() + length))
}

fn is_base64(data: &str) -> bool {
    data.len() >= SHORTEST && data.bytes().all(is_of_base64)
}

fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
