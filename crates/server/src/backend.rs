//! The framework's trait: one line for each request and notification.
//!
//! Input: parameters of the wire. Output: results of the wire. Invariant: notifications become events before anything
//! is awaited; a request queues behind them, then runs on a thread of its own with the view of that moment.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use nodewise_analysis::cancel::Cancel;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, CodeAction,
    CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, CompletionItem, CompletionParams,
    CompletionResponse, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentDiagnosticParams,
    DocumentDiagnosticReportResult, DocumentHighlight, DocumentHighlightParams, DocumentLink,
    DocumentLinkParams, DocumentOnTypeFormattingParams, DocumentSymbolParams, DocumentSymbolResponse,
    ExecuteCommandParams, FoldingRange, FoldingRangeParams, GotoDefinitionParams, GotoDefinitionResponse,
    Hover, HoverParams, InitializeParams, InitializeResult, InitializedParams, InlayHint, InlayHintParams,
    LinkedEditingRangeParams, LinkedEditingRanges, Location, PrepareRenameResponse, ReferenceParams,
    RenameFilesParams, RenameParams, SelectionRange, SelectionRangeParams, SemanticTokensDeltaParams,
    SemanticTokensFullDeltaResult, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult, SignatureHelp, SignatureHelpParams,
    TextDocumentPositionParams, TextEdit, WorkDoneProgressCancelParams, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult, WorkspaceEdit, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};

use crate::capabilities::Abilities;
use crate::client::Wire;
use crate::editor::Editor;
use crate::handlers::{
    actions, commands, completion, debug, diagnostics, documents, evaluate, graph, hierarchy, insight,
    lifecycle, navigation, outline, reading, renaming, simulate, tokens, typing, workspace,
};
use crate::session::{Event, Queue};
use crate::transport::{Outbox, fault};
use crate::unfinished::Unfinished;
use crate::view::View;

/// The server, as the framework sees it.
#[derive(Debug)]
pub(crate) struct Backend {
    queue: Queue,
    editor: Arc<dyn Editor>,
    runtime: Handle,
    abilities: Arc<OnceLock<Abilities>>,
    is_debugged: AtomicBool,
    is_shut_down: Arc<AtomicBool>,
    unfinished: Unfinished,
    outbox: Outbox,
    renewed: watch::Receiver<()>,
    is_workspace_told: AtomicBool,
    shows_pages: Arc<AtomicBool>,
    given_up: Arc<AtomicU64>,
    tokens: Arc<tokens::Answers>,
    runs: simulate::Underway,
}

/// What a request's handler is given.
pub(crate) struct Asked<'v> {
    /// The session at the moment of the request.
    pub(crate) view: &'v View,
    /// Whether the answer is still wanted.
    pub(crate) cancel: &'v Cancel,
    /// What the client understands.
    pub(crate) abilities: Abilities,
    /// How many requests were given up while they were worked on.
    pub(crate) given_up: u64,
}

/// Cancels when the framework drops a handler, which it does when the client cancels.
struct CancelOnDrop(Cancel);

/// The framework's service around a server of its own.
pub(crate) fn service(
    outbox: &Outbox,
    runtime: &Handle,
    is_shut_down: &Arc<AtomicBool>,
    shows_pages: &Arc<AtomicBool>,
) -> std::io::Result<(LspService<Backend>, ClientSocket)> {
    let abilities: Arc<OnceLock<Abilities>> = Arc::default();
    let (queue, events) = Queue::new();
    let (renew, renewed) = watch::channel(());
    let mut started = Ok(());
    let (service, socket) = LspService::build(|client| {
        let editor: Arc<dyn Editor> = Arc::new(Wire::new(
            client,
            outbox.clone(),
            runtime.clone(),
            Arc::clone(&abilities),
            queue.clone(),
            renew,
        ));
        started = queue.start(events, Arc::clone(&editor));
        Backend {
            queue: queue.clone(),
            editor,
            runtime: runtime.clone(),
            abilities: Arc::clone(&abilities),
            is_debugged: AtomicBool::new(false),
            is_shut_down: Arc::clone(is_shut_down),
            unfinished: Unfinished::default(),
            outbox: outbox.clone(),
            renewed,
            is_workspace_told: AtomicBool::new(false),
            shows_pages: Arc::clone(shows_pages),
            given_up: Arc::default(),
            tokens: Arc::default(),
            runs: simulate::Underway::default(),
        }
    })
    .custom_method("nodewise/debug", Backend::debug)
    .custom_method("workspace/textDocumentContent", Backend::content)
    .custom_method("window/workDoneProgress/cancel", Backend::stop)
    .finish();
    started.map(|()| (service, socket))
}

impl Backend {
    /// Where events are put.
    pub(crate) fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Remembers what the client said about itself.
    pub(crate) fn begin(&self, abilities: Abilities, asked_again: Vec<String>, is_debugged: bool) {
        self.unfinished.ask_again(asked_again);
        // The framework lets `initialize` through once.
        self.abilities.set(abilities).ok();
        self.is_debugged.store(is_debugged, Ordering::Relaxed);
    }

    /// Whether the client shows documents of the server's own.
    pub(crate) fn shows_pages(&self) -> bool {
        self.shows_pages.load(Ordering::Relaxed)
    }

    /// Answers a request on another thread, with everything that arrived before it applied.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        self.read_until(Cancel::default(), work).await
    }

    /// The same for a request about a document's text, which is dropped if the text changes meanwhile and the client
    /// asks again then.
    async fn read_text<T: Send + 'static>(
        &self,
        method: &str,
        uri: &str,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        let cancel = Cancel::default();
        let request = self.unfinished.begin(method, uri, &cancel);
        let result = self.read_until(cancel, work).await;
        match request.is_some_and(|request| request.is_outdated()) {
            true => Err(Error::content_modified()),
            false => result,
        }
    }

    async fn read_until<T: Send + 'static>(
        &self,
        cancel: Cancel,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let guard = CancelOnDrop(cancel.clone());
        let given_up = Arc::clone(&self.given_up);
        let (runtime, abilities) = (self.runtime.clone(), self.abilities.get().copied().unwrap_or_default());
        self.queue.send(Event::Read(Box::new(move |view| {
            runtime.spawn_blocking(move || {
                let count = given_up.load(Ordering::Relaxed);
                let asked = Asked { view: &view, cancel: &cancel, abilities, given_up: count };
                let work = || (!cancel.is_cancelled()).then(|| work(&asked));
                let result = catch_unwind(AssertUnwindSafe(work)).map_err(|_| fault()).transpose();
                let Some(result) = result.filter(|_| !cancel.is_cancelled()) else {
                    given_up.fetch_add(1, Ordering::Relaxed);
                    return;
                };
                // Nobody waits for the answer if the client left.
                answer.send(result).ok();
            });
        })));
        let result = answered.await.unwrap_or_else(|_| Err(Error::request_cancelled()));
        drop(guard);
        result
    }

    async fn content(&self, parameters: reading::ContentParams) -> Result<reading::Content> {
        reading::content(&parameters)
    }

    /// `window/workDoneProgress/cancel`
    async fn stop(&self, parameters: WorkDoneProgressCancelParams) {
        self.runs.stop(&parameters.token);
    }

    async fn simulate(&self, parameters: ExecuteCommandParams) -> Result<Option<Value>> {
        let subject = parameters.arguments.into_iter().next().unwrap_or_default();
        let subject: simulate::Subject =
            serde_json::from_value(subject).map_err(|error| Error::invalid_params(error.to_string()))?;
        let announces = subject.announce;
        let cancel = Cancel::default();
        let token = parameters.work_done_progress_params.work_done_token;
        let mut progress = self.runs.begin(token, &cancel, &self.outbox);
        let work = move |asked: &Asked<'_>| simulate::simulate(asked, &subject, &mut progress);
        let answer = self.read_until(cancel, work).await??;
        if let Some(summary) = answer["summary"].as_str().filter(|_| announces) {
            self.editor.show(summary.to_owned());
        }
        Ok(Some(answer))
    }

    async fn debug(&self, trial: debug::Trial) -> Result<Value> {
        if !self.is_debugged.load(Ordering::Relaxed) {
            return Err(Error::method_not_found());
        }
        let uri = trial.uri().to_owned();
        self.read_text(debug::METHOD, &uri, |asked| debug::debug(asked, trial)).await
    }

    /// `workspace/diagnostic`: a client asks again as soon as it is answered, so that an answer without news waits for
    /// some.
    async fn workspace_report(
        &self,
        parameters: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReport> {
        let parameters = Arc::new(parameters);
        let mut renewed = self.renewed.clone();
        loop {
            renewed.mark_unchanged();
            let asked_for = Arc::clone(&parameters);
            let items = self.read(move |asked| diagnostics::workspace(asked, &asked_for)).await?;
            // The first answer is none that the client could know.
            let is_told = self.is_workspace_told.swap(true, Ordering::Relaxed);
            let is_first = !is_told && parameters.previous_result_ids.is_empty();
            if is_first || diagnostics::has_news(&items) {
                let token = parameters.partial_result_params.partial_result_token.as_ref();
                return Ok(diagnostics::in_parts(items, token, &self.outbox));
            }
            if renewed.changed().await.is_err() {
                return Err(Error::request_cancelled());
            }
        }
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, parameters: InitializeParams) -> Result<InitializeResult> {
        Ok(lifecycle::initialize(self, parameters))
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
        match parameters.command.as_str() {
            commands::REFRESH => {
                self.queue.send(Event::Refresh);
                Ok(None)
            }
            commands::EXPLAIN => {
                let rule = reading::explained(parameters.arguments.first())?;
                if !self.shows_pages() {
                    self.editor.show(nodewise_analysis::page::page(rule));
                }
                Ok(Some(reading::explanation(rule)))
            }
            commands::STATUS => self.read(|asked| Some(commands::status(asked))).await,
            commands::GRAPH => {
                let subject = parameters.arguments.into_iter().next().unwrap_or_default();
                let subject: graph::Subject = serde_json::from_value(subject)
                    .map_err(|error| Error::invalid_params(error.to_string()))?;
                self.read(move |asked| Some(graph::graph(asked, &subject))).await
            }
            commands::SIMULATE => self.simulate(parameters).await,
            commands::EVALUATE => {
                let subject = parameters.arguments.into_iter().next().unwrap_or_default();
                let subject: evaluate::Subject = serde_json::from_value(subject)
                    .map_err(|error| Error::invalid_params(error.to_string()))?;
                let found = self.read(|asked| evaluate::evaluate(asked, subject)).await?;
                found.map(Some).ok_or_else(|| Error::invalid_params("the language is not known"))
            }
            other => Err(Error::invalid_params(format!("no command is called `{other}`"))),
        }
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
        self.read_text("textDocument/documentSymbol", uri.as_str(), move |asked| {
            outline::document_symbols(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn symbol(&self, parameters: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        self.read(move |asked| Some(outline::workspace_symbols(asked, &parameters.query))).await
    }

    async fn folding_range(&self, parameters: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text("textDocument/foldingRange", uri.as_str(), move |asked| {
            outline::folds(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn selection_range(&self, parameters: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        self.read(move |asked| outline::selections(asked, &parameters)).await
    }

    async fn document_link(&self, parameters: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text("textDocument/documentLink", uri.as_str(), move |asked| {
            outline::links(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn completion(&self, parameters: CompletionParams) -> Result<Option<CompletionResponse>> {
        self.read(move |asked| completion::completion(asked, &parameters)).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        self.read(move |asked| completion::resolve(asked, item)).await
    }

    async fn on_type_formatting(
        &self,
        parameters: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        self.read(move |asked| typing::on_type(asked, &parameters)).await
    }

    async fn semantic_tokens_full(
        &self,
        parameters: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        let uri = parameters.text_document.uri.clone();
        let answers = Arc::clone(&self.tokens);
        self.read_text("textDocument/semanticTokens/full", uri.as_str(), move |asked| {
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
        self.read_text("textDocument/semanticTokens/range", uri.as_str(), move |asked| {
            tokens::range(asked, &parameters.text_document.uri, parameters.range)
        })
        .await
    }

    async fn goto_definition(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.read(move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::DEFINITION)
        })
        .await
    }

    async fn goto_declaration(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.read(move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::DECLARATION)
        })
        .await
    }

    async fn goto_type_definition(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.read(move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::TYPE_DEFINITION)
        })
        .await
    }

    async fn goto_implementation(
        &self,
        parameters: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.read(move |asked| {
            navigation::leads(asked, &parameters.text_document_position_params, navigation::IMPLEMENTATION)
        })
        .await
    }

    async fn references(&self, parameters: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.read(move |asked| navigation::references(asked, &parameters)).await
    }

    async fn document_highlight(
        &self,
        parameters: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        self.read(move |asked| {
            navigation::document_highlight(asked, &parameters.text_document_position_params)
        })
        .await
    }

    async fn linked_editing_range(
        &self,
        parameters: LinkedEditingRangeParams,
    ) -> Result<Option<LinkedEditingRanges>> {
        self.read(move |asked| navigation::linked_editing(asked, &parameters.text_document_position_params))
            .await
    }

    async fn hover(&self, parameters: HoverParams) -> Result<Option<Hover>> {
        self.read(move |asked| reading::hover(asked, &parameters.text_document_position_params)).await
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
        self.read(move |asked| renaming::prepare(asked, &parameters)).await?
    }

    async fn rename(&self, parameters: RenameParams) -> Result<Option<WorkspaceEdit>> {
        self.read(move |asked| renaming::rename(asked, &parameters)).await?
    }

    async fn signature_help(&self, parameters: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        self.read(move |asked| insight::signature(asked, &parameters)).await
    }

    async fn inlay_hint(&self, parameters: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text("textDocument/inlayHint", uri.as_str(), move |asked| {
            insight::inlays(asked, &parameters)
        })
        .await
    }

    async fn code_lens(&self, parameters: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = parameters.text_document.uri.clone();
        self.read_text("textDocument/codeLens", uri.as_str(), move |asked| {
            insight::lenses(asked, &parameters.text_document.uri)
        })
        .await
    }

    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> {
        self.read(move |asked| insight::resolved_lens(asked, lens)).await
    }

    async fn prepare_call_hierarchy(
        &self,
        parameters: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        self.read(move |asked| hierarchy::prepare(asked, &parameters.text_document_position_params)).await
    }

    async fn incoming_calls(
        &self,
        parameters: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.read(move |asked| hierarchy::incoming(asked, &parameters.item)).await
    }

    async fn outgoing_calls(
        &self,
        parameters: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.read(move |asked| hierarchy::outgoing(asked, &parameters.item)).await
    }

    async fn will_rename_files(&self, parameters: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        self.read(move |asked| renaming::files(asked, &parameters)).await?
    }
}
