//! What editors ask about LimanCE, which Liman writes conditions in.

use nodewise_expr::limance::LANGUAGE as LIMANCE;

use crate::assist::Question::{Calls, Constant, Expects, Hovers, Paths, Renames, Tokens};
use crate::assist::check_assist;

#[test]
fn what_is_expected() {
    check_assist(
        Expects,
        LIMANCE,
        &[
            ("$0", "operand, function below the root"),
            ("  $0", "operand, function below the root"),
            ("st$0", "st> operand, function below the root"),
            ("s$0tatus == 1", "s>status operand, function below the root"),
            ("status $0", "operator"),
            ("status =$0", "=> operator"),
            ("status ==$0", "operand like status"),
            ("status == $0", "operand like status"),
            ("user.role == $0", "operand like user.role"),
            ("'x' == $0", "compared operand"),
            ("status == '$0'", "text in ' like status"),
            ("status == 'co$0mp'", "co>comp text in ' like status"),
            ("status == \"co$0", "co> text in \" like status"),
            ("'co$0' == user.role", "co> text in ' like user.role"),
            ("'it$0'", "it> text in '"),
            ("a an$0", "an> operator"),
            ("a and$0", "and> operator"),
            ("a and $0", "operand"),
            ("a and no$0", "no> operand"),
            ("not $0", "operand"),
            ("a not$0", "not> operator"),
            ("a not $0", "not > operator"),
            ("a not i$0", "not i> operator"),
            ("a !$0", "!> operator"),
            ("!$0", "operand"),
            ("(a$0", "a> operand"),
            ("($0", "operand"),
            ("(a == 1) $0", "logic"),
            ("a == 1 $0", "operator"),
            ("user.$0", "function below user, member of user"),
            ("user.na$0", "na> function below user, member of user"),
            ("a.b.c$0", "c> function below a.b, member of a.b"),
            ("(user.$0", "member of user"),
            ("user.na$0 == 1", "na> member of user"),
            ("user.$0 == 1", "member of user"),
            ("a and $$0", "$> builtin"),
            ("a and $n$0", "$n> builtin"),
            ("$$0", "$> builtin"),
            ("$is_error($0", "argument 0 of $is_error"),
            ("$is_error(Timeout, Va$0)", "Va> argument 1 of $is_error"),
            ("$is_error('Va$0')", "Va> argument 0 of $is_error"),
            ("$is_error(A $0", "nothing"),
            ("$now() > $0", "compared operand"),
            ("a == 1$0", "1> nothing"),
            ("a; $0", "nothing"),
            ("a é$0", "operator"),
        ],
    );
}

#[test]
fn what_is_the_call_at_the_cursor() {
    check_assist(
        Calls,
        LIMANCE,
        &[
            ("$is_error($0", "$is_error(<error_type?>, ...)"),
            ("a and $is_error(A, $0", "$is_error(error_type?, <...>)"),
            ("$is_error(A, B, C$0)", "$is_error(error_type?, <...>)"),
            ("$now($0)", "$now()"),
            ("$is_error(A)$0", "-"),
            ("$unknown($0)", "-"),
            ("(a$0", "-"),
        ],
    );
}

#[test]
fn what_stands_at_the_cursor() {
    check_assist(
        Hovers,
        LIMANCE,
        &[
            ("user.na$0me == 'x'", "`name` path user.name"),
            ("us$0er.name == 'x'", "`user` path user"),
            ("a =$0= 1", "`==` Comparison ==: boolean"),
            ("a a$0nd b", "`and` Logic and: boolean"),
            ("n$0ot a", "`not` Prefix not: boolean"),
            ("a not$0 in b", "`not in` Comparison not in: boolean"),
            ("$n$0ow() > 1", "`$now` Builtin $now: number"),
            ("$is_error(Time$0out)", "`Timeout` word"),
            ("a == 'x$0y'", "`'xy'` literal: text"),
            ("a == nu$0ll", "`null` Constant null: null"),
            ("a$0", "`a` path a"),
            ("rules.che$0ck", "`check` path rules.check"),
            ("user.na$0me == ", "`name` path user.name"),
            ("a$0  b", "`a` path a"),
            ("a $0  b", "-"),
        ],
    );
}

#[test]
fn the_tokens_of_a_text() {
    check_assist(
        Tokens,
        LIMANCE,
        &[
            (
                "user.ok and $is_error(A)",
                "Name:user Punctuation:. Property:ok Keyword:and Builtin:$is_error \
              Punctuation:( Word:A Punctuation:)",
            ),
            ("rules.check", "Name:rules Punctuation:. Function:check"),
            ("a.in not in b", "Name:a Punctuation:. Property:in Keyword:not in Name:b"),
            (
                "$f('x',1) == null;",
                "Builtin:$f Punctuation:( Text:'x' Punctuation:, Number:1 Punctuation:) Operator:== Constant:null Punctuation:;",
            ),
            ("1a = 'open", "Number:1 Illegal:a Illegal:= OpenText:'open"),
            ("!a && 'x", "Operator:! Name:a Operator:&& OpenText:'x"),
            ("a = 1é", "Name:a Illegal:= Number:1 Illegal:é"),
        ],
    );
}

#[test]
fn the_paths_of_a_text() {
    check_assist(
        Paths,
        LIMANCE,
        &[
            ("user.role == 'x' and $is_error(T) or n", "user/role, n"),
            ("user.role == and n", "user/role, n"),
            ("rules.check", ""),
        ],
    );
}

#[test]
fn a_name_is_renamed_as_the_language_can_write_it() {
    check_assist(
        Renames("new"),
        LIMANCE,
        &[("us$0er.role == 1", "new.role == 1"), ("user.ro$0le and user", "user.new and user")],
    );
    check_assist(
        Renames("and"),
        LIMANCE,
        &[("us$0er.role == 1", "-"), ("user.ro$0le == 1", "user.and == 1")],
    );
    check_assist(Renames("my key"), LIMANCE, &[("us$0er.role == 1", "-")]);
}

#[test]
fn the_value_of_a_constant_expression() {
    check_assist(
        Constant,
        LIMANCE,
        &[
            ("1 == 1.0", "true"),
            ("false and x", "false"),
            ("'a' < 1", "a text and a number have no order"),
            ("$now() > 1", "-"),
            ("x", "-"),
            ("1 ==", "-"),
        ],
    );
}
