//! `check --list-files`: every file with what decided about it.

use crate::cli::support::{Folder, check_run};

const FILES: &str = "
#- nodewise.toml
[files]
exclude = [\"legacy/\", \"*.draft.yaml\"]
max_size_mib = 1
[dialect]
\"chosen/**\" = \"liman\"
\"other/**\" = \"none\"
#- .gitignore
build/
secret.yaml
#- agents/planner.yaml
# The one that plans.
kind: LLMNode
name: planner
---
kind: ToolNode
name: search
---
kind: ToolNode
name: find
#- agents/near.yaml
kind: LLMNod
name: planner
#- chosen/a.yaml
name: a
#- other/a.yaml
kind: LLMNode
#- flow.script.yaml
answers: []
#- empty.yaml
# nothing
#- notes.yaml
title: Notes
#- package.json
{\"name\": \"x\"}
#- legacy/old.yaml
kind: LLMNode
#- new.draft.yaml
kind: LLMNode
#- build/made.yaml
kind: LLMNode
#- secret.yaml
kind: LLMNode
#- README.md
# kind: LLMNode
#- nodewise-baseline.json
{}
";

#[test]
fn each_file_says_what_decided() {
    check_run(
        FILES,
        "check --list-files",
        "
agents/near.yaml: liman (LLMNode): `kind` in the document at line 1 is close to a known value; project . by nodewise.toml
agents/planner.yaml: liman (LLMNode, 2 ToolNode): `kind: LLMNode` in the document at line 2; project . by nodewise.toml
build/: skipped: ignored by `build/` in .gitignore
chosen/a.yaml: liman (document of unknown kind): chosen by `[dialect]` in nodewise.toml; project . by nodewise.toml
empty.yaml: skipped: it has no document
flow.script.yaml: scenario (Script): the name ends with `.script.yaml`; project . by nodewise.toml
legacy/: skipped: excluded by `legacy/` in nodewise.toml
new.draft.yaml: skipped: excluded by `*.draft.yaml` in nodewise.toml
nodewise-baseline.json: skipped: it is a baseline
notes.yaml: skipped: no known system has such documents
other/a.yaml: skipped: chosen by `[dialect]` in nodewise.toml
package.json: skipped: no known system has such documents
secret.yaml: skipped: ignored by `secret.yaml` in .gitignore
4 files read, 9 skipped
exit 0
",
    );
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = Folder::new("#- nodewise.toml\n[files]\nmax_size_mib = 1\n");
    folder.write("binary.yaml", [0, 1, 2]);
    folder.write("latin.yaml", b"name: caf\xe9\n");
    folder.write("large.yaml", "# ".repeat(600_000));
    let found = folder.run("check --list-files -q");
    let expected = "\
binary.yaml: skipped: a binary file, not text
large.yaml: skipped: larger than 1 MiB; not read
latin.yaml: skipped: ";
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn a_file_that_is_named_brings_its_project() {
    let files = "
#- nodewise.toml
#- a.yaml
kind: Node
name: a
#- deep/b.yaml
kind: Node
name: b
#- deep/inner/nodewise.toml
#- deep/inner/c.yaml
kind: Node
name: c
";
    check_run(
        files,
        "check --list-files deep/b.yaml",
        "
a.yaml: liman (Node): `kind: Node` in the document at line 1; project . by nodewise.toml, read as context
deep/b.yaml: liman (Node): `kind: Node` in the document at line 1; project . by nodewise.toml
2 files read, 0 skipped
exit 0
",
    );
    check_run(
        files,
        "check --list-files --dialect cycgraph -q deep/inner",
        "
deep/inner/c.yaml: cycgraph (document of unknown kind): chosen by `--dialect`; project deep/inner by deep/inner/nodewise.toml
exit 0
",
    );
}

#[test]
fn programs_get_the_list_as_json() {
    let files = "
#- .gitignore
b.yaml
#- a.yaml
kind: Node
name: a
#- b.yaml
kind: Node
";
    check_run(
        files,
        "check --list-files --format json",
        r#"
{
  "version": 1,
  "files": [
    {
      "file": "a.yaml",
      "system": "liman",
      "kinds": [
        "Node"
      ],
      "why": "`kind: Node` in the document at line 1",
      "project": {
        "folder": ".",
        "config": null
      },
      "context": false
    },
    {
      "file": "b.yaml",
      "system": null,
      "kinds": [],
      "why": "ignored by `b.yaml` in .gitignore",
      "project": null,
      "context": false
    }
  ]
}
exit 0
"#,
    );
    check_run(
        files,
        "check --list-files --format sarif",
        "
! error: `--list-files` does not work with this format
!   help: use `full` or `json`, without `-o`
exit 2
",
    );
}
