//! What editors ask about filtrex, which cycgraph writes conditions and verifications in.

use nodewise_expr::filtrex::EDGE;
use nodewise_expr::filtrex::VERIFIER;

use crate::assist::Question::{Calls, Constant, Expects, Hovers, Paths, Renames, Tokens};
use crate::assist::check_assist;

#[test]
fn what_is_expected() {
    check_assist(
        Expects,
        EDGE,
        &[
            ("$0", "operand"),
            ("memory.$0", "member of memory"),
            ("memory.a.b$0 > 1", "b> member of memory.a"),
            ("$.memory.sc$0", "sc> member of memory"),
            ("$.$0", "operand"),
            ("memory.score > $0", "operand like memory.score"),
            ("status in ($0", "operand like status"),
            ("status in ('a', '$0')", "text in ' like status"),
            ("status not in ('a', 'b$0", "b> text in ' like status"),
            ("exists($0", "operand"),
            ("includes(memory.tags, $0)", "operand"),
            ("length(memory.$0)", "member of memory"),
            ("exists(memory.x) $0", "operator"),
            ("a and$0", "and> operator"),
            ("a and $0", "operand"),
            ("not $0", "operand"),
            ("a not $0", "not > operator"),
            ("if $0", "operand"),
            ("if a $0", "operator, `then`"),
            ("if a then b $0", "operator, `else`"),
            ("if a then b else $0", "operand"),
            ("a ? b $0", "operator, `:`"),
            ("a ? b : $0", "operand"),
            ("a + $0", "operand"),
            ("score of memory == $0", "operand like memory.score"),
            ("status = $0", "operand like status"),
            ("status == 1$0", "1> nothing"),
        ],
    );
}

#[test]
fn what_is_the_call_at_the_cursor() {
    check_assist(
        Calls,
        EDGE,
        &[
            ("includes($0", "includes(<list>, value)"),
            ("includes(memory.tags, $0", "includes(list, <value>)"),
            ("includes(memory.tags, 'a', $0", "includes(list, value)"),
            ("max(1, 2, 3$0", "max(number, <...>)"),
            ("max(1, (2 + $0", "max(number, <...>)"),
            ("length(memory.x$0) > 1", "length(<value>)"),
            ("length(memory.x)$0 > 1", "-"),
            ("length(lower($0", "lower(<text>)"),
        ],
    );
}

#[test]
fn what_stands_at_the_cursor() {
    check_assist(
        Hovers,
        EDGE,
        &[
            ("memory.sc$0ore", "`score` path memory.score"),
            ("mem$0ory.score", "`memory` path memory (root)"),
            ("sco$0re of memory", "`score` path memory.score"),
            ("le$0ngth(memory.x)", "`length` Function length: number"),
            ("$0-1 < 2", "`-` Prefix -: number"),
            ("1 $0- 2", "`-` Operator -: number"),
            ("if a th$0en b else c", "`then` Continuation then"),
            ("i$0f a then 1 else 2", "`if` Prefix if: number"),
        ],
    );
}

#[test]
fn the_tokens_of_a_text() {
    check_assist(
        Tokens,
        VERIFIER,
        &[
            ("$.memory.a > 1", "Punctuation:$. Name:memory Punctuation:. Property:a Operator:> Number:1"),
            ("length(x) && y", "Function:length Punctuation:( Name:x Punctuation:) Operator:&& Name:y"),
            (
                "k of memory not in ('a')",
                "Property:k Keyword:of Name:memory Keyword:not in Punctuation:( Text:'a' \
              Punctuation:)",
            ),
        ],
    );
}

#[test]
fn the_paths_of_a_text() {
    check_assist(
        Paths,
        EDGE,
        &[("k of memory + memory.a.b", "memory/k, memory/a/b"), ("memory.a >", "memory/a")],
    );
}

#[test]
fn a_name_is_renamed_as_the_language_can_write_it() {
    check_assist(
        Renames("new"),
        EDGE,
        &[("old$0 of memory > 1", "new of memory > 1"), ("memory.old$0 >", "memory.new >")],
    );
    check_assist(Renames("a.b"), EDGE, &[("memory.old$0 > 1", "-")]);
}

#[test]
fn the_value_of_a_constant_expression() {
    check_assist(
        Constant,
        EDGE,
        &[
            ("1 + 2 * 3", "7"),
            ("length('abc') + max(1, 2)", "5"),
            ("'a' + 'b'", "'ab'"),
            ("(1, 'a')", "(1, 'a')"),
            ("'a' ~= 'b'", "-"),
            ("memory.x", "-"),
        ],
    );
}
