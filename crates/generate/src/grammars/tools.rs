//! The programs that read the grammars: the tree-sitter command, and packages from npm.
//!
//! Input is the checkout. Output is that of the programs. Invariant: they write only below `target/grammars`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::Grammar;
use xtask::editor_parsers::{TESTS, WORK, packages};
use xtask::installs::{debian_program, node, succeed};

const COMMAND: &str = "target/tools/tree-sitter";
const PROGRAM: &str = "usr/bin/tree-sitter";
/// The newest version of parsers that every supported editor loads. It is limited by Neovim 0.10.
const ABI: &str = "14";

pub(crate) struct Tools {
    root: PathBuf,
    tree_sitter: PathBuf,
    node: PathBuf,
}

impl Tools {
    /// The programs, which are installed if they are missing.
    pub(crate) fn install(root: &Path) -> Result<Tools> {
        let tree_sitter = debian_program(root, "tree-sitter-cli", "sid", COMMAND, PROGRAM)?;
        std::fs::create_dir_all(root.join(WORK))?;
        let tools = Tools { root: root.to_owned(), tree_sitter, node: node(root)? };
        packages(root)?;
        Ok(tools)
    }

    /// The folder of the packages from npm.
    pub(crate) fn packages(&self) -> PathBuf {
        self.work().join("packages")
    }

    /// A folder for the files of a check.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.join(WORK)
    }

    /// The trees of these texts, as the command prints them. The exit code only says whether all texts were read, so it
    /// is ignored.
    pub(crate) fn parse(&self, grammar: &Grammar, texts: &[&str]) -> Result<String> {
        let paths = self.write(grammar, texts)?;
        printed(self.reading("parse", grammar)?.arg("--paths").arg(paths))
    }

    /// The captures of the grammar's highlights in these texts, as the command prints them.
    pub(crate) fn captures(&self, grammar: &Grammar, texts: &[&str]) -> Result<String> {
        let paths = self.write(grammar, texts)?;
        let query = self.folder(grammar).join("queries/highlights.scm");
        printed(self.reading("query", grammar)?.arg("--captures").arg("--paths").arg(paths).arg(query))
    }

    /// The scopes of a TextMate grammar for these texts of one line each.
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

    /// Runs the tests in a grammar's folder.
    pub(crate) fn test_corpus(&self, grammar: &Grammar) -> Result<bool> {
        let mut test = self.command();
        test.args(["test", "--overview-only"]).arg("--lib-path").arg(self.library(grammar)?);
        test.args(["--lang-name", grammar.parser]).current_dir(self.folder(grammar));
        is_silent_success(&mut test)
    }

    /// Runs the tests of the TextMate grammars with whole documents.
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

    /// The captures of a query in a document. The parser of its language is a package from npm.
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

    /// Writes each text to a file, and returns the list of the files.
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

    /// A subcommand that reads texts with the grammar's parser.
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

    /// The folder of the grammar.
    pub(crate) fn folder(&self, grammar: &Grammar) -> PathBuf {
        self.root.join("grammars").join(format!("tree-sitter-{}", grammar.name))
    }

    /// The command with a separate home folder, so that it reads and writes nothing elsewhere.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.tree_sitter);
        command.env("HOME", self.work().join("home")).env("NO_COLOR", "1");
        command.env("TREE_SITTER_ABI_VERSION", ABI).current_dir(self.work());
        command
    }
}

/// Whether a command succeeds. Its output is shown only if it fails.
fn is_silent_success(command: &mut Command) -> Result<bool> {
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !output.status.success() {
        print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.status.success())
}

/// The standard output of a command.
fn printed(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(!text.is_empty(), "{command:?} says: {}", String::from_utf8_lossy(&output.stderr));
    Ok(text)
}
