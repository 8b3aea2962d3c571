//! Unfinished requests about the text of a document. In: requests, and documents that change. Out: which answers are
//! about an outdated text. Invariant: only requests that the client repeats are dropped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use nodewise_analysis::cancel::Cancel;

/// The unfinished requests that are dropped when the text of their document changes.
#[derive(Debug, Default)]
pub(crate) struct Unfinished {
    requests: Mutex<Vec<Weak<AboutText>>>,
    /// The methods that the client sends again if the text changed before the answer.
    asked_again: OnceLock<Vec<String>>,
}

/// A request about a document's text.
#[derive(Debug)]
pub(crate) struct AboutText {
    uri: String,
    is_outdated: AtomicBool,
    cancel: Cancel,
}

impl Unfinished {
    /// Stores the methods that the client sends again.
    pub(crate) fn ask_again(&self, methods: Vec<String>) {
        // A client sends `initialize` once.
        self.asked_again.set(methods).ok();
    }

    /// Registers a request until the result is dropped. `None` for a request that is answered even if the text changes.
    pub(crate) fn begin(&self, method: &str, uri: &str, cancel: &Cancel) -> Option<Arc<AboutText>> {
        let asked_again =
            self.asked_again.get().is_some_and(|methods| methods.iter().any(|one| one == method));
        asked_again.then(|| {
            let (uri, cancel) = (uri.to_owned(), cancel.clone());
            let request = Arc::new(AboutText { uri, is_outdated: AtomicBool::new(false), cancel });
            self.lock().push(Arc::downgrade(&request));
            request
        })
    }

    /// Cancels the requests about a document that changed.
    pub(crate) fn changed(&self, uri: &str) {
        self.lock().retain(|request| {
            let Some(request) = request.upgrade() else { return false };
            if request.uri == uri {
                request.is_outdated.store(true, Ordering::Relaxed);
                request.cancel.cancel();
            }
            request.uri != uri
        });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<AboutText>>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AboutText {
    /// Whether the text has changed since the request arrived.
    pub(crate) fn is_outdated(&self) -> bool {
        self.is_outdated.load(Ordering::Relaxed)
    }
}
