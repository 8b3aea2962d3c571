//! A model server on this machine for tests: it speaks chat completions and Anthropic's messages, says what its script says, and has
//! the faults that real servers have.
//!
//! Input: a script, JSON; output: answers over HTTP, and what was asked. Invariant: it answers from its script alone, each answer
//! once, the first that fits; what the script does not foresee is an error with status 500.
//!
//! A script is a list of answers, or a mapping with `answers` and `refuses` (parts of the protocol that the server does not
//! take: `json_schema`, `json_object`, `stream_options`, `stream`, `temperature`, `max_tokens`, `tool_choice`). An answer has:
//!
//! - for which calls it is: `when` (a text that the body has), `times` (how often, 1 where nothing is said; 0 is always);
//! - what the model says: `text`, `json` (a value of the shape that was asked for), `calls` (`tool`, `arguments`, `id`;
//!   `arguments_text` for arguments that are no JSON), `usage` (tokens read and written),
//!   `cached` (tokens read from a cache, and put into it);
//! - faults: `status` with `body` and `headers` (an error), `wait_ms` (it begins late), `slow_ms` (each byte comes by itself, so
//!   much after the one before), `cut` (the connection ends after so many events), `malformed` (the event at this position is
//!   no JSON), `limit` (the model came to the limit of its answer), `error_event` (an error in the middle of the answer), `whole` (one JSON text although parts are asked for), `hangs` (it never
//!   answers), `echo` (it says the key that it was called with).

mod http;
mod script;
mod speech;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value as Json;

use self::script::Script;

/// A model server that runs until it is dropped.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

/// A request that the server received.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The path of the URL.
    pub path: String,
    /// The headers. Their names are in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Json,
}

/// The state that the threads of a server share.
#[derive(Debug)]
struct Shared {
    script: Mutex<Script>,
    requests: Mutex<Vec<Request>>,
    arrived: Condvar,
    is_over: AtomicBool,
    /// How many requests have no answer yet, and the maximum so far.
    under_way: AtomicUsize,
    most_at_once: AtomicUsize,
    /// How many requests were cancelled by the caller before the answer was complete.
    given_up: AtomicUsize,
}

/// How long tests wait for something that must happen.
const PATIENCE: Duration = Duration::from_secs(30);

impl ModelServer {
    /// Starts a server on a free port.
    pub fn start(script: Json) -> io::Result<ModelServer> {
        ModelServer::listen("127.0.0.1:0", script)
    }

    /// Starts a server at an address, for instance `127.0.0.1:8000`.
    pub fn listen(address: &str, script: Json) -> io::Result<ModelServer> {
        let script =
            Script::read(script).map_err(|problem| io::Error::new(io::ErrorKind::InvalidInput, problem))?;
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(script),
            requests: Mutex::default(),
            arrived: Condvar::new(),
            is_over: AtomicBool::new(false),
            under_way: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            given_up: AtomicUsize::new(0),
        });
        let sharing = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || accept(&listener, &sharing));
        Ok(ModelServer { address, shared, accepting: Some(accepting) })
    }

    /// The base URL for chat completions.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The requests so far, in the order of their arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }

    /// Waits until this many requests have arrived, but at most half a minute, and returns all so far.
    #[must_use]
    pub fn wait_for(&self, count: usize) -> Vec<Request> {
        let requests = lock(&self.shared.requests);
        let waited =
            self.shared.arrived.wait_timeout_while(requests, PATIENCE, |requests| requests.len() < count);
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// The maximum number of requests that waited for an answer at the same time.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        self.shared.most_at_once.load(Ordering::SeqCst)
    }

    /// Waits until this many callers have cancelled their requests, but at most half a minute. Returns whether they
    /// have.
    #[must_use]
    pub fn is_given_up(&self, count: usize) -> bool {
        let steps = PATIENCE.as_millis() / http::LOOK.as_millis();
        (0..steps).any(|_| {
            let has_come = self.shared.given_up.load(Ordering::SeqCst) >= count;
            if !has_come {
                std::thread::sleep(http::LOOK);
            }
            has_come
        })
    }
}

impl Request {
    /// The value of a header. `name` must be in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Connecting once more wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl Shared {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Answers one request.
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let Some(request) = http::read(&mut stream, &|| self.is_over())? else { return Ok(()) };
        let answer = lock(&self.script).answer(&request);
        let under_way = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(under_way, Ordering::SeqCst);
        lock(&self.requests).push(request.clone());
        self.arrived.notify_all();
        // A caller may send its next request as soon as it has this answer, so the request only counts until its
        // answer begins.
        let begins = || {
            self.under_way.fetch_sub(1, Ordering::SeqCst);
        };
        let spoken = speech::speak(&mut stream, &request, &answer, &|| self.is_over(), &begins);
        if spoken.is_err() {
            self.given_up.fetch_add(1, Ordering::SeqCst);
        }
        spoken
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.is_over() {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            // An error means that the caller closed the connection. It is counted where it matters.
            let _ = shared.serve(stream);
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
