//! `nodewise check --baseline`: what is listed is held back, what is gone is reported.

use serde_json::Value;

use crate::cli::support::{Folder, check_shown};

const DEBT: &str = "
#- agents/chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools:
  - get_wether
  - get_news
#- flow.yaml
id: 0b54a3f2-7c1d-4e7e-9a52-3f8d2c6b1e90
name: f
description: Goes on.
nodes:
  - {id: a, type: router}
edges: []
start_node: a
end_nodes: [a, done]
";

const LISTED: &str = "check --write-baseline --baseline debt.json";

/// A folder with findings, and a baseline that lists them.
fn listed() -> Folder {
    let folder = Folder::new(DEBT);
    check_shown(&folder.run(LISTED), "debt.json: created with 3 findings\nexit 0\n");
    folder
}

#[test]
fn a_baseline_lists_a_finding_a_line() {
    let text = listed().read("debt.json");
    check_shown(
        &text,
        r#"
{
  "version": 2,
  "findings": [
    {"path":"agents/chat.yaml","rule":"unknown-tool","message":"no tool is named `get_news`","fingerprint":"53840a822adfb174"},
    {"path":"agents/chat.yaml","rule":"unknown-tool","message":"no tool is named `get_wether`","fingerprint":"7f10bc646669e5b9"},
    {"path":"flow.yaml","rule":"unknown-node","message":"no node has the id `done`","fingerprint":"9b1a134d2d3b5b29"}
  ]
}
"#,
    );
}

/// A baseline that an earlier release wrote, when rules had other ids.
const FORMER: &str = r#"{
  "version": 1,
  "findings": [
    {"path":"agents/chat.yaml","rule":"unresolved-tool","message":"no tool is named `get_news`","fingerprint":"39423f2cfc42904e"},
    {"path":"agents/chat.yaml","rule":"unresolved-tool","message":"no tool is named `get_wether`","fingerprint":"ffc9158e651ab3b5"},
    {"path":"flow.yaml","rule":"unknown-node","message":"no node has the id `done`","fingerprint":"9b1a134d2d3b5b29"}
  ]
}
"#;

#[test]
fn former_ids_of_rules_still_count() {
    let folder = Folder::new(DEBT);
    folder.write("debt.json", FORMER);
    let seen = "
No problems in 2 files (2 declarations)
3 findings ignored by the baseline
! note: debt.json: `unresolved-tool` is now called `unknown-tool`
!   help: renew it with `nodewise check --write-baseline`
exit 0
";
    check_shown(&folder.run("check --baseline debt.json --strict-baseline"), seen);
    let text = folder.read("agents/chat.yaml");
    let shown = folder.run("check --baseline debt.json --fix --unsafe-fixes");
    assert!(shown.contains("! fixed 0 problems in 0 files\n"), "{shown}");
    assert_eq!(folder.read("agents/chat.yaml"), text);
    check_shown(
        &folder.run(LISTED),
        "
debt.json: 3 findings, 2 added, 2 removed
+ agents/chat.yaml: unknown-tool: no tool is named `get_news`
+ agents/chat.yaml: unknown-tool: no tool is named `get_wether`
- agents/chat.yaml: unresolved-tool: no tool is named `get_news`
- agents/chat.yaml: unresolved-tool: no tool is named `get_wether`
exit 0
",
    );
    assert_eq!(folder.read("debt.json"), listed().read("debt.json"));
}

#[test]
fn an_entry_of_an_earlier_release_stands_for_one_finding_of_its_rule() {
    // One message was another then; one entry names a finding that is gone, by another rule than is found there.
    let former = FORMER
        .replace("unresolved-tool", "unknown-tool")
        .replace("39423f2cfc42904e", "0000000000000001")
        .replace("ffc9158e651ab3b5", "7f10bc646669e5b9")
        .replace("\"rule\":\"unknown-node\"", "\"rule\":\"self-edge\"")
        .replace("9b1a134d2d3b5b29", "0000000000000002");
    let folder = Folder::new(DEBT);
    let text = folder.read("agents/chat.yaml");
    folder.write("agents/chat.yaml", format!("{text}  - get_tram\n"));
    folder.write("debt.json", &former);
    check_shown(
        &folder.run("check --baseline debt.json --format concise"),
        "
agents/chat.yaml:7:5: error[unknown-tool] no tool is named `get_tram`
flow.yaml:8:16: error[unknown-node] no node has the id `done`
2 errors in 2 files (2 declarations)
2 findings ignored by the baseline
! note: debt.json: 1 entry matches only by file and rule, because messages changed
!   help: renew it with `nodewise check --write-baseline`
! note: 1 finding of debt.json no longer occurs
!   help: update it with `nodewise check --write-baseline`
exit 1
",
    );
    // What this release writes is compared exactly.
    folder.write("debt.json", former.replace("\"version\": 1", "\"version\": 2"));
    let shown = folder.run("check --baseline debt.json --format concise");
    assert!(
        shown.contains("get_news") && shown.contains("2 findings of debt.json no longer occur"),
        "{shown}"
    );
}

#[test]
fn what_is_listed_is_neither_reported_nor_counted() {
    let folder = listed();
    check_shown(
        &folder.run("check --baseline debt.json"),
        "No problems in 2 files (2 declarations)\n3 findings ignored by the baseline\nexit 0\n",
    );
    let text = folder.read("agents/chat.yaml");
    folder.write("agents/chat.yaml", format!("# Talks.\n\n{text}  - get_tram\n"));
    check_shown(
        &folder.run("check --baseline debt.json --format concise"),
        "
agents/chat.yaml:9:5: error[unknown-tool] no tool is named `get_tram`
1 error in 2 files (2 declarations)
3 findings ignored by the baseline
exit 1
",
    );
    for format in ["agent", "github", "gitlab", "junit", "sarif", "json"] {
        let shown = folder.run(&format!("check --baseline debt.json --format {format}"));
        assert!(shown.contains("get_tram") && !shown.contains("get_news"), "{shown}");
        assert!(shown.ends_with("exit 1\n"), "{shown}");
    }
}

#[test]
fn a_baseline_is_used_from_any_folder() {
    let folder = listed();
    for (inside, words) in [
        ("agents", "check --baseline ../debt.json .."),
        (".", "check --baseline ./debt.json agents flow.yaml"),
    ] {
        let mut command = folder.command(words);
        let output = command.current_dir(folder.path().join(inside)).output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        check_shown(&shown, "No problems in 2 files (2 declarations)\n3 findings ignored by the baseline\n");
    }
    folder.write("deep/nodewise.toml", "[check]\nbaseline = \"../debt.json\"\n");
    folder.write("deep/a.yaml", "kind: Node\nname: n\nfunc: f.n\nnodes: [q]\n");
    let wrote = folder.run("check --write-baseline --format concise");
    assert!(wrote.contains("cannot be used with"), "{wrote}");
    check_shown(
        &folder.run("check --write-baseline deep"),
        "
deep/../debt.json: 4 findings, 1 added, 0 removed
+ deep/a.yaml: unknown-node: no node is named `q`
exit 0
",
    );
}

#[test]
fn what_is_gone_is_reported() {
    let folder = listed();
    folder.write("agents/chat.yaml", "kind: LLMNode\nname: chat\nprompts: {system: {en: Hi}}\n");
    check_shown(
        &folder.run("check --baseline debt.json"),
        "
No problems in 2 files (2 declarations)
1 finding ignored by the baseline
! note: 2 findings of debt.json no longer occur
!   help: update it with `nodewise check --write-baseline`
exit 0
",
    );
    check_shown(
        &folder.run("check --baseline debt.json --strict-baseline"),
        "
No problems in 2 files (2 declarations)
1 finding ignored by the baseline
! error: agents/chat.yaml: `unknown-tool` no longer occurs: no tool is named `get_news`
! error: agents/chat.yaml: `unknown-tool` no longer occurs: no tool is named `get_wether`
! error: 2 findings of debt.json no longer occur
!   help: update it with `nodewise check --write-baseline`
exit 1
",
    );
    // Nobody asked about what may be gone.
    for words in ["flow.yaml", "--ignore unknown-tool", "--select unknown-node"] {
        let shown = folder.run(&format!("check --baseline debt.json --strict-baseline {words}"));
        assert!(shown.ends_with("exit 0\n") && !shown.contains('!'), "{shown}");
    }
    let shown = folder.run("check --baseline debt.json --format json");
    let (document, _) = shown.split_once("! ").unwrap();
    let document: Value = serde_json::from_str(document).unwrap();
    assert_eq!(
        document["summary"].to_string(),
        r#"{"files":2,"declarations":2,"leftAlone":0,"unreadable":0,"errors":0,"warnings":0,"infos":0,"heldBack":1,"stale":2}"#
    );
    check_shown(
        &folder.run("check --baseline debt.json --write-baseline"),
        "
debt.json: 1 finding, 0 added, 2 removed
- agents/chat.yaml: unknown-tool: no tool is named `get_news`
- agents/chat.yaml: unknown-tool: no tool is named `get_wether`
exit 0
",
    );
    check_shown(
        &folder.run("check --baseline debt.json --write-baseline"),
        "debt.json: 1 finding, 0 added, 0 removed\nexit 0\n",
    );
}

#[test]
fn files_that_are_deleted_are_gone_and_files_that_are_not_asked_for_stay() {
    let folder = listed();
    std::fs::remove_file(folder.path().join("agents/chat.yaml")).unwrap();
    let shown = folder.run("check --baseline debt.json --strict-baseline");
    assert!(
        shown.contains("error: 2 findings of debt.json no longer occur") && shown.ends_with("exit 1\n"),
        "{shown}"
    );
    check_shown(
        &folder.run("check --baseline debt.json --write-baseline flow.yaml"),
        "debt.json: 3 findings, 0 added, 0 removed\nexit 0\n",
    );
}

#[test]
fn a_moved_file_has_other_entries() {
    let folder = listed();
    std::fs::rename(folder.path().join("agents/chat.yaml"), folder.path().join("agents/talk.yaml")).unwrap();
    let shown = folder.run("check --baseline debt.json --format concise");
    assert!(
        shown.contains("2 errors in 2 files (2 declarations)")
            && shown.contains("2 findings of debt.json no longer occur"),
        "{shown}"
    );
    // The fingerprints are those of the old place, so that the path alone is to be fixed.
    let text = folder.read("debt.json").replace("agents/chat.yaml", "agents/talk.yaml");
    folder.write("debt.json", text);
    let shown = folder.run("check --baseline debt.json --strict-baseline");
    assert!(shown.ends_with("exit 0\n"), "{shown}");
}

#[test]
fn each_project_has_its_configured_baseline() {
    let folder = Folder::new(DEBT);
    folder.write("agents/nodewise.toml", "[check]\nbaseline = \"known/debt.json\"\n");
    folder.write("agents/known/.keep", "");
    let shown = folder.run("check");
    assert!(shown.starts_with("! error: agents/known/debt.json: no such baseline"), "{shown}");
    check_shown(
        &folder.run("check --write-baseline"),
        "
nodewise-baseline.json: created with 1 finding
agents/known/debt.json: created with 2 findings
! note: nodewise-baseline.json is not used yet
!   help: set `baseline = \"nodewise-baseline.json\"` under `[check]` in nodewise.toml, or use `--baseline`
exit 0
",
    );
    assert!(folder.read("agents/known/debt.json").contains("{\"path\":\"../chat.yaml\","));
    // A baseline that nobody named holds nothing back, and is no declaration either.
    let shown = folder.run("check --format concise");
    assert!(shown.contains("1 error in 2 files (2 declarations)\n2 findings ignored"), "{shown}");
    let shown = folder.run("check --format concise --no-baseline --dialect cycgraph nodewise-baseline.json");
    check_shown(
        &shown,
        "No declarations found\n! warning: no declarations of Liman, cycgraph, AgentOS found\n!   help: check the paths; `nodewise check --list-files` shows why a file is skipped\nexit 0\n",
    );
    let shown = folder.run("check --format concise --no-baseline");
    assert!(shown.contains("3 errors in 2 files (2 declarations)\nexit 1\n"), "{shown}");
    std::fs::remove_file(folder.path().join("nodewise-baseline.json")).unwrap();
    let shown = folder.run("check --write-baseline --baseline all.json");
    check_shown(&shown, "all.json: created with 3 findings\nexit 0\n");
}

#[test]
fn a_clean_project_gets_no_baseline_unasked() {
    let folder = Folder::new("#- a.yaml\nkind: Node\nname: n\nfunc: f.n\n");
    check_shown(
        &folder.run("check --write-baseline"),
        "nodewise-baseline.json: not created, because there are no findings\nexit 0\n",
    );
    assert!(!folder.path().join("nodewise-baseline.json").exists());
    check_shown(
        &folder.run("check --write-baseline --baseline b.json"),
        "b.json: created with 0 findings\nexit 0\n",
    );
    check_shown(
        &folder.run("check --baseline b.json --strict-baseline"),
        "No problems in 1 file (1 declaration)\nexit 0\n",
    );
}

#[test]
fn hints_are_listed_where_they_are_shown() {
    let folder = Folder::new(
        "
#- a.yaml
id: f
name: f
description: Goes on.
nodes:
  - {id: a, type: agent, agent_id: clerk}
edges: []
start_node: a
end_nodes: [a]
",
    );
    let hints = folder.run("check --hints --format concise");
    assert!(hints.contains("hint["), "{hints}");
    let wrote = folder.run("check --write-baseline --baseline b.json");
    assert!(wrote.starts_with("b.json: created with 0 findings"), "{wrote}");
    let wrote = folder.run("check --write-baseline --baseline b.json --hints");
    assert!(wrote.contains("1 added"), "{wrote}");
    // Without `--hints` they stay.
    let wrote = folder.run("check --write-baseline --baseline b.json");
    assert!(wrote.contains("0 added, 0 removed"), "{wrote}");
    let shown = folder.run("check --baseline b.json --hints");
    assert!(shown.contains("1 finding ignored"), "{shown}");
}

#[test]
fn fixes_leave_alone_what_is_held_back() {
    let folder = Folder::new(
        "
#- chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [get_wether]
#- tools.yaml
kind: ToolNode
name: get_weather
description: Weather
func: w.get
",
    );
    folder.run("check --write-baseline --baseline b.json");
    let text = folder.read("chat.yaml");
    folder.write("chat.yaml", text.replace("[get_wether]", "[get_wether, get_waether]"));
    let shown = folder.run("check --baseline b.json --fix --unsafe-fixes");
    assert!(shown.contains("! fixed 1 problem in 1 file\n") && shown.ends_with("exit 0\n"), "{shown}");
    assert!(folder.read("chat.yaml").contains("tools: [get_wether, get_weather]"));
    let shown = folder.run("check --baseline b.json --diff --unsafe-fixes");
    check_shown(&shown, "exit 0\n");
}

#[test]
fn standard_input_is_held_against_the_file_that_it_stands_for() {
    let folder = listed();
    let text = folder.read("agents/chat.yaml");
    let shown = folder.run_with_input("check --baseline debt.json --stdin-filename agents/chat.yaml -", text);
    check_shown(
        &shown,
        "No problems in 1 file (1 declaration)\n2 findings ignored by the baseline\nexit 0\n",
    );
    let shown = folder.run_with_input("check --baseline debt.json --write-baseline -", "");
    assert!(shown.contains("a baseline cannot list findings of standard input"), "{shown}");
}

#[test]
fn a_baseline_that_cannot_be_read_ends_with_2() {
    let folder = listed();
    folder.write("debt.json", "{\n  \"version\": 1,\n  \"findings\": [oops]\n}\n");
    for words in ["check --baseline debt.json", "check --baseline debt.json --write-baseline"] {
        check_shown(
            &folder.run(words),
            "
! error: debt.json:3:16: expected value
!   help: fix it, or delete it and run `nodewise check --write-baseline`
exit 2
",
        );
    }
    check_shown(
        &folder.run("check --baseline none.json"),
        "
! error: none.json: no such baseline
!   help: check the path, or create it with `--write-baseline`
exit 2
",
    );
    let shown = folder.run("check --baseline agents");
    assert!(
        shown.starts_with("! error: agents: the baseline cannot be read") && shown.ends_with("exit 2\n"),
        "{shown}"
    );
    let shown = folder.run("check --strict-baseline");
    assert!(shown.contains("`--strict-baseline` needs a baseline") && shown.ends_with("exit 2\n"), "{shown}");
    folder.write("debt.json", "{\n  \"version\": 1,\n  \"findings\": []\n}\n");
    folder.write("bad.yaml", [0xff, 0xfe, 0xff]);
    let shown = folder.run("check --baseline debt.json --write-baseline");
    assert!(shown.contains("the baseline is not written") && shown.ends_with("exit 2\n"), "{shown}");
}

#[test]
fn names_that_would_steer_a_terminal_are_escaped() {
    let folder = Folder::new("");
    folder.write("a\u{1b}[31m\u{202e}.yaml", "kind: Node\nname: n\nfunc: f.n\nnodes: [\"\u{2066}q\"]\n");
    let wrote = folder.run("check --write-baseline --baseline b.json");
    assert!(wrote.ends_with("exit 0\n"), "{wrote}");
    let text = folder.read("b.json");
    let harmful = |character: char| {
        character != '\n' && character.is_control() || matches!(character, '\u{202e}' | '\u{2066}')
    };
    assert!(text.contains("\\u202e") && !text.contains(harmful), "{}", text.escape_debug());
    let shown = folder.run("check --baseline b.json");
    assert!(shown.contains("ignored by the baseline"), "{shown}");
    std::fs::remove_file(folder.path().join("a\u{1b}[31m\u{202e}.yaml")).unwrap();
    let shown = folder.run("check --baseline b.json --strict-baseline");
    assert!(shown.contains("no longer occurs") && !shown.contains(harmful), "{}", shown.escape_debug());
}
