//! The server of a worker: the engine's requests, and for those who watch over it `/healthz` and `/metrics`.
//!
//! Invariant: after the signal to stop, a worker takes no new connections, and ends when its calls are done.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use restate_sdk::endpoint::{HandleOptions, ProtocolMode};
use restate_sdk::prelude::Endpoint;
use tokio::net::TcpListener;

use super::Shared;
use super::pausing::{EndingInput, HandlerOutput, InputEnd};

type Body = UnsyncBoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// How long answers that are ready may take to reach the engine.
const GRACE: Duration = Duration::from_secs(2);
/// The pause between two checks whether the calls are done.
const LOOK: Duration = Duration::from_millis(50);
/// The pause after a connection that could not be accepted.
const WAIT: Duration = Duration::from_millis(100);

/// Serves requests until `stopped` is ready, and then until the calls that are under way are done.
pub(super) async fn serve(
    endpoint: Endpoint,
    shared: Arc<Shared>,
    listener: TcpListener,
    stopped: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let server = auto::Builder::new(TokioExecutor::new());
    let mut stopped = std::pin::pin!(stopped);
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else {
                    tokio::time::sleep(WAIT).await;
                    continue;
                };
                // Otherwise small answers wait for the engine's acknowledgement, 40 ms for each call.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "a connection of the engine sends small answers late");
                }
                let (endpoint, shared) = (endpoint.clone(), Arc::clone(&shared));
                let service = hyper::service::service_fn(move |request| {
                    let (endpoint, shared) = (endpoint.clone(), Arc::clone(&shared));
                    async move { Ok::<_, Infallible>(answer(&endpoint, &shared, request)) }
                });
                let connection = server.serve_connection(TokioIo::new(stream), service).into_owned();
                let watched = graceful.watch(connection);
                tokio::spawn(async move {
                    if let Err(error) = watched.await {
                        tracing::debug!(%error, "a connection of the engine ended");
                    }
                });
            }
            () = &mut stopped => break,
        }
    }
    drop(listener);
    let calls_are_done = async {
        while shared.calls_under_way() > 0 {
            tokio::time::sleep(LOOK).await;
        }
    };
    let closing = graceful.shutdown();
    tokio::pin!(closing);
    tokio::select! {
        () = &mut closing => return,
        () = calls_are_done => {}
    }
    tokio::time::timeout(GRACE, closing).await.ok();
}

fn answer(endpoint: &Endpoint, shared: &Shared, request: Request<Incoming>) -> Response<Body> {
    match request.uri().path() {
        "/healthz" => text("ok\n".to_owned()),
        "/metrics" => text(shared.metrics.text()),
        _ => {
            let end = Arc::<InputEnd>::default();
            let request = request.map(|body| EndingInput::new(body, Arc::clone(&end)));
            let options = HandleOptions { protocol_mode: ProtocolMode::BidiStream };
            let response = endpoint.handle_with_options(request, options);
            response.map(|body| HandlerOutput::new(body, end).map_err(Into::into).boxed_unsync())
        }
    }
}

fn text(text: String) -> Response<Body> {
    let body = Full::new(Bytes::from(text)).map_err(|never| match never {});
    let mut response = Response::new(body.boxed_unsync());
    let plain = hyper::header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(hyper::header::CONTENT_TYPE, plain);
    response
}
