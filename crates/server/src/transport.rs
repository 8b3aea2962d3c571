//! Messages on standard input and output.
//!
//! Input: framed JSON. Output: framed JSON, and how the process ends. Invariant: messages are handled in the order in
//! which they arrive, and each handler runs up to its first wait before the next message is read. Neither invalid JSON
//! nor a panic in a handler ends the server. The end of the input does.

mod outbox;
mod unreadable;

use std::io::BufRead;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use futures::{FutureExt, Sink, StreamExt};
use nodewise_wire::frames::{Frame, read_frame};
use nodewise_wire::surrogates;
use serde_json::Value;
use tower::Service;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};
use tracing::Instrument;

use crate::clock::Moment;
use crate::traced;
use crate::workers::Workers;

pub(crate) use outbox::{Collected, Outbox, to_stdout};

/// How long to wait for unfinished answers when the input ends.
const GRACE: Duration = Duration::from_millis(200);

/// Serves until `exit` or the end of the input. `observe` is called with each request and notification first.
pub(crate) fn serve<S: LanguageServer + AnswersAtOnce>(
    input: &mut impl BufRead,
    outbox: &Outbox,
    service: LspService<S>,
    socket: ClientSocket,
    workers: &Workers,
    observe: impl Fn(&Request),
) {
    let mut server = Server::new(outbox, service, socket, workers);
    let working = Arc::clone(&server.working);
    loop {
        match read_frame(input) {
            Frame::Body(body) => {
                if server.message(&body, &observe) {
                    break;
                }
            }
            Frame::Broken => outbox.send(&Response::from_error(Id::Null, Error::parse_error())),
            Frame::End => {
                let begun = Moment::now();
                // Two of the clones belong to the server and to this function.
                while Arc::strong_count(&working) > 2 && begun.elapsed() < GRACE {
                    std::thread::sleep(Duration::from_millis(1));
                }
                break;
            }
        }
    }
    outbox.flush();
}

/// A server that answers some requests itself, and not through the framework, which makes a tree of JSON values of each
/// answer before it writes the text.
pub(crate) trait AnswersAtOnce {
    /// The text of the answer. `None` if the framework has to answer.
    fn answer_at_once(&self, request: &Request, id: &Id) -> Option<Vec<u8>>;
}

/// Hands messages to the framework.
pub(crate) struct Server<S: LanguageServer> {
    service: LspService<S>,
    /// Passes on what the client answers to requests of the server.
    answered: Box<dyn FnMut(Response) + Send>,
    outbox: Outbox,
    workers: Workers,
    /// Each unfinished request holds a clone, so the number of clones says how many are unfinished.
    working: Arc<()>,
}

impl<S: LanguageServer + AnswersAtOnce> Server<S> {
    /// A server that sends its answers to this outbox.
    pub(crate) fn new(
        outbox: &Outbox,
        service: LspService<S>,
        socket: ClientSocket,
        workers: &Workers,
    ) -> Server<S> {
        let (mut to_client, mut from_client) = socket.split();
        let forwarding = outbox.clone();
        workers.spawn(async move {
            while let Some(request) = to_client.next().await {
                forwarding.send(&request);
            }
        });
        // If this is an answer to no request of the server, no one waits for it.
        let answered = Box::new(move |response| drop(Pin::new(&mut from_client).start_send(response)));
        Server {
            service,
            answered,
            outbox: outbox.clone(),
            workers: workers.clone(),
            working: Arc::default(),
        }
    }

    /// Handles a message. `true` if it is the last one.
    pub(crate) fn message(&mut self, body: &[u8], observe: &impl Fn(&Request)) -> bool {
        let Ok(message) = serde_json::from_slice::<Value>(&surrogates::replaced(body)) else {
            self.outbox.send(&Response::from_error(Id::Null, Error::parse_error()));
            return false;
        };
        let id = message.get("id").and_then(|id| serde_json::from_value::<Id>(id.clone()).ok());
        if message.get("method").is_none() && message.get("id").is_some() {
            if let Ok(response) = serde_json::from_value::<Response>(message) {
                (self.answered)(response);
            }
            return false;
        }
        match serde_json::from_value::<Request>(message) {
            Ok(request) => {
                observe(&request);
                self.request(unreadable::replaced(request, &self.outbox), id)
            }
            Err(_) => {
                let error = Error::invalid_request();
                self.outbox.send(&Response::from_error(id.unwrap_or(Id::Null), error));
                false
            }
        }
    }

    fn request(&mut self, request: Request, id: Option<Id>) -> bool {
        let is_exit = request.method() == "exit";
        if let Some(id) = id.clone().filter(|_| request.method().starts_with("$/")) {
            self.outbox.send(&Response::from_error(id, Error::method_not_found()));
            return false;
        }
        let span = traced::message(&request, id.as_ref());
        let entered = span.enter();
        if let Some(body) = id.as_ref().and_then(|id| self.service.inner().answer_at_once(&request, id)) {
            self.outbox.send_body(body);
            return false;
        }
        let mut answer = Box::pin(AssertUnwindSafe(self.service.call(request)).catch_unwind());
        let outbox = self.outbox.clone();
        let reply = move |result: Result<Result<Option<Response>, _>, _>| match (result, id) {
            (Ok(Ok(Some(response))), _) => {
                traced::answered(&response);
                outbox.send(&response);
            }
            (Ok(_), _) | (Err(_), None) => {}
            (Err(_), Some(id)) => outbox.send(&Response::from_error(id, fault())),
        };
        // Up to its first wait, a handler runs here, so no later message is handled before it.
        match answer.as_mut().poll_unpin(&mut Context::from_waker(Waker::noop())) {
            std::task::Poll::Ready(result) => reply(result),
            std::task::Poll::Pending => {
                let working = Arc::clone(&self.working);
                let answering = async move {
                    reply(answer.await);
                    drop(working);
                };
                self.workers.spawn(answering.instrument(span.clone()));
            }
        }
        drop(entered);
        is_exit
    }
}

/// The error that the client gets after a panic in a handler.
pub(crate) fn fault() -> Error {
    Error {
        code: ErrorCode::InternalError,
        message: "this is a bug in nodewise; please report what you were doing".into(),
        data: None,
    }
}
