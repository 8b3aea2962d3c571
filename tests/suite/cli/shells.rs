//! Completions in the programs that they are for.
//!
//! `NODEWISE_SHELLS` names a folder with these programs, as `cargo xtask test` unpacks them; then none may be missing.
//! Without it the machine's own are asked, as far as it has them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::support::Folder;

const SHELLS: &str = "NODEWISE_SHELLS";

/// What is typed, and what is offered then: commands and options first, which every shell knows.
const CASES: [(&str, &[&str]); 9] = [
    ("nodewise che", &["check"]),
    ("nodewise check --form", &["--format"]),
    ("nodewise fmt --ch", &["--check"]),
    ("nodewise check --format g", &["github", "gitlab"]),
    ("nodewise check --dialect cy", &["cycgraph"]),
    ("nodewise check --select invalid-ex", &["invalid-expression"]),
    ("nodewise explain invalid-ex", &["invalid-expression"]),
    ("nodewise schema ag", &["agentos"]),
    ("nodewise completions p", &["powershell"]),
];
const COMMANDS_AND_OPTIONS: usize = 3;

/// Asks bash: the script's function fills in `COMPREPLY`.
const BASH: &str = r#"
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_nodewise nodewise "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// Types the line in a zsh on a terminal of its own, asks for the list of completions, and prints what it shows.
const ZSH: &str = r#"
script=$1; line=$2; zsh=$3; root=$4
if [[ -n $root ]] { module_path=($root/lib/*/zsh/*(N)); fpath=($root/share/zsh/functions/**/*(/N) $root/share/zsh/functions) }
zmodload zsh/zpty
zpty shell $zsh -f -i
zpty -w shell "PS1= ; module_path=($module_path) ; fpath=($fpath) ; autoload -Uz compinit ; compinit -u -D ; source ${(q)script}"
# The shell shows what it reads: the marks are put together by itself alone.
# The next lines may come before the shell reads them itself. It shows no list then, unless a setting asks for it; and Control-U, the
# usual key, would take the line away before it comes to the shell.
zpty -w shell "ask() { zle list-choices ; zle -R } ; zle -N ask ; bindkey '^I' ask '^G' kill-whole-line"
zpty -w shell "LISTMAX=9999 ; print BEG''IN"
zpty -r shell seen '*BEGIN*'
zpty -w -n shell "$line"$'\t'
zpty -w -n shell $'\C-g'
zpty -w shell "print E''ND"
zpty -r shell shown '*END*'
print -r -- $shown
"#;

/// Asks elvish: the script sets a completer, which is called like any function. Without a terminal the editor that it
/// belongs to is not there; what the script uses of it is.
const ELVISH: &str = r#"
var completion: = (ns [&arg-completer=[&]])
var edit: = (ns [&completion:=$completion: &complex-candidate~={|text &display=''| put $text }])
eval (slurp < $args[0]) &ns=(ns [&edit:=$edit:])
$completion:arg-completer[nodewise] (all $args[1..]) | each {|candidate| echo $candidate }
"#;

#[test]
fn bash() {
    check_shell("bash", &CASES, |bash, script, line| {
        lines(Command::new(bash).args(["--norc", "-c", BASH, "bash"]).arg(script).args(line.split(' ')))
    });
}

#[test]
fn fish() {
    check_shell("fish", &CASES, |fish, script, line| {
        let ask = format!("source {}; complete -C '{line}'", script.display());
        let lines = lines(Command::new(fish).args(["--no-config", "-c", &ask]));
        lines.iter().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
    });
}

#[test]
fn zsh() {
    check_shell("zsh", &CASES, |zsh, script, line| {
        let root = unpacked("zsh").map(|root| root.join("usr")).unwrap_or_default();
        let mut command = Command::new(zsh);
        command.args(["-f", "-c", ZSH, "zsh"]).arg(script).arg(line).arg(zsh).arg(root).env("TERM", "dumb");
        let shown = lines(&mut command).join("\n");
        let is_typed = |word: &&&str| line.split(' ').any(|typed| typed == **word);
        let cases = CASES.iter().flat_map(|(_, offered)| offered.iter());
        // What is typed is shown too, so that only whole words count.
        let words: Vec<&str> =
            shown.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').collect();
        cases
            .filter(|offered| words.contains(offered) && !is_typed(offered))
            .map(|offered| (*offered).to_owned())
            .collect()
    });
}

#[test]
fn elvish() {
    check_shell("elvish", &CASES[..COMMANDS_AND_OPTIONS], |elvish, script, line| {
        let typed = line.rsplit(' ').next().unwrap_or_default();
        let mut command = Command::new(elvish);
        command.args(["-norc", "-c", ELVISH]).arg(script).args(line.split(' '));
        let offered = lines(&mut command).into_iter();
        offered.filter(|candidate| candidate.starts_with(typed)).collect()
    });
}

/// PowerShell is in no registry that a test could install it from: its script is held against its own grammar by eye, and
/// here against what it has to say.
#[test]
fn powershell() {
    let script = Folder::new("").run("completions powershell");
    assert!(script.contains("Register-ArgumentCompleter -Native -CommandName 'nodewise'"), "{script}");
    for said in ["'nodewise;check' {", "[CompletionResult]::new('--format', '--format',"] {
        assert!(script.contains(said), "{said}\n{script}");
    }
}

/// Holds what a shell offers for each line against what it has to offer, in any order.
#[track_caller]
fn check_shell(shell: &str, cases: &[(&str, &[&str])], offered: impl Fn(&Path, &Path, &str) -> Vec<String>) {
    let Some(program) = program(shell) else { return };
    let folder = Folder::new("");
    let script = folder.run(&format!("completions {shell}"));
    folder.write("script", script.strip_suffix("exit 0\n").unwrap());
    for (line, expected) in cases {
        let mut found = offered(&program, &folder.path().join("script"), line);
        found.sort();
        found.dedup();
        assert_eq!(found, *expected, "{shell} offers for `{line}`");
    }
}

/// Where a program is; nothing, with a word about it, where the machine has none and need not.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    if name != "bash"
        && let Some(root) = unpacked(name)
    {
        return Some(root.join("usr/bin").join(name));
    }
    let is_there = Command::new(name).arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: {name} is not here; `cargo xtask test` unpacks it");
    }
    is_there.then(|| PathBuf::from(name))
}

fn unpacked(name: &str) -> Option<PathBuf> {
    std::env::var_os(SHELLS).map(|folder| Path::new(&folder).join(name))
}

/// The lines that a command prints; it must not complain.
#[track_caller]
fn lines(command: &mut Command) -> Vec<String> {
    let output = command.output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{:?}: {complaint}", command.get_program());
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
