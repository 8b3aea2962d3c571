//! `nodewise rules fetch`: copies of rules that a project takes from elsewhere.
//!
//! Input: the configuration of a project. Output: copies in the folder of the project, a line for each. Invariant: of a
//! repository, only the pinned commit is read; no hook and no filter of it runs, and nothing but files of rules is copied.

use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use nodewise_project::config::shared_rules::{RuleSource, SharedRules};
use nodewise_project::config::{Config, FILE_NAME};
use nodewise_project::reading::{self, MIB};
use nodewise_project::shared_rules::{FILE_SIZE_MAX, FILES_MAX, RuleFile, copy, is_rule_file};

use crate::outcome::Outcome;
use crate::output::Output;

/// How nodewise lets git reach a repository.
const PROTOCOLS: &str = "file:git:http:https:ssh";
/// How much of a commit is shown.
const SHOWN_HASH: usize = 12;

/// Copy the rules that `nodewise.toml` takes from elsewhere.
///
/// The table `[shared_rules]` names a commit of a repository, or a folder.
/// The files with rules are copied to `.nodewise/rules` in the project,
/// where other commands and editors read them. Nothing else is fetched
/// from anywhere. To read a repository, nodewise starts the program `git`.
#[derive(Args)]
pub(super) struct FetchOptions {
    /// The folder with `nodewise.toml`.
    #[arg(default_value = ".", value_name = "DIR")]
    folder: PathBuf,
}

/// Copies the rules.
pub(super) fn run(options: &FetchOptions, output: &mut Output) -> Result<Outcome> {
    let file = options.folder.join(FILE_NAME);
    let text = match reading::read(&file, MIB) {
        Ok(text) => text,
        Err(unreadable) => bail!("`{}`: {}\n  help: {}", file.display(), unreadable.reason, unreadable.help),
    };
    let config = Config::read(&text).map_err(|problem| {
        let place = format!("{}:{}:{}", file.display(), problem.at.line, problem.at.column);
        anyhow::anyhow!("{place}: {}\n  help: {}", problem.reason, problem.help)
    })?;
    ensure!(
        !config.shared_rules.is_empty(),
        "`{}` takes no rules from elsewhere\n  help: name them in `[shared_rules.NAME]`",
        file.display()
    );
    for rules in &config.shared_rules {
        let line = fetch(&options.folder, rules)
            .with_context(|| format!("the shared rules `{}` cannot be copied", rules.name))?;
        output.line(&line)?;
    }
    Ok(Outcome::Clean)
}

/// Copies some rules, and says what was copied.
fn fetch(project: &Path, rules: &SharedRules) -> Result<String> {
    let (mut files, from) = match &rules.source {
        RuleSource::Git { url, commit, folder } => {
            let short = commit.get(..SHOWN_HASH).unwrap_or(commit);
            (of_commit(project, url, commit, folder)?, format!("commit {short}"))
        }
        RuleSource::Path(path) => {
            let mut files = Vec::new();
            of_folder(&project.join(path), "", &mut files)?;
            (files, format!("`{path}`"))
        }
    };
    files.sort();
    ensure!(!files.is_empty(), "there is no file `*.rule.yaml` or `*.rules.yaml`");
    copy(project, rules, &files).context("the copies cannot be written")?;
    let noun = if files.len() == 1 { "file" } else { "files" };
    Ok(format!("{}: {} {noun} from {from}", rules.name, files.len()))
}

/// The files of rules in a folder and below it. Links are not followed.
fn of_folder(folder: &Path, inside: &str, files: &mut Vec<RuleFile>) -> Result<()> {
    let unreadable = || format!("`{}` cannot be read", folder.display());
    for entry in std::fs::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if inside.is_empty() { name.clone() } else { format!("{inside}/{name}") };
        let kind = entry.file_type().with_context(unreadable)?;
        if kind.is_dir() && name != ".git" {
            of_folder(&entry.path(), &path, files)?;
        } else if kind.is_file() && is_rule_file(&name) {
            let text = match reading::read(&entry.path(), FILE_SIZE_MAX) {
                Ok(text) => text,
                Err(unreadable) => bail!("`{path}`: {}", unreadable.reason),
            };
            add(files, path, text.as_bytes().to_vec())?;
        }
    }
    Ok(())
}

fn add(files: &mut Vec<RuleFile>, path: String, text: Vec<u8>) -> Result<()> {
    ensure!(files.len() < FILES_MAX, "there are more than {FILES_MAX} files with rules");
    files.push((path, text));
    Ok(())
}

/// A repository of its own for one fetch. It is deleted when it goes.
struct FetchFolder(PathBuf);

impl Drop for FetchFolder {
    fn drop(&mut self) {
        // What cannot be deleted stays in the folder for temporary files, which the system clears.
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// The files of rules in a folder of a commit.
fn of_commit(project: &Path, url: &str, commit: &str, folder: &str) -> Result<Vec<RuleFile>> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let own = std::env::temp_dir().join(format!("nodewise-rules-{}-{number}", std::process::id()));
    std::fs::create_dir(&own).with_context(|| format!("`{}` cannot be created", own.display()))?;
    let own = FetchFolder(own);
    git(&own.0, &["init", "--quiet", "--bare", "--template="])?;
    let url = address(project, url)?;
    // A server may give away branches and tags only; then the commit is among what they lead to.
    let alone = ["fetch", "--quiet", "--no-tags", "--depth=1", "--", url.as_str(), commit];
    if git(&own.0, &alone).is_err() {
        let all = [
            "fetch",
            "--quiet",
            "--",
            url.as_str(),
            "+refs/heads/*:refs/heads/*",
            "+refs/tags/*:refs/tags/*",
        ];
        git(&own.0, &all)?;
    }
    let tree = format!("{commit}:{folder}");
    let listed = git(&own.0, &["ls-tree", "-r", "-z", "--full-tree", &tree])
        .with_context(|| format!("the repository has no such commit, or no folder `{folder}` in it"))?;
    let mut files = Vec::new();
    for (object, path) in listed.split(|byte| *byte == 0).filter_map(listed_file) {
        let text = git(&own.0, &["cat-file", "blob", &object])?;
        ensure!(text.len() as u64 <= FILE_SIZE_MAX, "`{path}` is larger than {} MiB", FILE_SIZE_MAX / MIB);
        add(&mut files, path, text)?;
    }
    Ok(files)
}

/// The address of a repository; a path is relative to the project.
fn address(project: &Path, url: &str) -> Result<String> {
    let is_path = !url.contains(':');
    let path = project.join(url);
    match is_path {
        true => Ok(std::path::absolute(&path)?.to_string_lossy().into_owned()),
        false => Ok(url.to_owned()),
    }
}

/// A line of `git ls-tree`, if it is a file of rules: its object and its path.
fn listed_file(line: &[u8]) -> Option<(String, String)> {
    let (head, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    let mut words = head.split(' ');
    let (mode, _, object) = (words.next()?, words.next()?, words.next()?);
    let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    (mode.starts_with("100") && is_inside && is_rule_file(path)).then(|| (object.to_owned(), path.to_owned()))
}

/// What a command of git prints.
fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new("git");
    command
        .args(["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(arguments);
    command.env("GIT_ALLOW_PROTOCOL", PROTOCOLS).current_dir(folder).stdin(Stdio::null());
    let output = command.output().context("`git` cannot be started")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        match reason.lines().next() {
            Some(reason) => bail!("git: {reason}"),
            None => bail!("git ended with an error"),
        }
    }
    Ok(output.stdout)
}
