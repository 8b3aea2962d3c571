//! The language server: messages of the Language Server Protocol on one side, `nodewise-ide` on the other.
//!
//! Reading order, first what knows no wire: [`positions`] (byte offsets to lines and columns), [`documents`] (what the
//! editor holds), [`options`] (what the user wants), `uri`, `projects` (declarations that are judged together), `view`
//! (what a request reads), `editor` (the other end, as the session sees it), `publish` (diagnostics on their way),
//! `runs` (dry runs as they are kept and shown), `session` (what is open, and the one thread that owns it). Then the wire: `traced` (what a log may know of messages), `transport` (messages in order), `client`
//! (what is sent unasked), `client_process` (whether it still lives), `unfinished` (answers that a change outdates), `capabilities` (what is announced), [`matrix`] (what becomes of every method), `convert`
//! (types), `handlers` (requests, a file for each group), `backend` (the framework's trait).

#![allow(clippy::disallowed_methods, reason = "the server reads files and clocks")]

pub mod positions;

pub mod documents;
pub mod options;

mod uri;

mod projects;

mod view;

mod editor;
mod publish;

mod runs;

mod session;

mod traced;
mod transport;

mod client;
mod client_process;

mod unfinished;

mod capabilities;

pub mod matrix;

mod convert;

mod handlers;

mod backend;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tower_lsp_server::jsonrpc::Request;
use transport::Outbox;

/// Serves one client on standard input and output. The result is whether the client said goodbye, rather than left.
///
/// # Errors
/// When the system gives no threads.
pub fn serve_stdio() -> std::io::Result<bool> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(READERS)
        // A thread that is there already answers some milliseconds sooner than one whose memory is new.
        .thread_keep_alive(READER_IDLE)
        .thread_name("nodewise-serve")
        .build()?;
    let outbox = Outbox::start(std::io::stdout())?;
    let is_shut_down = Arc::new(AtomicBool::new(false));
    let shows_pages = Arc::new(AtomicBool::new(false));
    let (service, socket) = backend::service(&outbox, runtime.handle(), &is_shut_down, &shows_pages)?;
    let observe = |request: &Request| {
        if let Some(parameters) = request.params().filter(|_| request.method() == "initialize") {
            shows_pages.store(capabilities::shows_pages(parameters), Ordering::Relaxed);
            client_process::watch(parameters);
        }
    };
    transport::serve(&mut std::io::stdin().lock(), &outbox, service, socket, runtime.handle(), observe);
    // Whatever still runs is of no use to anybody.
    runtime.shutdown_background();
    Ok(is_shut_down.load(Ordering::SeqCst))
}

/// Whether this build can run graphs for real.
pub const HAS_LIVE: bool = cfg!(feature = "live");

/// What a build without live runs says when somebody asks for one.
pub const NO_LIVE: &str = "this build of nodewise does not include live runs; to add them, run `cargo install --path . \
                           --features live` in a checkout of nodewise";

/// How long a thread stays that nobody needs.
const READER_IDLE: Duration = Duration::from_secs(60 * 60);

/// How many requests are worked on at a time; further ones wait.
const READERS: usize = 16;
