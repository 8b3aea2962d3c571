//! Recovery: what is left of a document's structure when a part of it is broken.

use std::ops::Range;

use nodewise_syntax::parse;

use crate::support::{
    Items, KeyPath, Random, corpus_file, corpus_files, counted, key_paths, mutant, share_found,
};

#[test]
fn every_half_typed_document_keeps_its_structure() {
    let data: serde_json::Value = serde_json::from_str(&corpus_file("yaml/broken.json")).unwrap();
    let cases = data["cases"].as_array().unwrap();
    let failures: Vec<String> = cases.iter().filter_map(check_usable).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), 42);
}

/// The paths before the fault are those of the text before it; all others of the base are behind it.
fn check_usable(case: &serde_json::Value) -> Option<String> {
    let part = |name: &str| case[name].as_str().unwrap();
    let (before, fault, behind) = (part("pre"), part("err"), part("post"));
    let paths = |text: String| counted(&key_paths(&parse(text), Items::Numbered));
    let head = paths(before.to_owned());
    // A fault that is itself an item moves the indexes of the items behind it.
    let is_item = fault.trim() == "-" || fault.trim().starts_with("- ");
    let item = if is_item { "  - tar\n" } else { "" };
    let mut tail = paths(format!("{before}{item}{behind}"));
    for (path, count) in &head {
        if let Some(all) = tail.get_mut(path) {
            *all -= count;
        }
    }
    let found = paths(format!("{before}{fault}{behind}"));
    let (head_share, tail_share) = (share_found(&head, &found), share_found(&tail, &found));
    let is_usable = head_share >= 0.95 && tail_share >= 0.90;
    let missing =
        || tail.keys().filter(|path| !found.contains_key(*path)).cloned().collect::<Vec<_>>().join(" ");
    (!is_usable).then(|| format!("{}: {head_share:.2} {tail_share:.2}; missing {}", part("name"), missing()))
}

#[test]
fn one_edit_leaves_the_rest_of_the_structure() {
    let corpus = share_after_one_edit("corpus files", &declarations());
    assert!(corpus.of_untouched >= 0.99, "{}", corpus.of_untouched);
    assert!(corpus.of_all >= 0.97, "{}", corpus.of_all);
    // The declaration of the half-typed documents: flat, so that a deleted line takes little with it.
    let data: serde_json::Value = serde_json::from_str(&corpus_file("yaml/broken.json")).unwrap();
    let base = data["base"].as_str().unwrap().to_owned();
    let paths = key_paths(&parse(base.as_str()), Items::Alike);
    let base = share_after_one_edit("one declaration", &[(base, paths)]);
    assert!(base.of_untouched >= 0.99, "{}", base.of_untouched);
    assert!(base.of_all >= 0.98, "{}", base.of_all);
}

/// The mean share of key paths that are still found.
struct Share {
    of_all: f64,
    /// Of the paths whose keys and dashes the edit left alone.
    of_untouched: f64,
}

fn share_after_one_edit(name: &str, files: &[(String, Vec<KeyPath>)]) -> Share {
    const MUTANTS: usize = 8_000;
    let mut random = Random::new(11);
    let (mut of_all, mut of_untouched) = (0.0, 0.0);
    for _ in 0..MUTANTS {
        let (text, original) = &files[random.below(files.len())];
        let mutant = mutant(text, &mut random);
        let found = counted(&key_paths(&parse(mutant.text), Items::Alike));
        of_all += share_found(&counted(original), &found);
        let untouched = counted(original.iter().filter(|path| !is_touched(path, mutant.touched.as_ref())));
        of_untouched += share_found(&untouched, &found);
    }
    let [of_all, of_untouched] = [of_all, of_untouched].map(|sum| sum / MUTANTS as f64);
    println!("{name}, {MUTANTS} mutants with one edit: still found are");
    println!("  {:.2} % of all key paths", of_all * 100.0);
    println!("  {:.2} % of the key paths whose keys and dashes the edit left alone", of_untouched * 100.0);
    Share { of_all, of_untouched }
}

/// True when the edit changes or touches a key or a dash of the path: then the path itself is another one.
fn is_touched(path: &KeyPath, touched: Option<&Range<usize>>) -> bool {
    touched.is_some_and(|edit| path.parts.iter().any(|part| part.start <= edit.end && edit.start <= part.end))
}

/// Valid declarations of some size: in a file of three lines, one deleted line is a third of all.
fn declarations() -> Vec<(String, Vec<KeyPath>)> {
    let mut files = Vec::new();
    for folder in ["liman", "cycgraph", "agentos"] {
        for (name, text) in corpus_files(folder) {
            let tree = parse(text.as_str());
            if name.ends_with(".yaml") && text.lines().count() >= 20 && tree.is_valid() {
                let paths = key_paths(&tree, Items::Alike);
                files.push((text, paths));
            }
        }
    }
    files
}
