//! The reports that the README shows are what the binary prints. With `NODEWISE_BLESS=1` the README
//! is rewritten instead.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const BEGIN: &str = "<!-- report: ";
const END: &str = "<!-- end of report -->";

#[test]
fn the_readme_shows_real_reports() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README");
    let mut expected = String::new();
    let mut reports = 0;
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        writeln!(expected, "{line}").expect("a String grows");
        if let Some(arguments) = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->")) {
            reports += 1;
            write!(expected, "```\n{}```\n{END}\n", report(arguments)).expect("a String grows");
            lines.by_ref().find(|line| *line == END).expect("a report has an end");
        }
    }
    assert!(reports > 0, "the README shows no report");
    if std::env::var_os("NODEWISE_BLESS").is_some() {
        std::fs::write(&path, &expected).expect("the README can be written");
    } else {
        assert_eq!(readme, expected, "run this test with NODEWISE_BLESS=1");
    }
}

fn report(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nodewise"))
        .args(arguments.split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the binary runs");
    String::from_utf8(output.stdout).expect("reports are UTF-8")
}
