//! Broken conditions: what survives in the tree, and what the problems say.

use nodewise_expr::limance::{Profile, parse};
use nodewise_expr::names;
use nodewise_expr::sexpr::sexpr;

/// Each broken condition, and the variables that a person reads in it.
const BROKEN: &[(&str, &str)] = &[
    ("status = 'ok'", "status"),
    ("a == 1 and", "a"),
    ("name == 'open", "name"),
    ("is_ready(x)", "is_ready x"),
    ("a && && b", "a b"),
    ("and a", "a"),
    ("(a or b", "a b"),
    ("a or b)", "a b"),
    ("a) and b", "a b"),
    ("((a and b) or c", "a b c"),
    ("a == == b", "a b"),
    ("a === b", "a b"),
    ("a <> b and c", "a b c"),
    ("user. == 'x' and ready", "user ready"),
    ("user..name == 'x'", "user.name"),
    (".user == 1", "user"),
    ("a b c", "a b c"),
    ("a == (b) and c", "a b c"),
    ("(a) == b or c", "a b c"),
    ("a == !b", "a b"),
    ("a not b and c", "a b c"),
    ("a in [x, y] and b", "a x y b"),
    ("a + b == 3", "a b"),
    ("a ? b : c", "a b c"),
    ("$is_error(A, and retries < 3", "A retries"),
    ("$now > deadline", "deadline"),
    ("{{ user.name }} == 'x'", "user.name"),
    ("1a == b or c", "b c"),
    ("a; b", "a b"),
    ("not and a or (b and", "a b"),
    ("naïve == 1 or b", "na b"),
    ("a == 'it's' and b", "a s b"),
    ("a & b | c", "a b c"),
    ("# only a note", "only a note"),
];

fn found_names(text: &str) -> String {
    let parsed = parse(text, Profile::Spec);
    assert!(!parsed.accepted(), "`{text}` is not broken");
    let mut found: Vec<String> = names::variables(&parsed.expr).iter().map(|path| path.dotted()).collect();
    found.extend(names::error_types(&parsed.expr).iter().map(|name| name.name.to_string()));
    found.sort();
    found.join(" ")
}

#[test]
fn the_names_of_broken_conditions_are_kept() {
    let mut lost = Vec::new();
    for (text, expected) in BROKEN {
        let mut expected: Vec<&str> = expected.split(' ').collect();
        expected.sort_unstable();
        let found = found_names(text);
        if found != expected.join(" ") {
            lost.push(format!("`{text}`: {} expected, {found} found", expected.join(" ")));
        }
    }
    let kept = BROKEN.len() - lost.len();
    assert!(kept * 10 >= BROKEN.len() * 9, "only {kept} of {} kept:\n{}", BROKEN.len(), lost.join("\n"));
}

/// The S-expression, then each problem with its offset and help.
fn described(text: &str) -> String {
    let parsed = parse(text, Profile::Spec);
    let problems = parsed.problems.iter().map(|problem| {
        let help = problem.help.as_deref().map(|help| format!(" | {help}")).unwrap_or_default();
        format!("\n{:?}: {}{help}", problem.range, problem.message)
    });
    std::iter::once(sexpr(&parsed.expr)).chain(problems).collect()
}

macro_rules! check_broken {
    ($text:expr, @$expected:literal) => {
        insta::assert_snapshot!(described($text), @$expected)
    };
}

#[test]
fn problems_state_the_fact_and_say_what_to_write() {
    check_broken!("status = 'ok'", @"");
    check_broken!("name == 'open", @"");
    check_broken!("a and (b or", @"");
    check_broken!("a)", @"");
    check_broken!("len(x)", @"");
    check_broken!("$is_error == true", @"");
    check_broken!("$is_error(1)", @"");
    check_broken!("$is_error(A, and b > 1", @"");
    check_broken!("a AND b", @"");
    check_broken!("a not b", @"");
    check_broken!("a == (b)", @"");
    check_broken!("user. == 1", @"");
    check_broken!("1_000 > a", @"");
    check_broken!("a; b", @"");
    check_broken!("   ", @"");
    check_broken!("naïve", @"");
    check_broken!("a\u{202e}b", @"");
}
