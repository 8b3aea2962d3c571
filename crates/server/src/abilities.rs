//! What the client supports, as far as the server uses it.
//!
//! Input: the client's capabilities. Output: a few answers. Invariant: what the client does not mention, it does not
//! support.

use serde_json::Value;
use tower_lsp_server::ls_types::{
    ClientCapabilities, CompletionClientCapabilities, InsertTextMode, MarkupKind, ResourceOperationKind,
};

/// The client's command that shows places.
pub(crate) const SHOW_REFERENCES: &str = "nodewise.showReferences";

/// The client capabilities that the server uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// It pulls diagnostics.
    pub(crate) pulls: bool,
    /// It supports requests to refresh diagnostics.
    pub(crate) refreshes_diagnostics: bool,
    /// It accepts versions with diagnostics.
    pub(crate) versions: bool,
    /// It shows related places of a diagnostic.
    pub(crate) related: bool,
    /// It shows unused and deprecated text differently.
    pub(crate) tags: bool,
    /// It opens documents that the server provides.
    pub(crate) shows_pages: bool,
    /// It links diagnostic codes to pages.
    pub(crate) code_descriptions: bool,
    /// It sends the data of a diagnostic back.
    pub(crate) data: bool,
    /// It watches files for the server.
    pub(crate) registers_watchers: bool,
    /// It answers requests for settings.
    pub(crate) has_configuration: bool,
    /// It shows progress.
    pub(crate) has_progress: bool,
    /// It accepts links with the range of the name that they start from.
    pub(crate) location_links: bool,
    /// It shows Markdown in hovers.
    pub(crate) markdown: bool,
    /// It accepts edits with versions.
    pub(crate) document_changes: bool,
    pub(crate) creates_files: bool,
    pub(crate) deletes_files: bool,
    /// It accepts code actions, not only commands.
    pub(crate) has_actions: bool,
    /// It requests the edits of an action when the user chooses it.
    pub(crate) resolves_edits: bool,
    /// It shows Markdown in signature help.
    pub(crate) signature_markdown: bool,
    /// It has the command that shows references.
    pub(crate) shows_references: bool,
    /// It shows the decorations of dry runs.
    pub(crate) shows_runs: bool,
    /// It shows a graph with marks where an action has the command for it.
    pub(crate) shows_marks: bool,
    /// It supports requests to refresh lenses.
    pub(crate) refreshes_lenses: bool,
    /// It wants lenses with their commands at once, and does not ask for them one by one.
    pub(crate) complete_lenses: bool,
    /// It supports requests to refresh inlay hints.
    pub(crate) refreshes_hints: bool,
    /// It shows nested symbols.
    pub(crate) nested_symbols: bool,
    /// It folds only whole lines.
    pub(crate) folds_lines: bool,
    /// The maximum number of folds. `None` if there is no limit.
    pub(crate) folds_max: Option<usize>,
    /// What it supports in completion items.
    pub(crate) items: ItemAbilities,
}

/// The client capabilities for completion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ItemAbilities {
    /// It supports snippets.
    pub(crate) snippets: bool,
    /// It lets the user choose between insert and replace.
    pub(crate) insert_replace: bool,
    /// It inserts several lines without changing their indentation.
    pub(crate) as_is: bool,
    /// It accepts one edit range for all items of a list.
    pub(crate) common_range: bool,
    /// It shows deprecated items differently.
    pub(crate) tags: bool,
    /// It shows Markdown in the documentation of items.
    pub(crate) markdown: bool,
}

impl Abilities {
    pub(crate) fn read(client: &ClientCapabilities, untyped: UntypedAbilities) -> Abilities {
        let (document, workspace) = (client.text_document.as_ref(), client.workspace.as_ref());
        let pushed = document.and_then(|document| document.publish_diagnostics.as_ref());
        let pulled = document.and_then(|document| document.diagnostic.as_ref());
        let watched = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        let refreshed = workspace.and_then(|workspace| workspace.diagnostics.as_ref());
        let symbols = document.and_then(|document| document.document_symbol.as_ref());
        let folds = document.and_then(|document| document.folding_range.as_ref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let operations = edits.and_then(|edits| edits.resource_operations.as_deref()).unwrap_or_default();
        let definition = document.and_then(|document| document.definition.as_ref());
        let formats = document.and_then(|document| document.hover.as_ref()?.content_format.as_deref());
        let actions = document.and_then(|document| document.code_action.as_ref());
        let resolved = actions.and_then(|actions| actions.resolve_support.as_ref());
        let document_changes = edits.and_then(|edits| edits.document_changes) == Some(true);
        let signature = document
            .and_then(|document| document.signature_help.as_ref()?.signature_information.as_ref())
            .and_then(|information| information.documentation_format.as_ref());
        let commands = client.experimental.as_ref().and_then(|more| more.get("commands")?.get("commands"));
        let commands = commands.and_then(Value::as_array);
        let shows_runs = client.experimental.as_ref().and_then(|more| more.get("nodewiseSimulated"));
        let shows_marks = client.experimental.as_ref().and_then(|more| more.get("nodewiseMarks"));
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
        Abilities {
            shows_runs: shows_runs == Some(&Value::Bool(true)),
            shows_marks: shows_marks == Some(&Value::Bool(true)),
            refreshes_lenses: lenses.and_then(|lenses| lenses.refresh_support) == Some(true),
            refreshes_hints: hints.and_then(|hints| hints.refresh_support) == Some(true),
            shows_pages: untyped.shows_pages,
            complete_lenses: untyped.complete_lenses,
            signature_markdown: signature.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            shows_references: commands
                .is_some_and(|all| all.iter().any(|command| command == SHOW_REFERENCES)),
            location_links: definition.and_then(|one| one.link_support) == Some(true),
            markdown: formats.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            document_changes,
            deletes_files: document_changes && operations.contains(&ResourceOperationKind::Delete),
            creates_files: document_changes && operations.contains(&ResourceOperationKind::Create),
            has_actions: actions.is_some_and(|one| one.code_action_literal_support.is_some()),
            resolves_edits: actions.and_then(|one| one.data_support) == Some(true)
                && resolved.is_some_and(|one| one.properties.iter().any(|property| property == "edit")),
            pulls: pulled.is_some(),
            refreshes_diagnostics: refreshed.and_then(|one| one.refresh_support) == Some(true),
            versions: pushed.and_then(|one| one.version_support) == Some(true),
            related: pushed.and_then(|one| one.related_information) == Some(true)
                || pulled.and_then(|one| one.related_information) == Some(true),
            tags: pushed.is_some_and(|one| one.tag_support.is_some())
                || pulled.is_some_and(|one| one.tag_support.is_some()),
            code_descriptions: pushed.and_then(|one| one.code_description_support) == Some(true)
                || pulled.and_then(|one| one.code_description_support) == Some(true),
            data: pushed.and_then(|one| one.data_support) == Some(true)
                || pulled.and_then(|one| one.data_support) == Some(true),
            registers_watchers: watched.and_then(|one| one.dynamic_registration) == Some(true),
            has_configuration: workspace.and_then(|one| one.configuration) == Some(true),
            nested_symbols: symbols.and_then(|one| one.hierarchical_document_symbol_support) == Some(true),
            folds_lines: folds.and_then(|one| one.line_folding_only) == Some(true),
            folds_max: folds.and_then(|one| one.range_limit).and_then(|most| usize::try_from(most).ok()),
            items: ItemAbilities::read(document.and_then(|document| document.completion.as_ref())),
            has_progress: client.window.as_ref().and_then(|one| one.work_done_progress) == Some(true),
        }
    }
}

impl ItemAbilities {
    pub(crate) fn read(client: Option<&CompletionClientCapabilities>) -> ItemAbilities {
        let Some(item) = client.and_then(|client| client.completion_item.as_ref()) else {
            return ItemAbilities::default();
        };
        let modes = item.insert_text_mode_support.as_ref().map(|support| support.value_set.as_slice());
        let formats = item.documentation_format.as_deref().unwrap_or_default();
        let list = client.and_then(|client| client.completion_list.as_ref()?.item_defaults.as_deref());
        ItemAbilities {
            snippets: item.snippet_support == Some(true),
            insert_replace: item.insert_replace_support == Some(true),
            as_is: modes.is_some_and(|modes| modes.contains(&InsertTextMode::AS_IS)),
            common_range: list.is_some_and(|common| common.iter().any(|property| property == "editRange")),
            tags: item.tag_support.is_some(),
            markdown: formats.contains(&MarkupKind::Markdown),
        }
    }
}

/// The client capabilities that the framework's types do not have. They are read from the JSON of `initialize`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct UntypedAbilities {
    /// See [`Abilities::shows_pages`].
    pub(crate) shows_pages: bool,
    /// See [`Abilities::complete_lenses`].
    pub(crate) complete_lenses: bool,
}

impl UntypedAbilities {
    /// Reads the parameters of `initialize`.
    pub(crate) fn read(parameters: &Value) -> UntypedAbilities {
        let pages = parameters.pointer("/capabilities/workspace/textDocumentContent/dynamicRegistration");
        // A client that does not mention this resolves lenses: the capability is younger than `codeLens/resolve`.
        let resolved = parameters
            .pointer("/capabilities/textDocument/codeLens/resolveSupport/properties")
            .and_then(Value::as_array);
        UntypedAbilities {
            shows_pages: pages == Some(&Value::Bool(true)),
            complete_lenses: resolved
                .is_some_and(|properties| properties.iter().all(|property| property != "command")),
        }
    }
}

/// The methods that a client sends again if the text changed before the answer.
pub(crate) fn asked_again(client: &ClientCapabilities) -> Vec<String> {
    let stale = client.general.as_ref().and_then(|general| general.stale_request_support.as_ref());
    stale.map(|stale| stale.retry_on_content_modified.clone()).unwrap_or_default()
}
