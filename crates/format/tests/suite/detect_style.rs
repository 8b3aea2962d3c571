//! Which options fit what people wrote: where all texts agree the options say so, where they do not they keep what is.

use nodewise_format::detect_style::detect_style;
use nodewise_format::options::{FlowWrapping, Quotes, SequenceIndent};
use nodewise_format::{FormatOptions, format_tree};
use nodewise_syntax::{Tree, parse};

/// The style of texts, as far as they differ from the usual options, and how many texts would change.
#[track_caller]
fn check_habits(texts: &[&str], expected: &FormatOptions, changed: usize) {
    let trees: Vec<Tree> = texts.iter().map(|text| parse(*text)).collect();
    let found = detect_style(trees.iter().map(|tree| (tree, &[][..])));
    assert_eq!((&found.options, found.changed), (expected, changed));
    let would_change = |tree: &&Tree| {
        format_tree(tree, &[], &found.options).is_ok_and(|formatted| !formatted.edits.is_empty())
    };
    assert_eq!(trees.iter().filter(would_change).count(), changed, "what is foretold is what happens");
}

fn usual() -> FormatOptions {
    FormatOptions::default()
}

#[test]
fn nothing_to_go_by() {
    check_habits(&[], &usual(), 0);
    check_habits(&["a: 1\n"], &usual(), 0);
    // What is no YAML counts for nothing.
    check_habits(&["a: [\n", "a: 'x\n"], &usual(), 0);
}

#[test]
fn indentation() {
    let four = FormatOptions { indent: 4, ..usual() };
    check_habits(&["a:\n    b: 1\n", "a:\n    b:\n        c: 1\n", "a:\n  b: 1\n"], &four, 1);
    let three = FormatOptions { indent: 3, sequences: SequenceIndent::Indent, ..usual() };
    check_habits(&["a:\n   - b: 1\n     c:\n        d: 1\n"], &three, 0);
}

#[test]
fn sequences() {
    let flush = FormatOptions { sequences: SequenceIndent::Flush, ..usual() };
    check_habits(&["a:\n- 1\n", "a:\n  b:\n  - 1\n"], &flush, 0);
    let indent = FormatOptions { sequences: SequenceIndent::Indent, ..usual() };
    check_habits(&["a:\n  - 1\n"], &indent, 0);
    // They do not agree.
    check_habits(&["a:\n  - 1\n", "a:\n- 1\n"], &usual(), 0);
    // Those without a key have no choice.
    check_habits(&["- 1\n- 2\n"], &usual(), 0);
}

#[test]
fn quotes() {
    let of = |quotes| FormatOptions { quotes, ..usual() };
    check_habits(&["a: \"x\"\n", "b: \"y\"\n"], &of(Quotes::Double), 0);
    check_habits(&["a: 'x'\n", "b: \"it's\"\n"], &of(Quotes::Single), 0);
    check_habits(&["a: 'x'\n", "b: \"y\"\n"], &of(Quotes::Keep), 0);
}

#[test]
fn brackets() {
    check_habits(&["a: [\n    1,\n    2\n  ]\n"], &FormatOptions { flow: FlowWrapping::Keep, ..usual() }, 0);
    check_habits(&["a: { b: 1 }\n"], &FormatOptions { brace_spacing: Some(true), ..usual() }, 0);
    check_habits(&["a: {b: 1}\n"], &usual(), 0);
    let wide = format!("a: [{}x]\n", "x, ".repeat(43));
    check_habits(&[&wide], &FormatOptions { line_width: 140, ..usual() }, 0);
}

#[test]
fn empty_lines() {
    check_habits(&["a: 1\n\n\nb: 2\n"], &FormatOptions { blank_lines: 2, ..usual() }, 0);
}
