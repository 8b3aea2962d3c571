//! Hover, and the explanations of rules.
//!
//! Input: positions. Output: texts. Invariant: only clients that support Markdown get Markdown.

use nodewise_analysis::rule::Rule;
use nodewise_analysis::{citation, page, rules};
use nodewise_ide::markup::{Markup, Place};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    CodeAction, Command, Diagnostic, Hover, HoverContents, MarkupContent, MarkupKind,
    TextDocumentPositionParams,
};

use super::file::File;
use super::{bound, config};
use crate::backend::Asked;
use crate::convert::diagnostics::{RULE_PAGES, SPECIFICATIONS, rule_page};
use crate::handlers::commands;
use crate::uri;

/// The key of a rule's id in arguments and answers.
const RULE: &str = "rule";

/// `textDocument/hover`
pub(crate) fn hover(asked: &Asked<'_>, parameters: &TextDocumentPositionParams) -> Option<Hover> {
    if let Some(place) = config::place(asked, parameters) {
        return config::hover(asked, &place);
    }
    let (file, position) = asked.at(parameters)?;
    let mut hover = nodewise_ide::hover::hover(file.snapshot(), position)?;
    if let Some(bound) = bound::at(&file, position) {
        hover.text.append(&bound.told());
    }
    Some(Hover {
        contents: HoverContents::Markup(markup(&hover.text, asked.abilities.markdown, Some(&file))),
        range: Some(file.range(hover.range)),
    })
}

/// The requested document that the server provides.
#[derive(Debug, Deserialize)]
pub(crate) struct ContentParams {
    uri: String,
}

/// A document that the server provides.
#[derive(Debug, Serialize)]
pub(crate) struct Content {
    text: String,
}

/// `workspace/textDocumentContent`: the page of a rule, or the specification of a system.
pub(crate) fn content(parameters: &ContentParams) -> Result<Content> {
    let address = parameters.uri.split('#').next().unwrap_or_default();
    let name = |folder| address.strip_prefix(folder)?.strip_suffix(".md");
    let rule = name(RULE_PAGES).and_then(rules::rule);
    let text = rule.map(|rule| citation::linked(&page::page(rule), SPECIFICATIONS));
    let text = text.or_else(|| name(SPECIFICATIONS).and_then(citation::page_for_readers));
    let text = text.ok_or_else(|| Error::invalid_params(format!("unknown page `{}`", parameters.uri)))?;
    Ok(Content { text })
}

/// The rule in the argument of `nodewise.explain`: `{"rule": id}`.
pub(crate) fn explained(subject: Option<&Value>) -> Result<&'static Rule> {
    let id = subject.and_then(|subject| subject.get(RULE)?.as_str());
    let rule = id.and_then(rules::rule);
    rule.ok_or_else(|| Error::invalid_params("the argument must be `{\"rule\": …}` with the id of a rule"))
}

/// `nodewise.explain`
pub(crate) fn explanation(rule: &Rule) -> Value {
    json!({RULE: rule.id, "markdown": citation::linked(&page::page(rule), citation::WEB)})
}

/// The action that explains a rule, for editors that cannot open its page.
pub(crate) fn explain_action(rule: &Rule, diagnostic: &Diagnostic) -> CodeAction {
    let title = format!("Explain `{}`", rule.id);
    let command = Command {
        title: title.clone(),
        command: commands::EXPLAIN.to_owned(),
        arguments: Some(vec![json!({RULE: rule.id})]),
    };
    CodeAction {
        title,
        diagnostics: Some(vec![diagnostic.clone()]),
        command: Some(command),
        ..CodeAction::default()
    }
}

/// A text in the format that the client shows. It has links if the file can be linked from.
pub(crate) fn markup(text: &Markup, shows_markdown: bool, file: Option<&File<'_>>) -> MarkupContent {
    let address = |place: &Place| address(file?, place);
    match shows_markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value: text.linked(address) },
        false => MarkupContent { kind: MarkupKind::PlainText, value: text.plain().to_owned() },
    }
}

/// The address of a place, escaped for Markdown.
fn address(file: &File<'_>, place: &Place) -> Option<String> {
    let (uri, line) = match place {
        Place::File(at) => {
            let location = file.location(*at)?;
            (location.uri.as_str().to_owned(), Some(location.range.start.line))
        }
        Place::Program { path, line } => {
            (uri::from_path(&file.project.root.as_deref()?.join(path)), Some(*line))
        }
        Place::Rule(rule) => (rule_page(rule).filter(|_| file.shows_pages)?.as_str().to_owned(), None),
    };
    // Brackets would end the link.
    let uri = uri.replace('(', "%28").replace(')', "%29");
    Some(match line {
        Some(line) => format!("{uri}#L{}", line + 1),
        None => uri,
    })
}
