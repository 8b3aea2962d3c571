//! Edits of all sorts, each with the text that it leaves.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use super::{
    MemberPosition, NewValue, ScalarPosition, Writer, fragment_text, indent, scalar_like, scalar_text,
};
use crate::edit::{TextEdit, apply_edits};
use crate::locate::locate;
use crate::{Mapping, ScalarStyle, ScalarValue, Sequence, SyntaxNode, Tree, parse};

/// Applies what `edit` makes of the collection at `$0` (a JSON file where the text begins with `{` or `[`).
fn check_edit(
    fixture: &str,
    edit: impl for<'t> Fn(&Writer<'t>, SyntaxNode<'t>) -> Vec<TextEdit>,
    expected: &str,
) {
    let offset = u32::try_from(fixture.find("$0").unwrap()).unwrap();
    let text = fixture.replacen("$0", "", 1);
    let tree = parse(text.as_str());
    let writer = Writer::new(&tree, text.starts_with(['{', '[']));
    let mut edits = edit(&writer, collection_at(&tree, offset));
    let edited = apply_edits(&text, &mut edits).unwrap();
    assert_eq!(edited, expected, "{fixture:?}");
    assert_eq!(parse(edited.as_str()).problems(), tree.problems(), "{edited:?}");
}

/// The innermost collection at an offset.
fn collection_at(tree: &Tree, offset: u32) -> SyntaxNode<'_> {
    let location = locate(tree, offset.into());
    let key = location.key().and_then(|key| tree.node(key.mapping?));
    let value = location.value().and_then(|value| tree.node(value.node?));
    let step = location.path.last().map(|step| match step {
        crate::locate::TreeStep::Key { mapping, .. } => *mapping,
        crate::locate::TreeStep::Item { sequence, .. } => *sequence,
    });
    let value = value.filter(|node| node.as_scalar().is_none());
    key.or(value).or(step.and_then(|id| tree.node(id))).unwrap_or_else(|| panic!("{location:?}"))
}

fn mapping(node: SyntaxNode<'_>) -> Mapping<'_> {
    node.as_mapping().unwrap()
}

fn sequence(node: SyntaxNode<'_>) -> Sequence<'_> {
    node.as_sequence().unwrap()
}

fn check_entry(fixture: &str, place: MemberPosition, expected: &str) {
    let value = NewValue::text("w x");
    check_edit(fixture, |writer, node| writer.insert_entry(mapping(node), place, "new", &value), expected);
}

fn check_item(fixture: &str, place: MemberPosition, expected: &str) {
    let value = NewValue::text("new");
    check_edit(fixture, |writer, node| writer.insert_item(sequence(node), place, &value), expected);
}

#[test]
fn an_entry_more() {
    check_entry("$0a: 1\n", MemberPosition::Last, "a: 1\nnew: w x\n");
    check_entry("$0a: 1", MemberPosition::Last, "a: 1\nnew: w x");
    check_entry("$0a: 1\nb: 2\n", MemberPosition::First, "new: w x\na: 1\nb: 2\n");
    check_entry("$0a: 1\nb: 2\n", MemberPosition::Behind(0), "a: 1\nnew: w x\nb: 2\n");
    check_entry("$0a: 1\nb: 2\n", MemberPosition::Behind(7), "a: 1\nb: 2\nnew: w x\n");
    check_entry(
        "$0a: 1 # why\n\n# what\nb: 2\n",
        MemberPosition::Behind(0),
        "a: 1 # why\nnew: w x\n\n# what\nb: 2\n",
    );
    check_entry(
        "a:\n  $0b: |\n    x\n\nc: 1\n",
        MemberPosition::Last,
        "a:\n  b: |\n    x\n  new: w x\n\nc: 1\n",
    );
    check_entry(
        "a:\n  $0b: |+\n    x\n\nc: 1\n",
        MemberPosition::Last,
        "a:\n  b: |+\n    x\n\n  new: w x\nc: 1\n",
    );
    check_entry(
        "- $0a: 1\n  b:\n    - c\n- d\n",
        MemberPosition::Last,
        "- a: 1\n  b:\n    - c\n  new: w x\n- d\n",
    );
    check_entry("- $0a: 1\n- d\n", MemberPosition::First, "- new: w x\n  a: 1\n- d\n");
    check_entry("a:\r\n  $0b: 1\r\nc: 2\r\n", MemberPosition::Last, "a:\r\n  b: 1\r\n  new: w x\r\nc: 2\r\n");
    check_entry("a: 1\n---\n$0b: 1\n...\n", MemberPosition::Last, "a: 1\n---\nb: 1\nnew: w x\n...\n");
    check_entry("$0a:\n", MemberPosition::Last, "a:\nnew: w x\n");
}

#[test]
fn an_entry_more_between_braces() {
    check_entry("a: {$0}\n", MemberPosition::Last, "a: {new: w x}\n");
    check_entry("a: { $0 }\n", MemberPosition::Last, "a: {new: w x}\n");
    check_entry("a: {$0b: 1}\n", MemberPosition::Last, "a: {b: 1, new: w x}\n");
    check_entry("a: {$0b: 1, c: 2}\n", MemberPosition::Behind(0), "a: {b: 1, new: w x, c: 2}\n");
    check_entry("a: {$0b: 1}\n", MemberPosition::First, "a: {new: w x, b: 1}\n");
    check_entry("a: {$0b: 1,}\n", MemberPosition::Last, "a: {b: 1, new: w x,}\n");
    check_entry("{$0}", MemberPosition::Last, "{\"new\": \"w x\"}");
    check_entry("{\"$0a\": 1}", MemberPosition::Last, "{\"a\": 1, \"new\": \"w x\"}");
    check_entry("{\n  \"$0a\": 1\n}\n", MemberPosition::Last, "{\n  \"a\": 1,\n  \"new\": \"w x\"\n}\n");
    check_entry(
        "{\n  \"$0a\": 1,\n  \"b\": [\n  ]\n}\n",
        MemberPosition::Behind(0),
        "{\n  \"a\": 1,\n  \"new\": \"w x\",\n  \"b\": [\n  ]\n}\n",
    );
    check_entry("{\n  \"$0a\": 1\n}\n", MemberPosition::First, "{\n  \"new\": \"w x\",\n  \"a\": 1\n}\n");
    check_entry("a: {\n  $0b: 1 # why\n}\n", MemberPosition::Last, "a: {\n  b: 1, # why\n  new: w x\n}\n");
    check_entry(
        "a: {\n  $0b: 1, # why\n  c: 2\n}\n",
        MemberPosition::Behind(0),
        "a: {\n  b: 1, # why\n  new: w x,\n  c: 2\n}\n",
    );
}

#[test]
fn an_item_more() {
    check_item("a:\n  - $0b\n  - c\n", MemberPosition::Last, "a:\n  - b\n  - c\n  - new\n");
    check_item("a:\n- $0b\n- c\nd: 1\n", MemberPosition::Behind(0), "a:\n- b\n- new\n- c\nd: 1\n");
    check_item("a:\n  - $0b\n", MemberPosition::First, "a:\n  - new\n  - b\n");
    check_item("a: [$0]\n", MemberPosition::Last, "a: [new]\n");
    check_item("a: [$0b]\n", MemberPosition::Last, "a: [b, new]\n");
    check_item("[\n  $0{\"a\": 1}\n]\n", MemberPosition::Last, "[\n  {\"a\": 1},\n  \"new\"\n]\n");
}

#[test]
fn values_take_the_layout_of_their_place() {
    let value = NewValue::mapping([
        ("target", NewValue::text("b")),
        ("when", NewValue::text("x: y")),
        (
            "list",
            NewValue::Sequence(vec![
                NewValue::Literal("1".to_owned()),
                NewValue::mapping([("k", NewValue::text("yes"))]),
            ]),
        ),
        ("none", NewValue::Sequence(Vec::new())),
    ]);
    let block = "target: b\n    when: \"x: y\"\n    list:\n      - 1\n      - k: \"yes\"\n    none: []\n";
    check_edit(
        "a:\n  - $0b\n",
        |writer, node| writer.insert_item(sequence(node), MemberPosition::Last, &value),
        &format!("a:\n  - b\n  - {block}"),
    );
    let deeper = block.replace("\n    ", "\n  ");
    check_edit(
        "$0a: 1\n",
        |writer, node| writer.insert_entry(mapping(node), MemberPosition::Last, "next", &value),
        &format!("a: 1\nnext:\n  {}", deeper),
    );
    let pair = NewValue::mapping([("c", NewValue::text("d"))]);
    check_edit(
        "a:\n  - $0x\n  - {b: 1}\n",
        |writer, node| writer.insert_item(sequence(node), MemberPosition::Last, &pair),
        "a:\n  - x\n  - {b: 1}\n  - {c: d}\n",
    );
    let wide = "$0a:\n    b: 1\n";
    check_edit(
        wide,
        |writer, node| {
            writer.insert_entry(
                mapping(node),
                MemberPosition::Last,
                "next",
                &NewValue::mapping([("c", NewValue::text("d"))]),
            )
        },
        "a:\n    b: 1\nnext:\n    c: d\n",
    );
    check_edit(
        "a: [$0b]\n",
        |writer, node| writer.insert_item(sequence(node), MemberPosition::Last, &value),
        "a: [b, {target: b, when: \"x: y\", list: [1, {k: \"yes\"}], none: []}]\n",
    );
    check_edit(
        "[$0]",
        |writer, node| writer.insert_item(sequence(node), MemberPosition::Last, &value),
        "[{\"target\": \"b\", \"when\": \"x: y\", \"list\": [1, {\"k\": \"yes\"}], \"none\": []}]",
    );
}

fn check_set(fixture: &str, number: usize, value: &NewValue, expected: &str) {
    check_edit(fixture, |writer, node| set_member(writer, node, number, value), expected);
}

fn set_member<'t>(
    writer: &Writer<'t>,
    node: SyntaxNode<'t>,
    number: usize,
    value: &NewValue,
) -> Vec<TextEdit> {
    match node.as_mapping() {
        Some(mapping) => writer.set_value(mapping, mapping.entries().nth(number).unwrap(), value),
        None => {
            let sequence = node.as_sequence().unwrap();
            writer.set_item(sequence, sequence.items().nth(number).unwrap(), value)
        }
    }
}

#[test]
fn another_value() {
    let text = NewValue::text("new");
    let mapping = NewValue::mapping([("o", NewValue::text("m"))]);
    check_set("$0a: 1 # why\n", 0, &text, "a: new # why\n");
    check_set("$0a:\nb: 1\n", 0, &text, "a: new\nb: 1\n");
    check_set("$0a: 1\n", 0, &mapping, "a:\n  o: m\n");
    check_set("$0a:\n  b: 1\n  c: 2\nd: 1\n", 0, &text, "a: new\nd: 1\n");
    check_set("$0a: # why\n  b: 1\n", 0, &mapping, "a: # why\n  o: m\n");
    check_set("$0a: |\n  x\n  y\nb: 1\n", 0, &text, "a: new\nb: 1\n");
    check_set("a: {$0b: 1, c: 2}\n", 0, &mapping, "a: {b: {o: m}, c: 2}\n");
    check_set("{\"$0b\": 1}\n", 0, &text, "{\"b\": \"new\"}\n");
    check_set("a:\n  - $0b\n  - c\n", 0, &mapping, "a:\n  - o: m\n  - c\n");
    check_set("a: [$0b, c]\n", 1, &text, "a: [b, new]\n");
}

fn check_remove(fixture: &str, number: usize, expected: &str) {
    check_edit(fixture, |writer, node| remove_member(writer, node, number), expected);
}

fn remove_member<'t>(writer: &Writer<'t>, node: SyntaxNode<'t>, number: usize) -> Vec<TextEdit> {
    match node.as_mapping() {
        Some(mapping) => writer.remove_entry(mapping, number),
        None => writer.remove_item(node.as_sequence().unwrap(), number),
    }
}

#[test]
fn a_member_less() {
    check_remove("$0a: 1\nb: 2\n", 0, "b: 2\n");
    check_remove("$0a: 1\nb: 2 # why\nc: 3\n", 1, "a: 1\nc: 3\n");
    check_remove("$0a: 1\nb: 2", 1, "a: 1");
    check_remove("$0a: |\n  x\n\n# c\nb: 2\n", 0, "\n# c\nb: 2\n");
    check_remove("- $0a: 1\n  b: 2\n", 0, "- b: 2\n");
    check_remove("- $0a: 1\n  # c\n  b: 2\n", 0, "- # c\n  b: 2\n");
    check_remove("a:\n  $0b: 1\nc: 2\n", 0, "a:\n  {}\nc: 2\n");
    check_remove("a:\n  - $0b\n  - c\n", 0, "a:\n  - c\n");
    check_remove("a:\n  - $0b\n", 0, "a:\n  []\n");
    check_remove("a: [$0b, c, d]\n", 1, "a: [b, d]\n");
    check_remove("a: [$0b, c]\n", 0, "a: [c]\n");
    check_remove("a: [$0b, c]\n", 1, "a: [b]\n");
    check_remove("a: [$0b]\n", 0, "a: []\n");
    check_remove("{\n  \"$0a\": 1,\n  \"b\": 2\n}\n", 0, "{\n  \"b\": 2\n}\n");
    check_remove("{\n  \"$0a\": 1,\n  \"b\": 2\n}\n", 1, "{\n  \"a\": 1\n}\n");
    check_remove("a: [\n  $0b, # one\n  # two\n  c, # three\n]\n", 0, "a: [\n  # two\n  c, # three\n]\n");
    check_remove("$0a: 1\n", 5, "a: 1\n");
}

#[test]
fn a_document_more() {
    let value = NewValue::mapping([("kind", NewValue::text("ToolNode")), ("name", NewValue::text("a"))]);
    let check = |text: &str, expected: &str| {
        let tree = parse(text);
        let mut edits = Writer::new(&tree, false).append_document(&value);
        assert_eq!(apply_edits(text, &mut edits).unwrap(), expected, "{text:?}");
    };
    check("", "kind: ToolNode\nname: a\n");
    check("a: 1", "a: 1\n---\nkind: ToolNode\nname: a\n");
    check("a: 1\n---\n", "a: 1\n---\nkind: ToolNode\nname: a\n");
    check("# head\n", "# head\nkind: ToolNode\nname: a\n");
    check("a: 1\r\n...\r\n", "a: 1\r\n...\r\n---\r\nkind: ToolNode\r\nname: a\r\n");
}

#[test]
fn scalars() {
    let check = |text: &str, expected: [&str; 3]| {
        let settings = [ScalarPosition::Block, ScalarPosition::Flow, ScalarPosition::Json];
        assert_eq!(settings.map(|setting| scalar_text(text, setting)), expected, "{text:?}");
    };
    check("a b", ["a b", "a b", "\"a b\""]);
    check("a, b", ["a, b", "\"a, b\"", "\"a, b\""]);
    check("", ["\"\""; 3]);
    check("yes", ["\"yes\""; 3]);
    check("12", ["\"12\""; 3]);
    check("2020-01-01", ["\"2020-01-01\""; 3]);
    check("x: y", ["\"x: y\""; 3]);
    check("say \"hi\"", ["say \"hi\"", "say \"hi\"", "\"say \\\"hi\\\"\""]);
    check("\"hi\"", ["'\"hi\"'", "'\"hi\"'", "\"\\\"hi\\\"\""]);
    check("a\nb", ["\"a\\nb\""; 3]);
    check("http://x.y/z", ["http://x.y/z", "http://x.y/z", "\"http://x.y/z\""]);
    check("3 apples", ["3 apples", "3 apples", "\"3 apples\""]);
}

#[test]
fn scalars_keep_their_quotes() {
    let check = |text: &str, new: &str, expected: &str| {
        let tree = parse(text);
        let root = tree.documents().next().and_then(|document| document.root()).unwrap();
        assert_eq!(scalar_like(root.as_scalar().unwrap(), new, ScalarPosition::Block), expected, "{text:?}");
    };
    check("'a'", "it's", "'it''s'");
    check("\"a\"", "b", "\"b\"");
    check("a", "b", "b");
    check("a", "no", "\"no\"");
    check("'a'", "b\n", "\"b\\n\"");
    assert_eq!(fragment_text(ScalarStyle::SingleQuoted, "it's").as_deref(), Some("it''s"));
    assert_eq!(fragment_text(ScalarStyle::DoubleQuoted, "\"").as_deref(), Some("\\\""));
    assert_eq!(fragment_text(ScalarStyle::Literal, "a\nb"), None);
    assert_eq!(fragment_text(ScalarStyle::Plain, "a: b"), None);
    assert_eq!(fragment_text(ScalarStyle::Plain, "a_b").as_deref(), Some("a_b"));
}

#[test]
fn every_text_reads_back_the_same() {
    let letters = [
        "a", "Z", "0", "9", " ", "\t", "\n", "\r", ":", "#", "-", "'", "\"", "\\", "[", "}", ",", "&", "*",
        "!", "|", ">", "%", "@", "~", ".", "é", "𝄞", "\u{85}", "\u{2028}", "\u{feff}", "\0", "_", "=", "<",
        "yes", "null", "1e3", "0x",
    ];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        for position in 0..(seed >> 60) % 7 {
            text.push_str(letters[usize::try_from((seed >> (position * 7)) % 127).unwrap() % letters.len()]);
        }
        for (setting, before, behind) in [
            (ScalarPosition::Block, "k: ", "\n"),
            (ScalarPosition::Flow, "k: [x, ", "]\n"),
            (ScalarPosition::Json, "{\"k\": ", "}"),
        ] {
            let source = format!("{before}{}{behind}", scalar_text(&text, setting));
            let tree = parse(source.as_str());
            assert!(tree.problems().is_empty(), "{source:?}: {:?}", tree.problems());
            let root = tree.documents().next().and_then(|document| document.root()).unwrap();
            let value = root.as_mapping().unwrap().get("k").unwrap().value().unwrap();
            let value =
                value.as_sequence().map_or(value, |items| items.items().nth(1).unwrap().node().unwrap());
            let scalar = value.as_scalar().unwrap();
            assert_eq!(
                (scalar.cooked().as_ref(), scalar.resolve()),
                (text.as_str(), ScalarValue::Text),
                "{source:?}"
            );
        }
    }
}

#[test]
fn indented_blocks() {
    assert_eq!(indent("a:\n  b\n\nc", 2), "a:\n    b\n\n  c");
    assert_eq!(indent("a\r\n\r\nb\r\n", 4), "a\r\n\r\n    b\r\n");
}
