//! What must hold of every text that is laid out: nothing changes its meaning for a second parser, comments stay the
//! same, and a second time changes nothing.

use std::path::PathBuf;

use laws::Outcome;

use crate::{generate, support};

pub(crate) mod bracketed;
mod choices;
mod corpora;
#[allow(dead_code, reason = "ranges are the fuzzer's")]
mod laws;

#[test]
fn corpora() {
    let read =
        |file: &PathBuf| (file.display().to_string(), std::fs::read_to_string(file).unwrap_or_default());
    check_all(corpora::files().iter().map(read), 200, 0);
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

/// The blanks inside of braces counted for nothing, so that the last list of a line went beyond it and hung there.
#[test]
fn documents_in_brackets() {
    let mut random = support::Random::new(23);
    let texts = (0..4_000).map(|number| (format!("document {number}"), bracketed::document(&mut random)));
    check_all(texts, 12_000, 0);
}

/// Formats each valid text; fails when fewer than `at_least` were.
fn check_all(texts: impl Iterator<Item = (String, String)>, at_least: usize, refused_at_most: usize) {
    let (mut seen, mut refusals, mut failures) = (0, Vec::new(), Vec::new());
    for (name, text) in texts {
        for options in choices::choices() {
            match laws::check(&name, &text, &options) {
                Ok(Outcome::Formatted(_)) => seen += 1,
                Ok(Outcome::Refused(failure)) => refusals.push(format!("== {name}: {failure}")),
                Ok(Outcome::Passed) => break,
                Err(breach) => {
                    failures.push(format!("== {name}: {}: {}", breach.law, breach.detail));
                    break;
                }
            }
        }
    }
    let count = failures.len();
    failures.truncate(12);
    assert!(failures.is_empty(), "{count} failures\n{}", failures.join("\n"));
    assert!(seen >= at_least, "only {seen} texts");
    let refused = refusals.len();
    assert!(refused <= refused_at_most, "{refused} texts refused\n{}", refusals.join("\n"));
    println!("{seen} texts, {refused} refused");
}
