//! `diff`: versions from git, folders and files.

use std::process::Command;

use crate::cli::support::{Folder, check_run};
use crate::git::git;

const FLOW: &str = "\
id: flow
name: Flow
description: x
nodes:
  - {id: draft, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: send, type: tool, tool_id: mail}
edges:
  - {source: draft, target: send}
start_node: draft
end_nodes: [send]
";

/// A repository with a commit, a branch with another one, and a change that is not committed.
fn repository() -> Folder {
    let folder = Folder::new("");
    git(folder.path(), "init --quiet --initial-branch main");
    folder.write("flows/flow.yaml", FLOW);
    folder.write("flows/nodewise.toml", "");
    folder.write("notes.yaml", "just: notes\n");
    git(folder.path(), "add .");
    git(folder.path(), "commit --quiet -m one");
    git(folder.path(), "checkout --quiet -b more");
    folder.write("flows/flow.yaml", FLOW.replace("tool_id: mail", "tool_id: post"));
    git(folder.path(), "commit --quiet -a -m two");
    folder.write("flows/flow.yaml", FLOW.replace("tool_id: mail", "tool_id: fax"));
    folder
}

#[track_caller]
fn check_in_repository(words: &str, expected: &str) {
    assert_eq!(repository().run(words).trim(), expected.trim());
}

#[test]
fn the_last_commit_is_compared_with_the_working_tree() {
    let expected = "
~ graph `flow`  flows/flow.yaml:1
  ~ node `send`
      grant `tool_id`: `post` -> `fax`

1 change in 1 declaration
exit 0";
    check_in_repository("diff", expected);
    check_in_repository("diff HEAD", expected);
    check_in_repository("diff --exit-code", &expected.replace("exit 0", "exit 1"));
}

#[test]
fn two_revisions_are_compared() {
    let expected = "
~ graph `flow`  flows/flow.yaml:1
  ~ node `send`
      grant `tool_id`: `mail` -> `post`

1 change in 1 declaration
exit 0";
    for words in ["diff main more", "diff main..more", "diff main...", "diff HEAD~1 HEAD"] {
        check_in_repository(words, expected);
    }
    check_in_repository("diff more more --exit-code", "no changes in meaning\nexit 0");
}

#[test]
fn only_what_is_in_the_paths_is_reported() {
    let folder = repository();
    folder.write("desk/desk.yaml", FLOW.replace("flow", "desk"));
    let (flow, desk) = (
        "\
~ graph `flow`  flows/flow.yaml:1
  ~ node `send`
      grant `tool_id`: `post` -> `fax`

1 change in 1 declaration
exit 0
",
        "\
+ graph `desk`  desk/desk.yaml:1

1 change in 1 declaration
exit 0
",
    );
    for words in ["diff -- flows", "diff HEAD -- flows/flow.yaml", "diff -- ./flows/../flows/"] {
        assert_eq!(folder.run(words), flow, "{words}");
    }
    assert_eq!(folder.run("diff -- desk"), desk);
    assert_eq!(folder.run("diff main more -- flows/flow.yaml").lines().count(), flow.lines().count());
    assert_eq!(folder.run("diff -- flow"), "! error: neither version has a file in `flow`\nexit 2\n");
    assert_eq!(
        folder.run("diff -- ../elsewhere"),
        "! error: `../elsewhere` is outside of the repository\nexit 2\n"
    );
}

#[test]
fn nothing_of_a_revision_is_left_behind() {
    let folder = repository();
    let temporary = Folder::new("");
    let mut command = folder.command("diff main more");
    assert!(command.env("TMPDIR", temporary.path()).status().unwrap().success());
    assert_eq!(temporary.path().read_dir().unwrap().count(), 0);
}

#[test]
fn what_is_no_version_is_refused() {
    check_in_repository(
        "diff nowhere",
        "
! error: `nowhere` is no revision, no folder and no file
!   help: `git log --oneline` lists revisions
exit 2",
    );
    let folder = repository();
    folder.write("main/x.yaml", "");
    assert_eq!(
        folder.run("diff main"),
        "\
! error: `main` is a revision and a path
!   help: write `./main` for the path, or `refs/heads/main` for the branch
exit 2
"
    );
    check_in_repository(
        "diff flows",
        "
! error: there is nothing to compare `flows` with
!   help: name a second file or folder, or a revision of git first
exit 2",
    );
}

const FOLDERS: &str = "
#- old/a.yaml
id: writer
name: Writer
model: small
provider: anthropic
system_prompt: Write.
#- new/b.yaml
{id: writer, name: Writer, model: large, provider: anthropic, system_prompt: Write.}
";

#[test]
fn folders_and_files_are_compared() {
    let expected = "
~ agent `writer`  b.yaml:1
  model `model`: `small` -> `large`

1 change in 1 declaration
exit 0
";
    check_run(FOLDERS, "diff old new", expected);
    check_run(FOLDERS, "diff old/a.yaml new/b.yaml", expected);
}

#[test]
fn programs_read_json() {
    check_run(
        FOLDERS,
        "diff old new --format json",
        r#"
{"version":1,"count":1,"declarations":[{"noun":"agent","name":"writer","word":null,"change":"changed","former":null,"base":{"path":"a.yaml","line":1},"head":{"path":"b.yaml","line":1},"fields":[{"topic":"model","path":"model","before":["small"],"after":["large"],"isItems":false,"at":{"path":"b.yaml","line":1}}],"parts":[],"system":"cycgraph"}],"scenarios":{"compared":0,"changed":[]}}
exit 0
"#,
    );
}

#[test]
fn a_pull_request_gets_markdown() {
    let folder = Folder::new("");
    folder.write("old.yaml", FLOW);
    folder.write("new.yaml", FLOW.replace("tool_id: mail}", "tool_id: mail, budget: {max_tokens: 5}}"));
    assert_eq!(
        folder.run("diff old.yaml new.yaml --format markdown"),
        "\
**1 change in 1 declaration**

### Changed graph `flow`

cycgraph, `new.yaml:1`

```mermaid
flowchart TD
  n0[\"draft<br/>agent\"]
  n1[\"send<br/>tool\"]
  n0 --> n1
  classDef changed fill:#fdf0c8,stroke:#9a6700,stroke-width:2px,color:#3d2a00
  class n1 changed
```

- changed node `send`
  - budget `budget`: added `5`
exit 0
"
    );
}

const DESK: &str = "
#- old/flow.yaml
id: flow
name: Flow
description: x
nodes:
  - {id: draft, type: router}
  - {id: check, type: router}
  - {id: send, type: router}
edges:
  - {source: draft, target: send}
  - {source: check, target: send}
start_node: draft
end_nodes: [send]
#- old/a.scenario.yaml
scenario: it is sent
file: flow.yaml
expect: {status: completed}
";

/// A project in two versions, with the same files in both but for the edits of the graph.
fn desk(edits: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(DESK);
    let mut flow = folder.read("old/flow.yaml");
    for (before, after) in edits {
        flow = flow.replace(before, after);
    }
    folder.write("new/flow.yaml", flow);
    folder.write("new/a.scenario.yaml", folder.read("old/a.scenario.yaml"));
    folder
}

#[test]
fn scenarios_run_on_both_versions() {
    let found = desk(&[("{source: draft, target: send}", "{source: draft, target: check}")])
        .run("diff old new --exit-code");
    assert_eq!(
        found,
        "\
~ graph `flow`  flow.yaml:1
  ~ edge `draft -> send` is now `draft -> check`

1 change in 1 declaration
1 of 1 scenarios takes another path
  scenario `it is sent`  a.scenario.yaml:1
    after `draft` comes `check`, before it was `send`
exit 1
"
    );
    let renamed = desk(&[
        ("id: draft", "id: write"),
        ("source: draft", "source: write"),
        ("start_node: draft", "start_node: write"),
    ]);
    assert_eq!(
        renamed.run("diff old new"),
        "\
~ graph `flow`  flow.yaml:1
  ~ node `draft` is now `write`

1 change in 1 declaration
the scenario takes the same path
exit 0
"
    );
    assert!(!renamed.run("diff old new --no-scenarios").contains("scenario takes"));
}

/// A repository whose branches `main` and `more` have other versions of one file, and the driver of nodewise.
fn branches(ours: &str, theirs: &str) -> Folder {
    let folder = Folder::new("");
    git(folder.path(), "init --quiet --initial-branch main");
    folder.write(".gitattributes", "*.yaml merge=nodewise\n");
    let driver = format!(
        "\n[merge \"nodewise\"]\n\tdriver = '{}' merge --marker-size %L %O %A %B %P\n",
        env!("CARGO_BIN_EXE_nodewise")
    );
    folder.write(".git/config", folder.read(".git/config") + &driver);
    folder.write("flow.yaml", FLOW);
    git(folder.path(), "add .");
    git(folder.path(), "commit --quiet -m one");
    git(folder.path(), "checkout --quiet -b more");
    folder.write("flow.yaml", theirs);
    git(folder.path(), "commit --quiet -a -m theirs");
    git(folder.path(), "checkout --quiet main");
    folder.write("flow.yaml", ours);
    git(folder.path(), "commit --quiet -a -m ours");
    folder
}

#[test]
fn git_merges_by_meaning() {
    let ours = FLOW.replace("tool_id: mail}", "tool_id: post}  # by post");
    let theirs = FLOW.replace("tool_id: mail}", "tool_id: mail, read_keys: [draft]}");
    let folder = branches(&ours, &theirs);
    git(folder.path(), "merge --quiet --no-edit more");
    let both = FLOW.replace("tool_id: mail}", "tool_id: post, read_keys: [draft]}  # by post");
    assert_eq!(folder.read("flow.yaml"), both);
}

#[test]
fn a_conflict_has_markers_and_a_reason() {
    let (ours, theirs) =
        (FLOW.replace("tool_id: mail", "tool_id: post"), FLOW.replace("tool_id: mail", "tool_id: fax"));
    let folder = branches(&ours, &theirs);
    let mut command = Command::new("git");
    let output = command.args(["merge", "--no-edit", "more"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let shown =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let reason = "flow.yaml: conflict in `nodes.send.tool_id`: both sides changed it, each in another way";
    assert!(shown.contains(reason), "{shown}");
    let text = folder.read("flow.yaml");
    assert!(text.contains("<<<<<<< ours\n") && text.contains(">>>>>>> theirs\n"), "{text}");
}

#[test]
fn three_files_are_merged_without_git() {
    let folder = Folder::new("");
    folder.write("base.yaml", FLOW);
    folder.write("ours.yaml", FLOW.replace("name: Flow", "name: Our flow"));
    folder.write("theirs.yaml", FLOW.replace("description: x", "description: later"));
    let both = FLOW.replace("name: Flow", "name: Our flow").replace("description: x", "description: later");
    assert_eq!(folder.run("merge base.yaml ours.yaml theirs.yaml --print"), format!("{both}exit 0\n"));
    folder.run("merge base.yaml ours.yaml theirs.yaml");
    assert_eq!(folder.read("ours.yaml"), both);
    let missing = folder.run("merge base.yaml ours.yaml none.yaml");
    assert!(
        missing.starts_with("! error: `none.yaml` cannot be read") && missing.ends_with("exit 2\n"),
        "{missing}"
    );
}
