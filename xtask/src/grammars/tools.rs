//! The programs that read the grammars: the tree-sitter command, and packages from npm.
//!
//! Input is the checkout; output is what the programs print. Invariant: they write below `target/grammars` alone.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::Grammar;
use crate::installs::{debian_program, node, npm_packages, succeed};

/// Where everything is put that a check makes.
const WORK: &str = "target/grammars";
/// The programs and lists of packages of the tests.
const TESTS: &str = "grammars/tests";
const COMMAND: &str = "target/tools/tree-sitter";
const PROGRAM: &str = "usr/bin/tree-sitter";
/// The newest form of parsers that every supported editor loads: Neovim 0.10 knows no later one.
const ABI: &str = "14";

pub(crate) struct Tools {
    root: PathBuf,
    tree_sitter: PathBuf,
    node: PathBuf,
}

impl Tools {
    /// The programs, installed where they are not there yet.
    pub(crate) fn install(root: &Path) -> Result<Tools> {
        let tree_sitter = debian_program(root, "tree-sitter-cli", "sid", COMMAND, PROGRAM)?;
        std::fs::create_dir_all(root.join(WORK))?;
        let tools = Tools { root: root.to_owned(), tree_sitter, node: node(root)? };
        packages(root)?;
        Ok(tools)
    }

    /// Where the packages from npm are.
    pub(crate) fn packages(&self) -> PathBuf {
        self.work().join("packages")
    }

    /// A folder for the files of a check.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.join(WORK)
    }

    /// The trees of these texts, as the command prints them. The exit code says whether all were read, which is no failure.
    pub(crate) fn parse(&self, grammar: &Grammar, texts: &[&str]) -> Result<String> {
        let paths = self.write(grammar, texts)?;
        printed(self.reading("parse", grammar)?.arg("--paths").arg(paths))
    }

    /// What the grammar's highlights capture in these texts, as the command prints it.
    pub(crate) fn captures(&self, grammar: &Grammar, texts: &[&str]) -> Result<String> {
        let paths = self.write(grammar, texts)?;
        let query = self.folder(grammar).join("queries/highlights.scm");
        printed(self.reading("query", grammar)?.arg("--captures").arg("--paths").arg(paths).arg(query))
    }

    /// The scopes that a TextMate grammar gives to these texts, each one line.
    pub(crate) fn scopes(&self, file: &Path, texts: &[&str]) -> Result<Vec<Value>> {
        let mut ask = Command::new(&self.node);
        ask.arg(self.root.join(TESTS).join("tokens.cjs")).arg(self.packages()).arg(file);
        let mut child = ask.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut questions = child.stdin.take().context("the program reads from a pipe")?;
        let lines: Vec<String> = texts.iter().map(|text| format!("{}\n", Value::from(*text))).collect();
        let writer = std::thread::spawn(move || {
            lines.iter().try_for_each(|line| questions.write_all(line.as_bytes()))
        });
        let output = child.wait_with_output()?;
        writer.join().map_err(|_| anyhow!("the texts could not be written"))??;
        ensure!(output.status.success(), "tokens.cjs ended with {}", output.status);
        String::from_utf8(output.stdout)?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    }

    /// Generates the parser of the grammar in a folder.
    pub(crate) fn generate(&self, folder: &Path) -> Result<()> {
        let mut generate = self.command();
        generate.arg("generate").arg("--js-runtime").arg(&self.node).current_dir(folder);
        succeed(&mut generate)
    }

    /// Runs the tests that stand beside a grammar.
    pub(crate) fn test_corpus(&self, grammar: &Grammar) -> Result<bool> {
        let mut test = self.command();
        test.args(["test", "--overview-only"]).arg("--lib-path").arg(self.library(grammar)?);
        test.args(["--lang-name", grammar.parser]).current_dir(self.folder(grammar));
        is_silent_success(&mut test)
    }

    /// Runs the tests of the TextMate grammars in documents.
    pub(crate) fn test_textmate(&self) -> Result<bool> {
        let modules = self.packages().join("node_modules");
        let mut is_fine = true;
        for host in ["yaml", "json"] {
            let mut test = Command::new(&self.node);
            test.arg(modules.join("vscode-tmgrammar-test/dist/unit.js")).args(["--config", "package.json"]);
            test.arg("-g").arg(modules.join(format!("tm-grammars/grammars/{host}.json")));
            test.arg(format!("tests/*.{host}")).current_dir(self.root.join("grammars/textmate"));
            is_fine &= is_silent_success(&mut test)?;
        }
        Ok(is_fine)
    }

    /// What a query captures in a document of a language whose parser is a package from npm.
    pub(crate) fn host_captures(
        &self,
        parser: &str,
        package: &str,
        query: &Path,
        document: &Path,
    ) -> Result<String> {
        let library = self.work().join(format!("{parser}.so"));
        let mut build = self.command();
        build
            .arg("build")
            .arg("--output")
            .arg(&library)
            .arg(self.packages().join("node_modules").join(package));
        succeed(&mut build)?;
        let mut command = self.command();
        command.args(["query", "--captures", "--lang-name", parser]).arg("--lib-path").arg(library);
        printed(command.arg(query).arg(document))
    }

    /// Writes each text to a file of its own; gives back the list of the files.
    fn write(&self, grammar: &Grammar, texts: &[&str]) -> Result<PathBuf> {
        let folder = self.work().join(grammar.name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let mut paths = String::new();
        for (number, text) in texts.iter().enumerate() {
            let path = folder.join(format!("{number}.txt"));
            std::fs::write(&path, text)?;
            paths.push_str(&format!("{}\n", path.display()));
        }
        let list = folder.join("paths");
        std::fs::write(&list, paths)?;
        Ok(list)
    }

    /// A subcommand that reads texts by the grammar's parser.
    fn reading(&self, subcommand: &str, grammar: &Grammar) -> Result<Command> {
        let mut command = self.command();
        command.arg(subcommand).arg("--lib-path").arg(self.library(grammar)?);
        command.args(["--lang-name", grammar.parser]);
        Ok(command)
    }

    /// The parser, compiled.
    fn library(&self, grammar: &Grammar) -> Result<PathBuf> {
        let library = self.work().join(format!("{}.so", grammar.name));
        let mut build = self.command();
        build.arg("build").arg("--output").arg(&library).arg(self.folder(grammar));
        succeed(&mut build)?;
        Ok(library)
    }

    /// Where the grammar stands.
    pub(crate) fn folder(&self, grammar: &Grammar) -> PathBuf {
        self.root.join("grammars").join(format!("tree-sitter-{}", grammar.name))
    }

    /// The command with a home of its own, so that it neither reads nor leaves anything elsewhere.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.tree_sitter);
        command.env("HOME", self.work().join("home")).env("NO_COLOR", "1");
        command.env("TREE_SITTER_ABI_VERSION", ABI).current_dir(self.work());
        command
    }
}

/// The packages from npm, installed where they are not there yet: among them the parsers of YAML and JSON.
pub(crate) fn packages(root: &Path) -> Result<PathBuf> {
    let manifest = std::fs::read_to_string(root.join(TESTS).join("package.json"))?;
    let folder = root.join(WORK).join("packages");
    npm_packages(&folder, &manifest)?;
    Ok(folder)
}

/// Whether a command succeeds; what it says is shown only where it does not.
fn is_silent_success(command: &mut Command) -> Result<bool> {
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !output.status.success() {
        print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.status.success())
}

/// What a command writes to its standard output.
fn printed(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(!text.is_empty(), "{command:?} says: {}", String::from_utf8_lossy(&output.stderr));
    Ok(text)
}
