//! People decide on the page of `nodewise serve --decisions --on`, and the engine keeps what they decide.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::engine::{get, post};
use crate::place::Place;
use crate::refusals::{fails, scene};

const LIMIT: Duration = Duration::from_secs(30);

/// The page, ended by SIGTERM.
pub(crate) struct Page {
    child: Child,
    address: String,
    /// The link to the list.
    list: String,
    lines: std::io::Lines<BufReader<std::process::ChildStderr>>,
}

impl Page {
    #[track_caller]
    pub(crate) fn open(place: &Place) -> Page {
        let words = ["serve", "--decisions", "--on", "test", "--listen", "127.0.0.1:0"];
        let mut child = place.command(&words).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut page = Page { child, address: String::new(), list: String::new(), lines };
        page.address = page.line("listening at http://").split_once("http://").unwrap().1.to_owned();
        let link = page.line("waiting runs: ");
        page.list = format!("/?{}", link.split_once("/?").unwrap().1);
        page
    }

    /// The next line that contains a text.
    #[track_caller]
    fn line(&mut self, wanted: &str) -> String {
        let mut seen = Vec::new();
        for line in self.lines.by_ref().map(|line| line.unwrap()) {
            if line.contains(wanted) {
                return line;
            }
            seen.push(line);
        }
        panic!("no `{wanted}`: {seen:#?}")
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> String {
        get(&self.address, path).unwrap()
    }

    #[track_caller]
    fn decide(&self, link: &str, fields: &str) -> String {
        let (path, ticket) = link.split_once('?').unwrap();
        post(&self.address, path, &format!("{ticket}&{fields}")).unwrap()
    }

    /// The links to questions in the list.
    fn questions(&self) -> Vec<String> {
        let list = self.get(&self.list);
        let links = list.split("href=\"/runs/").skip(1);
        links.map(|rest| format!("/runs/{}", rest.split_once('"').unwrap().0.replace("&amp;", "&"))).collect()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_person_decides_on_the_page_and_the_run_continues_on_the_engine() {
    let Some((_engine, place, _worker)) = scene(&["flow"]) else { return };
    let run = place.start("flow");
    let other = place.start("flow");
    place.wait(&[run.clone(), other.clone()], "waiting", LIMIT);
    let mut page = Page::open(&place);
    let questions = page.questions();
    assert_eq!(questions.len(), 2, "{questions:?}");
    let link = questions.iter().find(|link| link.contains(run.as_str())).unwrap();
    let shown = page.get(link);
    assert!(shown.starts_with("HTTP/1.1 200") && shown.contains("Go on?"), "{shown}");

    let decided = page.decide(link, "name=Ada+L.&decision=approved");
    assert!(decided.starts_with("HTTP/1.1 303"), "{decided}");
    page.line(&format!("the run {run} continues on `test`"));
    place.wait(std::slice::from_ref(&run), "completed", LIMIT);
    let shown = page.get(link);
    assert!(shown.contains("<bdi>Ada L.</bdi> approved this on "), "{shown}");
    let again = page.decide(link, "name=Bob&decision=rejected");
    assert!(again.starts_with("HTTP/1.1 409") && again.contains("<bdi>Ada L.</bdi> approved"), "{again}");
    assert_eq!(page.questions().len(), 1);
    let record = place.output_of(&["runs", "show", &run, "--on", "test"]);
    assert!(record.starts_with("Ada L. decided `approved` at `ask`, 20"), "{record}");

    // Someone decided at a terminal meanwhile.
    place.output_of(&["resume", &other, "--on", "test", "--reject", "--detach"]);
    let link = questions.iter().find(|link| link.contains(other.as_str())).unwrap();
    let late = page.decide(link, "name=Bob&decision=approved");
    assert!(late.starts_with("HTTP/1.1 409"), "{late}");
    for wrong in [link.replace("pause-1", "pause-2"), link.replace(other.as_str(), &run)] {
        assert!(page.get(&wrong).starts_with("HTTP/1.1 403"), "{wrong}");
    }

    Command::new("kill").arg(page.child.id().to_string()).status().unwrap();
    assert_eq!(page.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_page_without_the_engine_says_what_is_missing() {
    let Some((engine, place, _worker)) = scene(&["flow"]) else { return };
    fails(&place, &["serve", "--decisions", "--on", "nobody"], "no engine `nobody` is configured");
    fails(
        &place,
        &["serve", "--decisions", "--on", &engine.urls()[0]],
        "has no address for its administration",
    );
    place.name_at(&["http://127.0.0.1:9".to_owned()], "http://127.0.0.1:9", "");
    fails(&place, &["serve", "--decisions", "--on", "test"], "the engine `test` does not answer at");
}
