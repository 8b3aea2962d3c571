//! What the canonical layout is, case by case: a text before, and after.

use nodewise_analysis::facts::kinds;
use nodewise_analysis::settings::Pin;
use nodewise_format::options::{FlowWrapping, Quotes, SequenceIndent};
use nodewise_format::{FormatOptions, FormatRefusal, format_tree, range};
use nodewise_syntax::edit::apply_edits;
use nodewise_syntax::{TextRange, parse};

/// The one door: a text, and what it becomes under the options.
#[track_caller]
fn check_format(options: &FormatOptions, before: &str, after: &str) {
    let tree = parse(before);
    let kinds = kinds("file.yaml", &tree, Pin::ByContent).unwrap_or_default();
    let formatted = format_tree(&tree, &kinds, options).unwrap();
    assert_eq!(formatted.text, after, "\n--- found\n{}", formatted.text);
    let again = format_tree(&parse(after), &kinds, options).unwrap();
    assert_eq!(again.text, after, "a second time");
}

#[track_caller]
fn check_usual(before: &str, after: &str) {
    check_format(&FormatOptions::default(), before, after);
}

#[test]
fn blanks_and_indentation() {
    check_usual(
        "kind:   LLMNode\nname :  x\nnodes:\n    -   a\n    -   b:   1\n        c: 2\n",
        "kind: LLMNode\nname: x\nnodes:\n  - a\n  - b: 1\n    c: 2\n",
    );
    check_usual("a:\n- 1\n-   - 2\n    - 3\n-\n  b: 1\n", "a:\n- 1\n- - 2\n  - 3\n- b: 1\n");
    check_usual("? a\n:   b\n?   - c\n: d: 1\n", "? a\n: b\n? - c\n: d: 1\n");
    check_usual("\n\n\na: 1\n\n\n\nb: 2   \n\n", "a: 1\n\nb: 2\n");
    check_usual("a:\n\n  b: 1\n", "a:\n  b: 1\n");
    check_usual("a: 1", "a: 1\n");
    check_usual("", "");
}

#[test]
fn sequences_stand_where_they_did_or_where_the_project_wants_them() {
    let text = "a:\n- 1\nb:\n  - 2\n";
    check_usual(text, text);
    let of = |sequences| FormatOptions { sequences, ..FormatOptions::default() };
    check_format(&of(SequenceIndent::Indent), text, "a:\n  - 1\nb:\n  - 2\n");
    check_format(&of(SequenceIndent::Flush), text, "a:\n- 1\nb:\n- 2\n");
    let four = FormatOptions { indent: 4, ..FormatOptions::default() };
    check_format(&four, "a:\n  b:\n    - c: 1\n      d: 2\n", "a:\n    b:\n        - c: 1\n          d: 2\n");
}

#[test]
fn comments_stay_with_what_they_speak_of() {
    check_usual(
        "a:\n    # of b\n    b: 1\n    # still in a\n# of c\nc: 2 # beside\nd: 3     # aligned\n",
        "a:\n  # of b\n  b: 1\n  # still in a\n# of c\nc: 2  # beside\nd: 3     # aligned\n",
    );
    check_usual("#head\n\n\n#more\na: 1\n#end\n", "#head\n\n#more\na: 1\n#end\n");
    check_usual("a: # of the value\n    b: 1\n", "a:  # of the value\n  b: 1\n");
    check_usual("- # of the item\n    a: 1\n", "-  # of the item\n  a: 1\n");
    check_usual("a:\n      - 1\n      # - 2\nb: 1\n", "a:\n  - 1\n  # - 2\nb: 1\n");
    check_usual("# nothing but this", "# nothing but this\n");
}

#[test]
fn quotes() {
    check_usual(
        "a: 'x'\nb: \"say \\\"hi\\\"\"\nc: 'it''s'\nd: '\\d'\ne: \"\\n\"\nf: 'a \"b\"'\n",
        "a: \"x\"\nb: 'say \"hi\"'\nc: \"it's\"\nd: '\\d'\ne: \"\\n\"\nf: 'a \"b\"'\n",
    );
    let of = |quotes| FormatOptions { quotes, ..FormatOptions::default() };
    check_format(
        &of(Quotes::Single),
        "a: \"x\"\nb: \"it's\"\nc: \"\\t\"\n",
        "a: 'x'\nb: \"it's\"\nc: \"\\t\"\n",
    );
    check_format(&of(Quotes::Keep), "a: \"x\"\nb: 'y'\n", "a: \"x\"\nb: 'y'\n");
}

#[test]
fn texts_of_several_lines() {
    check_usual(
        "a: |\n     one\n       two\n\n     three\nb: >-\n\n  folded\n\n\nc: 1\n",
        "a: |\n  one\n    two\n\n  three\nb: >-\n\n  folded\n\nc: 1\n",
    );
    check_usual("a:\n    b: |2\n         x\n", "a:\n  b: |2\n       x\n");
    check_usual("a: |+\n    x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n");
    check_usual("a: |\n  x", "a: |\n  x");
    check_usual("a: one\n     two\n\n     three\n", "a: one\n  two\n\n  three\n");
    check_usual("a:\n      one\n      two\n", "a:\n  one\n  two\n");
    check_usual("a:\n    short\n", "a: short\n");
    check_usual("a: \"x \\\n      y\"\n", "a: \"x \\\n  y\"\n");
}

#[test]
fn brackets() {
    check_usual("a: [ 1,2 , 3,]\nb: { x : 1,y: }\nc: [ ]\n", "a: [1, 2, 3]\nb: {x: 1, y: }\nc: []\n");
    let spaced = FormatOptions { brace_spacing: Some(true), ..FormatOptions::default() };
    check_format(&spaced, "b: {x: 1, y: []}\nc: {}\n", "b: { x: 1, y: [] }\nc: {}\n");
    let narrow = FormatOptions { line_width: 20, ..FormatOptions::default() };
    check_format(
        &narrow,
        "a: {long: {inner: 1, other: 2}, b: [1, 2]}\n",
        "a:\n  long:\n    inner: 1\n    other: 2\n  b: [1, 2]\n",
    );
    check_format(&narrow, "- {first: 1, second: 2}\n", "- first: 1\n  second: 2\n");
    check_usual("a: [\n  1,\n  2\n]\n", "a:\n  - 1\n  - 2\n");
    check_usual("a: [1, # one\n  2]\n", "a: [\n    1,  # one\n    2\n  ]\n");
    let kept = FormatOptions { flow: FlowWrapping::Keep, ..FormatOptions::default() };
    check_format(&kept, "a: [\n 1,\n 2]\n", "a: [\n    1,\n    2\n  ]\n");
}

/// What the fuzzer found, as small as it went.
#[test]
fn found_by_fuzzing() {
    // Behind a comment a collection begins a line, and has the width of that line.
    let narrow = FormatOptions { indent: 4, line_width: 20, ..FormatOptions::default() };
    check_format(&narrow, ": #\n {ystem:{en: Hi}}", ":  #\n    ystem: {en: Hi}\n");
    // A blank that only one language knows is no expression.
    check_usual(
        "edges:\n- {source: __START__,condition: {type: expression,expr: \u{a0}}}\n",
        "edges:\n- {source: __START__, condition: {type: expression, expr: \u{a0}}}\n",
    );
    // A carriage return and a line feed that meet in a part of a text would be one break.
    let text = "|+\r ";
    let tree = parse(text);
    let formatted = format_tree(&tree, &[], &FormatOptions::default()).unwrap();
    assert_eq!(range::within(&tree, &formatted, TextRange::new(3.into(), 4.into())), []);
}

#[test]
fn braces_count_with_the_blanks_inside() {
    check_usual(
        "{name: n, nodes: [{id: rb, type: reflection, reflection_config: {source_keys: [notes], extractor: {type: rule_based, min_sentence_length: 15}, tags: [lesson]}}], edges: []}\n",
        "{
  name: n,
  nodes: [
    {
      id: rb,
      type: reflection,
      reflection_config: {
        source_keys: [notes],
        extractor: { type: rule_based, min_sentence_length: 15 },
        tags: [lesson]
      }
    }
  ],
  edges: []
}
",
    );
}

#[test]
fn json_stays_json() {
    check_usual(
        "{\"a\":1,\n \"b\":{\n\"c\":[1,2],\"d\":'x'}}",
        "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [1, 2],\n    \"d\": 'x'\n  }\n}\n",
    );
    check_usual("{\"a\":{}}", "{ \"a\": {} }\n");
}

#[test]
fn anchors_tags_and_documents() {
    check_usual(
        "%YAML 1.2\n---   # first\n&a  !!map\nx:   &b [1]\n*b : y\n...\n\n\n---\n- !t   z\n",
        "%YAML 1.2\n---   # first\n&a !!map\nx: &b [1]\n*b : y\n...\n\n---\n- !t z\n",
    );
    check_usual("a: &x\n      b: 1\n", "a: &x\n  b: 1\n");
    check_usual("a: &x   {b: 1}\nc:   *x\n", "a: &x {b: 1}\nc: *x\n");
    check_usual("--- text\n--- |\n  body\n", "--- text\n--- |\n  body\n");
}

#[test]
fn line_breaks_and_marks_stay() {
    check_usual("\u{feff}a:   1\r\nb:\r\n    - 2\r\n", "\u{feff}a: 1\r\nb:\r\n  - 2\r\n");
}

#[test]
fn conditions_inside_declarations() {
    check_usual(
        "kind: LLMNode\nname: a\nprompts: {system: {en: x}}\nnodes:\n  - target: b\n    when: \"x==1   and  y != 'z'\"\n",
        "kind: LLMNode\nname: a\nprompts: {system: {en: x}}\nnodes:\n  - target: b\n    when: \"x == 1 and y != 'z'\"\n",
    );
    // What is no condition stays.
    check_usual(
        "kind: LLMNode\nname: a\nprompts: {system: {en: x}}\nnodes:\n  - target: b\n    when: x==\n",
        "kind: LLMNode\nname: a\nprompts: {system: {en: x}}\nnodes:\n  - target: b\n    when: x==\n",
    );
}

#[test]
fn keys_in_the_order_of_the_table() {
    let ordered = FormatOptions { key_order: true, ..FormatOptions::default() };
    check_format(
        &ordered,
        "# head\nname: a  # beside\n\n# of the prompts\nprompts:\n  system: {en: x}\nown: 1\nkind: LLMNode\n",
        "# head\nkind: LLMNode\nname: a  # beside\n\n# of the prompts\nprompts:\n  system: {en: x}\nown: 1\n",
    );
}

#[test]
fn what_is_broken_stays() {
    let refused = format_tree(&parse("a: [1\nb: 2\n"), &[], &FormatOptions::default());
    assert!(matches!(refused, Err(FormatRefusal::Broken(_))));
}

#[test]
fn a_range_is_laid_out_alone() {
    let text = "a:   1\nb:\n    c:   2\nd:   3\n";
    let tree = parse(text);
    let formatted = format_tree(&tree, &[], &FormatOptions::default()).unwrap();
    let mut edits = range::within(&tree, &formatted, TextRange::new(14.into(), 16.into()));
    assert_eq!(apply_edits(text, &mut edits).unwrap(), "a:   1\nb:\n  c: 2\nd:   3\n");
}

#[test]
fn a_text_of_one_line_takes_no_longer_than_others() {
    // Looking for the line's beginning at each of its tokens would take minutes.
    let members: Vec<String> = (0..200_000).map(|number| format!("\"k{number}\":[{number},{{}}]")).collect();
    let text = format!("{{{}}}", members.join(","));
    let formatted = format_tree(&parse(text), &[], &FormatOptions::default()).unwrap();
    assert_eq!(formatted.text.lines().count(), 200_002);
    assert!(formatted.text.starts_with("{\n  \"k0\": [0, {}],\n"));
}
