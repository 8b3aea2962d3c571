//! What must hold of every text that is laid out: nothing changes its meaning for a second parser, comments stay the
//! same, and a second time changes nothing.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

use nodewise_analysis::facts::kinds;
use nodewise_analysis::settings::Pin;
use nodewise_format::options::{Flow, Quotes, SequenceIndent};
use nodewise_format::{Doubt, Options, Refusal, format_tree};
use nodewise_syntax::edit::apply_edits;
use nodewise_syntax::{events, parse};

#[path = "../../syntax/tests/suite/generate.rs"]
mod generate;
#[path = "../../syntax/tests/suite/support.rs"]
#[allow(dead_code, reason = "the tests of the syntax use all of it")]
mod support;

#[test]
fn corpora() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["tests/data/corpus", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let read =
        |file: &PathBuf| (file.display().to_string(), std::fs::read_to_string(file).unwrap_or_default());
    check_all(files.iter().map(read), 200, 0);
}

#[test]
fn valid_cases_of_the_yaml_test_suite() {
    let Some(data) = support::shared_file("data/yaml-test-suite.json") else { return };
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    let cases = data["cases"].as_array().unwrap().iter().filter(|case| case["error"] != true);
    let texts = cases.map(|case| {
        let name = format!("{} {}", case["id"].as_str().unwrap(), case["name"].as_str().unwrap());
        (name, case["yaml"].as_str().unwrap().to_owned())
    });
    check_all(texts, 300, 0);
}

#[test]
fn generated_documents() {
    let mut random = support::Random::new(11);
    let texts = (0..200_000).map(|number| (format!("document {number}"), generate::document(&mut random)));
    check_all(texts, 10_000, 30);
}

/// Formats each valid text; fails when fewer than `at_least` were.
fn check_all(texts: impl Iterator<Item = (String, String)>, at_least: usize, refused_at_most: usize) {
    let (mut seen, mut refused, mut failures) = (0, 0, Vec::new());
    for (name, text) in texts {
        for options in choices() {
            match check_format(&name, &text, &options, refused_at_most > 0) {
                Ok(Outcome::Formatted) => seen += 1,
                Ok(Outcome::Refused) => refused += 1,
                Ok(Outcome::Passed) => break,
                Err(reason) => {
                    failures.push(format!("== {name}: {reason}"));
                    break;
                }
            }
        }
    }
    let count = failures.len();
    failures.truncate(12);
    assert!(failures.is_empty(), "{count} failures\n{}", failures.join("\n"));
    assert!(seen >= at_least, "only {seen} texts");
    assert!(refused <= refused_at_most, "{refused} texts refused");
    println!("{seen} texts, {refused} refused");
}

fn choices() -> [Options; 4] {
    let usual = Options::default();
    let wide = Options {
        indent: 4,
        sequences: SequenceIndent::Indent,
        quotes: Quotes::Single,
        line_width: 20,
        brace_spacing: Some(true),
        blank_lines: 0,
        ..usual.clone()
    };
    let flush =
        Options { sequences: SequenceIndent::Flush, flow: Flow::Keep, line_width: 30, ..usual.clone() };
    let ordered = Options { key_order: true, quotes: Quotes::Keep, ..usual.clone() };
    [usual, wide, flush, ordered]
}

/// What became of a text.
#[derive(PartialEq, Eq)]
enum Outcome {
    Formatted,
    /// It is no YAML, or the second parser cannot read it.
    Passed,
    /// The second parser takes the new text for another, although by our own events it is the same.
    Refused,
}

fn check_format(name: &str, text: &str, options: &Options, may_be_refused: bool) -> Result<Outcome, String> {
    let tree = parse(text);
    let kinds = kinds(name, &tree, Pin::ByContent).unwrap_or_default();
    let formatted = match format_tree(&tree, &kinds, options) {
        Ok(formatted) => formatted,
        Err(Refusal::Broken(_) | Refusal::Doubted(Doubt::Unreadable(..))) => return Ok(Outcome::Passed),
        Err(Refusal::Doubted(_)) if may_be_refused => return Ok(Outcome::Refused),
        Err(Refusal::Doubted(doubt)) => return Err(format!("{doubt}\n{text}")),
    };
    let new = &formatted.text;
    let shown = || format!("--- before\n{text}\n--- after\n{new}\n---\n{text:?}\n{new:?}");
    let edited =
        apply_edits(text, &mut formatted.edits.clone()).map_err(|error| format!("{error}\n{}", shown()))?;
    if edited != *new {
        return Err(format!("the edits lead elsewhere\n{edited:?}\n{}", shown()));
    }
    let is_as_before = formatted.rewrites.is_empty() && !options.key_order;
    if is_as_before && meaning(&tree) != meaning(&parse(new.as_str())) {
        return Err(format!("other events\n{}", shown()));
    }
    let again = parse(new.as_str());
    if comments(&tree) != comments(&again) {
        return Err(format!("comments differ\n{}", shown()));
    }
    match format_tree(&again, &kinds, options) {
        Ok(second) if second.text == *new && second.edits.is_empty() => Ok(Outcome::Formatted),
        Ok(second) => Err(format!("not stable\n{:?}\n{}", second.edits, shown())),
        Err(refusal) => Err(format!("the new text is refused: {refusal}\n{}", shown())),
    }
}

/// The events without styles, but for plain texts, which may be numbers.
fn meaning(tree: &nodewise_syntax::Tree) -> Vec<String> {
    let events = events::event_text(tree);
    let mut said = Vec::new();
    for line in events.lines() {
        let line = line.replacen("+MAP {}", "+MAP", 1).replacen("+SEQ []", "+SEQ", 1);
        let mut words = line.splitn(4, ' ');
        let mut shown = String::new();
        while let Some(word) = words.next() {
            let is_text = word.starts_with(['"', '\'', '|', '>']);
            shown.push_str(if is_text { "\"" } else { "" });
            shown.push_str(if is_text { &word[1..] } else { word });
            shown.push(' ');
            if is_text || word.starts_with(':') {
                words.by_ref().for_each(|rest| shown.push_str(rest));
            }
        }
        said.push(shown);
    }
    said
}

fn comments(tree: &nodewise_syntax::Tree) -> Vec<String> {
    let mut comments: Vec<String> =
        tree.comments().map(|comment| comment.text.trim_end().to_owned()).collect();
    comments.sort();
    comments
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_yaml = path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json");
        if path.is_dir() {
            collect(&path, files);
        } else if is_yaml {
            files.push(path);
        }
    }
}
