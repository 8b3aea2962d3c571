//! Recovery and messages, one small text each.

use crate::{dump, parse};

/// The tree of a text, and what is said of it.
fn check_tree(text: &str, expected: &str) {
    let tree = parse(text);
    let mut found = dump::tree_text(&tree);
    for problem in tree.problems() {
        found.push_str(&format!("! {:?} {}\n", problem.range, problem.message()));
    }
    let unindented: String =
        expected.lines().skip(1).map(|line| line.get(8..).unwrap_or("").to_owned() + "\n").collect();
    assert_eq!(found.trim_end(), unindented.trim_end(), "\n{found}");
}

/// The messages about a text.
fn check_messages(text: &str, expected: &[&str]) {
    let messages: Vec<_> = parse(text).problems().iter().map(crate::Problem::message).collect();
    assert_eq!(messages, expected, "{text:?}");
}

#[test]
fn a_bare_word_is_a_key_without_a_value() {
    check_tree(
        "a: 1\ntar\n",
        r#"
        Document 0..8
          BlockMap 0..8
            Entry 0..4
              Plain 0..1 "a"
              Colon 1..2 ":"
              Space 2..3 " "
              Plain 3..4 "1"
            Space 4..5 "\n"
            BareEntry 5..8
              Plain 5..8 "tar"
        Space 8..9 "\n"
        ! 5..8 `tar` has no colon: not a mapping entry
        "#,
    );
}

#[test]
fn an_unclosed_quote_ends_at_its_line() {
    check_tree(
        "a: \"b\nc: d\n",
        r#"
        Document 0..10
          BlockMap 0..10
            Entry 0..5
              Plain 0..1 "a"
              Colon 1..2 ":"
              Space 2..3 " "
              DoubleQuoted 3..5 "\"b"
            Space 5..6 "\n"
            Entry 6..10
              Plain 6..7 "c"
              Colon 7..8 ":"
              Space 8..9 " "
              Plain 9..10 "d"
        Space 10..11 "\n"
        ! 3..5 the quoted text has no closing quote
        "#,
    );
}

#[test]
fn properties_belong_to_the_key_or_to_the_mapping() {
    check_tree(
        "&m\n&k a: 1",
        r#"
        Document 0..10
          Properties 0..10
            Anchor 0..2 "&m"
            Space 2..3 "\n"
            BlockMap 3..10
              Entry 3..10
                Properties 3..7
                  Anchor 3..5 "&k"
                  Space 5..6 " "
                  Plain 6..7 "a"
                Colon 7..8 ":"
                Space 8..9 " "
                Plain 9..10 "1"
        "#,
    );
}

#[test]
fn a_line_that_fits_nowhere_leaves_its_neighbours_alone() {
    check_tree(
        "- a\nodd\n- b\n",
        r#"
        Document 0..11
          BlockSeq 0..11
            Item 0..3
              Dash 0..1 "-"
              Space 1..2 " "
              Plain 2..3 "a"
            Space 3..4 "\n"
            ErrorText 4..7 "odd"
            Space 7..8 "\n"
            Item 8..11
              Dash 8..9 "-"
              Space 9..10 " "
              Plain 10..11 "b"
        Space 11..12 "\n"
        ! 4..7 this line has no dash: not a sequence item
        "#,
    );
}

#[test]
fn messages_name_the_thing() {
    check_messages("a: [b\nc: d\n", &["`[` is not closed"]);
    check_messages("a: [b]]\n", &["`]` closes nothing"]);
    check_messages("a: 'b' c\n", &["unexpected text `c` behind the value"]);
    check_messages("a:\n  b:c\n  d: e\n", &["no space behind the colon of `b`"]);
    check_messages("a: b: c\n", &["a mapping cannot begin on this line"]);
    check_messages("a: - b\n", &["a sequence cannot begin on this line"]);
    check_messages("a: 1\n  b: 2\n", &["this line's indentation fits no open collection"]);
    check_messages("a:\n\tb: 1\n", &["a tab is not indentation in YAML"]);
    check_messages("a: @b\n", &["a plain value cannot begin with `@`"]);
    check_messages("a: \"\\q\"\n", &["`\\q` is not an escape of YAML"]);
    check_messages("a: \"\\ud83d\\ude00\"\n", &[]);
    check_messages("a: \"\\ud83d\"\n", &["`\\ud83d` is not an escape of YAML"]);
    check_messages("a: |x\n  b\n", &["`|x` is not a block scalar header"]);
    check_messages("a: *b\n", &["no anchor `b` stands before this alias"]);
    check_messages("a: &\n", &["`&` has no name"]);
    check_messages("a: !x!y z\n", &["the tag handle `!x!` is not defined"]);
    check_messages("a: 1\nb: 2\na: 3\n", &["duplicate key `a`"]);
    check_messages("{a: 1, 'a': 2}\n", &["duplicate key `a`"]);
    check_messages("1: a\n'1': b\n", &[]);
    check_messages("a: [b,, c]\n", &["no element before this comma"]);
    check_messages("a: [b\n  c, 'd' e]\n", &["no comma between two elements"]);
    check_messages("a: b\u{1}\n", &["the character `U+0001` is not allowed in YAML"]);
    check_messages("%YAML 1.2\na: b\n", &["no `---` line follows the directives"]);
    check_messages("%YAML x\n---\na: b\n", &["the directive `%YAML x` is not well-formed"]);
}

#[test]
fn merge_conflicts_keep_both_sides() {
    let text = "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> topic\nc: 4\n";
    check_messages(
        text,
        &[
            "merge conflict marker `<<<<<<< HEAD`",
            "merge conflict marker `=======`",
            "duplicate key `b`",
            "merge conflict marker `>>>>>>> topic`",
        ],
    );
    let tree = parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).unwrap();
    let keys: Vec<_> = root.as_mapping().unwrap().entries().filter_map(|entry| entry.key_text()).collect();
    assert_eq!(keys, ["a", "b", "b", "c"]);
}
