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
use std::time::{Duration, Instant};

use futures::{FutureExt, Sink, StreamExt};
use nodewise_wire::frames::{Frame, read_frame};
use nodewise_wire::surrogates;
use serde_json::Value;
use tokio::runtime::Handle;
use tower::Service;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};
use tracing::Instrument;

use crate::traced;

pub(crate) use outbox::Outbox;

/// How long to wait for unfinished answers when the input ends.
const GRACE: Duration = Duration::from_millis(200);

/// Serves until `exit` or the end of the input. `observe` is called with each request and notification first.
pub(crate) fn serve<S: LanguageServer>(
    input: &mut impl BufRead,
    outbox: &Outbox,
    service: LspService<S>,
    socket: ClientSocket,
    runtime: &Handle,
    observe: impl Fn(&Request),
) {
    let (mut to_client, from_client) = socket.split();
    let forwarding = outbox.clone();
    runtime.spawn(async move {
        while let Some(request) = to_client.next().await {
            forwarding.send(&request);
        }
    });
    let working = Arc::new(());
    let mut server = Server { service, from_client, outbox, runtime, working: Arc::clone(&working) };
    loop {
        match read_frame(input) {
            Frame::Body(body) => {
                if server.message(&body, &observe) {
                    break;
                }
            }
            Frame::Broken => outbox.send(&Response::from_error(Id::Null, Error::parse_error())),
            Frame::End => {
                let deadline = Instant::now() + GRACE;
                while Arc::strong_count(&working) > 2 && Instant::now() < deadline {
                    std::thread::sleep(Duration::from_millis(1));
                }
                break;
            }
        }
    }
    outbox.flush();
}

struct Server<'s, S, R> {
    service: LspService<S>,
    from_client: R,
    outbox: &'s Outbox,
    runtime: &'s Handle,
    /// Cloned by every unfinished request.
    working: Arc<()>,
}

impl<S: LanguageServer, R: Sink<Response> + Unpin> Server<'_, S, R> {
    /// Handles a message. `true` if it is the last one.
    fn message(&mut self, body: &[u8], observe: &impl Fn(&Request)) -> bool {
        let Ok(message) = serde_json::from_slice::<Value>(&surrogates::replaced(body)) else {
            self.outbox.send(&Response::from_error(Id::Null, Error::parse_error()));
            return false;
        };
        let id = message.get("id").and_then(|id| serde_json::from_value::<Id>(id.clone()).ok());
        if message.get("method").is_none() && message.get("id").is_some() {
            if let Ok(response) = serde_json::from_value::<Response>(message) {
                // This is an answer to no request of the server, so no one waits for it.
                Pin::new(&mut self.from_client).start_send(response).ok();
            }
            return false;
        }
        match serde_json::from_value::<Request>(message) {
            Ok(request) => {
                observe(&request);
                self.request(unreadable::replaced(request, self.outbox), id)
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
                self.runtime.spawn(answering.instrument(span.clone()));
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
