//! Cursors everywhere: in each key and value of the corpora, and at each offset of broken texts.

use std::ops::Range;

use nodewise_syntax::folding::folds;
use nodewise_syntax::locate::{Location, Place, TreeStep, locate};
use nodewise_syntax::selection::enclosing_ranges;
use nodewise_syntax::{NodeValue, ScalarStyle, SyntaxNode, TextSize, Tree, parse};

use crate::support::{Random, corpus_file, corpus_files, mutant};

#[test]
fn every_key_and_value_is_found_where_it_is() {
    let mut count = 0;
    for folder in ["liman", "cycgraph", "agentos"] {
        for (name, text) in corpus_files(folder) {
            let tree = parse(text.as_str());
            for document in tree.documents().filter(|_| tree.is_valid()) {
                let Some(root) = document.root() else { continue };
                count += check_node(&tree, root, &format!("#{}", document.index()), &name);
            }
        }
    }
    println!("{count} keys and scalars of the corpora are found where they are");
    assert!(count > 20_000, "{count}");
}

/// Looks at each key and scalar below a node from inside of it; returns how many there are.
fn check_node(tree: &Tree, node: SyntaxNode<'_>, path: &str, file: &str) -> usize {
    match node.value() {
        NodeValue::Mapping(mapping) => {
            let mut count = 0;
            for entry in mapping.entries() {
                let (Some(key), Some(text)) = (entry.key(), entry.key_text()) else { continue };
                let place = locate(tree, key.range().end());
                let found = place.key().unwrap_or_else(|| panic!("{file}: {path}/{text}: {place:?}"));
                assert_eq!(
                    (path_text(&place), found.key),
                    (path.to_owned(), Some(key.id())),
                    "{file}: {text}"
                );
                assert_eq!(found.mapping, Some(node.id()), "{file}: {path}/{text}");
                count += 1;
                if let Some(value) = entry.value() {
                    count += check_node(tree, value, &format!("{path}/{text}"), file);
                }
            }
            count
        }
        NodeValue::Sequence(sequence) => {
            let items = sequence.items().enumerate().filter_map(|(index, item)| Some((index, item.node()?)));
            items.map(|(index, item)| check_node(tree, item, &format!("{path}/{index}"), file)).sum()
        }
        NodeValue::Scalar(scalar) => {
            let is_quoted = matches!(scalar.style(), ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
            let end = node.range().end() - TextSize::from(u32::from(is_quoted));
            let place = locate(tree, end);
            let found = place.value().unwrap_or_else(|| panic!("{file}: {path}: {place:?}"));
            assert_eq!((path_text(&place).as_str(), found.node), (path, Some(node.id())), "{file}");
            assert_eq!(found.style, Some(scalar.style()), "{file}: {path}");
            let cooked = scalar.cooked();
            let before = cooked.get(..found.cooked_offset.unwrap_or(usize::MAX));
            assert_eq!(before.map(str::trim_end), Some(cooked.trim_end()), "{file}: {path}");
            1
        }
        NodeValue::Alias(_) | NodeValue::Empty | NodeValue::Unknown => 0,
    }
}

fn path_text(location: &Location) -> String {
    let steps = location.path.iter().map(|step| match step {
        TreeStep::Key { text, .. } => format!("/{text}"),
        TreeStep::Item { index, .. } => format!("/{index}"),
    });
    std::iter::once(format!("#{}", location.document)).chain(steps).collect()
}

#[test]
fn every_offset_of_a_broken_text_has_an_answer() {
    let data: serde_json::Value = serde_json::from_str(&corpus_file("yaml/broken.json")).unwrap();
    for case in data["cases"].as_array().unwrap() {
        let part = |name: &str| case[name].as_str().unwrap();
        check_all_offsets(&[part("pre"), part("err"), part("post")].concat());
    }
    let mut files: Vec<String> = ["liman", "cycgraph", "agentos"]
        .into_iter()
        .flat_map(|folder| corpus_files(folder).into_values())
        .filter(|text| text.len() < 1_500)
        .collect();
    files.push("a: [é, {b: 'c', \"d\": |}]\r\n- !t &a *b\n? k\n: v\n--- x\n...\n%YAML 1.2\n---\n".to_owned());
    let mut random = Random::new(5);
    for _ in 0..3_000 {
        let mut text = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(4) {
            text = mutant(&text, &mut random).text;
        }
        check_all_offsets(&text);
    }
}

/// Asks at each byte offset, inside characters and behind the end too.
fn check_all_offsets(text: &str) {
    let tree = parse(text);
    check_folds(&tree);
    for offset in 0..=text.len() + 2 {
        let location = locate(&tree, u32::try_from(offset).unwrap().into());
        check_ranges(&tree, &location, offset);
        check_selection(&tree, offset);
    }
}

/// The ranges around an offset grow, from one that holds it to the whole text.
fn check_selection(tree: &Tree, offset: usize) {
    let ranges = enclosing_ranges(tree, u32::try_from(offset).unwrap().into());
    let grows = ranges.windows(2).all(|pair| pair[1].contains_range(pair[0]) && pair[0] != pair[1]);
    assert!(grows, "{ranges:?} at {offset} of {:?}", tree.text());
    assert_eq!(ranges.last().map(|last| last.len()), Some(TextSize::of(tree.text())));
    assert!(ranges.iter().all(|range| tree.text().get(Range::from(*range)).is_some()));
}

/// Folds are whole, on two lines at least, and begin in the order of the text.
fn check_folds(tree: &Tree) {
    let folds = folds(tree);
    for fold in &folds {
        let text = tree.text().get(Range::from(fold.range));
        assert!(text.is_some_and(|text| text.contains(['\n', '\r'])), "{fold:?} of {:?}", tree.text());
    }
    assert!(folds.windows(2).all(|pair| pair[0].range.start() < pair[1].range.start()), "{:?}", tree.text());
}

fn check_ranges(tree: &Tree, location: &Location, offset: usize) {
    let text = tree.text();
    let typed =
        location.key().map(|key| key.typed).into_iter().chain(location.value().map(|value| value.typed));
    for range in typed {
        assert!(text.get(Range::from(range)).is_some(), "{range:?} at {offset} of {text:?}");
        let is_beside = |end: TextSize| {
            let between = text.get(end.into()..offset).unwrap_or_default();
            !between.contains(['\n', '\r'])
        };
        assert!(!range.is_empty() || is_beside(range.end()), "{range:?} at {offset} of {text:?}");
    }
    for step in &location.path {
        match step {
            TreeStep::Key { range, mapping, .. } => {
                assert!(text.get(Range::from(*range)).is_some(), "{text:?}");
                assert!(
                    tree.node(*mapping).is_some_and(|node| node.as_mapping().is_some()),
                    "{offset}: {text:?}"
                );
            }
            TreeStep::Item { sequence, .. } => {
                assert!(
                    tree.node(*sequence).is_some_and(|node| node.as_sequence().is_some()),
                    "{offset}: {text:?}"
                );
            }
        }
    }
    let handles = [
        location.key().and_then(|key| key.mapping),
        location.key().and_then(|key| key.key),
        location.value().and_then(|value| value.node),
    ];
    assert!(handles.into_iter().flatten().all(|id| tree.node(id).is_some()), "{offset}: {text:?}");
    if let Some(cooked) = location.value().and_then(|value| Some((value.node?, value.cooked_offset?))) {
        let scalar = tree.node(cooked.0).unwrap().as_scalar().unwrap();
        assert!(cooked.1 <= scalar.cooked().len(), "{offset}: {text:?}");
    }
    if let Place::Comment { range } = location.place {
        assert!(text[range].starts_with('#'), "{offset}: {text:?}");
    }
}
