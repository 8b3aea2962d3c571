//! Recovery: what is left of a document's structure when a part of it is broken.

use nodewise_syntax::parse;

use crate::support::{Items, Random, corpus_file, corpus_files, key_paths, mutant, share_found};

#[test]
fn every_half_typed_document_keeps_its_structure() {
    let data: serde_json::Value = serde_json::from_str(&corpus_file("yaml/broken.json")).unwrap();
    let part = |name: &str| data.as_object().and_then(|data| data.get(name)).cloned();
    let cases = part("cases").unwrap();
    let failures: Vec<String> = cases.as_array().unwrap().iter().filter_map(check_usable).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.as_array().unwrap().len(), 42);
}

/// The paths before the fault are those of the text before it; all others of the base are behind it.
fn check_usable(case: &serde_json::Value) -> Option<String> {
    let part = |name: &str| case[name].as_str().unwrap();
    let (before, fault, behind) = (part("pre"), part("err"), part("post"));
    let head = key_paths(&parse(before), Items::Numbered);
    // A fault that is itself an item moves the indexes of the items behind it.
    let is_item = fault.trim() == "-" || fault.trim().starts_with("- ");
    let item = if is_item { "  - tar\n" } else { "" };
    let mut tail = key_paths(&parse(format!("{before}{item}{behind}")), Items::Numbered);
    for (path, count) in &head {
        if let Some(all) = tail.get_mut(path) {
            *all -= count;
        }
    }
    let broken = parse(format!("{before}{fault}{behind}"));
    let found = key_paths(&broken, Items::Numbered);
    let (head_share, tail_share) = (share_found(&head, &found), share_found(&tail, &found));
    let is_usable = head_share >= 0.95 && tail_share >= 0.90;
    let missing =
        || tail.keys().filter(|path| !found.contains_key(*path)).cloned().collect::<Vec<_>>().join(" ");
    (!is_usable).then(|| format!("{}: {head_share:.2} {tail_share:.2}; missing {}", part("name"), missing()))
}

#[test]
fn one_edit_leaves_the_rest_of_the_structure() {
    const MUTANTS: usize = 6_000;
    let mut random = Random::new(11);
    let files: Vec<_> = mutable_files();
    let mut sum = 0.0;
    for _ in 0..MUTANTS {
        let (text, original) = &files[random.below(files.len())];
        let tree = parse(mutant(text, &mut random));
        sum += share_found(original, &key_paths(&tree, Items::Alike));
    }
    let mean = sum / MUTANTS as f64;
    println!("one edit, {MUTANTS} mutants: {:.2} % of the key paths are still found", mean * 100.0);
    assert!(mean >= 0.98, "{mean}");
}

/// Files of some size that are valid: in a file of three lines, one deleted line is a third of all.
pub(crate) fn mutable_files() -> Vec<(String, std::collections::BTreeMap<String, usize>)> {
    let mut files = Vec::new();
    for folder in ["liman", "cycgraph", "agentos"] {
        for (name, text) in corpus_files(folder) {
            let tree = parse(text.as_str());
            let is_declaration = name.ends_with(".yaml") && text.lines().count() >= 20;
            if is_declaration && tree.is_valid() {
                files.push((text, key_paths(&tree, Items::Alike)));
            }
        }
    }
    files
}
