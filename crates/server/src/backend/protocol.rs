//! The framework's trait: one line for each request and notification.
//!
//! Input: parameters in the types of the protocol. Output: results in the types of the protocol. Invariant:
//! notifications are queued as events before anything is awaited.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::Value;
use tower_lsp_server::LanguageServer;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, CodeAction,
    CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, CompletionItem, CompletionParams,
    CompletionResponse, CreateFilesParams, DeleteFilesParams, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentDiagnosticParams, DocumentDiagnosticReportResult, DocumentFormattingParams, DocumentHighlight,
    DocumentHighlightParams, DocumentLink, DocumentLinkParams, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, DocumentSymbolResponse, ExecuteCommandParams,
    FoldingRange, FoldingRangeParams, GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams,
    InitializeParams, InitializeResult, InitializedParams, InlayHint, InlayHintParams, InlineValue,
    InlineValueParams, LinkedEditingRangeParams, LinkedEditingRanges, Location, PrepareRenameResponse,
    ReferenceParams, RenameFilesParams, RenameParams, SelectionRange, SelectionRangeParams,
    SemanticTokensDeltaParams, SemanticTokensFullDeltaResult, SemanticTokensParams,
    SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult, SignatureHelp,
    SignatureHelpParams, TextDocumentPositionParams, TextEdit, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReportResult, WorkspaceEdit, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use super::Backend;
use crate::handlers::{
    actions, completion, diagnostics, documents, formatting, hierarchy, hover, inlay_and_lens, lifecycle,
    navigation, outline, renaming, tokens, typing, workspace,
};
use crate::request::Asked;
use crate::session::Event;

impl LanguageServer for Backend {
    async fn initialize(&self, parameters: InitializeParams) -> Result<InitializeResult> {
        let (begun, answer) = lifecycle::initialize(&parameters, self.untyped());
        self.begin(begun);
        Ok(answer)
    }

    async fn initialized(&self, _: InitializedParams) {
        self.editor.offer_pages();
        self.queue.send(Event::Ready);
    }

    async fn shutdown(&self) -> Result<()> {
        self.is_shut_down.store(true, Ordering::SeqCst);
        Ok(())
    }

    async fn did_open(&self, parameters: DidOpenTextDocumentParams) {
        self.queue.send(documents::did_open(parameters));
    }

    async fn did_change(&self, parameters: DidChangeTextDocumentParams) {
        self.unfinished.changed(parameters.text_document.uri.as_str());
        self.queue.send(documents::did_change(parameters));
    }

    async fn did_save(&self, parameters: DidSaveTextDocumentParams) {
        self.queue.send(documents::did_save(parameters));
    }

    async fn did_close(&self, parameters: DidCloseTextDocumentParams) {
        self.queue.send(documents::did_close(parameters));
    }

    async fn did_change_workspace_folders(&self, parameters: DidChangeWorkspaceFoldersParams) {
        self.queue.send(workspace::did_change_folders(parameters));
    }

    async fn did_create_files(&self, parameters: CreateFilesParams) {
        self.queue.send(workspace::did_create(parameters));
    }

    async fn did_rename_files(&self, parameters: RenameFilesParams) {
        self.queue.send(workspace::did_rename(parameters));
    }

    async fn did_delete_files(&self, parameters: DeleteFilesParams) {
        self.queue.send(workspace::did_delete(parameters));
    }

    async fn did_change_watched_files(&self, parameters: DidChangeWatchedFilesParams) {
        self.queue.send(workspace::did_change_watched_files(parameters));
    }

    async fn did_change_configuration(&self, parameters: DidChangeConfigurationParams) {
        match workspace::did_change_configuration(&parameters) {
            Some(event) => self.queue.send(event),
            None => self.editor.ask_options(),
        }
    }

    async fn execute_command(&self, parameters: ExecuteCommandParams) -> Result<Option<Value>> {
        self.execute(parameters).await
    }

    async fn diagnostic(
        &self,
        parameters: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        self.read(move |asked| diagnostics::document(asked, &parameters)).await
    }

    async fn workspace_diagnostic(
        &self,
        parameters: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        self.workspace_report(parameters).await.map(Into::into)
    }

    async fn document_symbol(
        &self,
        parameters: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text_at_once("textDocument/documentSymbol", &uri, move |asked| {
            outline::document_symbols(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn symbol(&self, parameters: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        self.read_files(move |asked| Some(outline::workspace_symbols(asked, &parameters.query))).await
    }

    async fn folding_range(&self, parameters: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text_at_once("textDocument/foldingRange", &uri, move |asked| {
            outline::folds(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn selection_range(&self, parameters: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        let view = self.view_for(&parameters.text_document.uri);
        self.read_at_once(view, move |asked| outline::selections(asked, &parameters)).await
    }

    async fn document_link(&self, parameters: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text("textDocument/documentLink", uri.as_str(), move |asked| {
            outline::links(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn completion(&self, parameters: CompletionParams) -> Result<Option<CompletionResponse>> {
        let view = self.view_for(&parameters.text_document_position.text_document.uri);
        self.read_at_once(view, move |asked| completion::completion(asked, &parameters)).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        self.read(move |asked| completion::resolve(asked, item)).await
    }

    async fn formatting(&self, parameters: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = parameters.text_document.uri;
        let name = uri.to_string();
        self.read_text("textDocument/formatting", &name, move |asked| formatting::document(asked, &uri))
            .await?
    }

    async fn range_formatting(
        &self,
        parameters: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let (uri, range) = (parameters.text_document.uri, parameters.range);
        let name = uri.to_string();
        self.read_text("textDocument/rangeFormatting", &name, move |asked| {
            formatting::range(asked, &uri, range)
        })
        .await?
    }

    async fn on_type_formatting(
        &self,
        parameters: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let view = self.view_for(&parameters.text_document_position.text_document.uri);
        self.read_at_once(view, move |asked| typing::on_type(asked, &parameters)).await
    }

    async fn semantic_tokens_full(
        &self,
        parameters: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        let uri = parameters.text_document.uri.clone();
        let answers = Arc::clone(&self.tokens);
        self.read_text_at_once("textDocument/semanticTokens/full", &uri, move |asked| {
            tokens::full(asked, &parameters.text_document.uri, &answers)
        })
        .await
    }

    async fn semantic_tokens_full_delta(
        &self,
        parameters: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        let uri = parameters.text_document.uri.clone();
        let answers = Arc::clone(&self.tokens);
        let delta = move |asked: &Asked<'_>| {
            tokens::delta(asked, &parameters.text_document.uri, &parameters.previous_result_id, &answers)
        };
        self.read_text("textDocument/semanticTokens/full/delta", uri.as_str(), delta).await
    }

    async fn semantic_tokens_range(
        &self,
        parameters: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text_at_once("textDocument/semanticTokens/range", &uri, move |asked| {
            tokens::range(asked, &parameters.text_document.uri, parameters.range)
        })
        .await
    }

    async fn goto_definition(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let uri = parameters.text_document_position_params.text_document.uri.clone();
        self.read_files_at_once(&uri, move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::DEFINITION)
        })
        .await
    }

    async fn goto_declaration(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let uri = parameters.text_document_position_params.text_document.uri.clone();
        self.read_files_at_once(&uri, move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::DECLARATION)
        })
        .await
    }

    async fn goto_type_definition(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let uri = parameters.text_document_position_params.text_document.uri.clone();
        self.read_files_at_once(&uri, move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::TYPE_DEFINITION)
        })
        .await
    }

    async fn goto_implementation(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.read_files(move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::IMPLEMENTATION)
        })
        .await
    }

    async fn references(&self, parameters: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.read_files(move |asked| navigation::references(asked, &parameters)).await
    }

    async fn document_highlight(
        &self,
        parameters: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let view = self.view_for(&parameters.text_document_position_params.text_document.uri);
        self.read_at_once(view, move |asked| {
            navigation::document_highlight(asked, &parameters.text_document_position_params)
        })
        .await
    }

    async fn linked_editing_range(
        &self,
        parameters: LinkedEditingRangeParams,
    ) -> Result<Option<LinkedEditingRanges>> {
        let view = self.view_for(&parameters.text_document_position_params.text_document.uri);
        self.read_at_once(view, move |asked| {
            navigation::linked_editing(asked, &parameters.text_document_position_params)
        })
        .await
    }

    async fn hover(&self, parameters: HoverParams) -> Result<Option<Hover>> {
        let uri = parameters.text_document_position_params.text_document.uri.clone();
        self.read_files_at_once(&uri, move |asked| {
            hover::hover(asked, &parameters.text_document_position_params)
        })
        .await
    }

    async fn code_action(&self, parameters: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.read(move |asked| actions::code_action(asked, &parameters)).await
    }

    async fn code_action_resolve(&self, parameters: CodeAction) -> Result<CodeAction> {
        self.read(move |asked| actions::resolve(asked, parameters)).await
    }

    async fn prepare_rename(
        &self,
        parameters: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        self.read_files(move |asked| renaming::prepare(asked, &parameters)).await?
    }

    async fn rename(&self, parameters: RenameParams) -> Result<Option<WorkspaceEdit>> {
        self.read_files(move |asked| renaming::rename(asked, &parameters)).await?
    }

    async fn signature_help(&self, parameters: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let view = self.view_for(&parameters.text_document_position_params.text_document.uri);
        self.read_at_once(view, move |asked| inlay_and_lens::signature(asked, &parameters)).await
    }

    async fn inlay_hint(&self, parameters: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text("textDocument/inlayHint", uri.as_str(), move |asked| {
            inlay_and_lens::inlays(asked, &parameters)
        })
        .await
    }

    async fn inline_value(&self, parameters: InlineValueParams) -> Result<Option<Vec<InlineValue>>> {
        self.read(move |asked| inlay_and_lens::inline(asked, &parameters)).await
    }

    async fn code_lens(&self, parameters: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text("textDocument/codeLens", uri.as_str(), move |asked| {
            inlay_and_lens::lenses(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> {
        self.read(move |asked| inlay_and_lens::resolved_lens(asked, lens)).await
    }

    async fn prepare_call_hierarchy(
        &self,
        parameters: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        self.read_files(move |asked| hierarchy::prepare(asked, &parameters.text_document_position_params))
            .await
    }

    async fn incoming_calls(
        &self,
        parameters: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.read_files(move |asked| hierarchy::incoming(asked, &parameters.item)).await
    }

    async fn outgoing_calls(
        &self,
        parameters: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.read_files(move |asked| hierarchy::outgoing(asked, &parameters.item)).await
    }

    async fn will_rename_files(&self, parameters: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        self.read_files(move |asked| renaming::files(asked, &parameters)).await?
    }
}
