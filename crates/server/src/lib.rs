//! The language server: messages of the Language Server Protocol on one side, `nodewise-ide` on the other.
//!
//! Reading order, first the modules that do not use the protocol: [`positions`] (byte offsets to lines and columns),
//! `clock`, `workers` (threads, or none), `disk` (files, or texts of the client), [`documents`] (the open documents), [`options`] (the user's settings), `uri`, `projects` (declarations that are
//! checked together), `placed` (diagnostics with positions), `runs` (dry runs that are kept and shown), `view` (what a
//! request reads), `editor` (the client, as the session uses it), `publish` (sends diagnostics), `session` (the open
//! folders and documents, and the one thread that owns them). Then those that do: `traced` (what the log contains about
//! messages), `transport` (messages in order), `abilities` (what the client supports), `convert` (types), `client`
//! (messages without a request), `client_process` (whether the client is alive), `unfinished` (requests that a change
//! makes outdated), `request` (what a handler reads, and the file that it is about), `handlers` (requests, a file for
//! each group), `capabilities` (what is announced), [`matrix`] (how each method is handled), `backend` (the framework's
//! trait), [`single_thread`] (the server without threads and files). Imports form no circle.

#![allow(clippy::disallowed_methods, reason = "the server reads files and clocks")]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, unused_imports, reason = "there are no processes, threads and streams")
)]

pub use nodewise_wire::positions;

mod clock;

mod workers;

mod disk;

pub mod documents;
pub mod options;

use nodewise_wire::uri;

mod projects;

mod placed;

mod runs;

mod pins;

mod view;

mod editor;
mod publish;

mod session;

mod traced;
mod transport;

mod abilities;

mod convert;

mod client;
mod client_process;

mod unfinished;

mod request;

mod handlers;

mod capabilities;

pub mod matrix;

mod backend;

pub mod single_thread;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use disk::Disk;
use nodewise_project::cache::CheckCache;
use tower_lsp_server::jsonrpc::Request;
use transport::Outbox;
use workers::Workers;

/// Serves one client on standard input and output. Returns whether the client ended the session properly, and did not
/// just disconnect. The links between the files of large projects are kept in `cache` for the next start.
///
/// # Errors
/// If the system cannot start a thread.
#[cfg(not(target_family = "wasm"))]
pub fn serve_stdio(cache: Option<CheckCache>) -> std::io::Result<bool> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(READERS)
        // A thread that already exists answers a few milliseconds sooner than a new one.
        .thread_keep_alive(READER_IDLE)
        .thread_name("nodewise-serve")
        .build()?;
    let outbox = Outbox::start(std::io::stdout(), transport::to_stdout())?;
    let is_shut_down = Arc::new(AtomicBool::new(false));
    let untyped = Arc::new(OnceLock::new());
    let workers = Workers::Threads(runtime.handle().clone());
    let (service, socket, session) =
        backend::service(&outbox, &workers, Disk::System { cache }, &is_shut_down, &untyped);
    session.start()?;
    let observe = |request: &Request| {
        if let Some(parameters) = request.params().filter(|_| request.method() == "initialize") {
            // The framework accepts `initialize` only once.
            untyped.set(abilities::UntypedAbilities::read(parameters)).ok();
            client_process::watch(parameters);
        }
    };
    std::thread::scope(|scope| {
        let reading = || {
            transport::serve(&mut std::io::stdin().lock(), &outbox, service, socket, &workers, observe);
        };
        let builder = std::thread::Builder::new().name("nodewise-read".to_owned()).stack_size(READING_STACK);
        builder.spawn_scoped(scope, reading).map(drop)
    })?;
    // No one needs the results of work that still runs.
    runtime.shutdown_background();
    Ok(is_shut_down.load(Ordering::SeqCst))
}

/// Whether this build can run graphs with real models and tools.
pub const HAS_LIVE: bool = cfg!(feature = "live");

/// The stack of the thread that reads messages and answers quick requests. On some systems, the first thread of a process has
/// less than any other.
const READING_STACK: usize = 4 << 20;

/// How long an unused thread is kept.
const READER_IDLE: Duration = Duration::from_secs(60 * 60);

/// The maximum number of requests that are handled at a time. Others wait.
const READERS: usize = 16;
