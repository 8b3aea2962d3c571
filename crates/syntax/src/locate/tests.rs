//! Cursors in texts of all sorts, each with the location as one line.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use super::{FlowPlace, KeyPlace, Place, TreeStep, ValuePlace, locate};
use crate::{ScalarStyle, Tree, parse};

/// Compares the location at `$0` with its rendering: document, path, place.
fn check_locate(fixture: &str, expected: &str) {
    let offset = fixture.find("$0").unwrap();
    let text = fixture.replacen("$0", "", 1);
    assert_eq!(located(&parse(text), offset), expected, "{fixture:?}");
}

fn located(tree: &Tree, offset: usize) -> String {
    let location = locate(tree, u32::try_from(offset).unwrap().into());
    let steps = location.path.iter().map(|step| match step {
        TreeStep::Key { text, range, .. } => {
            assert!(tree.text()[*range].contains(text) || text.contains(['\'', '"', '\\', ' ']), "{text}");
            format!("/{text}")
        }
        TreeStep::Item { index, .. } => format!("/{index}"),
    });
    let path: String = steps.collect();
    let place = match &location.place {
        Place::Key(key) => key_text(tree, key),
        Place::Value(value) => value_text(tree, value),
        Place::Either { key, value } => format!("{} or {}", key_text(tree, key), value_text(tree, value)),
        Place::Comment { range } => format!("comment {:?}", &tree.text()[*range]),
        Place::Nothing => "nothing".to_owned(),
    };
    let root = if path.is_empty() && !matches!(location.place, Place::Comment { .. } | Place::Nothing) {
        "/"
    } else {
        ""
    };
    let place = format!("{path}{root} {place}");
    if location.document == 0 {
        place.trim_start().to_owned()
    } else {
        format!("#{} {}", location.document, place.trim_start())
    }
}

fn key_text(tree: &Tree, key: &KeyPlace) -> String {
    let siblings: Vec<_> = key.siblings.iter().map(|sibling| sibling.text.as_str()).collect();
    let mut text = format!("key {:?} at {} of ", &tree.text()[key.typed], key.indent);
    match key.mapping {
        Some(mapping) => {
            assert!(tree.node(mapping).unwrap().as_mapping().is_some());
            text.push_str(&format!("{{{}}}", siblings.join(",")));
        }
        None => text.push_str(&format!("new{{{}}}", siblings.join(","))),
    }
    text.push_str(if key.has_colon { " colon" } else { "" });
    text + &flow_text(key.flow)
}

fn value_text(tree: &Tree, value: &ValuePlace) -> String {
    let mut text = format!("value {:?}", &tree.text()[value.typed]);
    match value.style {
        Some(ScalarStyle::Plain) => text.push_str(" plain"),
        Some(ScalarStyle::SingleQuoted) => text.push_str(" single"),
        Some(ScalarStyle::DoubleQuoted) => text.push_str(" double"),
        Some(ScalarStyle::Literal) => text.push_str(" literal"),
        Some(ScalarStyle::Folded) => text.push_str(" folded"),
        None => {}
    }
    if let Some(offset) = value.cooked_offset {
        let node = tree.node(value.node.unwrap()).unwrap();
        let cooked = node.as_scalar().unwrap().cooked();
        text.push_str(&format!(" {:?}@", &cooked[..offset]));
    } else if let Some(node) = value.node {
        text.push_str(&format!(" {:?}", tree.node(node).unwrap().kind()));
    }
    let flags =
        [(value.after_dash, " dashed"), (value.needs_dash, " dashless"), (value.needs_space, " spaceless")];
    for (_, flag) in flags.iter().filter(|(is_set, _)| *is_set) {
        text.push_str(flag);
    }
    text + &flow_text(value.flow)
}

fn flow_text(flow: Option<FlowPlace>) -> String {
    let Some(flow) = flow else { return String::new() };
    let before = if flow.needs_comma_before { ",_" } else { "" };
    let behind = if flow.needs_comma_after { "_," } else { "" };
    format!(" flow{before}{behind}")
}

#[test]
fn keys_and_values_that_are_written() {
    check_locate("kind: LLM$0Node\nname: a\n", "/kind value \"LLMNode\" plain \"LLM\"@");
    check_locate("ki$0nd: LLMNode\nname: a\n", "/ key \"kind\" at 0 of {name} colon");
    check_locate("kind$0: LLMNode\nname: a\n", "/ key \"kind\" at 0 of {name} colon");
    check_locate("$0kind: LLMNode\nname: a\n", "/ key \"kind\" at 0 of {name} colon");
    check_locate("kind:$0 LLMNode\n", "/kind value \"\" Scalar spaceless");
    check_locate("kind: $0LLMNode\n", "/kind value \"LLMNode\" plain \"\"@");
    check_locate("kind: LLMNode$0\n", "/kind value \"LLMNode\" plain \"LLMNode\"@");
    check_locate("kind: LLMNode $0\n", "/kind value \"LLMNode\" plain \"LLMNode\"@");
    check_locate("kind: LLMNode  # a comment $0\n", "comment \"# a comment \"");
    check_locate("kind: LLMNode  $0# a comment\n", "/kind value \"LLMNode\" plain \"LLMNode\"@");
    check_locate("a:\n  b:\n    - c: x$0\n", "/a/b/0/c value \"x\" plain \"x\"@");
    check_locate("a: {b: 'x$0y'}\n", "/a/b value \"xy\" single \"x\"@ flow");
    check_locate("'a b': \"x\\ty$0z\"\n", "/a b value \"x\\\\tyz\" double \"x\\ty\"@");
    check_locate("a: 'it''s$0'\n", "/a value \"it''s\" single \"it's\"@");
    check_locate("a: &x $0v\n", "/a value \"v\" plain \"\"@");
    check_locate("a: &x$0 v\n", "nothing");
    check_locate("a: &x v\nb: *x$0\n", "/b value \"*x\" Alias");
    check_locate("a: \"x\"$0\n", "/a value \"x\" double Scalar");
    check_locate("a: \"x\" $0\n", "nothing");
}

#[test]
fn places_where_nothing_stands_yet() {
    check_locate("$0", "/ key \"\" at 0 of new{} or value \"\"");
    check_locate("\n$0\n", "/ key \"\" at 0 of new{} or value \"\"");
    check_locate("# head\n$0\n", "/ key \"\" at 0 of new{} or value \"\"");
    check_locate("kind: $0\n", "/kind value \"\"");
    check_locate("kind:$0", "/kind value \"\" spaceless");
    check_locate("kind: LLMNode\n$0", "/ key \"\" at 0 of {kind}");
    check_locate("kind: LLMNode\n$0\nname: a\n", "/ key \"\" at 0 of {kind,name}");
    check_locate("kind: LLMNode\n\n\n$0\n\n", "/ key \"\" at 0 of {kind}");
    check_locate("kind: LLMNode\n  $0\n", "nothing");
    check_locate("$0\nkind: LLMNode\n", "/ key \"\" at 0 of {kind}");
    check_locate("model:\n  $0\n", "/model key \"\" at 2 of new{} or value \"\"");
    check_locate("model:\n$0\n", "/ key \"\" at 0 of {model}");
    check_locate("model:\n  $0\nname: x\n", "/model key \"\" at 2 of new{} or value \"\"");
    check_locate("model:\n  $0\n  name: x\n", "/model key \"\" at 2 of {name}");
    check_locate("model:\n  name: x\n  $0\nkind: y\n", "/model key \"\" at 2 of {name}");
    check_locate("model:\n  name: x\n    $0\nkind: y\n", "nothing");
    check_locate("model:\n    name: x\n  $0\n", "/model key \"\" at 4 of {name}");
    check_locate("model:\n  name:\n    $0\n", "/model/name key \"\" at 4 of new{} or value \"\"");
    check_locate("model: $0\n  name: x\n", "/model value \"\" Mapping");
    check_locate("a: &x\n  $0\n", "/a key \"\" at 2 of new{} or value \"\" Empty");
    check_locate("  a: 1\n$0\n", "/ key \"\" at 2 of {a}");
}

#[test]
fn half_typed_words() {
    check_locate("ki$0", "/ key \"ki\" at 0 of new{} or value \"ki\" plain \"ki\"@");
    check_locate("kind: a\nna$0\n", "/ key \"na\" at 0 of {kind}");
    check_locate("na$0\nkind: a\n", "/ key \"na\" at 0 of {kind}");
    check_locate("model:\n  pro$0\n", "/model key \"pro\" at 2 of new{} or value \"pro\" plain \"pro\"@");
    check_locate("model:\n  pro$0\n  name: x\n", "/model key \"pro\" at 2 of {name}");
    check_locate("model:\n  name: x\n  pro$0\nkind: y\n", "/model key \"pro\" at 2 of {name}");
    check_locate("model:\n  name: x\n  pro $0\nkind: y\n", "/model key \"pro\" at 2 of {name}");
    check_locate(
        "nodes:\n  - tar$0\n",
        "/nodes/0 key \"tar\" at 4 of new{} or value \"tar\" plain \"tar\"@ dashed",
    );
    check_locate("nodes:\n  - target: a\n    wh$0\n", "/nodes/0 key \"wh\" at 4 of {target}");
    check_locate("nodes:\n  - target: a\n    wh$0\n  - target: b\n", "/nodes/0 key \"wh\" at 4 of {target}");
    check_locate("nodes:\n  - target: a\n  tar$0\n  - target: b\n", "/nodes/1 value \"tar\" dashless");
    check_locate("- a\nod$0\n- b\n", "/1 value \"od\" dashless");
    check_locate("tools:\n  - a\nna$0\n", "/ key \"na\" at 0 of {tools}");
    check_locate("bare\n$0\n", "/ key \"\" at 0 of new{bare}");
    check_locate("model:\n  bare\n  $0\n", "/model key \"\" at 2 of new{bare}");
    check_locate("'na$0\nkind: x\n", "/ key \"na\" at 0 of {kind}");
    check_locate("\"name$0\": x\n", "/ key \"name\" at 0 of {} colon");
}

#[test]
fn sequences() {
    check_locate("tools:\n  - $0\n", "/tools/0 key \"\" at 4 of new{} or value \"\" dashed");
    check_locate("tools:\n  -$0\n", "/tools/0 key \"\" at 3 of new{} or value \"\" dashed spaceless");
    check_locate("tools:\n  - a\n  - $0\n", "/tools/1 key \"\" at 4 of new{} or value \"\" dashed");
    check_locate("tools:\n  - a\n  - $0\n  - b\n", "/tools/1 key \"\" at 4 of new{} or value \"\" dashed");
    check_locate("tools:\n  - a\n  $0\n", "/tools/1 value \"\" dashless");
    check_locate("tools:\n- a\n$0\n", "/ key \"\" at 0 of {tools}");
    check_locate("tools:\n- a\n- $0\nkind: x\n", "/tools/1 key \"\" at 2 of new{} or value \"\" dashed");
    check_locate("tools:\n  $0\n  - a\n", "/tools/0 value \"\" dashless");
    check_locate("nodes:\n  - target: a\n    $0\n", "/nodes/0 key \"\" at 4 of {target}");
    check_locate("nodes:\n  - target: a\n    $0\n  - target: b\n", "/nodes/0 key \"\" at 4 of {target}");
    check_locate("nodes:\n  - target: a\n   $0\n", "/nodes/0 key \"\" at 4 of {target}");
    check_locate("nodes:\n  - target: a\n  $0\n", "/nodes/1 value \"\" dashless");
    check_locate("nodes:\n  -\n    $0\n", "/nodes/0 key \"\" at 4 of new{} or value \"\" dashed");
    check_locate("nodes:\n  - $0\n    target: a\n", "/nodes/0 key \"\" at 4 of {target}");
    check_locate(
        "nodes:\n  - target: a\n    when:\n      $0\n",
        "/nodes/0/when key \"\" at 6 of new{} or value \"\"",
    );
    check_locate("- - $0\n", "/0/0 key \"\" at 4 of new{} or value \"\" dashed");
    check_locate("- !tag $0\n", "/0 value \"\" Empty dashed");
    check_locate("a:\n  - x\n    $0\n", "/a/0 key \"\" at 4 of new{x}");
}

#[test]
fn flow_collections() {
    check_locate("tools: [$0]\n", "/tools/0 value \"\" flow");
    check_locate("tools: [a$0]\n", "/tools/0 value \"a\" plain \"a\"@ flow");
    check_locate("tools: [a, $0]\n", "/tools/1 value \"\" flow");
    check_locate("tools: [a, $0\nkind: x\n", "/tools/1 value \"\" flow");
    check_locate("tools: [a, $0 b]\n", "/tools/1 value \"\" flow_,");
    check_locate("tools: [$0, b]\n", "/tools/0 value \"\" flow");
    check_locate("tools: [\n  a,\n  $0\n]\n", "/tools/1 value \"\" flow");
    check_locate("tools: [\n  a\n  $0\n]\n", "/tools/1 value \"\" flow,_");
    check_locate("tools: [\n  a,\n  $0\nkind: x\n", "/tools/1 value \"\" flow");
    check_locate("tools: [\n  a,\n$0\nkind: x\n", "/ key \"\" at 0 of {tools,kind}");
    check_locate("tools: [a]$0\n", "nothing");
    check_locate("tools: [a]\n$0\n", "/ key \"\" at 0 of {tools}");
    check_locate("a: [[b]$0, c]\n", "nothing");
    check_locate("a: [[b], $0, c]\n", "/a/1 value \"\" flow");
    check_locate("a: [[b], {c: [d, $0]}]\n", "/a/1/c/1 value \"\" flow");
    check_locate("tools: [a: $0]\n", "/tools/0/a value \"\" flow");
    check_locate("retry: {$0}\n", "/retry key \"\" at 8 of {} flow");
    check_locate("retry: {max: 1, $0}\n", "/retry key \"\" at 16 of {max} flow");
    check_locate("retry: {max: 1, ba$0}\n", "/retry key \"ba\" at 16 of {max} flow");
    check_locate("retry: {max: $0}\n", "/retry/max value \"\" flow");
    check_locate("retry: {max: $0, b: 1}\n", "/retry/max value \"\" flow");
    check_locate("retry: {max: 1, $0\nkind: x\n", "/retry key \"\" at 16 of {max} flow");
}

#[test]
fn json() {
    check_locate("{$0", "/ key \"\" at 1 of {} flow");
    check_locate("{\"$0\"}", "/ key \"\" at 1 of {} flow");
    check_locate("{\"$0", "/ key \"\" at 1 of {} flow");
    check_locate("{\"a\": $0}", "/a value \"\" flow");
    check_locate("{\"a\":$0}", "/a value \"\" spaceless flow");
    check_locate("{\"a\": \"$0\"}", "/a value \"\" double \"\"@ flow");
    check_locate("{\"a\": \"x\", $0}", "/ key \"\" at 11 of {a} flow");
    check_locate("{\"a\": 1,$0}", "/ key \"\" at 8 of {a} flow");
    check_locate("{\n  \"a\": 1,\n  $0\n}\n", "/ key \"\" at 2 of {a} flow");
    check_locate("{\n  \"a\": 1\n  $0\n}\n", "/ key \"\" at 2 of {a} flow,_");
    check_locate("{\n  $0\n  \"a\": 1\n}\n", "/ key \"\" at 2 of {a} flow_,");
    check_locate("{\n  \"a\": [\n    {\"b\": 1, \"$0\"}\n  ]\n}\n", "/a/0 key \"\" at 13 of {b} flow");
    check_locate("{\n  \"a\": \"x$0\n}\n", "/a value \"x\" double \"x\"@ flow");
    check_locate("{\n\"a\": 1,\n$0\n", "/ key \"\" at 0 of {a} flow");
    check_locate("[\n  {\"a\": 1},\n  $0\n]\n", "/1 value \"\" flow");
}

#[test]
fn quotes_and_block_scalars() {
    check_locate("when: \"a == $0\nkind: x\n", "/when value \"a == \" double \"a ==\"@");
    check_locate("when: \"$0\nkind: x\n", "/when value \"\" double \"\"@");
    check_locate("when: '$0'\n", "/when value \"\" single \"\"@");
    check_locate("when: \"\\u00e9 $0\"\n", "/when value \"\\\\u00e9 \" double \"é \"@");
    check_locate("when: |$0\n", "/when value \"\" literal \"\"@");
    check_locate("when: |\n  $0\n", "/when value \"\" literal \"\"@");
    check_locate("when: |\n  a ==$0\n", "/when value \"  a ==\" literal \"a ==\"@");
    check_locate("when: |\n  a ==\n  $0\n", "/when value \"  a ==\" literal \"a ==\\n\"@");
    check_locate("when: |\n  a ==\n$0\n", "/ key \"\" at 0 of {when}");
    check_locate("when: >\n  a\n  an$0d b\nkind: x\n", "/when value \"  a\\n  and b\" folded \"a an\"@");
    check_locate("when: >-\n  a\n\n  $0\n  b\n", "/when value \"  a\\n\\n  \\n  b\" folded \"a\"@");
    check_locate("when: |\n  a\n$0  b\n", "/when value \"  a\\n  b\" literal \"a\"@");
    check_locate("nodes:\n  - when: |\n      a\n    $0\n", "/nodes/0 key \"\" at 4 of {when}");
    check_locate(
        "nodes:\n  - when: |\n      a\n      $0\n",
        "/nodes/0/when value \"      a\" literal \"a\\n\"@",
    );
    check_locate("nodes:\n  - when: >\n      $0\n    target: b\n", "/nodes/0/when value \"\" folded \"\"@");
    check_locate("a: word one\n  two$0\n", "/a value \"word one\\n  two\" plain \"word one two\"@");
    check_locate("- |\n  x\n  # c$0\n", "/0 value \"  x\\n  # c\" literal \"x\\n# c\"@ dashed");
}

#[test]
fn documents_and_line_ends() {
    check_locate("a: 1\n---\n$0", "#1 / key \"\" at 0 of new{} or value \"\"");
    check_locate("a: 1\n---\n$0\nb: 2\n", "#1 / key \"\" at 0 of {b}");
    check_locate("a: 1\n$0\n---\nb: 2\n", "/ key \"\" at 0 of {a}");
    check_locate("$0\n---\nb: 2\n", "/ key \"\" at 0 of new{} or value \"\"");
    check_locate("---$0\nb: 2\n", "nothing");
    check_locate("--- $0\n", "/ value \"\"");
    check_locate("a: 1\n---\n---\n$0\n", "#2 / key \"\" at 0 of new{} or value \"\"");
    check_locate("a: 1\n...\n$0\n", "#1 / key \"\" at 0 of new{} or value \"\"");
    check_locate("a: 1\n---\nb: $0\n---\nc: 3\n", "#1 /b value \"\"");
    check_locate("%YAML 1.2\n$0\n---\na: 1\n", "nothing");
    check_locate("a:\r\n  b: 1\r\n  $0\r\nc: 2\r\n", "/a key \"\" at 2 of {b}");
    check_locate("a: x$0\r\nb: 1\r\n", "/a value \"x\" plain \"x\"@");
    check_locate("\u{feff}$0a: 1\n", "/ key \"a\" at 0 of {} colon");
    check_locate("é: ü$0\n", "/é value \"ü\" plain \"ü\"@");
    check_locate("a: 1\n<<<<<<< HEAD$0\nb: 1\n", "nothing");
    check_locate("  $0  a: 1\n", "nothing");
    check_locate("a: 1\n# c$0omment\nb: 2\n", "comment \"# comment\"");
}

#[test]
fn rarer_places() {
    check_locate("? $0\n", "/ key \"\" at 2 of {}");
    check_locate("? a\n: $0\n", "/a value \"\"");
    check_locate("a: !tag\n  $0\n", "/a key \"\" at 2 of new{} or value \"\" Empty");
    check_locate("a: b: $0\n", "/a value \"b:\" plain \"b:\"@");
    check_locate("a:\n\t$0\n", "/a key \"\" at 1 of new{} or value \"\"");
    check_locate("nodes:\n  # c\n  $0\n", "/nodes key \"\" at 2 of new{} or value \"\"");
    check_locate("nodes:\n  - a: 1\n  # c\n    $0\n", "/nodes/0 key \"\" at 4 of {a}");
    check_locate("nodes:\n  - target: a\n      $0\n", "nothing");
    check_locate("- a\nb: $0\n- c\n", "/b value \"\" Sequence");
    check_locate("- a\nb: x\nc$0\n- c\n", "/ key \"c\" at 0 of {b}");
    check_locate("a: 1\n  b: $0\n", "/b value \"\"");
    check_locate("a:\n  - b\n $0\n", "/a/1 value \"\" dashless");
    check_locate("{a: 1,\n b$0}\n", "/ key \"b\" at 1 of {a} flow");
    check_locate("a: >\n\n\n$0\n", "/ key \"\" at 0 of {a}");
    check_locate("a: |\n  x\n   $0", "/a value \"  x\\n   \" literal \"x\\n \\n\"@");
    check_locate("when: \"a\n  b$0\"\n", "/when value \"a\\n  b\" double \"a b\"@");
    check_locate("a: 'it$0", "/a value \"it\" single \"it\"@");
    check_locate("nodes: [{target: a, $0}]\n", "/nodes/0 key \"\" at 20 of {target} flow");
    check_locate("nodes: [{target: a$0\nkind: x\n", "/nodes/0/target value \"a\" plain \"a\"@ flow");
    check_locate("nodes:\n  - {target: a, when: \"$0\n  - b\n", "/nodes/0/when value \"\" double \"\"@ flow");
    check_locate("a: [b]\n  $0\n", "nothing");
    check_locate("a: $0 # c\n", "/a value \"\"");
    check_locate("a: *$0\n", "/a value \"*\" Alias");
    check_locate("a: $0\n- b\n", "/a value \"\" Sequence");
    check_locate("a\n$0: b\n", "nothing");
    check_locate(":$0", "/ value \"\" spaceless");
    check_locate("a: 1\nb$0\n  c: 2\n", "/ key \"b\" at 0 of {a}");
    check_locate("a: 1\nb$0 c: 2\n", "/ key \"b c\" at 0 of {a} colon");
    check_locate("a:b$0\nc: 1\n", "/a value \"b\" plain \"b\"@");
    check_locate("b: 'x' jun$0k\n", "nothing");
    check_locate("key: value\n\n  # indented $0\n", "comment \"# indented \"");
    check_locate("<<: *b\nna$0me: x\n", "/ key \"name\" at 0 of {<<} colon");
    check_locate("when: |\r\n  a ==$0\r\n", "/when value \"  a ==\" literal \"a ==\"@");
    check_locate("when: |\r\n  a\r\n  $0\r\nkind: x\r\n", "/when value \"  a\" literal \"a\\n\"@");
    check_locate("\"a\": {\"b$0\n", "/a key \"b\" at 6 of {} flow");
    check_locate("{\"a\": {\"b\": 1}, $0", "/ key \"\" at 16 of {a} flow");
    check_locate("{\"a\": [1, {\"b\": $0", "/a/1/b value \"\" flow");
    check_locate("{\"nodes\": [{\"id\": \"a\"}, {$0}]}", "/nodes/1 key \"\" at 25 of {} flow");
}
