//! The reports of `check` for other programs, and several of them in one run.

use serde_json::Value;

use crate::cli::support::{Folder, check_run, check_shown};

const BROKEN: &str = "
#- agents/chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools:
  - get_wether
#- tools.yaml
kind: ToolNode
name: get_weather
description: Weather
func: w.get
";

const CLEAN: &str = "
#- tools.yaml
kind: ToolNode
name: get_weather
description: Weather
func: w.get
";

#[test]
fn github_gets_annotations() {
    check_run(
        BROKEN,
        "check --format github",
        "
::error file=agents/chat.yaml,line=5,endLine=5,col=5,endColumn=15,title=nodewise unknown-tool::no tool is named `get_wether`%0Ahelp: write `get_weather`, which is declared
exit 1
",
    );
    check_run(CLEAN, "check --format github", "exit 0\n");
}

#[test]
fn agents_get_a_line_a_finding() {
    check_run(
        BROKEN,
        "check --format agent",
        "
agents/chat.yaml
  5:5 error unknown-tool: no tool is named `get_wether`; nothing in the project declares it; write `get_weather`, which is declared; unsafe fix: Replace it with `get_weather`
1 error in 2 files (2 declarations)
exit 1
",
    );
}

#[test]
fn build_servers_get_cases() {
    check_run(
        BROKEN,
        "check --format junit",
        "
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"nodewise\" tests=\"1\" failures=\"1\" errors=\"0\">
  <testsuite name=\"agents/chat.yaml\" tests=\"1\" failures=\"1\" errors=\"0\">
    <testcase name=\"unknown-tool at 5:5\" classname=\"agents/chat.yaml\">
      <failure message=\"no tool is named `get_wether`\" type=\"error\">agents/chat.yaml:5:5: no tool is named `get_wether`
help: write `get_weather`, which is declared</failure>
    </testcase>
  </testsuite>
</testsuites>
exit 1
",
    );
    check_run(
        CLEAN,
        "check --format junit",
        "
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"nodewise\" tests=\"1\" failures=\"0\" errors=\"0\">
  <testsuite name=\"nodewise\" tests=\"1\" failures=\"0\" errors=\"0\">
    <testcase name=\"No problems in 1 file (1 declaration)\" classname=\"nodewise\"/>
  </testsuite>
</testsuites>
exit 0
",
    );
}

#[test]
fn gitlab_gets_fingerprints_that_stay_when_lines_move() {
    let folder = Folder::new(BROKEN);
    let fingerprint = |folder: &Folder| {
        let found = folder.run("check --format gitlab");
        let report: Value = serde_json::from_str(found.trim_end().strip_suffix("exit 1").unwrap()).unwrap();
        assert_eq!(report.as_array().unwrap().len(), 1);
        assert_eq!(report[0]["check_name"], "unknown-tool");
        assert_eq!(report[0]["severity"], "major");
        assert_eq!(report[0]["location"]["path"], "agents/chat.yaml");
        (
            report[0]["fingerprint"].as_str().unwrap().to_owned(),
            report[0]["location"]["lines"]["begin"].clone(),
        )
    };
    let (before, line) = fingerprint(&folder);
    let text = folder.read("agents/chat.yaml");
    folder.write("agents/chat.yaml", format!("# A comment.\n\n{text}"));
    let (after, moved) = fingerprint(&folder);
    assert_eq!(before, after);
    assert_eq!((line, moved), (Value::from(5), Value::from(7)));
}

#[test]
fn sarif_has_rules_places_and_fixes() {
    let found = Folder::new(BROKEN).run("check --format sarif");
    let log: Value = serde_json::from_str(found.trim_end().strip_suffix("exit 1").unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results: Vec<&Value> =
        run["results"].as_array().unwrap().iter().filter(|one| one["level"] == "error").collect();
    let [result] = results.as_slice() else { panic!("{results:?}") };
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "unknown-tool");
    assert_eq!(result["taxa"].to_string(), r#"[{"id":"unresolved-tool","toolComponent":{"name":"liman"}}]"#);
    let taxonomy = &run["taxonomies"][0];
    assert_eq!(taxonomy["name"], "liman");
    let classes = taxonomy["taxa"].as_array().unwrap();
    let class = classes.iter().find(|class| class["id"] == "unresolved-tool").unwrap();
    let link = class["helpUri"].as_str().unwrap();
    assert!(link.ends_with("/docs/spec/liman.md#unresolved-tool"), "{link}");
    assert_eq!(
        result["locations"].to_string(),
        r#"[{"physicalLocation":{"artifactLocation":{"uri":"agents/chat.yaml","uriBaseId":"%SRCROOT%"},"region":{"startLine":5,"startColumn":5,"endLine":5,"endColumn":15,"byteOffset":64,"byteLength":10}}}]"#
    );
    assert_eq!(
        result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
        "get_weather"
    );
}

#[test]
fn several_reports_are_written_in_one_run() {
    let folder = Folder::new(BROKEN);
    let shown =
        folder.run("check --format sarif -o report.sarif --format concise --format junit -o junit.xml");
    let concise = "agents/chat.yaml:5:5: error[unknown-tool] no tool is named `get_wether`\n";
    check_shown(&shown, &format!("{concise}1 error in 2 files (2 declarations)\nexit 1\n"));
    assert!(folder.read("report.sarif").starts_with("{\"$schema\""));
    assert!(folder.read("junit.xml").starts_with("<?xml"));
}

#[test]
fn reports_without_a_place_are_refused() {
    let folder = Folder::new(BROKEN);
    let two = folder.run("check --format sarif --format junit");
    check_shown(
        &two,
        "! error: two formats would go to standard output\n!   help: add `-o FILE` after one of them\nexit 2\n",
    );
    let shown = folder.run("check -o a.txt -o b.txt");
    assert!(shown.starts_with("! error: `-o` needs a `--format` before it\n"), "{shown}");
}
