//! Completion and hover in `nodewise.toml`.
//!
//! Input: positions in an open configuration file. Output: results in the types of the protocol. Invariant: all content
//! comes from the schema of the file.

use std::sync::Arc;

use nodewise_ide::markup::{Line, Markup};
use nodewise_project::config::assist::{self, KeyDoc, Offer, OfferKind};
use nodewise_syntax::{TextRange, TextSize};
use tower_lsp_server::ls_types::{self as lsp, CompletionItemKind};

use super::markup;
use crate::convert;
use crate::positions::LineTable;
use crate::request::Asked;
use crate::view::OpenDocument;

/// A place in an open configuration file.
pub(crate) struct ConfigPosition<'v> {
    document: &'v OpenDocument,
    lines: Arc<LineTable>,
    offset: usize,
}

/// The place, if the document is a configuration file.
pub(crate) fn place<'v>(
    asked: &Asked<'v>,
    parameters: &lsp::TextDocumentPositionParams,
) -> Option<ConfigPosition<'v>> {
    let document = asked.view.documents.get(parameters.text_document.uri.as_str())?;
    let document = Some(document.as_ref()).filter(|document| document.is_configuration())?;
    let lines = Arc::clone(document.lines(asked.view.encoding));
    let offset = lines.offset(convert::position(parameters.position)).into();
    Some(ConfigPosition { document, lines, offset })
}

/// `textDocument/hover`
pub(crate) fn hover(asked: &Asked<'_>, place: &ConfigPosition<'_>) -> Option<lsp::Hover> {
    let (range, doc) = assist::hover(&place.document.text, place.offset)?;
    let text = markup::shown(&described(&doc), asked.abilities.markdown, None);
    Some(lsp::Hover { contents: lsp::HoverContents::Markup(text), range: Some(place.range(range)) })
}

/// `textDocument/completion`
pub(crate) fn completion(asked: &Asked<'_>, place: &ConfigPosition<'_>) -> lsp::CompletionResponse {
    let offers = assist::complete(&place.document.text, place.offset).into_iter();
    let item = |(number, offer): (usize, Offer)| {
        let documentation = markup::shown(&described(&offer.doc), asked.abilities.items.markdown, None);
        let edit = lsp::TextEdit { range: place.range(offer.range), new_text: offer.text };
        lsp::CompletionItem {
            kind: Some(match offer.kind {
                OfferKind::Table => CompletionItemKind::MODULE,
                OfferKind::Key => CompletionItemKind::PROPERTY,
                OfferKind::Value => CompletionItemKind::ENUM_MEMBER,
            }),
            label: offer.label,
            sort_text: Some(format!("{number:04}")),
            documentation: Some(lsp::Documentation::MarkupContent(documentation)),
            text_edit: Some(lsp::CompletionTextEdit::Edit(edit)),
            ..lsp::CompletionItem::default()
        }
    };
    lsp::CompletionResponse::Array(offers.enumerate().map(item).collect())
}

impl ConfigPosition<'_> {
    fn range(&self, range: std::ops::Range<usize>) -> lsp::Range {
        let offset = |offset: usize| TextSize::try_from(offset).unwrap_or_default();
        convert::range(self.lines.span(TextRange::new(offset(range.start), offset(range.end))))
    }
}

/// The text that a hover or a completion shows about a key.
fn described(doc: &KeyDoc) -> Markup {
    let mut markup = Markup::new();
    markup.paragraph(&Line::new().code(&doc.name));
    markup.paragraph(&Line::new().prose(&doc.text));
    let words: Vec<Line> = doc
        .words
        .iter()
        .map(|(word, text)| match text.is_empty() {
            true => Line::new().code(word),
            false => Line::new().code(word).prose(": ").prose(text),
        })
        .collect();
    markup.list(&words);
    if let Some(default) = &doc.default {
        markup.paragraph(&Line::new().prose("Default: ").code(default));
    }
    markup
}
