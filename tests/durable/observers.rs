//! Who watches runs of an engine: a collector of spans, and a webhook that learns of waiting runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::balancer;
use crate::decisions::Page;
use crate::engine::{Engine, free_port, installed};
use crate::place::{Place, WorkerStart};

const LIMIT: Duration = Duration::from_secs(30);

/// A server that takes everything.
#[derive(Clone)]
struct Sink {
    address: String,
    /// The bodies of what was sent, in order.
    taken: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Sink {
    fn start() -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let sink = Sink { address, taken: Arc::default() };
        let taken = Arc::clone(&sink.taken);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let taken = Arc::clone(&taken);
                std::thread::spawn(move || take(&stream, &taken));
            }
        });
        sink
    }

    fn taken(&self) -> Vec<Vec<u8>> {
        self.taken.lock().unwrap().clone()
    }
}

/// Takes the requests of a connection until it is closed.
fn take(mut stream: &TcpStream, taken: &Mutex<Vec<Vec<u8>>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let head = head.to_ascii_lowercase();
        let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        taken.lock().unwrap().push(body);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

/// A span, as far as it is looked at here.
#[derive(Debug, Clone, Default)]
struct Span {
    trace_id: Vec<u8>,
    span_id: Vec<u8>,
    parent_span_id: Vec<u8>,
    name: String,
}

/// The spans that a collector was sent: `ExportTraceServiceRequest` > `ResourceSpans` > `ScopeSpans` > `Span`.
fn spans(collector: &Sink) -> Vec<Span> {
    let mut found = Vec::new();
    for request in collector.taken() {
        for resource in messages(&request, 1) {
            for scope in messages(&resource, 2) {
                found.extend(messages(&scope, 2).iter().map(|span| span_of(span)));
            }
        }
    }
    found
}

fn span_of(bytes: &[u8]) -> Span {
    let first = |field| messages(bytes, field).into_iter().next().unwrap_or_default();
    let name = String::from_utf8(first(5)).unwrap();
    Span { trace_id: first(1), span_id: first(2), parent_span_id: first(4), name }
}

/// The parts of a message of Protocol Buffers with this number, of those that have a length.
fn messages(mut bytes: &[u8], wanted: u64) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let length = match tag & 7 {
            0 => {
                varint(&mut bytes);
                continue;
            }
            1 => 8,
            5 => 4,
            _ => usize::try_from(varint(&mut bytes)).unwrap(),
        };
        let (part, rest) = bytes.split_at(length);
        if tag >> 3 == wanted && tag & 7 == 2 {
            found.push(part.to_vec());
        }
        bytes = rest;
    }
    found
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}

/// The worker that begins the runs is gone when they end: each run is one trace, and no span is sent twice.
#[test]
fn the_spans_of_all_workers_are_one_trace_and_a_webhook_learns_who_waits() {
    let Some(installed) = installed() else { return };
    let (collector, webhook) = (Sink::start(), Sink::start());
    let engine = Engine::start(&installed, 1, &[]);
    let place = Place::new();
    let settings = format!(
        "[live.telemetry]\nendpoint = {:?}\n[live.decisions]\nwebhook = {:?}\nurl = \"https://decide.example\"\n",
        collector.address, webhook.address
    );
    place.name(&engine, &settings);
    place.plan("flow");
    let ports = [free_port(), free_port()];
    let reached_as = format!("http://127.0.0.1:{}", balancer::before(ports.to_vec()));
    let plans = ["flow"];
    let register = Some((engine.admin(), reached_as));
    let first =
        place.worker(&WorkerStart { port: ports[0], register, plans: &plans, ..WorkerStart::default() });
    // It makes the key of links, which the workers here have too.
    let page = Page::open(&place);
    let runs = [place.start("flow"), place.start("flow")];
    place.wait(&runs, "waiting", LIMIT);
    place.until("the webhook knows", || webhook.taken().len() == runs.len());
    check_messages(&webhook, &page, &runs);
    // Its spans are sent when it ends.
    assert!(first.terminate());
    let before = spans(&collector);
    let second = place.worker(&WorkerStart { port: ports[1], plans: &plans, ..WorkerStart::default() });
    for run in &runs {
        place.output_of(&["resume", run, "--on", "test", "--approve", "--detach"]);
    }
    place.wait(&runs, "completed", LIMIT);
    assert!(second.terminate());

    let all = spans(&collector);
    let called = |spans: &[Span]| spans.iter().filter(|span| span.name == "execute_tool effect").count();
    assert_eq!((called(&before), called(&all)), (6, 10));
    let ids: BTreeSet<&[u8]> = all.iter().map(|span| span.span_id.as_slice()).collect();
    assert_eq!(ids.len(), all.len(), "a span was sent twice");
    let mut traces: BTreeMap<&[u8], Vec<&Span>> = BTreeMap::new();
    for span in &all {
        traces.entry(&span.trace_id).or_default().push(span);
    }
    assert_eq!(traces.len(), runs.len());
    for spans in traces.values() {
        let ids: BTreeSet<&[u8]> = spans.iter().map(|span| span.span_id.as_slice()).collect();
        let roots = spans.iter().filter(|span| !ids.contains(span.parent_span_id.as_slice())).count();
        assert_eq!(roots, 1, "{spans:#?}");
    }
}

/// Each run is in one message, whose link leads to its question.
#[track_caller]
fn check_messages(webhook: &Sink, page: &Page, runs: &[String]) {
    let messages: Vec<Value> =
        webhook.taken().iter().map(|body| serde_json::from_slice(body).unwrap()).collect();
    assert_eq!(messages.len(), runs.len(), "{messages:?}");
    for run in runs {
        let begin = format!("<https://decide.example/runs/{run}/pause-1?");
        let links: Vec<&str> = messages
            .iter()
            .filter_map(|message| message["text"].as_str()?.split_once(&begin))
            .map(|(_, rest)| rest.split_once('|').unwrap().0)
            .collect();
        assert_eq!(links.len(), 1, "{messages:?}");
        let shown = page.get(&format!("/runs/{run}/pause-1?{}", links[0].replace("&amp;", "&")));
        assert!(shown.starts_with("HTTP/1.1 200") && shown.contains("Go on?"), "{shown}");
    }
}
