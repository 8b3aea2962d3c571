//! `nodewise init`: what it finds, what it writes, and that the other commands are content with it.

use crate::cli::support::{Folder, check_run, check_shown};

/// Two systems, four columns, single quotes, items below their keys; one file has a blank too many.
const MIXED: &str = "
#- liman/desk.yaml
kind: LLMNode
name: desk
prompts:
    system:
        en: 'You are a desk.'
tools:
- search
#- liman/search.yaml
kind: ToolNode
name: search
description:
    en:  'Looks things up.'
func: desk.search
#- cycgraph/graph.yaml
id: 7d1e0c52-5d0b-4a53-9a51-0a2f6c1d9b01
name: Review
description: 'Reads and decides.'
nodes:
- id: read
  type: agent
  agent_id: reader
  read_keys: [goal]
  write_keys: [notes]
edges: []
start_node: read
end_nodes: [read]
#- other/compose.yaml
services:
   web: {image:  x}
";

const CONFIG: &str = r#"# The configuration of nodewise for this folder. Every key is optional; lines that begin with `#` are examples.
# docs/configuration.md of nodewise explains all keys.

[files]
# exclude = ["vendor/**"]        # files to skip, in patterns as in .gitignore

[rules]
# unused-declaration = "off"     # "off", "hint", "warning" or "error"; `nodewise explain` lists the rules

[liman.external]                 # names that your program provides and no file declares
# tools = ["name"]               # tools that the program registers in code
# nodes = ["name"]               # nodes that the program registers in code
# service_accounts = ["name"]    # service accounts that the program registers in code
# credentials_providers = ["name"]  # credentials providers that the program registers in code

[cycgraph.external]              # names that your program provides and no file declares
"#;

#[test]
fn what_is_there_decides() {
    let folder = Folder::new(MIXED);
    check_shown(
        &folder.run("init"),
        "
Liman: 2 declarations in 2 files
cycgraph: 1 declaration in 1 file
format: 1 of 3 files would change
created: nodewise.toml
next:
  nodewise check   reports problems; `--fix` applies safe fixes
  nodewise fmt     formats the files; use `--check` in CI
  docs/ci.md of nodewise shows how to use it with pre-commit, GitHub and GitLab
exit 0
",
    );
    let written = folder.read("nodewise.toml");
    assert!(written.starts_with(CONFIG), "{written}");
    let format = written.split("[format]").nth(1).unwrap();
    let chosen: Vec<&str> =
        format.lines().skip(1).filter_map(|line| line.split('#').next()).map(str::trim_end).collect();
    let expected = [
        "indent = 4",
        "sequences = \"flush\"",
        "quotes = \"single\"",
        "line_width = 120",
        "blank_lines = 1",
        "flow = \"block\"",
        "",
        "",
    ];
    assert_eq!(chosen, expected, "{written}");
    // The other commands read it without a word, and the formatter changes what was foretold.
    check_shown(
        &folder.run("fmt --check"),
        "would change: liman/search.yaml\n! 1 file to format, 2 unchanged, 1 skipped\nexit 1\n",
    );
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = Folder::new(MIXED);
    folder.write("nodewise.toml", "[files]\nexclude = [\"cycgraph\"]\n");
    check_shown(
        &folder.run("init"),
        "
! error: `nodewise.toml` already exists
!   help: `--stdout` prints the new file, `--force` overwrites the old one
exit 2
",
    );
    let shown = folder.run("init --stdout");
    assert!(
        shown.ends_with("! Liman: 2 declarations in 2 files\n! format: 1 of 2 files would change\nexit 0\n"),
        "{shown}"
    );
    assert_eq!(folder.read("nodewise.toml"), "[files]\nexclude = [\"cycgraph\"]\n");
    folder.run("init --force");
    assert!(folder.read("nodewise.toml").contains("[format]"));
}

#[test]
fn other_projects_stay_their_own() {
    let folder = Folder::new(MIXED);
    folder.write("liman/nodewise.toml", "");
    check_shown(
        &folder.run("init . --stdout").split_once("! ").unwrap().1.replace("! ", ""),
        "
cycgraph: 1 declaration in 1 file
format: 0 of 1 file would change
1 folder below has a nodewise.toml, and is a separate project
exit 0
",
    );
    folder.write("nodewise.toml", "");
    let inner = folder.run("init cycgraph");
    assert!(
        inner.contains("\nnodewise.toml no longer applies to these files\ncreated: cycgraph/nodewise.toml\n"),
        "{inner}"
    );
    assert!(inner.contains("\n  nodewise check cycgraph   reports"), "{inner}");
}

#[test]
fn an_empty_folder_gets_a_configuration_too() {
    let folder = Folder::new("");
    check_shown(&folder.run("init"), "no declarations found yet\ncreated: nodewise.toml\nexit 0\n");
    check_run(
        "",
        "init nowhere",
        "! error: `nowhere` is not a folder\n!   help: name the folder of the project\nexit 2\n",
    );
}
