//! Options by the names that people guess; former names still work and are shown nowhere.

use super::support::{Folder, check_run, check_shown};

const FLOW: &str = "#- flow.yaml\nkind: LLMNode\nname: flow\nprompts: {system: {en: x}}\n";

/// Both spellings of a command line show the same, which holds `expected`; a file that both write is the same too.
fn check_spellings(words: &str, former: &str, written: Option<&str>, expected: &str) {
    let (folder, before) = (Folder::new(FLOW), Folder::new(FLOW));
    let shown = folder.run(words);
    check_shown(&before.run(former), &shown);
    let text = written.map_or(shown, |file| {
        assert_eq!(before.read(file), folder.read(file), "{words}");
        folder.read(file)
    });
    assert!(text.contains(expected), "{words}: {text}");
}

#[test]
fn former_names_of_options_still_work() {
    check_spellings(
        "check --format concise --output found.txt --format json",
        "check --format concise --output-file found.txt --format json",
        Some("found.txt"),
        "No problems in 1 file",
    );
    check_spellings("graph --output flow.mmd", "graph --output-file flow.mmd", Some("flow.mmd"), "flowchart");
    check_spellings(
        "man check --output pages",
        "man check --output-dir pages",
        Some("pages/nodewise-check.1"),
        ".TH",
    );
    check_spellings(
        "simulate flow.yaml --limit-run-time 0 --format json",
        "simulate flow.yaml --limit-time 0 --format json",
        None,
        "\"nodes\"",
    );
    check_spellings(
        "simulate flow.yaml --explore --save-scripts scripts",
        "simulate flow.yaml --explore --witnesses scripts",
        Some("scripts/most-visits.script.yaml"),
        "script: ",
    );
}

/// No help of a command shows a former name.
fn check_unseen(command: &str, new: &str, former: &str) {
    let help = Folder::new("").run(&format!("{command} --help"));
    assert!(help.contains(new), "{command} has no {new}: {help}");
    assert!(!help.contains(former), "{command} shows {former}: {help}");
}

#[test]
fn former_names_are_not_shown() {
    check_unseen("check", "--output <FILE>", "--output-file");
    check_unseen("graph", "--output <FILE>", "--output-file");
    check_unseen("test", "--output <FILE>", "--output-file");
    check_unseen("man", "--output <DIR>", "--output-dir");
    check_unseen("simulate", "--limit-run-time <MS>", "--limit-time");
    check_unseen("simulate", "--save-scripts <DIR>", "--witnesses");
}

#[cfg(feature = "live")]
#[test]
fn former_names_of_live_runs_still_work() {
    check_spellings("run flow.yaml --dry-run", "run flow.yaml --dry", None, "exit ");
    check_unseen("run", "--dry-run", "--dry ");
    check_unseen("runs", "delete", "remove");
    check_spellings("runs delete nobody", "runs remove nobody", None, "no runs found here");
}

#[test]
fn without_arguments_it_says_where_to_begin() {
    check_run(
        "",
        "",
        "\
! nodewise checks, draws and runs files that declare agent workflows (Liman, cycgraph, AgentOS).
!\x20
! Begin in the folder of your files:
!   nodewise check            report problems
!   nodewise graph            draw the graphs
!   nodewise simulate FILE    run a graph without calling models or tools
!\x20
! `nodewise --help` lists all commands, `nodewise COMMAND --help` explains one.
exit 2
",
    );
}
