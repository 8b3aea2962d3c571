//! Code actions.
//!
//! Input: selections. Output: edits. Invariant: if the edits of an action take long to compute and the client can
//! request them later, the action is sent without edits.

use std::collections::BTreeMap;

use nodewise_analysis::rules;
use nodewise_ide::actions::{self, Action, ActionEdit, ActionKind, ActionRequest};
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic, NumberOrString,
    TextDocumentIdentifier,
};

use super::{edits, hover, marks};
use crate::request::{Asked, File};

/// The kinds of actions, and their names.
pub(crate) const KINDS: [(ActionKind, &str); 5] = [
    (ActionKind::QuickFix, "quickfix"),
    (ActionKind::Extract, "refactor.extract"),
    (ActionKind::Inline, "refactor.inline"),
    (ActionKind::Rewrite, "refactor.rewrite"),
    (ActionKind::FixAll, "source.fixAll.nodewise"),
];

/// The data of an action whose edits are computed later.
#[derive(Debug, Serialize, Deserialize)]
struct Later {
    document: TextDocumentIdentifier,
    /// The rule to fix, or `None` for all rules.
    rule: Option<String>,
}

/// `textDocument/codeAction`
pub(crate) fn code_action(
    asked: &Asked<'_>,
    parameters: &CodeActionParams,
) -> Option<Vec<CodeActionOrCommand>> {
    let file = asked.document(&parameters.text_document.uri)?;
    let only: Vec<ActionKind> = match &parameters.context.only {
        Some(wanted) => KINDS
            .iter()
            .filter(|(_, name)| wanted.iter().any(|one| includes(one, name)))
            .map(|(kind, _)| *kind)
            .collect(),
        None => Vec::new(),
    };
    if parameters.context.only.is_some() && only.is_empty() {
        return Some(Vec::new());
    }
    let request = ActionRequest {
        source: file.source(),
        range: file.text_range(parameters.range),
        only: &only,
        can_create_files: asked.abilities.creates_files,
    };
    let found = actions::actions(file.snapshot(), request).into_iter();
    let action =
        |action| code_action_of(asked, &file, parameters, action).map(CodeActionOrCommand::CodeAction);
    let mut actions: Vec<CodeActionOrCommand> = found.filter_map(action).collect();
    if parameters.context.only.is_none() && !asked.abilities.shows_pages {
        actions.extend(explanations(&parameters.context.diagnostics));
    }
    if parameters.context.only.is_none() && asked.abilities.shows_marks {
        let reported = &parameters.context.diagnostics;
        let found = marks::path_actions(&file, &parameters.text_document, request.range, reported);
        actions.extend(found.into_iter().map(CodeActionOrCommand::CodeAction));
    }
    Some(actions)
}

/// `codeAction/resolve`
pub(crate) fn resolve(asked: &Asked<'_>, mut action: CodeAction) -> CodeAction {
    let later = action.data.clone().and_then(|data| serde_json::from_value::<Later>(data).ok());
    if let Some(later) = later
        && let Some(file) = asked.document(&later.document.uri)
    {
        let pending = later.rule.map_or(ActionEdit::FixAll, ActionEdit::FixRule);
        let change = actions::resolve(file.snapshot(), file.source(), &pending);
        action.edit = change.and_then(|change| edits::workspace_edit(&file, &change, asked.abilities));
    }
    action
}

/// For each rule of these diagnostics, an action that explains it.
fn explanations(diagnostics: &[Diagnostic]) -> impl Iterator<Item = CodeActionOrCommand> {
    let rules: BTreeMap<&str, &Diagnostic> = diagnostics
        .iter()
        .filter_map(|diagnostic| match &diagnostic.code {
            Some(NumberOrString::String(rule)) => Some((rule.as_str(), diagnostic)),
            _ => None,
        })
        .collect();
    rules.into_iter().filter_map(|(id, diagnostic)| {
        Some(CodeActionOrCommand::CodeAction(hover::explain_action(rules::rule(id)?, diagnostic)))
    })
}

fn code_action_of(
    asked: &Asked<'_>,
    file: &File<'_>,
    parameters: &CodeActionParams,
    action: Action,
) -> Option<CodeAction> {
    let (_, kind) = KINDS.iter().find(|(kind, _)| *kind == action.kind)?;
    let fixed = |diagnostic: &&Diagnostic| {
        action.fixes.iter().any(|fixed| {
            diagnostic.code == Some(NumberOrString::String(fixed.rule.to_owned()))
                && file.span(fixed.at) == Some(diagnostic.range)
        })
    };
    let diagnostics: Vec<Diagnostic> = parameters.context.diagnostics.iter().filter(fixed).cloned().collect();
    let later = match &action.change {
        ActionEdit::FixAll if asked.abilities.resolves_edits => Some(None),
        ActionEdit::FixRule(rule) if asked.abilities.resolves_edits => Some(Some(rule.clone())),
        _ => None,
    };
    let (edit, data) = match later {
        Some(rule) => {
            let later = Later { document: parameters.text_document.clone(), rule };
            (None, Some(serde_json::to_value(later).ok()?))
        }
        None => {
            let change = actions::resolve(file.snapshot(), file.source(), &action.change)?;
            (Some(edits::workspace_edit(file, &change, asked.abilities)?), None)
        }
    };
    Some(CodeAction {
        title: action.title,
        kind: Some(CodeActionKind::from(*kind)),
        diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
        edit,
        command: None,
        is_preferred: action.preferred.then_some(true),
        disabled: None,
        data,
    })
}

/// Whether a kind equals the wanted kind or is a sub-kind of it.
fn includes(wanted: &CodeActionKind, kind: &str) -> bool {
    let rest = kind.strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.as_str().is_empty())
}
