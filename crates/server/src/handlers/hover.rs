//! Hover, and the explanations of rules.
//!
//! Input: positions, ids of rules. Output: texts and documents. Invariant: what is said about a rule comes from its
//! page.

use nodewise_analysis::rule::Rule;
use nodewise_analysis::{citation, page, rules};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    CodeAction, Command, Diagnostic, Hover, HoverContents, TextDocumentPositionParams,
};

use super::{bound, commands, config, markup};
use crate::convert::diagnostics::{RULE_PAGES, SPECIFICATIONS};
use crate::request::Asked;

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
        hover.text.append(&bound.to_markup());
    }
    Some(Hover {
        contents: HoverContents::Markup(markup::shown(&hover.text, asked.abilities.markdown, Some(&file))),
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
pub(crate) struct HoverContent {
    text: String,
}

/// `workspace/textDocumentContent`: the page of a rule, or the specification of a system.
pub(crate) fn content(parameters: &ContentParams) -> Result<HoverContent> {
    let address = parameters.uri.split('#').next().unwrap_or_default();
    let name = |folder| address.strip_prefix(folder)?.strip_suffix(".md");
    let rule = name(RULE_PAGES).and_then(rules::rule);
    let text = rule.map(|rule| citation::linked(&page::page(rule), SPECIFICATIONS));
    let text = text.or_else(|| name(SPECIFICATIONS).and_then(citation::page_for_readers));
    let text = text.ok_or_else(|| Error::invalid_params(format!("unknown page `{}`", parameters.uri)))?;
    Ok(HoverContent { text })
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
