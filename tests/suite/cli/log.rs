//! What is said beside results: the log, more with `-v`, less with `-q`, and what a report of a fault begins with.

use crate::cli::support::{Folder, check_run};

const FILES: &str = "
#- nodewise.toml
#- a.yaml
kind: Node
name: n
func: f.n
nodes:
  - {target: n, when: \"a;\"}
";

/// Holds the lines of a log, without their times, against what is expected.
#[track_caller]
fn check_log(log: &str, expected: &[&str]) {
    // A machine that has much to do may be slow at anything.
    let lines = log.lines().filter(|line| !line.contains(" WARN slow: "));
    let found: Vec<&str> = lines.map(|line| line.get(24..).unwrap_or(line)).collect();
    assert_eq!(found.len(), expected.len(), "{log}");
    for (found, expected) in found.iter().zip(expected) {
        let (begin, end) = expected.split_once('…').unwrap_or((expected, ""));
        assert!(found.starts_with(begin) && found.ends_with(end), "found:\n{found}\nexpected:\n{expected}");
    }
}

/// What a command line says on standard error.
fn errors(folder: &Folder, words: &str) -> String {
    let output = folder.command(words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{words}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn verbose_says_what_is_done_and_how_long_it_takes() {
    let folder = Folder::new(FILES);
    let expected = [
        "  INFO `nodewise check` begins version=0.1.0 process=…",
        "  INFO a project root=… has_config=true files=1, in find files",
        "  INFO find files took …s",
        "  INFO read and parse files{files=1} took …s",
        "  INFO index files took …s",
        "  INFO judge files took …s",
    ];
    check_log(&errors(&folder, "check -v"), &expected);
    check_log(&errors(&folder, "check --log-level info"), &expected);
    check_log(&errors(&folder, "-v check"), &expected);
}

#[test]
fn twice_verbose_names_the_files() {
    let errors = errors(&Folder::new(FILES), "check -vv");
    for expected in [" DEBUG parse{file=a.yaml} took ", " DEBUG judge{file=a.yaml} took "] {
        assert!(errors.contains(expected), "{errors}");
    }
    assert!(!errors.contains("rule{"), "{errors}");
}

#[test]
fn a_log_in_a_file_leaves_standard_error_alone() {
    let folder = Folder::new(FILES);
    assert_eq!(errors(&folder, "check --log nodewise.log"), "");
    let first = folder.read("nodewise.log").lines().count();
    assert_eq!(errors(&folder, "check --log nodewise.log --log-level trace"), "");
    let log = folder.read("nodewise.log");
    assert!(log.lines().count() > 2 * first, "{log}");
    assert!(log.contains("judge{file=a.yaml} > rule{rule=trailing-semicolon} took "), "{log}");
    let nowhere = folder.run("check --log nowhere/nodewise.log");
    assert!(nowhere.contains("! error: the log cannot be written to `nowhere/nodewise.log`: "), "{nowhere}");
    assert!(nowhere.ends_with("exit 2\n"), "{nowhere}");
}

#[test]
fn the_variable_asks_for_a_log_too() {
    let folder = Folder::new(FILES);
    let with = |words: &str| folder.command("check").env("NODEWISE_LOG", words).output().unwrap();
    let errors = |words: &str| String::from_utf8(with(words).stderr).unwrap();
    assert!(errors("info").contains(" INFO judge files took "));
    assert!(!errors("nodewise_project=info").contains("judge files"));
    assert_eq!(errors("off"), "");
    assert_eq!(errors("hyper=trace"), "");
    let refused = with("loud");
    assert_eq!(refused.status.code(), Some(2));
    let expected = "error: `loud` in `NODEWISE_LOG` is not a level\n  help: write `error`, ";
    assert!(errors("loud").starts_with(expected), "{}", errors("loud"));
}

#[test]
fn quiet_says_results_and_errors_alone() {
    check_run(FILES, "check -q", "exit 0\n");
    check_run(
        FILES,
        "check -q --hints --format concise",
        "
a.yaml:5:25: hint[trailing-semicolon] a trailing `;`: liman_core 0.1.1 rejects it
exit 0
",
    );
    check_run(FILES, "fmt --check -q", "exit 0\n");
    let both = Folder::new(FILES).run("check -q -v");
    assert!(both.contains("cannot be used with"), "{both}");
}

#[test]
fn a_report_of_a_fault_begins_with_the_version() {
    let folder = Folder::new(FILES);
    assert_eq!(folder.run("--version"), "nodewise 0.1.0\nexit 0\n");
    let shown = folder.run("--version --verbose");
    let names: Vec<&str> = shown.lines().filter_map(|line| line.split("  ").next()).collect();
    let expected = [
        "nodewise 0.1.0",
        "commit",
        "built",
        "Rust",
        "features",
        "allocator",
        "Liman",
        "cycgraph",
        "AgentOS",
        "nodewise.toml",
        "exit 0",
    ];
    assert_eq!(names, expected, "{shown}");
    let config = folder.path().canonicalize().unwrap().join("nodewise.toml");
    assert!(shown.contains(&format!("nodewise.toml  {}\n", config.display())), "{shown}");
    assert_eq!(folder.run("--version -v"), shown);
}
