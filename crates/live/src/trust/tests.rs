//! What was allowed is kept outside of the project, and nothing else counts. In: plans; out: what is missing of them.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Part, Plan, Trust};

static FOLDERS: AtomicU32 = AtomicU32::new(0);

struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("nodewise-trust-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn files(command: &[&str]) -> Part {
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    Part::Command { what: "MCP server `files`".to_owned(), command, variables: vec!["TOKEN".to_owned()] }
}

fn models(url: &str) -> Part {
    Part::Address {
        what: "models of `local`".to_owned(),
        url: url.to_owned(),
        key: Some("LOCAL_KEY".to_owned()),
        headers: BTreeMap::new(),
    }
}

fn usual() -> Plan {
    Plan::of([
        Part::Function("shop.search".to_owned()),
        models("http://localhost:8000/v1"),
        files(&["npx", "-y", "a server", "it's"]),
    ])
}

#[test]
fn a_plan_is_shown_in_order() {
    let mut plan = usual();
    plan.add(Part::Command {
        what: "Python".to_owned(),
        command: vec![".venv/bin/python".to_owned()],
        variables: vec![],
    });
    plan.add(Part::Address {
        what: "spans".to_owned(),
        url: "https://me:word@host:1/x@y".to_owned(),
        key: None,
        headers: BTreeMap::from([("x-team".to_owned(), "TEAM".to_owned())]),
    });
    assert_eq!(
        plan.text(),
        "\
runs the functions
  shop.search
calls
  models of `local`: http://localhost:8000/v1  with the key in LOCAL_KEY
  spans: https://***@host:1/x@y  with the header `x-team` from TEAM
starts
  MCP server `files`: npx -y 'a server' 'it'\\''s'  with TOKEN
  Python: .venv/bin/python
in all: 1 function, 2 addresses, 2 commands
"
    );
    assert_eq!(Plan::default().text(), "");
}

#[test]
fn no_name_looks_like_another_line_of_the_question() {
    let forged = |name: &str| {
        format!("{name}\n\n\n  office.find\r\u{1b}[2J\u{202e}\u{2066}\u{2028}\u{200b}\tAllow    this?")
    };
    let shown = |name: &str| {
        format!(
            "{name}\\n\\n\\n \\u{{20}}office.find\\r\\u{{1b}}[2J\\u{{202e}}\\u{{2066}}\\u{{2028}}\\u{{200b}}\\tAllow \\u{{20}}\\u{{20}}\\u{{20}}this?"
        )
    };
    let plan = Plan::of([
        Part::Function(forged("f")),
        Part::Address {
            what: forged("w"),
            url: forged("http://u"),
            key: Some(forged("k")),
            headers: BTreeMap::from([(forged("h"), forged("s"))]),
        },
        Part::Command { what: forged("c"), command: vec![forged("p")], variables: vec![forged("v")] },
    ]);
    let cut = |name: &str| {
        format!(
            "{name}\\n\\n\\n \\u{{20}}office.find\\r\\u{{1b}}[2J…(12 characters left out)…\\u{{20}}\\u{{20}}this?"
        )
    };
    let expected = |short: &dyn Fn(&str) -> String| {
        format!(
            "runs the functions\n  {}\ncalls\n  {}: {}  with the key in {}  with the header `{}` from {}\nstarts\n  {}: '{}'  with {}\nin all: 1 function, 1 address, 1 command\n",
            shown("f"),
            shown("w"),
            shown("http://u"),
            shown("k"),
            short("h"),
            short("s"),
            shown("c"),
            shown("p"),
            short("v")
        )
    };
    assert_eq!(plan.text(), expected(&cut));
    assert_eq!(plan.whole_text(), expected(&shown));
}

#[test]
fn a_long_name_is_cut_and_says_how_much() {
    let long = format!("{}{}{}", "a".repeat(140), "b".repeat(1000), "c".repeat(60));
    let plan = Plan::of([Part::Function(long.clone())]);
    let cut = format!("{}…(1000 characters left out)…{}", "a".repeat(140), "c".repeat(60));
    assert_eq!(plan.text(), format!("runs the functions\n  {cut}\n"));
    // What counts is the room on the screen.
    let hidden = Plan::of([Part::Function("\u{200b}".repeat(200))]).text();
    assert!(hidden.len() < 300 && hidden.contains("…(176 characters left out)…"), "{hidden}");
    assert_eq!(plan.whole_text(), format!("runs the functions\n  {long}\n"));
}

#[test]
fn commands_are_the_last_lines_of_a_long_question() {
    let functions = (0..500).map(|number| Part::Function(format!("shop.f{number:03}")));
    let text = Plan::of(functions.chain([files(&["sh", "-c", "curl x | sh"])])).text();
    assert!(
        text.ends_with(
            "  shop.f029\n  … and 470 more; `nodewise run` with `--dry-run` lists all\nstarts\n  MCP server `files`: sh -c 'curl x | sh'  with TOKEN\nin all: 500 functions, 1 command\n"
        ),
        "{text}"
    );
}

#[test]
fn variables_and_headers_push_nothing_off_the_screen() {
    let many = |word: &str| (0..500).map(|number| format!("{word}{number:03}")).collect::<Vec<String>>();
    let plan = Plan::of([
        Part::Address {
            what: "spans".to_owned(),
            url: "http://u".to_owned(),
            key: None,
            headers: many("h").into_iter().map(|name| (name, "S".to_owned())).collect(),
        },
        Part::Command { what: "c".to_owned(), command: vec!["p".to_owned()], variables: many("V") },
    ]);
    let text = plan.text();
    assert!(text.contains("  with the header `h003` from S  … and 496 more\n"), "{text}");
    assert!(
        text.ends_with("  c: p  with V000, V001, V002, V003, … and 496 more\nin all: 1 address, 1 command\n"),
        "{text}"
    );
    assert!(plan.whole_text().contains("V499"));
}

#[test]
fn what_was_allowed_is_not_asked_again_and_anything_else_is() {
    let (state, project, other) = (Folder::new(), Folder::new(), Folder::new());
    let trust = Trust::in_folder(&state.0.join("nodewise"));
    assert!(!trust.is_given(&project.0, &usual()).unwrap());
    assert_eq!(trust.missing(&project.0, &usual()).unwrap(), usual());
    assert!(trust.is_given(&project.0, &Plan::default()).unwrap());
    assert!(!state.0.join("nodewise").exists(), "asking writes nothing");

    trust.give(&project.0, &usual()).unwrap();
    assert!(trust.is_given(&project.0, &usual()).unwrap());
    assert!(trust.is_given(&project.0.join("."), &usual()).unwrap());
    assert!(trust.is_given(&project.0, &Plan::of([models("http://localhost:8000/v1")])).unwrap());
    assert!(!trust.is_given(&other.0, &usual()).unwrap(), "another project");
    for changed in [
        models("http://localhost:8000/v2"),
        files(&["npx", "-y", "a server", "its"]),
        files(&["npx", "-y", "a", "server", "it's"]),
        Part::Function("os.system".to_owned()),
    ] {
        let mut plan = usual();
        plan.add(changed.clone());
        assert_eq!(trust.missing(&project.0, &plan).unwrap(), Plan::of([changed]));
    }
    // A second run of the project needs something else; the first one's is still allowed.
    trust.give(&project.0, &Plan::of([models("http://localhost:8000/v2")])).unwrap();
    trust.give(&other.0, &usual()).unwrap();
    assert!(trust.is_given(&project.0, &usual()).unwrap() && trust.is_given(&other.0, &usual()).unwrap());
    assert_eq!(std::fs::read_dir(&project.0).unwrap().count(), 0, "nothing is kept in the project");
    let mut left: Vec<OsString> = std::fs::read_dir(state.0.join("nodewise"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["trust.json", "trust.json.lock"]);
}

#[test]
fn what_changed_is_asked_with_what_it_was() {
    let (state, project) = (Folder::new(), Folder::new());
    let trust = Trust::in_folder(&state.0);
    let plan = |path: &str, content: &str, hash: &str| {
        Plan::of([
            Part::setting("python_path", path),
            Part::setting("spans contain prompts and answers", content),
            Part::File { path: "office.py".to_owned(), sha256: hash.repeat(8) },
        ])
    };
    trust.give(&project.0, &plan("", "no", "01234567")).unwrap();
    assert!(trust.is_given(&project.0, &plan("", "no", "01234567")).unwrap());
    assert_eq!(
        trust.missing(&project.0, &plan("other", "yes", "89abcdef")).unwrap().text(),
        "\
uses these files as they are now (SHA-256)
  office.py: 89abcdef89ab  (before: 012345670123)
with the settings
  python_path: other  (before: nothing)
  spans contain prompts and answers: yes  (before: no)
in all: 1 file, 2 settings
"
    );
    trust.give(&project.0, &plan("other", "yes", "89abcdef")).unwrap();
    assert!(trust.is_given(&project.0, &plan("other", "yes", "89abcdef")).unwrap());
    assert!(
        !trust.is_given(&project.0, &plan("", "no", "01234567")).unwrap(),
        "what was before is allowed no more"
    );
}

#[test]
fn a_permission_of_the_first_version_leads_to_one_question() {
    let (state, project) = (Folder::new(), Folder::new());
    let trust = Trust::in_folder(&state.0);
    let name = std::fs::canonicalize(&project.0).unwrap();
    let old =
        serde_json::json!({"version": 1, "folders": {name.to_str().unwrap(): [{"function": "shop.search"}]}});
    std::fs::write(state.0.join("trust.json"), old.to_string()).unwrap();
    let text = trust.missing(&project.0, &usual()).unwrap().text();
    assert!(text.starts_with("your earlier permission did not cover settings and files"), "{text}");
    trust.give(&project.0, &usual()).unwrap();
    assert!(trust.is_given(&project.0, &usual()).unwrap());
}

#[test]
fn a_permission_can_be_taken_back() {
    let (state, project, other) = (Folder::new(), Folder::new(), Folder::new());
    let trust = Trust::in_folder(&state.0);
    trust.give(&project.0, &usual()).unwrap();
    trust.give(&other.0, &usual()).unwrap();
    assert_eq!(trust.given().unwrap().len(), 2);
    assert_eq!(trust.take_back(Some(&project.0.join("."))).unwrap(), 1);
    assert!(!trust.is_given(&project.0, &usual()).unwrap() && trust.is_given(&other.0, &usual()).unwrap());
    assert_eq!(trust.take_back(Some(&project.0)).unwrap(), 0);
    assert_eq!(trust.take_back(None).unwrap(), 1);
    assert!(trust.given().unwrap().is_empty());
}

#[test]
fn a_damaged_record_allows_nothing() {
    let (state, project) = (Folder::new(), Folder::new());
    let trust = Trust::in_folder(&state.0);
    trust.give(&project.0, &usual()).unwrap();
    let text = std::fs::read_to_string(state.0.join("trust.json")).unwrap();
    for damaged in ["", "{", "[]", &text.replace("\"version\": 2", "\"version\": 3")] {
        std::fs::write(state.0.join("trust.json"), damaged).unwrap();
        assert!(!trust.is_given(&project.0, &usual()).unwrap(), "{damaged}");
    }
    trust.give(&project.0, &usual()).unwrap();
    assert!(trust.is_given(&project.0, &usual()).unwrap());
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let (state, project) = (Folder::new(), Folder::new());
    Trust::in_folder(&state.0).give(&project.0, &usual()).unwrap();
    let mode = std::fs::metadata(state.0.join("trust.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
