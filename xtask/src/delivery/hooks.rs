//! The hooks of `.pre-commit-hooks.yaml` in the real pre-commit, with the checkout as a git remote.
//!
//! Input is the checkout and the pre-commit program. Output is what a user of the hooks would see. Invariant: each case
//! has its own repository, and all use one installation of the hooks.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::folder::{Folder, check_shown, shown};
use super::remote::Remote;
use super::{Case, FOLDER};

/// The path of the installed command, below a folder of pre-commit.
const PROGRAM: &str = "bin/nodewise";
/// pre-commit builds with maturin. Here a short build matters more than a fast command: the profile of the tests, whose
/// dependencies are compiled, without the optimisation that only tests of expressions need. The crates with a build script
/// have another setting than for the tests. Otherwise their scripts run again in the same folder, and cargo compiles the
/// checkout's crates again.
const BUILD: [(&str, &str); 2] = [
    (
        "MATURIN_PEP517_ARGS",
        "--profile=dev --config=profile.dev.package.nodewise-expr.opt-level=0 \
         --config=profile.dev.package.nodewise-dialect.debug-assertions=false \
         --config=profile.dev.package.nodewise-analysis.debug-assertions=false",
    ),
    ("CARGO_INCREMENTAL", "0"),
];
/// Contains the commit of the installed hooks. It is written last, so it exists only after a complete installation.
const STAMP: &str = "installed";

const BROKEN_EXAMPLES: [&str; 3] = ["liman-broken", "cycgraph-broken", "agentos-broken"];

/// Every hook, without options.
const ALL: &str = "
  - id: nodewise-check
  - id: nodewise-fmt
  - id: nodewise-test
";
const CHECK: &str = "
  - id: nodewise-check
    args: [--format, concise]
";
const FIX: &str = "
  - id: nodewise-check
    args: [--fix, --format, concise]
";
const FMT: &str = "
  - id: nodewise-fmt
";
const TEST: &str = "
  - id: nodewise-test
";

/// A project whose agent and tool are in different folders.
const DESK: &str = "
#- agents/desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: You sell.}}
tools: [search]
#- tools/search.yaml
kind: ToolNode
name: search
description: {en: \"Finds\"}
func: shop.search
";

/// A graph, and a scenario about it.
pub(super) const FLOW: &str = "
#- flow.yaml
id: flow
name: flow
description: A draft is sent.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: send, type: agent, agent_id: writer, read_keys: [draft], write_keys: [sent]}
edges:
  - {source: write, target: send}
start_node: write
end_nodes: [send]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
#- flow.scenario.yaml
scenario: The draft is sent.
file: flow.yaml
expect:
  path: [write, send]
";

/// The number of files. Their paths are so long that the operating system needs several calls.
const MANY: usize = 1_500;
const LONG_NAME: usize = 180;

/// The hooks, installed.
pub(super) struct Hooks {
    root: PathBuf,
    programs: PathBuf,
    home: PathBuf,
    remote: Remote,
}

pub(super) const CASES: &[Case<Hooks>] = &[
    ("the manifest is valid for pre-commit", manifest),
    ("the examples pass every hook", clean_examples),
    ("the broken examples fail the check", broken_examples),
    ("a commit fails for a file that it broke and did not change", broken_elsewhere),
    ("a commit of one file is checked with its project", one_file),
    ("files without declarations are ignored", other_files),
    ("files are formatted, and the second run passes", layout),
    ("excluded files are ignored", exclusions),
    ("`--fix` fixes, and the second run passes", fixes),
    ("safe fixes of the broken examples are applied once", broken_examples_fixed),
    ("a scenario fails after a change elsewhere", scenarios),
    ("thousands of files, in several calls, give one result", batches),
    ("the program of the hooks names the commands that it does without", left_out),
];

impl Hooks {
    /// Installs the hooks of the checkout, unless they are already installed.
    pub(super) fn install(root: &Path, programs: &Path) -> Result<Hooks> {
        let remote = Remote::of_checkout(root)?;
        let home = root.join(FOLDER).join("pre-commit");
        let hooks = Hooks { root: root.to_owned(), programs: programs.to_owned(), home, remote };
        let stamp = hooks.home.join(STAMP);
        if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == hooks.remote.commit) {
            return Ok(hooks);
        }
        if hooks.home.exists() {
            std::fs::remove_dir_all(&hooks.home)?;
        }
        let folder = hooks.folder("install", "", ALL)?;
        let installed = hooks.pre_commit(&folder, &["install-hooks"])?;
        ensure!(installed.ends_with("exit 0\n"), "the installation of the hooks fails:\n{installed}");
        std::fs::write(stamp, &hooks.remote.commit)?;
        Ok(hooks)
    }

    /// A repository with files and a configuration of hooks. Everything is staged.
    fn folder(&self, name: &str, files: &str, hooks: &str) -> Result<Folder> {
        let mut environment: Vec<(&'static str, OsString)> =
            BUILD.iter().map(|(variable, value)| (*variable, value.into())).collect();
        // Finished programs must not replace those of the checkout.
        environment.push(("CARGO_TARGET_DIR", self.root.join(FOLDER).join("build").into()));
        environment.push(("CARGO_BUILD_BUILD_DIR", self.root.join("target").into()));
        environment.push(("PRE_COMMIT_HOME", self.home.clone().into()));
        let folder = Folder::new(self.root.join(FOLDER).join("cases").join(name), environment)?;
        folder.write(files)?;
        let (url, tag) = (self.remote.url(), &self.remote.tag);
        let config = format!("repos:\n- repo: {url}\n  rev: {tag}\n  hooks:{}", hooks.trim_end());
        folder.write_file(".pre-commit-config.yaml", config + "\n")?;
        folder.commit("Begin")?;
        Ok(folder)
    }

    /// The output of pre-commit.
    fn pre_commit(&self, folder: &Folder, arguments: &[&str]) -> Result<String> {
        folder.show(self.programs.join("pre-commit"), arguments)
    }

    /// The output of the hooks for every file.
    fn run_all(&self, folder: &Folder) -> Result<String> {
        self.pre_commit(folder, &["run", "--all-files", "--color", "never"])
    }

    /// The output of the hooks for the staged files.
    fn run_staged(&self, folder: &Folder) -> Result<String> {
        self.pre_commit(folder, &["run", "--color", "never"])
    }

    /// The command that pre-commit installed.
    fn program(&self) -> Result<PathBuf> {
        let inside = |folder: PathBuf| -> Vec<PathBuf> {
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
        };
        let environments = inside(self.home.clone()).into_iter().flat_map(inside);
        let program = environments.map(|folder| folder.join(PROGRAM)).find(|program| program.is_file());
        program.context("pre-commit has installed no `nodewise`")
    }
}

fn manifest(hooks: &Hooks) -> Result<()> {
    let folder = hooks.folder("manifest", "", ALL)?;
    let manifest = hooks.root.join(".pre-commit-hooks.yaml");
    check_shown(&hooks.pre_commit(&folder, &["validate-manifest", &manifest.to_string_lossy()])?, "exit 0\n")
}

fn clean_examples(hooks: &Hooks) -> Result<()> {
    let folder = hooks.folder("clean-examples", "", ALL)?;
    for example in ["liman", "cycgraph", "agentos"] {
        folder.copy(&hooks.root.join("examples").join(example), example)?;
    }
    folder.stage(".")?;
    let expected = "
nodewise check...Passed
nodewise fmt...Passed
nodewise test...Passed
exit 0
";
    check_shown(&hooks.run_all(&folder)?, expected)
}

/// The hook's report equals that of the command.
fn broken_examples(hooks: &Hooks) -> Result<()> {
    for example in BROKEN_EXAMPLES {
        let folder = hooks.folder(example, "", CHECK)?;
        folder.copy(&hooks.root.join("examples").join(example), ".")?;
        folder.stage(".")?;
        let report = shown(&mut folder.command(hooks.program()?, &["check", "--format", "concise"]))?;
        let report = report.strip_suffix("exit 1\n").context("the broken example is clean")?;
        let expected =
            format!("nodewise check...Failed\n- hook id: nodewise-check\n- exit code: 1\n{report}exit 1\n");
        check_shown(&hooks.run_all(&folder)?, &expected)?;
    }
    Ok(())
}

/// Git calls the hooks, as for every commit.
fn broken_elsewhere(hooks: &Hooks) -> Result<()> {
    let folder = hooks.folder("broken-elsewhere", DESK, CHECK)?;
    let installed = hooks.pre_commit(&folder, &["install"])?;
    ensure!(installed.ends_with("exit 0\n"), "{installed}");
    folder.write_file("tools/search.yaml", folder.read("tools/search.yaml")?.replace("search", "find"))?;
    folder.stage("tools/search.yaml")?;
    let expected = "
nodewise check...Failed
- hook id: nodewise-check
- exit code: 1
agents/desk.yaml:4:9: error[unknown-tool] no tool is named `search`
1 error in 2 files (2 declarations), 1 other file skipped
1 hint not shown (--hints)
exit 1
";
    check_shown(&folder.show("git", &["commit", "--message", "Rename"])?, expected)?;
    folder.write_file("agents/desk.yaml", folder.read("agents/desk.yaml")?.replace("search", "find"))?;
    folder.stage("agents/desk.yaml")?;
    let committed = folder.show("git", &["commit", "--quiet", "--message", "Rename"])?;
    check_shown(&committed, "nodewise check...Passed\nexit 0\n")
}

fn one_file(hooks: &Hooks) -> Result<()> {
    let folder = hooks.folder("one-file", DESK, CHECK)?;
    folder.write_file("agents/desk.yaml", folder.read("agents/desk.yaml")? + "# the shop's\n")?;
    folder.stage("agents/desk.yaml")?;
    check_shown(&hooks.run_staged(&folder)?, "nodewise check...Passed\nexit 0\n")
}

fn other_files(hooks: &Hooks) -> Result<()> {
    let files = "
#- deploy.yaml
a:    1
#- package.json
{ \"name\":\"x\" }
#- data.ipynb
{ \"cells\":[] }
#- notes.txt
kind:  Node
";
    let folder = hooks.folder("other-files", files, &format!("{}{}", CHECK.trim_end(), FMT))?;
    check_shown(&hooks.run_all(&folder)?, "nodewise check...Passed\nnodewise fmt...Passed\nexit 0\n")?;
    folder.write_file("notes.txt", "kind:    Node\n")?;
    folder.stage("notes.txt")?;
    let expected = "
nodewise check...(no files to check)Skipped
nodewise fmt...(no files to check)Skipped
exit 0
";
    check_shown(&hooks.run_staged(&folder)?, expected)
}

/// Only staged files are formatted, as by every hook that writes.
fn layout(hooks: &Hooks) -> Result<()> {
    let untidy = "kind:   ToolNode\nname: a\ndescription: {en:   'x'}\nfunc: a.b   # called\n";
    let tidy = "kind: ToolNode\nname: a\ndescription: {en: \"x\"}\nfunc: a.b   # called\n";
    let folder = hooks.folder("layout", DESK, FMT)?;
    folder.write_file("tools/a.yaml", untidy)?;
    folder.stage("tools/a.yaml")?;
    folder.write_file("tools/later.yaml", untidy)?;
    let expected = "
nodewise fmt...Failed
- hook id: nodewise-fmt
- files were modified by this hook
formatted: tools/a.yaml
1 file formatted, 0 unchanged
exit 1
";
    check_shown(&hooks.run_staged(&folder)?, expected)?;
    ensure!(folder.read("tools/a.yaml")? == tidy, "its format differs");
    ensure!(folder.read("tools/later.yaml")? == untidy, "a file that is not staged was written");
    folder.stage("tools/a.yaml")?;
    check_shown(&hooks.run_staged(&folder)?, "nodewise fmt...Passed\nexit 0\n")
}

fn exclusions(hooks: &Hooks) -> Result<()> {
    let files = "
#- nodewise.toml
[files]
exclude = [\"generated\"]
#- generated/a.yaml
kind:   LLMNode
name:   a
tools: [missing]
";
    let folder = hooks.folder("exclusions", files, &format!("{}{}", CHECK.trim_end(), FMT))?;
    check_shown(&hooks.run_all(&folder)?, "nodewise check...Passed\nnodewise fmt...Passed\nexit 0\n")
}

fn fixes(hooks: &Hooks) -> Result<()> {
    let files = "
#- steps.yaml
kind: Node
name: first
func: shop.first
nodes:
  - {target: second, when: \"paid && sent || forced\"}
---
kind: Node
name: second
func: shop.second
";
    let folder = hooks.folder("fixes", files, FIX)?;
    let expected = "
nodewise check...Failed
- hook id: nodewise-check
- files were modified by this hook
fixed 1 problem in 1 file
No problems in 1 file (2 declarations), 1 other file skipped
exit 1
";
    check_shown(&hooks.run_all(&folder)?, expected)?;
    ensure!(folder.read("steps.yaml")?.contains("\"(paid && sent) || forced\""), "it is not fixed");
    folder.stage(".")?;
    check_shown(&hooks.run_all(&folder)?, "nodewise check...Passed\nexit 0\n")
}

/// The remaining problems have to be fixed by hand, and the hook still fails.
fn broken_examples_fixed(hooks: &Hooks) -> Result<()> {
    for example in BROKEN_EXAMPLES {
        let folder = hooks.folder(&format!("{example}-fixed"), "", FIX)?;
        folder.copy(&hooks.root.join("examples").join(example), ".")?;
        folder.stage(".")?;
        let modified = "- files were modified by this hook\n";
        let first = hooks.run_all(&folder)?;
        ensure!(first.contains(modified) && first.ends_with("exit 1\n"), "{example}: {first}");
        folder.stage(".")?;
        let second = hooks.run_all(&folder)?;
        ensure!(!second.contains(modified) && second.ends_with("exit 1\n"), "{example}: {second}");
    }
    Ok(())
}

/// Only the graph is staged.
fn scenarios(hooks: &Hooks) -> Result<()> {
    let without = hooks.folder("no-scenarios", DESK, TEST)?;
    check_shown(&hooks.run_all(&without)?, "nodewise test...Passed\nexit 0\n")?;
    let folder = hooks.folder("scenarios", FLOW, TEST)?;
    check_shown(&hooks.run_all(&folder)?, "nodewise test...Passed\nexit 0\n")?;
    folder.write_file(
        "flow.yaml",
        folder.read("flow.yaml")?.replace("start_node: write", "start_node: send"),
    )?;
    folder.stage("flow.yaml")?;
    let expected = "
nodewise test...Failed
- hook id: nodewise-test
- exit code: 1
FAILED  flow.scenario.yaml:1  The draft is sent.  (1 visit, 0 ms)
        the path begins with `send`, expected `write`  flow.scenario.yaml:4
            - write
              send
            at flow.yaml:6
1 scenario: 0 passed, 1 failed
exit 1
";
    check_shown(&hooks.run_staged(&folder)?, expected)
}

fn batches(hooks: &Hooks) -> Result<()> {
    let folder = hooks.folder("batches", "", &format!("{}{}", CHECK.trim_end(), FMT))?;
    let long = "x".repeat(LONG_NAME);
    let mut agent = "kind: LLMNode\nname: agent\nprompts: {system: {en: Hi}}\ntools:\n".to_owned();
    for number in 0..MANY {
        let tool = format!(
            "kind:  ToolNode\nname: t{number}\ndescription: {{en: \"Does\"}}\nfunc: shop.t{number}\n"
        );
        folder.write_file(&format!("{long}/t{number}.yaml"), tool)?;
        agent.push_str(&format!("  - t{number}\n"));
    }
    folder.write_file("agent.yaml", agent)?;
    folder.stage(".")?;
    let found = hooks.run_all(&folder)?;
    let calls = found.matches(" formatted, ").count();
    ensure!(found.starts_with("nodewise check...Passed\n"), "the check of all files does not pass");
    ensure!(calls > 1, "pre-commit called the hook {calls} times: the names are too short");
    ensure!(found.matches("formatted: ").count() == MANY, "not every file was formatted");
    folder.stage(".")?;
    check_shown(&hooks.run_all(&folder)?, "nodewise check...Passed\nnodewise fmt...Passed\nexit 0\n")
}

/// An editor that starts the program of the hooks reports this error.
fn left_out(hooks: &Hooks) -> Result<()> {
    let folder = hooks.folder("left-out", DESK, CHECK)?;
    for (command, missing, feature) in
        [("lsp", "the language server; to add it", "lsp"), ("run", "live runs; to add them", "live")]
    {
        let expected = format!(
            "error: this build of nodewise does not include {missing}, run `cargo install --path . --features \
             {feature}` in a checkout of nodewise\nexit 2\n"
        );
        check_shown(&shown(&mut folder.command(hooks.program()?, &[command]))?, &expected)?;
    }
    Ok(())
}
