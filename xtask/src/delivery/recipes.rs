//! The GitHub Action, and the recipes of `docs/ci.md`: checked against the schemas of their systems, and run.
//!
//! Input is `action.yml` and the guide. Output is that of their steps. Invariant: the text of the files is run, with
//! the wheel and the npm packages of the checkout instead of published ones.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::folder::{Folder, check_shown, shown};
use super::hooks::FLOW;
use super::packages::{PROJECT, Packages};
use super::{Case, FOLDER};
use crate::checkout::Profile;
use crate::installs::{node, npm_packages, succeed};

/// What pre-commit installs.
const HOME: &str = "cases/recipes-home";
const GUIDE: &str = "docs/ci.md";
const ACTION: &str = "action.yml";
/// The programs that run actions and jobs, and the list of their packages.
const PROGRAMS: &str = "tests/delivery/actions";
/// Precedes each recipe of the guide, with the name of its system.
const MARK: &str = "<!-- recipe: ";

/// The input of the cases.
pub(super) struct Recipes {
    root: PathBuf,
    programs: PathBuf,
    /// The folder with the programs of [`PROGRAMS`], their packages, and Node.
    actions: PathBuf,
    node: PathBuf,
    packages: Packages,
}

/// A recipe of the guide.
struct Recipe {
    reader: String,
    text: String,
}

pub(super) const CASES: &[Case<Recipes>] = &[
    ("the guide names the current release", versions),
    ("every recipe of the guide is valid for its system", readers),
    ("the action is valid for GitHub", action_schema),
    ("the action installs the wheel, and annotates", action_with_wheel),
    ("the action installs from npm, and passes a report to code scanning", action_with_npm),
    ("the action runs the other commands, and rejects unknown inputs", action_inputs),
    ("the jobs of the GitLab recipe write their reports", gitlab_jobs),
    ("the hooks of the guide that need no Rust run in pre-commit", local_hooks),
];

impl Recipes {
    /// Packs the checkout, and installs the programs that run actions.
    pub(super) fn install(root: &Path, programs: &Path, profile: Profile) -> Result<Recipes> {
        let actions = root.join(FOLDER).join("actions");
        // pre-commit keeps what it installed for a version, and the version of a checkout stays the same.
        let home = root.join(FOLDER).join(HOME);
        if home.exists() {
            std::fs::remove_dir_all(&home)?;
        }
        npm_packages(&actions, &std::fs::read_to_string(root.join(PROGRAMS).join("package.json"))?)?;
        for program in ["json.mjs", "registry.mjs", "run.mjs"] {
            // Node searches for packages next to the module.
            std::fs::copy(root.join(PROGRAMS).join(program), actions.join(program))?;
        }
        let node = node(root)?;
        let packages = Packages::pack(root, programs, profile)?;
        Ok(Recipes { root: root.to_owned(), programs: programs.to_owned(), actions, node, packages })
    }

    fn guide(&self) -> Result<String> {
        Ok(std::fs::read_to_string(self.root.join(GUIDE))?)
    }

    /// The recipes for one system, or for all.
    fn recipes(&self, reader: Option<&str>) -> Result<Vec<Recipe>> {
        let guide = self.guide()?;
        let mut recipes = Vec::new();
        for part in guide.split(MARK).skip(1) {
            let (name, rest) =
                part.split_once(" -->\n```yaml\n").context("a recipe begins after its mark")?;
            let (text, _) = rest.split_once("```").context("a recipe ends")?;
            recipes.push(Recipe { reader: name.to_owned(), text: text.to_owned() });
        }
        recipes.retain(|recipe| reader.is_none_or(|reader| recipe.reader == reader));
        ensure!(!recipes.is_empty(), "the guide has no such recipe");
        Ok(recipes)
    }

    /// A user's checkout for a test.
    fn folder(&self, name: &str) -> Result<Folder> {
        let environment = vec![
            ("PIP_FIND_LINKS", self.packages.wheels().into()),
            ("PRE_COMMIT_HOME", self.root.join(FOLDER).join(HOME).into()),
        ];
        Folder::new(self.root.join(FOLDER).join("cases").join(name), environment)
    }

    /// The output of a program from PyPI for a file.
    fn tool(&self, folder: &Folder, program: &str, arguments: &[&str]) -> Result<String> {
        folder.show(self.programs.join(program), arguments)
    }

    /// Whether a schema of check-jsonschema accepts a file.
    fn schema(&self, folder: &Folder, schema: &str, file: &str) -> Result<String> {
        self.tool(folder, "check-jsonschema", &["--builtin-schema", schema, file])
    }

    /// The output of the program for actions and jobs for a file.
    fn read(&self, folder: &Folder, kind: &str, file: &Path, runner: &Value) -> Result<String> {
        folder.write_file("temp/runner.json", runner.to_string())?;
        let mut command = folder.command(&self.node, &[]);
        command
            .arg(self.actions.join("run.mjs"))
            .arg(kind)
            .arg(file)
            .arg(folder.path.join("temp/runner.json"));
        shown(&mut command)
    }

    /// The output of the action with these inputs, for a project with one mistake in the folder `desk`.
    fn action(&self, folder: &Folder, inputs: &Value, environment: &Value) -> Result<String> {
        folder.write(&PROJECT.replace("#- ", "#- desk/"))?;
        let temp = folder.path.join("temp");
        let runner = json!({
            "inputs": inputs,
            "action": self.root,
            "workspace": folder.path,
            "temp": temp,
            "environment": environment,
        });
        let found = self.read(folder, "action", &self.root.join(ACTION), &runner)?;
        let found = found.strip_suffix("exit 0\n").context(found.clone())?;
        Ok(found.replace(&*temp.to_string_lossy(), "TEMP"))
    }
}

fn versions(recipes: &Recipes) -> Result<()> {
    let guide = recipes.guide()?;
    let version = &recipes.packages.version;
    for name in ["rev: v", "nodewise==", "nodewise@v"] {
        let mut named = guide.split(name).skip(1).peekable();
        ensure!(named.peek().is_some(), "the guide names no release after `{name}`");
        for rest in named {
            ensure!(rest.starts_with(version.as_str()), "the guide names another release after `{name}`");
        }
    }
    Ok(())
}

fn readers(recipes: &Recipes) -> Result<()> {
    let folder = recipes.folder("readers")?;
    for recipe in recipes.recipes(None)? {
        folder.write_file("recipe.yaml", &recipe.text)?;
        let path = folder.path.join("recipe.yaml");
        let verdict = match recipe.reader.as_str() {
            "pre-commit" => recipes.tool(&folder, "pre-commit", &["validate-config", "recipe.yaml"])?,
            "github" => {
                let read = recipes.read(&folder, "workflow", &path, &Value::Null)?;
                read + &recipes.schema(&folder, "vendor.github-workflows", "recipe.yaml")?
            }
            "gitlab" => recipes.schema(&folder, "vendor.gitlab-ci", "recipe.yaml")?,
            other => bail!("no system reads a recipe for {other}"),
        };
        let is_known = verdict.lines().all(|line| line == "exit 0" || line.starts_with("ok "));
        ensure!(is_known, "{verdict}in:\n{}", recipe.text);
    }
    Ok(())
}

fn action_schema(recipes: &Recipes) -> Result<()> {
    let folder = recipes.folder("action-schema")?;
    let action = recipes.root.join(ACTION);
    let shown = recipes.schema(&folder, "vendor.github-actions", &action.to_string_lossy())?;
    check_shown(&shown, "ok -- validation done\nexit 0\n")
}

fn action_with_wheel(recipes: &Recipes) -> Result<()> {
    let folder = recipes.folder("action-wheel")?;
    let inputs = json!({"working-directory": "desk", "paths": "agents\ntools", "args": "--hints"});
    let expected = "
::error file=desk/agents/desk.yaml,line=4,endLine=4,col=9,endColumn=14,title=nodewise unknown-tool::no tool is named `serch`%0Ahelp: write `search`, which is declared
output: exit-code=1
output: sarif-file=
exit 1
";
    check_shown(&recipes.action(&folder, &inputs, &json!({"PIP_NO_INDEX": "1"}))?, expected)
}

fn action_with_npm(recipes: &Recipes) -> Result<()> {
    let folder = recipes.folder("action-npm")?;
    let registry = Registry::start(recipes)?;
    let inputs = json!({"installer": "npm", "format": "sarif", "paths": "desk", "version": "v".to_owned() + &recipes.packages.version});
    let environment =
        json!({"npm_config_registry": registry.address, "npm_config_cache": folder.path.join("cache")});
    let expected = "
error[unknown-tool]: no tool is named `serch`
 --> desk/agents/desk.yaml:4:9
  |
4 | tools: [serch]
  |         ^^^^^ nothing in the project declares it
  |
  = help: write `search`, which is declared
1 error in 2 files (2 declarations)
uses: github/codeql-action/upload-sarif@5595ccaf912efad79be6eef63a5619ff05969be3 sarif_file=TEMP/nodewise.sarif category=nodewise
output: exit-code=1
output: sarif-file=TEMP/nodewise.sarif
exit 1
";
    check_shown(&recipes.action(&folder, &inputs, &environment)?, expected)?;
    let report: Value = serde_json::from_str(&folder.read("temp/nodewise.sarif")?)?;
    let place =
        &report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    ensure!(place == "desk/agents/desk.yaml", "code scanning looks for {place}");
    Ok(())
}

/// The release build on the path replaces a step that installs it.
fn action_inputs(recipes: &Recipes) -> Result<()> {
    let folder = recipes.folder("action-inputs")?;
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", recipes.root.join("target/release").display());
    let try_inputs = |inputs: Value, expected: &str| -> Result<()> {
        let mut inputs = inputs;
        inputs["installer"] = json!("none");
        check_shown(&recipes.action(&folder, &inputs, &json!({"PATH": path}))?, expected)
    };
    try_inputs(
        json!({"command": "fmt", "paths": "desk/tools"}),
        "0 files to format, 1 unchanged\noutput: exit-code=0\noutput: sarif-file=\nexit 0\n",
    )?;
    try_inputs(json!({"command": "none"}), "output: exit-code=\noutput: sarif-file=\nexit 0\n")?;
    try_inputs(
        json!({"command": "test", "paths": "desk"}),
        "
error: no scenarios to run
  help: scenarios are documents of files whose names end in `.scenario.yaml`
output: exit-code=2
output: sarif-file=
exit 2
",
    )?;
    try_inputs(
        json!({"command": "run; echo `id`"}),
        "
::error title=nodewise::`command` is `check`, `fmt`, `test` or `none`, not `run; echo `id``
output: exit-code=
output: sarif-file=
exit 2
",
    )
}

/// The environment replaces the image, whose files are not in the checkout.
fn gitlab_jobs(recipes: &Recipes) -> Result<()> {
    let (checkout, runner) = (recipes.folder("gitlab")?, recipes.folder("gitlab-runner")?);
    checkout.write(PROJECT)?;
    checkout.write(FLOW)?;
    succeed(&mut runner.command("python3", &["-m", "venv", "environment"]))?;
    let recipe = recipes.recipes(Some("gitlab"))?.pop().context("no recipe")?;
    runner.write_file("gitlab-ci.yml", &recipe.text)?;
    let programs = runner.path.join("environment/bin");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let input = json!({"workspace": checkout.path, "environment": {"PATH": path, "PIP_NO_INDEX": "1"}});
    let expected = "
job: nodewise
agents/desk.yaml:4:9: error[unknown-tool] no tool is named `serch`
1 error in 4 files (5 declarations)
exit 1
job: layout
0 files to format, 4 unchanged, 1 skipped
exit 0
job: scenarios
ok      flow.scenario.yaml:1  The draft is sent.  (2 visits, 0 ms)
1 scenario: 1 passed
exit 0
exit 0
";
    check_shown(&recipes.read(&runner, "gitlab", &runner.path.join("gitlab-ci.yml"), &input)?, expected)
}

fn local_hooks(recipes: &Recipes) -> Result<()> {
    let folder = recipes.folder("local-hooks")?;
    folder.write(PROJECT)?;
    let is_local = |recipe: &Recipe| recipe.text.contains("repo: local");
    let recipe = recipes.recipes(Some("pre-commit"))?.into_iter().find(is_local).context("no local hooks")?;
    let manifest = std::fs::read_to_string(recipes.root.join(".pre-commit-hooks.yaml"))?;
    let is_copied =
        |line: &&str| ["entry:", "files:", "pass_filenames:"].iter().any(|key| line.starts_with(key));
    for line in recipe.text.lines().map(str::trim).filter(is_copied) {
        ensure!(manifest.contains(line), "the guide's `{line}` is not that of the hooks");
    }
    folder.write_file(".pre-commit-config.yaml", recipe.text)?;
    folder.commit("Begin")?;
    let found = recipes.tool(&folder, "pre-commit", &["run", "--all-files", "--color", "never"])?;
    let (installation, result) = found.split_at(found.find("nodewise check").unwrap_or(0));
    let expected = "
nodewise check...Failed
- hook id: nodewise-check
- exit code: 1
error[unknown-tool]: no tool is named `serch`
 --> agents/desk.yaml:4:9
  |
4 | tools: [serch]
  |         ^^^^^ nothing in the project declares it
  |
  = help: write `search`, which is declared
1 error in 2 files (2 declarations), 1 other file skipped
nodewise fmt...Passed
exit 1
";
    check_shown(result, expected).with_context(|| format!("after the installation:\n{installation}"))
}

/// A local registry with the npm packages.
struct Registry {
    server: Child,
    address: String,
}

impl Registry {
    fn start(recipes: &Recipes) -> Result<Registry> {
        let mut command = Command::new(&recipes.node);
        command.arg(recipes.actions.join("registry.mjs")).arg(recipes.packages.tarballs());
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut address = String::new();
        let output = server.stdout.take().context("the registry has no output")?;
        BufReader::new(output).read_line(&mut address)?;
        Ok(Registry { server, address: address.trim().to_owned() })
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // It serves until the end of its input.
        drop(self.server.stdin.take());
        self.server.wait().ok();
    }
}
