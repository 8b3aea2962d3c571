//! Edits everywhere: each collection of the corpora gains, changes and loses a member.

use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::write::{MemberPosition, NewValue, Writer};
use nodewise_syntax::{NodeValue, SyntaxNode, Tree, parse};

use crate::support::{Items, corpus_files, counted, key_paths};

#[test]
fn every_collection_takes_a_member_more_and_less() {
    let mut count = 0;
    for folder in ["liman", "cycgraph", "agentos"] {
        for (name, text) in corpus_files(folder) {
            let tree = parse(text.as_str());
            if tree.problems().is_empty() && text.len() < 6_000 {
                let is_json = name.ends_with(".json");
                let roots = tree.documents().filter_map(|document| document.root());
                count += roots.map(|root| check_below(&tree, root, is_json, &name)).sum::<usize>();
            }
        }
    }
    println!("{count} edits of the corpora leave what they should");
    assert!(count > 10_000, "{count}");
}

/// Edits each collection below a node in each way; returns how many edits that were.
fn check_below(tree: &Tree, node: SyntaxNode<'_>, is_json: bool, file: &str) -> usize {
    let writer = Writer::new(tree, is_json);
    let check = |edits: Vec<TextEdit>, added: &[&str]| check_edited(tree, edits, added, file);
    let new = NewValue::mapping([
        ("zz_a", NewValue::text("x: 'y'")),
        (
            "zz_b",
            NewValue::Sequence(vec![
                NewValue::text("one"),
                NewValue::mapping([("zz_c", NewValue::text("3"))]),
            ]),
        ),
    ]);
    let below = ["zz_a", "zz_b", "[]", "[]", "zz_c"];
    match node.value() {
        NodeValue::Mapping(mapping) => {
            let entries: Vec<_> = mapping.entries().collect();
            for place in
                [MemberPosition::First, MemberPosition::Behind(entries.len() / 2), MemberPosition::Last]
            {
                check(writer.insert_entry(mapping, place, "zz", &NewValue::text("12")), &["zz"]);
                check(writer.insert_entry(mapping, place, "zz", &new), &[&["zz"], below.as_slice()].concat());
            }
            for (number, entry) in entries.iter().enumerate() {
                check_gone(tree, writer.remove_entry(mapping, number), file);
                check_gone(tree, writer.set_value(mapping, *entry, &new), file);
                check_gone(tree, writer.set_value(mapping, *entry, &NewValue::text("z: z")), file);
            }
            let inner = entries.iter().filter_map(|entry| entry.value());
            6 + 3 * entries.len() + inner.map(|value| check_below(tree, value, is_json, file)).sum::<usize>()
        }
        NodeValue::Sequence(sequence) => {
            let items: Vec<_> = sequence.items().collect();
            for place in
                [MemberPosition::First, MemberPosition::Behind(items.len() / 2), MemberPosition::Last]
            {
                check(writer.insert_item(sequence, place, &NewValue::text("#")), &["[]"]);
                check(writer.insert_item(sequence, place, &new), &[&["[]"], below.as_slice()].concat());
            }
            for (number, item) in items.iter().enumerate() {
                check_gone(tree, writer.remove_item(sequence, number), file);
                check_gone(tree, writer.set_item(sequence, *item, &new), file);
            }
            let inner = items.iter().filter_map(|item| item.node());
            6 + 2 * items.len() + inner.map(|value| check_below(tree, value, is_json, file)).sum::<usize>()
        }
        NodeValue::Scalar(_) | NodeValue::Alias(_) | NodeValue::Empty | NodeValue::Unknown => 0,
    }
}

/// After an insertion, all paths are there as before, and the new ones.
fn check_edited(tree: &Tree, edits: Vec<TextEdit>, added: &[&str], file: &str) {
    let edited = applied(tree, edits);
    let after = parse(edited.as_str());
    assert!(after.problems().is_empty(), "{file}: {:?}\n{edited}", after.problems());
    assert_eq!(comments(tree), comments(&after), "{file}:\n{edited}");
    let (before, found) = (counted(&key_paths(tree, Items::Alike)), key_paths(&after, Items::Alike));
    let total: usize = before.values().sum();
    assert_eq!(found.len(), total + added.len(), "{file}:\n{edited}");
    let found = counted(&found);
    for (path, count) in before {
        assert!(found.get(&path).is_some_and(|found| *found >= count), "{file}: {path}\n{edited}");
    }
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    for name in added {
        assert!(found.keys().any(|path| last(path) == *name), "{file}: {name}\n{edited}");
    }
}

/// After a removal or a replacement, the text is sound.
fn check_gone(tree: &Tree, edits: Vec<TextEdit>, file: &str) {
    let edited = applied(tree, edits);
    let after = parse(edited.as_str());
    // What referred to an anchor that went away, or merged it, is no matter of layout.
    let is_sound = after.problems().iter().all(|problem| !problem.is_syntax());
    assert!(is_sound, "{file}: {:?}\n{edited}", after.problems());
}

fn applied(tree: &Tree, mut edits: Vec<TextEdit>) -> String {
    assert!(!edits.is_empty());
    let edited = apply_edits(tree.text(), &mut edits).unwrap();
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    assert!(!is_json(tree.text()) || is_json(&edited), "no JSON any more:\n{edited}");
    edited
}

fn comments(tree: &Tree) -> Vec<&str> {
    tree.comments().map(|comment| comment.text).collect()
}
