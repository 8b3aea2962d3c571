//! What recovery makes of the faults that people type, as whole trees: the fault in its place, and what
//! stands before and behind it untouched.

use nodewise_syntax::dump::tree_text;
use nodewise_syntax::parse;

fn tree(text: &str) -> String {
    tree_text(&parse(text))
}

#[test]
fn a_bare_word_is_a_key_being_typed() {
    insta::assert_snapshot!(tree("name: a\nfun\ntools: [b]\n"), @r##"
    Document 0..22
      BlockMap 0..22
        Entry 0..7
          Plain 0..4 "name"
          Colon 4..5 ":"
          Space 5..6 " "
          Plain 6..7 "a"
        Space 7..8 "\n"
        BareEntry 8..11
          Plain 8..11 "fun"
        Space 11..12 "\n"
        Entry 12..22
          Plain 12..17 "tools"
          Colon 17..18 ":"
          Space 18..19 " "
          FlowSeq 19..22
            Opener 19..20 "["
            Plain 20..21 "b"
            Closer 21..22 "]"
    Space 22..23 "\n"
    "##);
}

#[test]
fn an_unclosed_bracket_ends_at_its_line() {
    insta::assert_snapshot!(tree("tools: [a, b\nname: c\n"), @r##"
    Document 0..20
      BlockMap 0..20
        Entry 0..12
          Plain 0..5 "tools"
          Colon 5..6 ":"
          Space 6..7 " "
          FlowSeq 7..12
            Opener 7..8 "["
            Plain 8..9 "a"
            Comma 9..10 ","
            Space 10..11 " "
            Plain 11..12 "b"
        Space 12..13 "\n"
        Entry 13..20
          Plain 13..17 "name"
          Colon 17..18 ":"
          Space 18..19 " "
          Plain 19..20 "c"
    Space 20..21 "\n"
    "##);
}

#[test]
fn an_unclosed_quote_ends_at_its_line() {
    insta::assert_snapshot!(tree("- when: \"a == 1\n- when: b\n"), @r##"
    Document 0..25
      BlockSeq 0..25
        Item 0..15
          Dash 0..1 "-"
          Space 1..2 " "
          BlockMap 2..15
            Entry 2..15
              Plain 2..6 "when"
              Colon 6..7 ":"
              Space 7..8 " "
              DoubleQuoted 8..15 "\"a == 1"
        Space 15..16 "\n"
        Item 16..25
          Dash 16..17 "-"
          Space 17..18 " "
          BlockMap 18..25
            Entry 18..25
              Plain 18..22 "when"
              Colon 22..23 ":"
              Space 23..24 " "
              Plain 24..25 "b"
    Space 25..26 "\n"
    "##);
}

#[test]
fn a_line_that_is_too_deep_stays_an_entry() {
    insta::assert_snapshot!(tree("a: 1\n    b: 2\nc: 3\n"), @r##"
    Document 0..18
      BlockMap 0..18
        Entry 0..4
          Plain 0..1 "a"
          Colon 1..2 ":"
          Space 2..3 " "
          Plain 3..4 "1"
        Space 4..9 "\n    "
        Entry 9..13
          Plain 9..10 "b"
          Colon 10..11 ":"
          Space 11..12 " "
          Plain 12..13 "2"
        Space 13..14 "\n"
        Entry 14..18
          Plain 14..15 "c"
          Colon 15..16 ":"
          Space 16..17 " "
          Plain 17..18 "3"
    Space 18..19 "\n"
    "##);
}
