//! Files and folders that are not what they should be.

use crate::cli::support::{Folder, check_run, check_shown};

const GOOD: &str = "kind: LLMNode\nname: chat\nprompts: {system: {en: Hi}}\n";

#[test]
fn bytes_that_are_no_text_are_named_and_the_rest_is_checked() {
    let folder = Folder::new("");
    folder.write("binary.yaml", b"kind: \0\x01\x02");
    folder.write("good.yaml", GOOD);
    folder.write("latin.yaml", b"name: caf\xe9\n");
    folder.write("utf16.yaml", [0xff, 0xfe, b'a', 0, b':', 0, b' ', 0, b'1', 0]);
    check_shown(
        &folder.run("check"),
        "
Nothing found in 1 file (1 declaration), 1 other file skipped, 2 paths not read
! error: binary.yaml: a binary file, not text
!   help: exclude it under `[files]` in nodewise.toml, or rename it
! error: latin.yaml: not valid UTF-8 at byte 9
!   help: save the file as UTF-8
exit 2
",
    );
}

#[test]
fn an_empty_file_is_a_finding_beside_declarations() {
    let folder = Folder::new("");
    folder.write("empty.yaml", "");
    folder.write("good.yaml", GOOD);
    check_shown(
        &folder.run("check --format concise"),
        "
empty.yaml:1:1: warning[empty-file] the file holds no document
1 warning in 2 files (1 declaration)
exit 1
",
    );
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let folder = Folder::new(
        "
#- nodewise.toml
[files]
max_size_mib = 1
",
    );
    folder.write("large.yaml", "# x\n".repeat(300_000));
    check_shown(
        &folder.run("check"),
        "
No declarations found, 1 path not read
! error: large.yaml: larger than 1 MiB; not read
!   help: exclude it, or raise `max_size_mib` under `[files]` in nodewise.toml
exit 2
",
    );
}

#[test]
fn a_missing_path_is_named_and_the_rest_is_checked() {
    let folder = Folder::new("");
    folder.write("good.yaml", GOOD);
    check_shown(
        &folder.run("check nowhere good.yaml"),
        "
Nothing found in 1 file (1 declaration), 1 path not read
! error: nowhere: no such file or folder
!   help: check the path
exit 2
",
    );
}

#[test]
fn a_folder_with_the_name_of_a_file_is_remarked() {
    let folder = Folder::new("");
    folder.write("odd.yaml/good.yaml", GOOD);
    check_shown(
        &folder.run("check"),
        "
No problems in 1 file (1 declaration)
! warning: odd.yaml: a folder, not a file
!   help: rename the folder; only files may end in `.yaml`, `.yml` or `.json`
exit 0
",
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_but_not_in_circles() {
    use std::os::unix::fs::symlink;
    let (folder, elsewhere) = (Folder::new(""), Folder::new(""));
    folder.write("sub/good.yaml", GOOD);
    elsewhere.write("far.yaml", GOOD.replace("chat", "far"));
    symlink(folder.path(), folder.path().join("sub/loop")).unwrap();
    symlink(elsewhere.path(), folder.path().join("elsewhere")).unwrap();
    symlink("nowhere", folder.path().join("dangling.yaml")).unwrap();
    symlink("nowhere", folder.path().join("dangling.txt")).unwrap();
    check_shown(
        &folder.run("check"),
        "
Nothing found in 1 file (1 declaration), 1 path not read
! error: dangling.yaml: a broken link
!   help: remove the link, or create its target
! warning: elsewhere: a link that leads out of the project; not followed
!   help: add `--follow-links` to follow it, or exclude it
! warning: sub/loop: a link to a parent folder; not followed
!   help: remove the link, or exclude it
exit 2
",
    );
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("");
    folder.write("closed.yaml", GOOD);
    let path = folder.path().join("closed.yaml");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    check_shown(
        &folder.run("check"),
        "
No declarations found
! error: closed.yaml: no permission to read it
!   help: change its permissions, or exclude it
exit 2
",
    );
}

/// A text whose aliases, written out, are larger than any memory.
fn alias_bomb(first: &str, level: impl Fn(&str) -> String) -> String {
    let mut text = format!("kind: Node\na0: &a0 {first}\n");
    for number in 1..30 {
        text.push_str(&format!("a{number}: &a{number} {}\n", level(&format!("*a{}", number - 1))));
    }
    text
}

#[cfg(unix)]
#[test]
fn hostile_nesting_and_aliases_end_soon() {
    let folder = Folder::new("");
    folder.write("deep/x.yaml", format!("kind: Node\nname: {}", "[".repeat(100_000)));
    folder.write("lists/x.yaml", alias_bomb("[x]", |alias| format!("[{alias}, {alias}, {alias}, {alias}]")));
    folder.write(
        "maps/x.yaml",
        alias_bomb("{x: x}", |alias| format!("{{a: {alias}, b: {alias}, c: {alias}}}")),
    );
    check_within_limits(&folder, &["deep/x.yaml", "lists/x.yaml", "maps/x.yaml"]);
}

#[cfg(unix)]
#[test]
fn long_files_of_faults_end_soon() {
    const LINES: usize = 20_000;
    let folder = Folder::new("");
    let node = "kind: Node\nname: n\nfunc: a.b\n";
    let keys: String = (0..LINES).map(|number| format!("k{number}: 1\n")).collect();
    folder.write("keys/x.yaml", format!("{node}{keys}"));
    folder.write("same/x.yaml", format!("{node}{}", "k: 1\n".repeat(LINES)));
    folder.write("odd/x.yaml", format!("{node}{}", "    word\n\ttab\n<<<<<<< ours\n".repeat(LINES)));
    folder.write("quotes/x.yaml", format!("{node}{}", "x: \"open\n".repeat(LINES)));
    let silenced = "  - gone  # nodewise: ignore[unknown-node] later\n".repeat(LINES);
    folder.write("comments/x.yaml", format!("{node}nodes:\n  - lost\n{silenced}"));
    let texts: String = (0..LINES).map(|number| format!("  k{number}: {{en: a, de: b}}\n")).collect();
    folder.write("texts/x.yaml", format!("kind: LLMNode\nname: m\ntools: [lost]\nprompts:\n{texts}"));
    let files = ["keys", "same", "odd", "quotes", "comments", "texts"].map(|name| format!("{name}/x.yaml"));
    check_within_limits(&folder, &files.each_ref().map(String::as_str));
}

/// Checks files, each with problems, within 4 GB and a minute of processor time.
#[cfg(unix)]
fn check_within_limits(folder: &Folder, files: &[&str]) {
    for file in files {
        let mut command = std::process::Command::new("sh");
        let limited = "ulimit -v 4000000; ulimit -t 60; exec \"$0\" check --format concise \"$1\"";
        command.args(["-c", limited, env!("CARGO_BIN_EXE_nodewise"), file]).current_dir(folder.path());
        let output = command.output().unwrap();
        let shown = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{file}: {:?} {shown}", output.status);
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    let shown = Folder::new("").run("check --formt json");
    assert!(shown.contains("a similar argument exists: '--format'"), "{shown}");
    assert!(shown.ends_with("exit 2\n"), "{shown}");
    check_run(
        "",
        "check --stdin-filename x.yaml",
        "
! error: `--stdin-filename` needs standard input
!   help: add `-` to the paths
exit 2
",
    );
    check_run(
        "",
        "check --config missing.toml",
        "
! error: `missing.toml` cannot be read: No such file or directory (os error 2)
exit 2
",
    );
}

const FOREIGN: &str = "
#- a.yaml
foo: 1
#- broken.yaml
foo: [1, 2
bar: }
#- broken.json
{\"a\": 1,}
#- twice.yaml
a: 1
a: 2
#- notes.txt
notes: [
";

#[test]
fn a_folder_without_declarations_is_no_success() {
    let shown = "No declarations found, 4 files skipped
! warning: no declarations of Liman, cycgraph, AgentOS found
!   help: check the paths; `nodewise check --list-files` shows why a file is skipped
exit 0
";
    check_run(FOREIGN, "check", shown);
    check_run(FOREIGN, "check -q", "exit 0\n");
}

#[test]
fn a_file_that_is_named_must_parse_whoever_it_belongs_to() {
    let folder = Folder::new(FOREIGN);
    check_shown(
        &folder.run("check --format concise a.yaml broken.yaml broken.json twice.yaml notes.txt"),
        "
broken.json:1:8: error[invalid-json] JSON has no comma behind the last member
broken.yaml:1:6: error[invalid-yaml] `[` is not closed
broken.yaml:2:1: error[invalid-yaml] this line's indentation fits no open collection
3 errors in 2 files (0 declarations), 3 other files skipped
exit 1
",
    );
    // Nobody asked to change what others read.
    folder.run("check --fix --unsafe-fixes broken.yaml broken.json");
    assert_eq!(folder.read("broken.json"), "{\"a\": 1,}\n");
    let shown = folder.run_with_input("check - --format concise", "foo: [1\n");
    assert!(shown.starts_with("<stdin>:1:6: error[invalid-yaml]"), "{shown}");
    // Programs that name files do not know whose they are.
    check_shown(
        &folder.run("check --force-exclude broken.yaml broken.json"),
        "No declarations found, 2 files skipped\nexit 0\n",
    );
}

#[test]
fn standard_input_may_stand_for_a_file_in_a_folder_that_is_not_there() {
    let shown = Folder::new("").run_with_input("check - --stdin-filename new/chat.yaml", GOOD);
    check_shown(&shown, "No problems in 1 file (1 declaration)\nexit 0\n");
    let shown = Folder::new("").run_with_input("fmt - --stdin-filename new/chat.yaml", GOOD);
    assert!(shown.ends_with("exit 0\n") && !shown.contains("! "), "{shown}");
}

#[test]
fn reports_for_programs_say_that_not_everything_was_read() {
    let folder = Folder::new("");
    folder.write("good.yaml", GOOD);
    folder.write("latin.yaml", b"name: caf\xe9\n");
    assert!(
        folder
            .run("check --format json")
            .contains("\"summary\":{\"files\":1,\"declarations\":1,\"leftAlone\":0,\"unreadable\":1,")
    );
    assert!(folder.run("check --format sarif").contains("\"invocations\":[{\"executionSuccessful\":false}]"));
    assert!(folder.run("check --format sarif good.yaml").contains("[{\"executionSuccessful\":true}]"));
    let cases = folder.run("check --format junit");
    assert!(cases.contains("name=\"Nothing found in 1 file (1 declaration), 1 path not read\""), "{cases}");
}

const LINE: &str = "
#- good.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
";

#[cfg(unix)]
#[test]
fn a_bad_neighbour_is_reported_and_stops_no_command() {
    let folder = Folder::new(LINE);
    folder.write("latin.yaml", b"name: caf\xe9\n");
    std::os::unix::fs::symlink("nowhere", folder.path().join("dangling.yaml")).unwrap();
    let expected = "! warning: dangling.yaml: a broken link
!   help: remove the link, or create its target
! warning: latin.yaml: not valid UTF-8 at byte 9
!   help: save the file as UTF-8
exit 0
";
    folder.write("nodewise.toml", "");
    for command in ["check", "graph", "simulate"] {
        let shown = folder.run(&format!("{command} good.yaml"));
        assert!(shown.ends_with(expected) && shown.len() > expected.len(), "{command}: {shown}");
    }
    // The project's own configuration was asked for with the file: all go on with defaults, and end with 2.
    folder.write("nodewise.toml", "[ruels]\n");
    for command in ["check", "graph", "simulate"] {
        let shown = folder.run(&format!("{command} good.yaml"));
        let expected = "! error: nodewise.toml:1:2: unknown key `ruels`";
        assert!(shown.contains(expected) && shown.ends_with("exit 2\n"), "{command}: {shown}");
        assert!(!shown.starts_with('!'), "{command}: {shown}");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_followed_on_demand_and_never_written_through() {
    use std::os::unix::fs::symlink;
    let (folder, elsewhere) = (Folder::new(LINE), Folder::new(""));
    let far = "kind:   LLMNode\nname: far\nprompts: {system: {en: Hi}}\ntools: [serach]\n";
    elsewhere.write("far.yaml", far);
    let seeker = "---\nkind: LLMNode\nname: seeker\nprompts: {system: {en: Hi}}\ntools: [search]\n";
    let search = format!("kind: ToolNode\nname: search\ndescription: Looks\nfunc: s.s\n{seeker}");
    elsewhere.write("search.yaml", search);
    symlink(elsewhere.path(), folder.path().join("elsewhere")).unwrap();
    symlink(elsewhere.path().join("far.yaml"), folder.path().join("far.yaml")).unwrap();
    check_shown(
        &folder.run("check"),
        "
No problems in 1 file (1 declaration)
! warning: elsewhere: a link that leads out of the project; not followed
!   help: add `--follow-links` to follow it, or exclude it
! warning: far.yaml: a link that leads out of the project; not followed
!   help: add `--follow-links` to follow it, or exclude it
exit 0
",
    );
    let listed = folder.run("check --list-files -q");
    assert!(listed.contains("elsewhere/: skipped: a link that leads out of the project"), "{listed}");
    let shown = folder.run("check --follow-links --format concise");
    assert!(shown.contains("elsewhere/far.yaml:4:9: error[unknown-tool]"), "{shown}");
    assert!(!folder.run("graph -q").contains("far"));
    assert!(folder.run("graph -q --follow-links").contains("far"));
    folder.run("check --fix --unsafe-fixes --follow-links");
    check_shown(
        &folder.run("fmt far.yaml"),
        "
! error: far.yaml: not written, because its link leads out of the project
! 0 files formatted, 0 unchanged
exit 2
",
    );
    assert_eq!(elsewhere.read("far.yaml"), far);
}
