//! People decide on the page of `nodewise serve --decisions`, and a webhook tells them to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::place::{Done, PLANTED, Place, has_python};

/// A payment that a person decides about, and a second person afterwards.
const FLOW: &str = "#- nodewise.toml
[live]
tools.pay = { function = \"shop.pay\" }
#- shop.py
def pay(**state):
    open('paid', 'a').write('paid\\n')
    return 'paid'
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: ask, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Pay <b>it</b>?', review_keys: ['*'], rejection_node_id: refuse}}
  - {id: pay, type: tool, tool_id: pay, tools: [pay], read_keys: ['*'], write_keys: ['*']}
  - {id: check, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Was it right?', rejection_node_id: refuse}}
  - {id: done, type: router}
  - {id: refuse, type: router}
edges: [{source: ask, target: pay}, {source: pay, target: check}, {source: check, target: done}]
start_node: ask
end_nodes: [done, refuse]
";

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// `nodewise serve --decisions`, ended by Ctrl-C.
struct Served {
    child: Option<Child>,
    lines: Receiver<String>,
    address: String,
    /// The link to the list.
    list: String,
}

/// An answer of the server.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Served {
    fn new(place: &Place, more: &[&str]) -> Served {
        let words = [&["serve", "--decisions", "--listen", "127.0.0.1:0"], more].concat();
        Served::of(place.command(&words))
    }

    fn of(mut command: Command) -> Served {
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let (sender, lines) = channel();
        let err = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in err.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let mut served = Served { child: Some(child), lines, address: String::new(), list: String::new() };
        served.address = served.line("listening at http://").split_once("http://").unwrap().1.to_owned();
        let link = served.line("waiting runs: ");
        let (_, path) = link.split_once("/?").unwrap();
        served.list = format!("/?{path}");
        served
    }

    /// The next line that contains a text.
    #[track_caller]
    fn line(&self, wanted: &str) -> String {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.contains(wanted) => return line,
                Ok(line) => seen.push(line),
                Err(error) => panic!("no `{wanted}`: {error}; {seen:#?}"),
            }
        }
    }

    fn send(&self, head: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        let request = format!(
            "{head}\r\nhost: {}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}",
            self.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1"), "")
    }

    fn post(&self, path: &str, body: &str) -> Answer {
        self.send(&format!("POST {path} HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded"), body)
    }

    /// The links to questions in the list.
    fn questions(&self) -> Vec<String> {
        let list = self.get(&self.list);
        assert_eq!(list.status, 200, "{list:?}");
        let links = list.body.split("href=\"/runs/").skip(1);
        links.map(|rest| format!("/runs/{}", rest.split_once('"').unwrap().0.replace("&amp;", "&"))).collect()
    }

    /// Decides the question of a link.
    fn decide(&self, link: &str, fields: &str) -> Answer {
        let (path, ticket) = link.split_once('?').unwrap();
        self.post(path, &format!("{ticket}&{fields}"))
    }

    /// Ends it as Ctrl-C does.
    #[track_caller]
    fn stop(self) {
        self.end("-INT");
    }

    /// Ends it with a signal.
    #[track_caller]
    fn end(mut self, signal: &str) {
        let child = self.child.take().unwrap();
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let done = child.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{done:?}");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// A place with a run that waits.
fn waiting(files: &str) -> Place {
    let place = Place::new(files);
    let waiting = place.run(&["run", "flow.yaml", "--trust", "--name", "Tuesday"]);
    assert_eq!(waiting.code, Some(1), "{waiting:?}");
    place
}

#[cfg(unix)]
#[test]
fn a_person_decides_and_the_run_continues() {
    if !has_python() {
        return;
    }
    let place = waiting(FLOW);
    let served = Served::new(&place, &["--trust"]);
    let list = served.get(&served.list);
    assert!(list.body.contains("<h2 dir=\"auto\">Tuesday</h2>"), "{}", list.body);
    let [first] = served.questions().try_into().unwrap();
    let page = served.get(&first);
    assert_eq!(page.status, 200, "{page:?}");
    assert!(page.body.contains("Pay &lt;b&gt;it&lt;/b&gt;?"), "{}", page.body);
    assert!(!page.body.contains("<b>"), "{}", page.body);
    for header in [
        "content-security-policy: default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(page.head.contains(header), "no {header} in {}", page.head);
    }
    let decided = served.decide(&first, "name=Ada+L.&data=by+phone&decision=approved");
    assert_eq!(decided.status, 303, "{decided:?}");
    served.line("waits for a decision at `check`");
    let page = served.get(&first);
    assert!(page.body.contains("<bdi>Ada L.</bdi> approved this on "), "{}", page.body);
    let again = served.decide(&first, "name=Bob&decision=rejected");
    assert_eq!(again.status, 409, "{again:?}");
    assert!(again.body.contains("This was decided already"), "{}", again.body);
    assert!(again.body.contains("<bdi>Ada L.</bdi> approved"), "{}", again.body);
    assert_eq!(place.read("paid"), "paid\n");

    let [second] = served.questions().try_into().unwrap();
    assert_ne!(first, second);
    assert_eq!(served.decide(&second, "name=Bob&decision=rejected").status, 303);
    served.line("completed");
    assert!(served.questions().is_empty());
    let page = served.get(&second);
    assert!(page.body.contains("The run has ended."), "{}", page.body);
    served.stop();

    let shown = place.run(&["runs", "show", "Tuesday"]).well().out;
    assert!(shown.starts_with("Ada L. decided `approved` at `ask`, 20"), "{shown}");
    assert!(shown.contains("\nBob decided `rejected` at `check`, 20"), "{shown}");
    let trace = place.run(&["runs", "show", "last", "--format", "json"]).well().out;
    assert!(trace.contains("\"data\":\"by phone\""), "{trace}");
    crate::place::check_replay(&place, &trace);
    place.run(&["runs", "check"]).well();
}

/// A decision is kept before the run continues, and it continues by itself or with `resume`.
#[cfg(unix)]
#[test]
fn a_decision_is_kept_until_the_run_may_continue() {
    if !has_python() {
        return;
    }
    let place = waiting(FLOW);
    let served = Served::new(&place, &[]);
    let [question] = served.questions().try_into().unwrap();
    assert_eq!(served.decide(&question, "name=Ada&decision=approved").status, 303);
    served.line("is kept, but it cannot continue here: you have not allowed yet");
    let page = served.get(&question);
    assert!(page.body.contains("The decision is kept."), "{}", page.body);
    assert!(served.questions().is_empty(), "nothing is left to decide");
    assert!(served.get(&served.list).body.contains("<bdi>Ada</bdi> approved this"));
    let second = served.decide(&question, "name=Bob&decision=rejected");
    assert_eq!(second.status, 409, "{second:?}");
    served.stop();
    assert_eq!(place.read("paid"), "", "nothing is called that nobody allowed");

    // Another process that may continue it does so at once.
    let served = Served::new(&place, &["--trust"]);
    served.line("waits for a decision at `check`");
    assert_eq!(place.read("paid"), "paid\n");
    served.stop();

    // A decision that is kept counts for `resume`.
    let served = Served::new(&place, &[]);
    let [question] = served.questions().try_into().unwrap();
    assert_eq!(served.decide(&question, "name=Ada&decision=approved").status, 303);
    served.line("cannot continue here");
    served.stop();
    let twice = place.run(&["resume", "--trust", "--reject"]);
    assert!(twice.err.contains("the run is not waiting for a decision"), "{twice:?}");
    place.run(&["resume", "--trust"]).well();
    assert_eq!(place.read("paid"), "paid\n");
    place.run(&["runs", "check"]).well();
}

#[cfg(unix)]
#[test]
fn whoever_has_no_link_learns_and_decides_nothing() {
    let place = waiting(FLOW);
    let served = Served::new(&place, &[]);
    let [question] = served.questions().try_into().unwrap();
    let (path, ticket) = question.split_once('?').unwrap();
    let (expires, signature) = ticket.split_once("&signature=").unwrap();
    let later = format!("expires=99999999999&signature={signature}");
    let other = format!("{expires}&signature={}", signature.replace(['a', '0'], "1"));
    let of_list = served.list.split_once('?').unwrap().1;
    for ticket in ["", &later, &other, of_list, "expires=x&signature=y", "%ff%00&signature=%f0"] {
        let page = served.get(&format!("{path}?{ticket}"));
        assert_eq!(page.status, 403, "{ticket}: {page:?}");
        assert!(page.body.contains("This link is not valid") && !page.body.contains("Pay"), "{}", page.body);
        let decided = served.post(path, &format!("{ticket}&name=Eve&decision=approved"));
        assert_eq!(decided.status, 403, "{ticket}: {decided:?}");
    }
    for path in ["/", "/?", "/runs/", "/runs/x/y", "/..%2f..", "/favicon.ico"] {
        assert_eq!(served.get(path).status, 403, "{path}");
    }
    // A form of another site, with the ticket of a user.
    let head = format!("POST {path} HTTP/1.1\r\nsec-fetch-site: cross-site");
    let foreign = served.send(&head, &format!("{ticket}&name=Eve&decision=approved"));
    assert_eq!(foreign.status, 403, "{foreign:?}");
    assert_eq!(served.send(&format!("DELETE {question} HTTP/1.1"), "").status, 405);
    assert_eq!(served.post(path, &format!("{ticket}&data={}", "x".repeat(70_000))).status, 413);
    assert_eq!(served.get("/healthz").body, "ok\n");
    assert!(served.get("/style.css").head.contains("text/css"));
    // What people send is not taken for more than it is.
    for (fields, reason) in [
        ("decision=approved", "Write your name."),
        ("name=+&decision=approved", "Write your name."),
        ("name=Ada%0ABob&decision=approved", "Write a shorter name"),
        ("name=Ada", "Press one of the buttons."),
        ("name=Ada&decision=maybe", "Press one of the buttons."),
        ("name=Ada&decision=word&word=", "Write the word to answer with."),
        ("name=Ada&decision=answer&data=1", "Press one of the buttons."),
    ] {
        let page = served.decide(&question, fields);
        assert_eq!(page.status, 400, "{fields}: {page:?}");
        assert!(
            page.body.contains(reason) && page.body.contains("role=\"alert\""),
            "{fields}: {}",
            page.body
        );
    }
    let kept = served.decide(&question, "name=%22%3E%3Cscript%3E&data=%3C/textarea%3E&decision=nothing").body;
    assert!(kept.contains("value=\"&quot;&gt;&lt;script&gt;\"") && !kept.contains("<script"), "{kept}");
    assert_eq!(served.questions().len(), 1, "nothing was decided");
    served.stop();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let key = std::fs::metadata(place.path().join(".nodewise/decisions.key")).unwrap();
        assert_eq!(key.permissions().mode() & 0o777, 0o600);
    }
}

/// A service manager ends the page with SIGTERM: the run that continues here stops where it can be resumed.
#[cfg(unix)]
#[test]
fn sigterm_ends_the_page_and_keeps_the_run() {
    if !has_python() {
        return;
    }
    let slow = "    import time; open('begun', 'w'); time.sleep(30)\n    open(";
    let place = waiting(&FLOW.replace("    open(", slow));
    let served = Served::new(&place, &["--trust"]);
    let [question] = served.questions().try_into().unwrap();
    assert_eq!(served.decide(&question, "name=Ada&decision=approved").status, 303);
    served.line("continues");
    let begun = std::time::Instant::now();
    while !place.path().join("begun").exists() && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    served.end("-TERM");
    // The call would have written this after half a minute.
    assert_eq!(place.read("paid"), "", "it waited for the call");
    let listed = place.run(&["runs"]).well().out;
    assert!(listed.contains("interrupted"), "{listed}");
    place.run(&["runs", "check"]).well();
}

/// Links of an earlier process are valid in a later one, and end.
#[cfg(unix)]
#[test]
fn links_outlive_the_process() {
    let place = waiting(FLOW);
    let served = Served::new(&place, &[]);
    let [question] = served.questions().try_into().unwrap();
    served.stop();
    let served = Served::new(&place, &[]);
    assert_eq!(served.get(&question).status, 200);
    std::fs::remove_file(place.path().join(".nodewise/decisions.key")).unwrap();
    served.stop();
    let served = Served::new(&place, &[]);
    assert_eq!(served.get(&question).status, 403, "the key is another one");
    served.stop();
}

/// Both a run that is deleted and one that is decided elsewhere are reported.
#[cfg(unix)]
#[test]
fn what_is_decided_elsewhere_is_shown() {
    if !has_python() {
        return;
    }
    let place = waiting(FLOW);
    let served = Served::new(&place, &[]);
    let [question] = served.questions().try_into().unwrap();
    assert_eq!(place.run(&["resume", "--trust", "--approve"]).code, Some(1));
    let page = served.get(&question);
    assert!(page.body.contains("The run does not wait for this any more"), "{}", page.body);
    let late = served.decide(&question, "name=Ada&decision=approved");
    assert_eq!(late.status, 409, "{late:?}");
    place.run(&["runs", "delete", "last"]).well();
    assert_eq!(served.get(&question).status, 404);
    served.stop();
}

/// A call that may have had its effect: a person says whether to make it again, once.
#[cfg(unix)]
#[test]
fn a_call_is_made_again_only_when_a_person_says_so() {
    if !has_python() {
        return;
    }
    let files = "#- nodewise.toml
[live]
tools.pay = { function = \"shop.pay\", again = \"ask\" }
#- shop.py
import os, time
def pay(**state):
    open('paid', 'a').write('paid\\n')
    if not os.path.exists('quick'):
        time.sleep(600)
    return 'paid'
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: pay, type: tool, tool_id: pay, tools: [pay], read_keys: ['*'], write_keys: ['*']}
  - {id: done, type: router}
edges: [{source: pay, target: done}]
start_node: pay
end_nodes: [done]
";
    for (decision, paid, reads) in [
        ("approved", "paid\npaid\n", "\"paid\""),
        ("answer&data={\"receipt\":7}", "paid\n", "\"receipt\":7"),
        ("rejected", "paid\n", "CallNotRepeated"),
    ] {
        let place = Place::new(files);
        let mut child =
            place.command(&["run", "flow.yaml", "--trust"]).stderr(Stdio::null()).spawn().unwrap();
        while !place.path().join("paid").exists() {
            assert!(child.try_wait().unwrap().is_none(), "the run ended");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        place.write("quick", "");
        let asks = place.run(&["resume", "--trust"]);
        assert!(asks.err.contains("may have had its effect"), "{asks:?}");
        let served = Served::new(&place, &["--trust"]);
        let [question] = served.questions().try_into().unwrap();
        let page = served.get(&question).body;
        assert!(page.contains("Make the call again") && page.contains("may have had its effect"), "{page}");
        let wrong = served.decide(&question, "name=Ada&decision=answer&data=paid");
        assert_eq!(wrong.status, 400, "{wrong:?}");
        let decided = served.decide(&question, &format!("name=Ada&decision={decision}"));
        assert_eq!(decided.status, 303, "{decided:?}");
        served.line("the run");
        served.line("the run");
        served.stop();
        assert_eq!(place.read("paid"), paid, "{decision}");
        let trace = place.run(&["runs", "show", "last", "--format", "json"]).well().out;
        assert!(trace.contains(reads), "{decision}: {trace}");
    }
}

/// A server that takes webhooks: each body, and the answer it gives.
fn hook(answers: &'static [&'static str]) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            while !head.ends_with("\r\n\r\n") && request.read_line(&mut head).unwrap() > 0 {
                let last = head.lines().last().unwrap().to_lowercase();
                length =
                    last.strip_prefix("content-length: ").map_or(length, |length| length.parse().unwrap());
            }
            let mut body = vec![0; length];
            request.read_exact(&mut body).unwrap();
            sender
                .send(format!("{}\n{}", head.lines().next().unwrap(), String::from_utf8(body).unwrap()))
                .unwrap();
            write!(stream, "HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        }
    });
    (address, received)
}

fn with_hook(settings: &str) -> String {
    FLOW.replace("#- shop.py", &format!("[live.decisions]\n{settings}\n#- shop.py"))
}

#[test]
fn a_webhook_learns_when_a_run_begins_to_wait() {
    let (address, received) = hook(&["200 OK", "200 OK"]);
    let settings =
        format!("webhook = \"http://{address}/hooks/${{PLANTED_KEY}}\"\nurl = \"https://decide.example/\"");
    let files = with_hook(&settings)
        .replace("Pay <b>it</b>?", &format!("Pay <b>it</b> with {PLANTED} & <!channel>?"));
    let place = Place::new(&files);
    let dry = place.run(&["run", "flow.yaml", "--dry-run"]).well().out;
    assert!(dry.contains(&format!("webhook of decisions: http://{address}/hooks/${{PLANTED_KEY}}")), "{dry}");
    let refused = place.run(&["run", "flow.yaml"]);
    assert!(refused.err.contains("webhook of decisions"), "{refused:?}");
    let waiting = place.run(&["run", "flow.yaml", "--trust"]);
    assert_eq!(waiting.code, Some(1), "{waiting:?}");
    let notice = received.recv_timeout(PATIENCE).unwrap();
    let (line, body) = notice.split_once('\n').unwrap();
    assert_eq!(line, format!("POST /hooks/{PLANTED} HTTP/1.1"));
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let text = body["text"].as_str().unwrap();
    assert!(text.starts_with("The run graph `flow` (") || text.contains("waits for a decision."), "{text}");
    assert!(text.contains("\n• ask: Pay &lt;b&gt;it&lt;/b&gt; with *** &amp; &lt;!channel&gt;? <https://decide.example/runs/"), "{text}");
    assert!(!text.contains(PLANTED), "{text}");
    assert!(!format!("{}{}", waiting.out, waiting.err).contains(PLANTED));
    // It waits as before: no second notice is sent.
    assert_eq!(place.run(&["resume", "--trust"]).code, Some(1));
    assert!(received.try_recv().is_err(), "sent twice");
    // The link of the message is one of the page.
    let served = Served::new(&place, &[]);
    let link = text.split("https://decide.example").nth(1).unwrap().split_once('|').unwrap().0;
    let page = served.get(link);
    assert_eq!(page.status, 200, "{page:?}");
}

#[test]
fn a_webhook_that_fails_does_not_fail_the_run() {
    let (address, _received) = hook(&["500 Broken"]);
    let place = Place::new(&with_hook(&format!("webhook = \"http://{address}/x?k=${{PLANTED_KEY}}\"")));
    let shows = |done: &Done, reason: &str| {
        assert_eq!(done.code, Some(1), "{done:?}");
        let warning = format!("warning: the webhook did not learn that the run waits: {reason}");
        assert!(done.err.contains(&warning), "{}", done.err);
        assert!(
            done.err.contains("waits for a decision at `ask`") && !done.err.contains(PLANTED),
            "{}",
            done.err
        );
    };
    shows(&place.run(&["run", "flow.yaml", "--trust"]), "the answer was HTTP 500");
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = Place::new(&with_hook(&format!("webhook = \"http://{gone}/${{PLANTED_KEY}}\"")));
    shows(&place.run(&["run", "flow.yaml", "--trust"]), "no connection");
    for (webhook, reason) in [
        ("\"hooks\"", "the webhook is not an address"),
        ("{ env = \"NOT_SET_ANYWHERE\" }", "the variable `NOT_SET_ANYWHERE` is not set"),
    ] {
        let place = Place::new(&with_hook(&format!("webhook = {webhook}")));
        let refused = place.run(&["run", "flow.yaml", "--trust"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(reason), "{}", refused.err);
    }
}

#[test]
fn an_address_that_is_taken_is_reported() {
    let place = Place::new(FLOW);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = place.run(&["serve", "--decisions", "--listen", &address]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains(&format!("cannot listen at {address}")), "{}", refused.err);
    #[cfg(not(feature = "worker"))]
    {
        let refused = Done::of(place.command(&["serve"]).output().unwrap());
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains("does not include the worker"), "{}", refused.err);
        assert!(refused.err.contains("`--decisions` needs no worker"), "{}", refused.err);
    }
}
