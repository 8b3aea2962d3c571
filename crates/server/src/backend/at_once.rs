//! Requests that are answered on the thread that reads the messages.
//!
//! Input: a request about a small document. Output: its answer, as a value or as JSON. Invariant: the answer is the one that
//! another thread would give, in the same bytes. If it could take more than a few milliseconds, another thread gives it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use nodewise_analysis::cancel::Cancel;
use serde::{Deserialize, Serialize};
use tower_lsp_server::jsonrpc::{Id, Request, Response, Result};
use tower_lsp_server::ls_types::{CompletionParams, Uri};

use super::Backend;
use crate::handlers::completion;
use crate::request::Asked;
use crate::transport::{AnswersAtOnce, fault};
use crate::view::View;

/// The answer to a request, as JSON-RPC writes it.
#[derive(Serialize)]
struct Answered<'a, T> {
    jsonrpc: &'static str,
    result: T,
    id: &'a Id,
}

impl Backend {
    /// The view for a request about a document, if this thread can answer the request.
    pub(super) fn view_for(&self, uri: &Uri) -> Option<Arc<View>> {
        let view = self.shared.get()?.view_now()?;
        // In a large project, sorting the names takes long. It happens in the background first.
        view.file(uri.as_str())?.project.snapshot.is_prepared().then_some(view)
    }

    /// Answers a request with a view on this thread. Without one, another thread answers.
    pub(super) async fn read_at_once<T: Send + 'static>(
        &self,
        view: Option<Arc<View>>,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        match view {
            Some(view) => self.ask(&view, work),
            None => self.read(work).await,
        }
    }

    /// Like `read_at_once`, for a request about a document whose answer may depend on other files.
    pub(super) async fn read_files_at_once<T: Send + 'static>(
        &self,
        uri: &Uri,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        let is_read = |view: &Arc<View>| view.file(uri.as_str()).is_some_and(|file| file.project.is_complete);
        match self.view_for(uri).filter(is_read) {
            Some(view) => self.ask(&view, work),
            None => self.read_files(work).await,
        }
    }

    /// Like `read_at_once`, for a request about the text of a document. While this thread answers it, the text cannot change.
    pub(super) async fn read_text_at_once<T: Send + 'static>(
        &self,
        method: &str,
        uri: &Uri,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        match self.view_for(uri) {
            Some(view) => self.ask(&view, work),
            None => self.read_text(method, uri.as_str(), work).await,
        }
    }

    fn ask<T>(&self, view: &View, work: impl FnOnce(&Asked<'_>) -> T) -> Result<T> {
        let abilities = self.abilities.get().copied().unwrap_or_default();
        let given_up = self.given_up.load(Ordering::Relaxed);
        let asked = Asked { view, cancel: &Cancel::default(), abilities, given_up };
        catch_unwind(AssertUnwindSafe(|| work(&asked))).map_err(|_| fault())
    }

    fn completion_text(&self, request: &Request, id: &Id) -> Option<Vec<u8>> {
        // The framework rejects parameters that cannot be read.
        let parameters = CompletionParams::deserialize(request.params()?).ok()?;
        let view = self.view_for(&parameters.text_document_position.text_document.uri)?;
        let body = match self.ask(&view, |asked| completion::list(asked, &parameters)) {
            Ok(result) => serde_json::to_vec(&Answered { jsonrpc: "2.0", result, id }),
            Err(error) => serde_json::to_vec(&Response::from_error(id.clone(), error)),
        };
        body.ok()
    }
}

impl AnswersAtOnce for Backend {
    fn answer_at_once(&self, request: &Request, id: &Id) -> Option<Vec<u8>> {
        let is_open = self.abilities.get().is_some() && !self.is_shut_down.load(Ordering::SeqCst);
        match request.method() {
            "textDocument/completion" if is_open => self.completion_text(request, id),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
