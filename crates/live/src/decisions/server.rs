//! The pages over HTTP.
//!
//! Input: requests; output: pages, and decisions that are kept. Invariant: a request without a link of ours sees and decides nothing,
//! whatever site sent it, and a request that is slow or large holds up no other.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use nodewise_engine::ask::Decision;
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::Map;
use tokio::sync::Semaphore;

use super::links::{LIST, LinkFault, Links, Ticket, question_path};
use super::page::{self, Draft};
use super::{DecisionResult, FoundQuestion, QuestionState, WaitingRuns};
use crate::people::Topic;

/// The HTTP server of the pages.
pub struct DecisionServer {
    listener: TcpListener,
    site: Arc<Site>,
}

/// What the answers are made from.
struct Site {
    runs: Arc<dyn WaitingRuns>,
    links: Links,
    /// Is called with the id of a run after a decision was kept.
    decided: Box<dyn Fn(&str) + Send + Sync>,
}

/// Pages load their style only from this server, send forms only to it, and load nothing else.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The largest form, in bytes.
const FORM_MAX: usize = 64 * 1024;
/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many connections may be open at once.
const CONNECTIONS: usize = 128;
/// How often the server checks whether it is stopped.
const LOOK: Duration = Duration::from_millis(100);
/// How long open answers may take after the server is stopped.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

impl DecisionServer {
    /// Listens at an address.
    ///
    /// # Errors
    /// Where the address is in use or cannot be used.
    pub fn bind(address: SocketAddr) -> Result<TcpListener> {
        TcpListener::bind(address).with_context(|| {
            format!("cannot listen at {address}\n  help: choose another address with `--listen`, for example `127.0.0.1:0`")
        })
    }

    /// Creates a server for these runs. `decided` is called with the id of a run each time a decision was kept.
    #[must_use]
    pub fn new(
        listener: TcpListener,
        runs: Arc<dyn WaitingRuns>,
        links: Links,
        decided: Box<dyn Fn(&str) + Send + Sync>,
    ) -> DecisionServer {
        DecisionServer { listener, site: Arc::new(Site { runs, links, decided }) }
    }

    /// Answers requests until `stopped` is set.
    ///
    /// # Errors
    /// Where no threads can be started.
    pub fn serve(self, stopped: &AtomicBool) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .thread_name("nodewise-decisions")
            .build()
            .context("cannot start the threads of the server")?;
        let served = runtime.block_on(self.accept(stopped));
        runtime.shutdown_timeout(LAST_ANSWERS);
        served
    }

    async fn accept(self, stopped: &AtomicBool) -> Result<()> {
        self.listener.set_nonblocking(true).context("the address cannot be listened at")?;
        let listener =
            tokio::net::TcpListener::from_std(self.listener).context("the address cannot be listened at")?;
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        while !stopped.load(Ordering::Relaxed) {
            let Ok(accepted) = tokio::time::timeout(LOOK, listener.accept()).await else { continue };
            // If a connection has ended before it is accepted, that is no error of the server.
            let Ok((stream, _)) = accepted else { continue };
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
            let site = Arc::clone(&self.site);
            tokio::spawn(async move {
                let answer = service_fn(move |request| answer(Arc::clone(&site), request));
                let connection = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .serve_connection(TokioIo::new(stream), answer);
                // A client that disconnects gets no answer.
                connection.await.ok();
                drop(place);
            });
        }
        Ok(())
    }
}

type Page = Response<Full<Bytes>>;

/// Answers a request, on a thread that may block while it reads the runs.
async fn answer(site: Arc<Site>, request: Request<Incoming>) -> Result<Page, Infallible> {
    let asked_page = match PageRequest::of(request).await {
        Ok(asked_page) => asked_page,
        Err(refusal) => return Ok(*refusal),
    };
    let answered = tokio::task::spawn_blocking(move || site.answer(&asked_page)).await;
    Ok(answered.unwrap_or_else(|_| broken("nodewise failed internally; please report it")))
}

/// A request, with its body read.
struct PageRequest {
    method: Method,
    path: String,
    /// The parameters of the address, or the fields of the form.
    pairs: Vec<(String, String)>,
}

impl PageRequest {
    async fn of(request: Request<Incoming>) -> Result<PageRequest, Box<Page>> {
        let refused = |status, title: &str, help: &str| Box::new(html(status, page::fault(title, help)));
        let (parts, body) = request.into_parts();
        let (method, path) = (parts.method, parts.uri.path().to_owned());
        if method == Method::GET || method == Method::HEAD {
            return Ok(PageRequest { method, path, pairs: pairs(parts.uri.query().unwrap_or_default()) });
        }
        if method != Method::POST {
            let mut page = refused(
                StatusCode::METHOD_NOT_ALLOWED,
                "This cannot be done here",
                "Use the links of the pages.",
            );
            page.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
            return Err(page);
        }
        // The signature already keeps other sites out. If the browser itself reports that another site sent the form, that is
        // believed too.
        let site = parts.headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return Err(refused(
                StatusCode::FORBIDDEN,
                "Another site sent this form",
                "Open the link that you were given, and decide there.",
            ));
        }
        let form = tokio::time::timeout(PATIENCE, Limited::new(body, FORM_MAX).collect()).await;
        match form {
            Ok(Ok(form)) => {
                let text = String::from_utf8_lossy(&form.to_bytes()).into_owned();
                Ok(PageRequest { method, path, pairs: pairs(&text) })
            }
            Ok(Err(_)) => Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "The form is too long", "Write less.")),
            Err(_) => {
                Err(refused(StatusCode::REQUEST_TIMEOUT, "The form did not arrive in time", "Send it again."))
            }
        }
    }

    fn value(&self, wanted: &str) -> &str {
        self.pairs.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value)
    }
}

impl Site {
    fn answer(&self, asked_page: &PageRequest) -> Page {
        let is_post = asked_page.method == Method::POST;
        match asked_page.path.as_str() {
            page::STYLE_PATH if !is_post => {
                return typed(StatusCode::OK, "text/css; charset=utf-8", page::STYLE.to_owned());
            }
            "/healthz" if !is_post => {
                return typed(StatusCode::OK, "text/plain; charset=utf-8", "ok\n".to_owned());
            }
            _ => {}
        }
        let ticket = Ticket::of(&asked_page.pairs);
        // Without a valid link, nobody learns which pages exist.
        if let Err(fault) = self.links.check(&asked_page.path, ticket.as_ref()) {
            return match fault {
                LinkFault::NotSigned => html(
                    StatusCode::FORBIDDEN,
                    page::fault("This link is not valid", "Open the link exactly as you were given it."),
                ),
                LinkFault::Expired(at) => html(StatusCode::GONE, page::expired(at)),
            };
        }
        let ticket = ticket.unwrap_or(Ticket { expires: 0, signature: String::new() });
        let answered = match (question_of(&asked_page.path), is_post) {
            (Some((run, key)), false) => self.question(run, key, &ticket),
            (Some((run, key)), true) => self.decide(run, key, &ticket, asked_page),
            (None, false) if asked_page.path == LIST => self
                .runs
                .list()
                .map(|runs| html(StatusCode::OK, page::list(&runs, &self.links, ticket.expires))),
            (None, _) => Ok(missing()),
        };
        answered.unwrap_or_else(|error| broken(&format!("{error:#}")))
    }

    fn question(&self, run: &str, key: &str, ticket: &Ticket) -> Result<Page> {
        let Some(found) = self.runs.find(run, key)? else { return Ok(missing()) };
        Ok(html(StatusCode::OK, shown(&found, ticket, &Draft::default())))
    }

    fn decide(&self, run: &str, key: &str, ticket: &Ticket, asked_page: &PageRequest) -> Result<Page> {
        let Some(found) = self.runs.find(run, key)? else { return Ok(missing()) };
        let open = match &found.state {
            QuestionState::Open(open) => open,
            QuestionState::Decided(record) => {
                return Ok(html(StatusCode::CONFLICT, page::decided_before(&found.run, record)));
            }
            QuestionState::Closed => return Ok(html(StatusCode::CONFLICT, page::closed(&found.run))),
        };
        let (name, decision) = match decision(asked_page, open.topic) {
            Ok(decided) => decided,
            Err(draft) => {
                return Ok(html(StatusCode::BAD_REQUEST, page::question(&found.run, open, ticket, &draft)));
            }
        };
        match self.runs.decide(run, key, &name, &decision)? {
            DecisionResult::Kept(_) => {
                (self.decided)(run);
                // A redirect, so that reloading the page does not send the form again.
                let mut page = html(StatusCode::SEE_OTHER, String::new());
                let link = self.links.local(&question_path(run, key), ticket.expires);
                let link = HeaderValue::from_str(&link).context("the link is no header")?;
                page.headers_mut().insert(LOCATION, link);
                Ok(page)
            }
            DecisionResult::DecidedBefore(record) => {
                Ok(html(StatusCode::CONFLICT, page::decided_before(&found.run, &record)))
            }
            DecisionResult::NotWaiting => Ok(html(StatusCode::CONFLICT, page::closed(&found.run))),
        }
    }
}

/// Reads the person's name and the decision from a form. The error is the form with what is wrong.
fn decision(asked_page: &PageRequest, topic: Topic) -> Result<(String, Decision), Draft> {
    let (name, data) = (asked_page.value(page::NAME).trim(), asked_page.value(page::DATA).trim());
    let own = asked_page.value(page::WORD).trim();
    let wrong = |field, reason: &str| {
        let fault = Some((field, reason.to_owned()));
        Err(Draft { name: name.to_owned(), data: data.to_owned(), word: own.to_owned(), fault })
    };
    if name.is_empty() {
        return wrong(page::NAME, "Write your name.");
    }
    if name.chars().count() > page::NAME_MAX || name.chars().any(char::is_control) {
        return wrong(page::NAME, "Write a shorter name on one line.");
    }
    let pressed = asked_page.value(page::DECISION);
    let word = match (topic, pressed) {
        (_, "approved" | "rejected") => pressed,
        (Topic::Again, crate::driver::ANSWER) => pressed,
        (Topic::Approval, page::OWN_WORD) if !own.is_empty() => own,
        (Topic::Approval, page::OWN_WORD) => return wrong(page::WORD, "Write the word to answer with."),
        _ => return wrong(page::NAME, "Press one of the buttons."),
    };
    let json = serde_json::from_str(data).ok();
    let data = match (topic, json) {
        (Topic::Again, None) if word == crate::driver::ANSWER => {
            return wrong(page::DATA, "Write the result as JSON; a text needs quotes.");
        }
        (Topic::Again, _) if word != crate::driver::ANSWER => None,
        (_, _) if data.is_empty() => None,
        (_, json) => Some(from_json(json.unwrap_or_else(|| data.into()))),
    };
    let decision = Decision { word: word.into(), data, updates: Map::new(), after: Millis::ZERO };
    Ok((name.to_owned(), decision))
}

fn shown(found: &FoundQuestion, ticket: &Ticket, draft: &Draft) -> String {
    match &found.state {
        QuestionState::Open(open) => page::question(&found.run, open, ticket, draft),
        QuestionState::Decided(record) => page::decided(&found.run, record),
        QuestionState::Closed => page::closed(&found.run),
    }
}

/// The run and the key in the path of a question.
fn question_of(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("/runs/")?.split_once('/')
}

/// The parameters of a query, or the fields of a form.
fn pairs(query: &str) -> Vec<(String, String)> {
    let mut address = reqwest::Url::parse("http://localhost/").ok();
    if let Some(address) = &mut address {
        address.set_query(Some(query));
    }
    address.map(|address| address.query_pairs().into_owned().collect()).unwrap_or_default()
}

fn missing() -> Page {
    html(StatusCode::NOT_FOUND, page::fault("There is no such run", "It may have been deleted."))
}

fn broken(reason: &str) -> Page {
    html(StatusCode::INTERNAL_SERVER_ERROR, page::fault("This could not be done", reason))
}

fn html(status: StatusCode, text: String) -> Page {
    typed(status, "text/html; charset=utf-8", text)
}

fn typed(status: StatusCode, kind: &'static str, text: String) -> Page {
    let mut page = Response::new(Full::new(Bytes::from(text)));
    *page.status_mut() = status;
    let headers: [(HeaderName, &'static str); 6] = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        // A link is a permission, so the browser must not send it to other sites.
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in headers {
        page.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::{OpenQuestion, RunFacts, WaitingRun};
    use crate::store::{Moment, RunStatus};
    use nodewise_project::config::live::DecisionsConfig;
    use serde_json::json;

    /// Runs that are kept in memory, and whose store fails when it is written.
    struct OneRun;

    impl OneRun {
        fn facts() -> RunFacts {
            let status = RunStatus::Waiting(json!([{"node": "ask", "question": "Well?", "ask": 3}]));
            let (id, title) = ("20261122-1304-k7f2".to_owned(), "flow".to_owned());
            RunFacts { id, title, name: None, begun: Moment(0), status }
        }
    }

    impl WaitingRuns for OneRun {
        fn list(&self) -> Result<Vec<WaitingRun>> {
            let facts = OneRun::facts();
            let questions = OpenQuestion::all(&facts.status);
            Ok(vec![WaitingRun { facts, questions }])
        }

        fn find(&self, run: &str, key: &str) -> Result<Option<FoundQuestion>> {
            let waiting = self.list()?.remove(0);
            let open = waiting.questions.into_iter().find(|question| question.key == key);
            let state = open.map_or(QuestionState::Closed, |open| QuestionState::Open(Box::new(open)));
            Ok((run == waiting.facts.id).then_some(FoundQuestion { run: waiting.facts, state }))
        }

        fn decide(&self, _: &str, _: &str, _: &str, _: &Decision) -> Result<DecisionResult> {
            anyhow::bail!("the engine does not answer\n  help: start it")
        }
    }

    fn site() -> Site {
        let links = Links::new(&[7; 32], &DecisionsConfig::default(), "https://decide.example");
        Site { runs: Arc::new(OneRun), links, decided: Box::new(|run| panic!("{run} is not decided")) }
    }

    fn ask(site: &Site, method: Method, link: &str, fields: &str) -> (StatusCode, String) {
        let (path, ticket) = link.split_once('?').unwrap();
        let path = path.trim_start_matches("https://decide.example").to_owned();
        let page = site.answer(&PageRequest { method, path, pairs: pairs(&format!("{ticket}&{fields}")) });
        let status = page.status();
        let body = futures::executor::block_on(page.into_body().collect()).unwrap().to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn a_link_that_ended_says_so_and_decides_nothing() {
        let site = site();
        let key = OneRun.list().unwrap()[0].questions[0].key.clone();
        let ended = site.links.local(&question_path("20261122-1304-k7f2", &key), 1_795_352_640);
        for (method, fields) in [(Method::GET, ""), (Method::POST, "name=Ada&decision=approved")] {
            let (status, page) = ask(&site, method, &ended, fields);
            assert_eq!(status, StatusCode::GONE);
            assert!(page.contains("It was valid until 2026-11-22 13:04:00 UTC."), "{page}");
            assert!(!page.contains("Well?"), "{page}");
        }
    }

    #[test]
    fn a_decision_that_is_not_kept_is_reported() {
        let site = site();
        let key = OneRun.list().unwrap()[0].questions[0].key.clone();
        let link = site.links.to_question("20261122-1304-k7f2", &key);
        assert_eq!(ask(&site, Method::GET, &link, "").0, StatusCode::OK);
        let (status, page) = ask(&site, Method::POST, &link, "name=Ada&decision=approved");
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(page.contains("the engine does not answer"), "{page}");
        let gone = site.links.to_question("20261122-1304-k7f2", "0000000000000000");
        let (status, page) = ask(&site, Method::POST, &gone, "name=Ada&decision=approved");
        assert_eq!(status, StatusCode::CONFLICT);
        assert!(page.contains("does not wait for this any more"), "{page}");
        assert_eq!(
            ask(&site, Method::GET, &site.links.to_question("other", &key), "").0,
            StatusCode::NOT_FOUND
        );
    }
}
