//! What is told about the thing at a place.
//!
//! Input: positions. Output: texts. Invariant: Markdown goes only to clients that said they show it.

use nodewise_analysis::{page, rules};
use nodewise_ide::markup::Markup;
use serde::{Deserialize, Serialize};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    Hover, HoverContents, MarkupContent, MarkupKind, TextDocumentPositionParams,
};

use crate::backend::Asked;
use crate::convert::diagnostics::RULE_PAGES;

/// `textDocument/hover`
pub(crate) fn hover(asked: &Asked<'_>, parameters: &TextDocumentPositionParams) -> Option<Hover> {
    let (file, position) = asked.at(parameters)?;
    let hover = nodewise_ide::hover::hover(file.snapshot(), position)?;
    Some(Hover {
        contents: HoverContents::Markup(markup(&hover.text, asked.abilities.markdown)),
        range: Some(file.range(hover.range)),
    })
}

/// Which document of the server's own is asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct ContentParams {
    uri: String,
}

/// A document of the server's own.
#[derive(Debug, Serialize)]
pub(crate) struct Content {
    text: String,
}

/// `workspace/textDocumentContent`: the page of a rule.
pub(crate) fn content(parameters: &ContentParams) -> Result<Content> {
    let id = parameters.uri.strip_prefix(RULE_PAGES).and_then(|name| name.strip_suffix(".md"));
    let rule = id.and_then(rules::rule);
    let rule = rule.ok_or_else(|| Error::invalid_params(format!("there is no page `{}`", parameters.uri)))?;
    Ok(Content { text: page::page(rule) })
}

/// A text for people, as the client shows it.
pub(crate) fn markup(text: &Markup, shows_markdown: bool) -> MarkupContent {
    let (kind, text) = match shows_markdown {
        true => (MarkupKind::Markdown, text.markdown()),
        false => (MarkupKind::PlainText, text.plain()),
    };
    MarkupContent { kind, value: text.to_owned() }
}
