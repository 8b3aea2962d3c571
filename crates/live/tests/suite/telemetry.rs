//! Spans before a collector of a few lines: what it is sent, that a run which is gone on with stays in its trace, and that a
//! collector which is not there holds up nothing.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_expr::value::Value;
use nodewise_live::store::{Moment, StoredEvent};
use nodewise_live::telemetry::{ExportReport, SpanSource, Telemetry};
use nodewise_project::config::live;
use nodewise_simulation::systems;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value as Json, json};

const KEY: &str = "sk-planted-1234";
const WAIT: Duration = Duration::from_secs(20);
/// How long something may take that must not hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// A collector: its address, and what it is sent.
fn collector() -> (String, Receiver<ExportTraceServiceRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            answer(&stream, &sender);
        }
    });
    (address, receiver)
}

/// Answers requests of a connection until it is closed.
fn answer(mut stream: &std::net::TcpStream, sender: &mpsc::Sender<ExportTraceServiceRequest>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
        let head = head.to_ascii_lowercase();
        assert!(head.contains("content-type: application/x-protobuf"), "{head}");
        let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        sender.send(ExportTraceServiceRequest::decode(body.as_slice()).unwrap()).ok();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

fn subject() -> SpanSource {
    SpanSource {
        identity: *b"0123456789abcdef",
        run: "20261122-1304-k7f2".to_owned(),
        system: systems::cycgraph::SYSTEM,
        title: "graph `flow`".to_owned(),
        models: BTreeMap::from([("writer".into(), ("local".into(), "m-1".into()))]),
        mask: Arc::new(|text: &str| text.replace(KEY, "***")),
    }
}

fn settings(endpoint: &str, content: bool) -> live::TelemetryConfig {
    live::TelemetryConfig { endpoint: endpoint.to_owned(), content, metrics: false, headers: BTreeMap::new() }
}

/// A run: a model that asks for a tool, the tool, a graph inside with a failure that is tried again.
fn events() -> Vec<Json> {
    let prompt = json!([
        {"role": "system", "content": format!("Be brief, {KEY}.")},
        {"role": "state", "content": {"draft": null}},
        {"role": "model", "content": "", "calls": [{"id": "c0", "tool": "rate", "arguments": {}}]},
        {"role": "tool", "content": 8, "answers": {"id": "c0", "tool": "rate", "arguments": {}}},
    ]);
    let usage = json!({"input_tokens": 12, "output_tokens": 3, "cost_usd": 0.5});
    let calls = json!([{"id": "c1", "tool": "rate", "arguments": {"text": KEY}}]);
    vec![
        json!({"at": 0, "event": "graph-started", "scope": 0, "graph": "flow", "state": {}}),
        json!({"at": 0, "event": "visit-started", "visit": 0, "scope": 0, "node": "write"}),
        json!({"at": 0, "event": "asked", "ask": 0, "visit": 0, "of": "model", "graph": "flow", "node": "write", "attempt": 1,
               "question": {"agent": "writer", "purpose": "work", "prompt": prompt, "tools": ["rate"], "temperature": 0.5}}),
        json!({"at": 5, "event": "answered", "ask": 0, "answer": {"after": 5, "usage": usage,
               "reply": {"of": "model", "text": "Let me see.", "calls": calls}}}),
        json!({"at": 5, "event": "asked", "ask": 1, "visit": 0, "of": "tool",
               "question": {"tool": "rate", "arguments": {"text": KEY}, "call": "c1"}}),
        json!({"at": 9, "event": "answered", "ask": 1, "answer": {"after": 4, "reply": {"of": "value", "value": [8, KEY]}}}),
        json!({"at": 9, "event": "visit-ended", "visit": 0, "yields": {}}),
        json!({"at": 9, "event": "visit-started", "visit": 1, "scope": 0, "node": "inner"}),
        json!({"at": 9, "event": "graph-started", "scope": 1, "graph": "deep", "by": 1, "state": {}}),
        json!({"at": 9, "event": "visit-started", "visit": 2, "scope": 1, "node": "look"}),
        json!({"at": 9, "event": "asked", "ask": 2, "visit": 2, "of": "function", "question": {"path": "shop.look", "input": {}}}),
        json!({"at": 12, "event": "answered", "ask": 2, "answer": {"after": 3,
               "failure": {"class": "TimeoutError", "message": "too slow", "retryable": true}}}),
        json!({"at": 12, "event": "retried", "visit": 2, "attempt": 1, "wait": 10,
               "failure": {"class": "TimeoutError", "message": "too slow", "retryable": true}}),
        json!({"at": 22, "event": "asked", "ask": 3, "visit": 2, "of": "human", "question": {"prompt": "Well?", "review": 1}}),
        json!({"at": 30, "event": "visit-ended", "visit": 2,
               "failure": {"class": "NodeTimeout", "message": "", "retryable": false}}),
        json!({"at": 30, "event": "graph-ended", "scope": 1,
               "outcome": {"status": "failed", "failure": {"class": "NodeTimeout", "message": "", "retryable": false}}}),
        json!({"at": 31, "event": "visit-ended", "visit": 1, "yields": {}}),
    ]
}

/// Sends a run, of which a part was sent before it was gone on with.
fn sent(content: bool, before: usize) -> Vec<Span> {
    let (address, requests) = collector();
    let mut telemetry = Telemetry::start(&settings(&address, content), &[], subject()).unwrap();
    let events = events();
    let at = |event: &Json| Moment(1_795_352_640_000 + event["at"].as_i64().unwrap());
    let (past, new) = events.split_at(before);
    let past = past.iter().map(|event| StoredEvent { stored: at(event), event: event.clone() });
    telemetry.recall(&past.collect::<Vec<_>>());
    for event in new {
        telemetry.happened(std::slice::from_ref(event), at(event));
    }
    let outcome = Outcome::failed(Status::Failed, Failure::lasting("NodeTimeout", "too slow"));
    telemetry.end(&outcome, Moment(1_795_352_640_040));
    let report = telemetry.finish(WAIT);
    let mut spans = Vec::new();
    for request in requests.try_iter() {
        for of_resource in request.resource_spans {
            let resource = of_resource.resource.unwrap();
            let name = resource.attributes.iter().find(|one| one.key == "service.name").unwrap();
            assert_eq!(name.value.as_ref().unwrap().value, Some(Any::StringValue("nodewise".to_owned())));
            spans.extend(of_resource.scope_spans.into_iter().flat_map(|of_scope| of_scope.spans));
        }
    }
    assert_eq!(report, ExportReport { sent: spans.len() as u64, lost: 0, reason: None });
    spans
}

/// The spans as a tree: kind, name, milliseconds from the beginning, attributes.
fn shown(spans: &[Span], parent: &[u8], depth: usize) -> String {
    let mut children: Vec<&Span> = spans.iter().filter(|span| span.parent_span_id == parent).collect();
    children.sort_by(|one, other| {
        (one.start_time_unix_nano, &one.name).cmp(&(other.start_time_unix_nano, &other.name))
    });
    let mut text = String::new();
    for span in children {
        let indent = "  ".repeat(depth);
        let ms = |nano: u64| nano / 1_000_000 - 1_795_352_640_000;
        let kind = if span.kind == 3 { " (client)" } else { "" };
        let error = if span.status.as_ref().is_some_and(|status| status.code == 2) { " !" } else { "" };
        let (from, to) = (ms(span.start_time_unix_nano), ms(span.end_time_unix_nano));
        text.push_str(&format!("{indent}{}{kind} {from}-{to}{error}\n", span.name));
        for attribute in &span.attributes {
            let value = match attribute.value.as_ref().and_then(|value| value.value.as_ref()) {
                Some(Any::StringValue(text)) => text.clone(),
                Some(Any::IntValue(number)) => number.to_string(),
                Some(Any::DoubleValue(number)) => number.to_string(),
                Some(Any::BoolValue(flag)) => flag.to_string(),
                other => format!("{other:?}"),
            };
            text.push_str(&format!("{indent}  . {} = {value}\n", attribute.key));
        }
        for event in &span.events {
            text.push_str(&format!("{indent}  * {} at {}\n", event.name, ms(event.time_unix_nano)));
        }
        text.push_str(&shown(spans, &span.span_id, depth + 1));
    }
    text
}

#[test]
fn a_run_is_a_tree_of_spans() {
    let spans = sent(false, 0);
    assert!(spans.iter().all(|span| span.trace_id == b"0123456789abcdef"));
    let found = shown(&spans, b"", 0);
    let expected = "\
invoke_workflow flow 0-40 !
  . gen_ai.operation.name = invoke_workflow
  . gen_ai.workflow.name = flow
  . gen_ai.conversation.id = 20261122-1304-k7f2
  . nodewise.run = 20261122-1304-k7f2
  . nodewise.system = cycgraph
  . nodewise.outcome = failed
  . error.type = NodeTimeout
  node write 0-9
    . nodewise.node = write
    chat m-1 (client) 0-5
      . gen_ai.operation.name = chat
      . gen_ai.agent.name = writer
      . gen_ai.provider.name = local
      . gen_ai.request.model = m-1
      . gen_ai.request.temperature = 0.5
      . gen_ai.usage.input_tokens = 12
      . gen_ai.usage.output_tokens = 3
      . nodewise.cost_usd = 0.5
    execute_tool rate 5-9
      . gen_ai.operation.name = execute_tool
      . gen_ai.tool.name = rate
      . gen_ai.tool.type = function
      . gen_ai.tool.call.id = c1
  node inner 9-31
    . nodewise.node = inner
    invoke_workflow deep 9-30 !
      . gen_ai.operation.name = invoke_workflow
      . gen_ai.workflow.name = deep
      . error.type = NodeTimeout
      node look 9-30 !
        . nodewise.node = look
        . error.type = NodeTimeout
        * retry at 12
        execute_tool shop.look 9-12 !
          . gen_ai.operation.name = execute_tool
          . gen_ai.tool.name = shop.look
          . gen_ai.tool.type = function
          . error.type = TimeoutError
        ask human 22-30
          . nodewise.unfinished = true
";
    assert!(found == expected, "found:\n{found}");
    assert!(!found.contains(KEY) && !found.contains("Let me see"));
}

#[test]
fn content_is_sent_when_it_is_wanted_and_without_secrets() {
    let found = shown(&sent(true, 0), b"", 0);
    for part in [
        r#". gen_ai.system_instructions = [{"type":"text","content":"Be brief, ***."}]"#,
        r#". gen_ai.input.messages = [{"role":"user","parts":[{"type":"text","content":"{\"draft\":null}"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"c0","name":"rate","arguments":{}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c0","response":8}]}]"#,
        r#". gen_ai.output.messages = [{"role":"assistant","parts":[{"type":"text","content":"Let me see."},{"type":"tool_call","id":"c1","name":"rate","arguments":{"text":"***"}}],"finish_reason":"tool_call"}]"#,
        r#". gen_ai.tool.call.arguments = {"text":"***"}"#,
        r#". gen_ai.tool.call.result = [8,"***"]"#,
    ] {
        assert!(found.contains(part), "no {part} in\n{found}");
    }
    assert!(!found.contains(KEY), "{found}");
}

#[test]
fn a_run_that_is_gone_on_with_goes_on_in_its_trace() {
    let whole = sent(false, 0);
    for before in [1, 3, 8, 13] {
        let rest = sent(false, before);
        assert!(rest.len() < whole.len() || before < 4);
        for span in &rest {
            let same = whole.iter().find(|one| one.span_id == span.span_id).unwrap();
            assert_eq!(span, same);
        }
        // What was under way when it was cut off is sent when it ends.
        assert!(rest.iter().any(|span| span.parent_span_id.is_empty()));
    }
}

#[test]
fn spans_are_sent_while_the_run_goes_on() {
    let (address, requests) = collector();
    let mut telemetry = Telemetry::start(&settings(&address, false), &[], subject()).unwrap();
    telemetry.happened(&events(), Moment(1_795_352_640_000));
    let first = requests.recv_timeout(WAIT).unwrap();
    assert!(!first.resource_spans.is_empty());
    drop(telemetry);
}

#[test]
fn a_collector_that_is_down_holds_up_nothing() {
    // Nobody listens there any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = format!("http://127.0.0.1:{port}");
    // Somebody listens and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mute = format!("http://{}/v1/traces", silent.local_addr().unwrap());
    for (address, wait) in [(nobody, WAIT), (mute, Duration::from_millis(300))] {
        let (done, reports) = channel();
        let to = address.clone();
        std::thread::spawn(move || {
            let mut telemetry = Telemetry::start(&settings(&to, true), &[], subject()).unwrap();
            for _ in 0..2_000 {
                telemetry.happened(&events(), Moment(1_795_352_640_000));
            }
            telemetry.end(&Outcome::of(Status::Completed, Value::Null), Moment(1_795_352_640_000));
            done.send(telemetry.finish(wait)).unwrap();
        });
        // Whoever waited for an answer would wait for ever: a deadline for that alone.
        let report = reports.recv_timeout(PATIENCE).unwrap();
        assert_eq!(report.sent, 0);
        assert!(report.lost > 4_096, "{report:?}");
        let message = report.reason.unwrap();
        assert!(message.starts_with(&format!("`{}", address.trim_end_matches("/v1/traces"))), "{message}");
    }
}

#[test]
fn an_address_that_is_not_http_is_reported() {
    for address in ["no address", "localhost:4318", "ftp://localhost"] {
        let error = Telemetry::start(&settings(address, false), &[], subject()).unwrap_err();
        let expected = format!("cannot send spans to `{address}/v1/traces`\n  help: write the address");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}

/// A server that answers each request with the same head; the heads of the requests that it gets.
fn server(head: String) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut request = String::new();
            while !request.ends_with("\r\n\r\n") && reader.read_line(&mut request).unwrap_or(0) > 0 {}
            let length = request.to_ascii_lowercase();
            let length = length.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
            let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
            reader.read_exact(&mut body).unwrap();
            sender.send(request).ok();
            stream
                .write_all(format!("{head}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n").as_bytes())
                .unwrap();
        }
    });
    (address, receiver)
}

fn report_of(address: &str, headers: &[(&str, &str)]) -> ExportReport {
    let mut telemetry = Telemetry::start(&settings(address, true), headers, subject()).unwrap();
    telemetry.happened(&events(), Moment(1_795_352_640_000));
    telemetry.end(&Outcome::of(Status::Completed, Value::Null), Moment(1_795_352_640_000));
    telemetry.finish(WAIT)
}

#[test]
fn spans_go_to_no_other_address_than_the_one_that_was_allowed() {
    for status in [301, 302, 307, 308] {
        let (other, stolen) = server("HTTP/1.1 200 OK".to_owned());
        let (address, asked) =
            server(format!("HTTP/1.1 {status} Moved\r\nlocation: {other}/stolen/v1/traces"));
        let report = report_of(&address, &[("x-team", KEY)]);
        assert!(asked.try_iter().count() > 0);
        assert_eq!(stolen.try_iter().collect::<Vec<_>>(), Vec::<String>::new(), "{status}");
        assert!(report.sent == 0 && report.lost > 0, "{report:?}");
        assert!(!format!("{report:?}").contains(KEY), "{report:?}");
    }
}

#[test]
fn headers_are_sent_with_spans() {
    let (address, requests) = server("HTTP/1.1 200 OK".to_owned());
    let report = report_of(&address, &[("x-honeycomb-team", KEY), ("Authorization", "Bearer abc")]);
    assert!(report.sent > 0 && report.lost == 0, "{report:?}");
    let request = requests.try_iter().next().unwrap().to_ascii_lowercase();
    assert!(request.contains(&format!("x-honeycomb-team: {KEY}\r\n")), "{request}");
    assert!(request.contains("authorization: bearer abc\r\n"), "{request}");
    for (name, value) in [("a b", "c"), ("a", "c\nd")] {
        let error = Telemetry::start(&settings(&address, false), &[(name, value)], subject()).unwrap_err();
        assert!(
            format!("{error:#}").starts_with(&format!("the header `{name}` cannot be sent")),
            "{error:#}"
        );
    }
}

/// What a collector gets at `/v1/metrics`, as lines: the metric, its attributes, count and sum.
fn metrics(status: &str) -> (Vec<String>, ExportReport) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    let status = status.to_owned();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap_or(0) > 0 {}
            let length = head.to_ascii_lowercase();
            let length = length.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
            let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
            reader.read_exact(&mut body).unwrap();
            let is_metrics = head.starts_with("POST /v1/metrics ");
            if is_metrics {
                assert!(head.to_ascii_lowercase().contains("x-team: desk"), "{head}");
                sender.send(ExportMetricsServiceRequest::decode(body.as_slice()).unwrap()).ok();
            }
            let status = if is_metrics { status.as_str() } else { "200 OK" };
            let answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let wanted = live::TelemetryConfig { metrics: true, ..settings(&address, false) };
    let mut telemetry = Telemetry::start(&wanted, &[("x-team", "desk")], subject()).unwrap();
    for event in events() {
        telemetry.happened(
            std::slice::from_ref(&event),
            Moment(1_795_352_640_000 + event["at"].as_i64().unwrap()),
        );
    }
    telemetry.end(&Outcome::of(Status::Completed, Value::Null), Moment(1_795_352_640_040));
    let report = telemetry.finish(WAIT);
    let mut lines = Vec::new();
    for request in receiver.try_iter() {
        let scopes = request.resource_metrics.into_iter().flat_map(|resource| resource.scope_metrics);
        for metric in scopes.flat_map(|scope| scope.metrics) {
            let attributes = |attributes: &[opentelemetry_proto::tonic::common::v1::KeyValue]| {
                let text = |value: &Any| match value {
                    Any::StringValue(text) => text.clone(),
                    other => format!("{other:?}"),
                };
                let one = |one: &opentelemetry_proto::tonic::common::v1::KeyValue| {
                    text(one.value.as_ref().unwrap().value.as_ref().unwrap())
                };
                attributes.iter().map(one).collect::<Vec<_>>().join(" ")
            };
            let name = format!("{} ({})", metric.name, metric.unit);
            match metric.data.unwrap() {
                Data::Histogram(histogram) => lines.extend(histogram.data_points.iter().map(|point| {
                    assert_eq!(point.bucket_counts.iter().sum::<u64>(), point.count);
                    assert_eq!(point.bucket_counts.len(), point.explicit_bounds.len() + 1);
                    let sum = point.sum.unwrap();
                    format!("{name} {}: {} of {sum}", attributes(&point.attributes), point.count)
                })),
                Data::Sum(sum) => lines.extend(sum.data_points.iter().map(|point| {
                    format!("{name} {}: {:?}", attributes(&point.attributes), point.value.unwrap())
                })),
                other => panic!("{other:?}"),
            }
        }
    }
    (lines, report)
}

#[test]
fn tokens_times_and_costs_are_metrics_where_they_are_wanted() {
    let (lines, report) = metrics("200 OK");
    let expected = [
        "gen_ai.client.operation.duration (s) TimeoutError execute_tool shop.look: 1 of 0.003",
        "gen_ai.client.operation.duration (s) chat local m-1: 1 of 0.005",
        "gen_ai.client.operation.duration (s) execute_tool rate: 1 of 0.004",
        "gen_ai.client.token.usage ({token}) chat local m-1 input: 1 of 12",
        "gen_ai.client.token.usage ({token}) chat local m-1 output: 1 of 3",
        "nodewise.cost ({USD}) chat local m-1: AsDouble(0.5)",
    ];
    assert_eq!(lines, expected);
    assert_eq!((report.lost, report.reason), (0, None));
}

#[test]
fn a_collector_without_metrics_is_reported() {
    let (lines, report) = metrics("404 Not Found");
    assert_eq!((lines.len(), report.lost), (6, 0));
    let reason = report.reason.unwrap();
    assert!(reason.contains("`/v1/metrics` answered 404 Not Found to the metrics"), "{reason}");
}
