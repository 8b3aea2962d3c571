//! The capabilities of the server.
//!
//! Input: what the client supports. Output: the server's capabilities. Invariant: the server announces only what a
//! handler answers.

use tower_lsp_server::ls_types::{
    CallHierarchyServerCapability, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    CodeLensOptions, CompletionOptions, DeclarationCapability, DiagnosticOptions,
    DiagnosticServerCapabilities, DocumentLinkOptions, DocumentOnTypeFormattingOptions,
    ExecuteCommandOptions, FileOperationFilter, FileOperationPattern, FileOperationPatternKind,
    FileOperationRegistrationOptions, FoldingRangeProviderCapability, HoverProviderCapability,
    ImplementationProviderCapability, LinkedEditingRangeServerCapabilities, OneOf, RenameOptions,
    SelectionRangeProviderCapability, SemanticTokensFullOptions, SemanticTokensOptions,
    SemanticTokensServerCapabilities, ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    TypeDefinitionProviderCapability, WorkDoneProgressOptions, WorkspaceFileOperationsServerCapabilities,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use crate::abilities::Abilities;
use crate::client::WATCHED;
use crate::convert;
use crate::handlers::commands::announced;
use crate::handlers::completion::TRIGGERS;
use crate::handlers::{actions, inlay_and_lens, tokens, typing};
use crate::positions::Encoding;

/// The file operations that the server needs to know: those on declarations, programs and folders.
fn file_operations() -> WorkspaceFileOperationsServerCapabilities {
    let filter = |glob: &str, matches| FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern { glob: glob.to_owned(), matches: Some(matches), options: None },
    };
    let filters: Vec<_> = WATCHED
        .iter()
        .map(|glob| filter(glob, FileOperationPatternKind::File))
        .chain([filter("**", FileOperationPatternKind::Folder)])
        .collect();
    let registered = || Some(FileOperationRegistrationOptions { filters: filters.clone() });
    WorkspaceFileOperationsServerCapabilities {
        did_create: registered(),
        did_rename: registered(),
        did_delete: registered(),
        will_rename: registered(),
        ..WorkspaceFileOperationsServerCapabilities::default()
    }
}

/// The capabilities of the server.
pub(crate) fn server(encoding: Encoding, abilities: Abilities) -> ServerCapabilities {
    let diagnostics = DiagnosticOptions {
        identifier: Some("nodewise".to_owned()),
        inter_file_dependencies: true,
        workspace_diagnostics: true,
        ..DiagnosticOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(convert::encoding_kind(encoding)),
        text_document_sync: Some(TextDocumentSyncCapability::Options(text_sync())),
        diagnostic_provider: abilities.pulls.then_some(DiagnosticServerCapabilities::Options(diagnostics)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true),
            trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: typing::LINE_BREAK.to_owned(),
            more_trigger_character: None,
        }),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::from(SemanticTokensOptions {
            legend: tokens::legend(),
            range: Some(true),
            full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
            ..SemanticTokensOptions::default()
        })),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
        code_action_provider: abilities.has_actions.then(|| code_actions(abilities)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        signature_help_provider: Some(signature_help()),
        inlay_hint_provider: Some(OneOf::Left(true)),
        inline_value_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: announced().map(str::to_owned).collect(),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: Some(file_operations()),
        }),
        ..ServerCapabilities::default()
    }
}

fn text_sync() -> TextDocumentSyncOptions {
    TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        will_save: None,
        will_save_wait_until: None,
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
    }
}

fn signature_help() -> SignatureHelpOptions {
    SignatureHelpOptions {
        trigger_characters: Some(inlay_and_lens::OPENING.map(str::to_owned).to_vec()),
        ..SignatureHelpOptions::default()
    }
}

fn code_actions(abilities: Abilities) -> CodeActionProviderCapability {
    CodeActionProviderCapability::Options(CodeActionOptions {
        code_action_kinds: Some(actions::KINDS.iter().map(|(_, name)| CodeActionKind::from(*name)).collect()),
        resolve_provider: Some(abilities.resolves_edits),
        ..CodeActionOptions::default()
    })
}
