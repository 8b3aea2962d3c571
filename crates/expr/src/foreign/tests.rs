//! Conditions in other notations: a text in, advice and the text in the language's own notation out. Nothing is proposed
//! that the language refuses.

use super::translated;
use crate::{filtrex, limance};

fn check_limance(text: &str, expected: &str) {
    let shown = translated(text, &limance::NOTATION)
        .map_or("nothing".to_owned(), |found| format!("{}: {}", found.advice, found.text));
    assert_eq!(shown, expected, "{text}");
}

/// The same for a condition of cycgraph.
fn check_filtrex(text: &str, expected: &str) {
    let shown = translated(text, &filtrex::NOTATION)
        .map_or("nothing".to_owned(), |found| format!("{}: {}", found.advice, found.text));
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn operators_of_other_languages() {
    check_limance("status = 'ok'", "write `==` to compare: status == 'ok'");
    check_limance("amount => 100", "write `>=`: amount >= 100");
    check_limance("status <> 'ok'", "write `!=`: status != 'ok'");
    check_limance("a == 1 & b", "write `and`, or `&&`: a == 1 and b");
    check_limance("NOT done AND Done", "write `not` in small letters: not done and Done");
    check_limance("status is not None", "write `!=`: status != null");
    check_limance("status IS NULL", "write `==`: status == null");
    check_limance("amount gte 10", "write `>=`: amount >= 10");
    check_limance("amount ≥ 10", "write `>=`: amount >= 10");
    check_limance("guest?.vip == true", "write `.`: a path through nothing finds nothing: guest.vip == true");
    check_limance("$is_error(A | B)", "part the names with commas: $is_error(A, B)");
    check_limance("done // at last", "remove the comment: a condition has none: done");
    check_limance("amount > 1,000", "write the number without separators: amount > 1000");
}

#[test]
fn braces_quotes_and_parentheses() {
    check_limance("${{ status == 'ok' }}", "write it without `${{ }}`: status == 'ok'");
    check_limance("{{ status }} == 'ok'", "write the name without braces: status == 'ok'");
    check_limance("status == ''ok''", "write one quote on each side: status == 'ok'");
    check_limance("status == ‘ok’", "write straight quotes: status == 'ok'");
    check_limance("status == 'ok", "close the text with `'`: status == 'ok'");
    check_limance("(a or b", "close the parenthesis with `)`: (a or b)");
    check_limance("lib.rules.ready()", "name the function without parentheses: lib.rules.ready");
    check_limance("is_error(TimeoutError)", "write `$is_error`: $is_error(TimeoutError)");
    check_limance("$is_error", "write `$is_error()`: $is_error()");
    check_limance("always()", "write `true`: true");
    check_limance("$status == 'ok'", "remove `$` in front of the name: status == 'ok'");
    check_filtrex("$memory.verdict == 'ok'", "remove `$` in front of the name: memory.verdict == 'ok'");
    check_limance("user['role'] == 'x'", "write `.role`: user.role == 'x'");
    check_limance(".status == 'ok'", "remove `.` in front of the name: status == 'ok'");
}

#[test]
fn what_the_language_cannot_say() {
    check_limance("status LIKE 'ok%'", "nothing");
    check_limance("len(items) > 3", "nothing");
    check_limance("a + b > 3", "nothing");
    check_limance("status == 'a = b'", "nothing");
}

#[test]
fn conditions_of_cycgraph() {
    check_filtrex("state[\"grade\"] > 3", "write `memory.` in front of a key: memory.grade > 3");
    check_filtrex("memory.s =~ 'a'", "write `~=`: memory.s ~= 'a'");
    check_filtrex("if memory.score > 3", "remove `if`: memory.score > 3");
    check_filtrex("{{ memory.verdict }} == 'ok'", "write the name without braces: memory.verdict == 'ok'");
    check_filtrex(".memory.verdict == \"ok\"", "remove `.` in front of the name: memory.verdict == \"ok\"");
    check_filtrex("memory.verdict is 'ok'", "write `==`: memory.verdict == 'ok'");
    check_filtrex("memory.verdict == 'ok", "close the text with `'`: memory.verdict == 'ok'");
}
