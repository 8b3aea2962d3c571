//! What editors ask about the routing expressions of AgentOS.

use nodewise_expr::agentos::ROUTING;

use crate::assist::Question::{Constant, Expects, Hovers, Paths, Renames, Tokens};
use crate::assist::check_assist;

#[test]
fn what_is_expected() {
    check_assist(
        Expects,
        ROUTING,
        &[
            ("$0", "operand, route"),
            ("scr$0", "scr> operand, route"),
            ("scratch.$0", "member of scratch"),
            ("scratch.a.b$0 > 3", "b> member of scratch.a"),
            ("scratch.n $0", "operator"),
            ("scratch.n =$0", "=> operator"),
            ("scratch.n == $0", "operand like scratch.n"),
            ("scratch.n == 'o$0k'", "o>ok text in ' like scratch.n"),
            ("scratch.n == 1 $0", "logic"),
            ("scratch.n &&$0", "operand"),
            ("scratch.n ? $0", "operand, route"),
            ("scratch.n ? a $0", "`:`"),
            ("scratch.n ? a : $0", "operand, route"),
            ("scratch.n ? a : b $0", "nothing"),
            ("scratch.n ? a : scratch.r$0", "r> member of scratch"),
        ],
    );
}

#[test]
fn what_stands_at_the_cursor() {
    check_assist(
        Hovers,
        ROUTING,
        &[
            ("scratch.n$0 > 3", "`n` path scratch.n"),
            ("scratch$0", "`scratch` path scratch (root)"),
            ("scratch.n ?$0 a : b", "`?` Operator ?: text"),
            ("scratch.n $0&& true", "`&&` Logic &&: boolean"),
        ],
    );
}

#[test]
fn the_tokens_of_a_text() {
    check_assist(
        Tokens,
        ROUTING,
        &[
            (
                "scratch.n > 3 ? go on : null",
                "Name:scratch Punctuation:. Property:n Operator:> Number:3 Operator:? \
              Word:go on Operator:: Constant:null",
            ),
            ("scratch.n + 1", "Word:scratch.n + 1"),
            ("{{scratch.n}}", "Illegal:{{scratch.n}}"),
        ],
    );
}

#[test]
fn the_paths_of_a_text() {
    check_assist(
        Paths,
        ROUTING,
        &[("scratch.n > input.m", "scratch/n, input/m"), ("scratch.n + 1", "scratch/n (not read)")],
    );
}

#[test]
fn a_name_is_renamed_as_the_language_can_write_it() {
    check_assist(Renames("a-b"), ROUTING, &[("scratch.old$0 > 1", "-")]);
    check_assist(Renames("new"), ROUTING, &[("scratch.old$0 + 1", "scratch.new + 1")]);
}

#[test]
fn the_value_of_a_constant_expression() {
    check_assist(
        Constant,
        ROUTING,
        &[("1 > 2 ? a : b", "'b'"), ("approve", "'approve'"), ("scratch.n > 1", "-")],
    );
}
