//! `docs/troubleshooting.md` shows what the command says.
//!
//! Input: the page. A block `yaml files` is a folder in fixture notation; a block `console` a command line in it, and all that
//! it says, standard error first. Output: the page as it should be; with `NODEWISE_BLESS=1` it is written. Invariant: times,
//! lengths of time and numbers of processes are not compared.

use std::path::Path;
use std::process::Command;

use crate::cli::support::Folder;

const PAGE: &str = "docs/troubleshooting.md";
const FENCE: &str = "```";
const FILES: &str = "```yaml files";
const CONSOLE: &str = "```console";
const PROMPT: &str = "$ nodewise ";
/// What the folder is called on the page.
const SHOWN: &str = "/srv/flows";

/// What a command line says in a folder.
fn said(folder: &Folder, words: &str) -> String {
    let output = folder.command(words).output().unwrap();
    let [errors, text] = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap());
    let path = folder.path().canonicalize().unwrap();
    format!("{errors}{text}").replace(path.to_str().unwrap(), SHOWN)
}

/// A line without what differs from run to run.
fn steady(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let is_unit = |word: &&str| ["µs", "ms", "s"].contains(word);
    let steady = words.iter().enumerate().map(|(at, word)| {
        let is_time = word.starts_with("20") && word.ends_with('Z');
        let is_length = is_unit(word) || words.get(at + 1).is_some_and(is_unit);
        if is_time || is_length || word.starts_with("process=") { "…" } else { word }
    });
    steady.collect::<Vec<_>>().join(" ")
}

/// The page as it should be; lines that differ in times alone stay.
fn rewritten(page: &str) -> (String, usize) {
    let (mut out, mut commands) = (String::new(), 0);
    let mut folder = Folder::new("");
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(&format!("{line}\n"));
        if line != FILES && line != CONSOLE {
            continue;
        }
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != FENCE).collect();
        if line == FILES {
            folder = Folder::new(&format!("{}\n", body.join("\n")));
            out.push_str(&format!("{}\n{FENCE}\n", body.join("\n")));
            continue;
        }
        let command = body.first().and_then(|first| first.strip_prefix(PROMPT)).unwrap();
        let said = said(&folder, command);
        let is_same = said.lines().map(steady).eq(body[1..].iter().map(|line| steady(line)));
        let shown = if is_same { format!("{}\n", body[1..].join("\n")) } else { said };
        out.push_str(&format!("{PROMPT}{command}\n{}{FENCE}\n", shown.trim_start_matches('\n')));
        commands += 1;
    }
    (out, commands)
}

#[test]
fn the_page_shows_what_the_command_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap();
    let (found, commands) = rewritten(&page);
    assert!(commands > 0, "{PAGE} shows no command");
    if std::env::var_os("NODEWISE_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
        return;
    }
    assert!(found == page, "{PAGE} shows something else; see it with NODEWISE_BLESS=1\n{found}");
}

#[test]
fn every_command_line_of_the_page_is_understood() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).unwrap();
    let lines = page.lines().filter_map(|line| line.strip_prefix("nodewise "));
    let lines = lines.filter(|line| line.starts_with(|letter: char| !letter.is_ascii_digit()));
    for line in lines {
        let (before, _) = line.split_once(" | ").unwrap_or((line, ""));
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        let output = command.args(before.split(' ')).arg("--help").output().unwrap();
        assert!(output.status.success(), "nodewise {line}");
    }
}
