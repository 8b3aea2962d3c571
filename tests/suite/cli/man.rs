//! Manual pages: one for each command, clean for those who read them.

use std::path::PathBuf;
use std::process::Command;

use crate::cli::shells::program;
use crate::cli::support::{Folder, check_run};

#[test]
fn manual_pages() {
    let folder = Folder::new("");
    assert_eq!(folder.run("man --all -o pages"), "exit 0\n");
    let pages = folder.path().join("pages");
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let shown: Vec<_> = names.iter().map(|name| name.file_name().unwrap().to_string_lossy()).collect();
    let help = folder.run("--help");
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let words = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let words = words.filter_map(|line| line.split_whitespace().next()).filter(|word| *word != "help");
    let expected: Vec<String> =
        words.map(|word| format!("nodewise-{word}.1")).chain(["nodewise.1".to_owned()]).collect();
    assert_eq!(shown, expected);
    let one = folder.run("man check");
    assert_eq!(one, format!("{}exit 0\n", folder.read("pages/nodewise-check.1")));
    assert!(one.contains("\n.SH OPTIONS\n"), "{one}");
    for name in &names {
        if let Some(mandoc) = program("mandoc") {
            let complaints = said(Command::new(mandoc).args(["-T", "lint", "-W", "warning"]).arg(name));
            // A page bears no date, so that it is the same on every day.
            let others: Vec<&str> =
                complaints.lines().filter(|line| !line.contains("missing date")).collect();
            assert_eq!(others, [""; 0]);
        }
        // Not every machine has it, and mandoc is the stricter one.
        if Command::new("groff").arg("--version").output().is_ok() {
            assert_eq!(said(Command::new("groff").args(["-man", "-ww", "-z"]).arg(name)), "");
        }
    }
}

#[test]
fn unknown_commands_have_no_page() {
    check_run(
        "",
        "man chekc",
        "
! error: no command is called `chekc`
!   help: did you mean `check`?
exit 2
",
    );
}

/// What a command says, on either stream.
fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}
