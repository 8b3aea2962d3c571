//! Tests of splitting Rust text.

use super::{RustSource, find_words, use_paths};

fn check_code(text: &str, expected_code: &str, expected_literals: &[(usize, &str)]) {
    let source = RustSource::read(text);
    assert_eq!(source.code, expected_code);
    assert_eq!(source.code.len(), text.len());
    let literals: Vec<_> =
        source.literals.iter().map(|literal| (literal.line, literal.content.as_str())).collect();
    assert_eq!(literals, expected_literals);
}

/// Each line of `text` that belongs to a test must end with `// test`, and no other line may do so.
fn check_test_lines(text: &str) {
    let source = RustSource::read(text);
    let expected: Vec<bool> = text.lines().map(|line| line.ends_with("// test")).collect();
    assert_eq!(source.is_test_line, expected);
}

#[test]
fn comments_are_blanked() {
    check_code("a // b \"c\"\nd", "a         \nd", &[]);
    check_code("a /* b /* c */ \n */ d", "a              \n    d", &[]);
    check_code("a /* é", "a      ", &[]);
}

#[test]
fn strings_are_blanked_and_kept() {
    check_code("f(\"a\\\"b\", 1)\n\"c\"", "f(\"    \", 1)\n\" \"", &[(1, "a\\\"b"), (2, "c")]);
    check_code("r#\"a\"b\"# + x", "  \"   \"  + x", &[(1, "a\"b")]);
    check_code("br\"\\\" + b\"y\"", "  \" \" + b\" \"", &[(1, "\\"), (1, "y")]);
    check_code("r#type; for\"x\"", "r#type; for\" \"", &[(1, "x")]);
    check_code("\"open", "\"    ", &[(1, "open")]);
}

#[test]
fn character_literals_are_not_lifetimes() {
    check_code("'\"' 'a '\\'' 'é' '\\u{41}' &'static str", "    'a                    &'static str", &[]);
}

#[test]
fn test_items_end_with_their_brace_or_semicolon() {
    check_test_lines(
        "use a;\n\
         #[cfg(test)] // test\n\
         mod tests; // test\n\
         fn f() {}\n\
         #[test] // test\n\
         #[should_panic(expected = \"}\")] // test\n\
         fn g(x: [u8; 2]) { // test\n\
         \x20   h('{'); // test\n\
         } // test\n\
         fn h() {}\n",
    );
    check_test_lines("#![cfg(test)] // test\nfn f() {} // test\n");
}

#[test]
fn words_are_whole() {
    let offsets: Vec<_> = find_words("std::fs std::fsx xstd::fs (std::fs)", "std::fs").collect();
    assert_eq!(offsets, [0, 27]);
}

#[test]
fn use_trees_are_unfolded() {
    let check = |code, expected: &[&str]| assert_eq!(use_paths(code), expected);
    check("std::fs::read(path)", &["std::fs::read"]);
    check("a::{b, c::{self, d as e}, f::*};", &["a::b", "a::c::self", "a::c::d", "a::f::*"]);
    check("a::{", &["a::"]);
}
