//! What editors ask about expressions, as tables: the question, the expression with its cursor `$0`, the answer.

use nodewise_expr::assist::Language::{
    self, AgentOsRouting, FiltrexEdge, FiltrexVerifier, JsonPathState, JsonPathUpdates, JsonPathValue,
    LimanCe,
};
use nodewise_expr::assist::{
    Entry, EntryKind, Expected, HoverKind, Token, Wanted, call_at, constant, expected, fitting, hover_at,
    paths, rename_segment, tokens, type_at, type_of, vocabulary,
};
use nodewise_expr::{TextRange, TextSize, jsonpath};
use proptest::prelude::*;

use Question::{Calls, Constant, Expects, Hovers, Paths, Renames, Tokens};

/// What is asked.
#[derive(Clone, Copy)]
enum Question {
    /// What may stand at the cursor: `prefix>replaced: kinds`.
    Expects,
    /// The call at the cursor, the active parameter in `<>`.
    Calls,
    /// The token at the cursor and what it is.
    Hovers,
    /// The tokens.
    Tokens,
    /// The paths.
    Paths,
    /// The text after the name at the cursor is changed to this.
    Renames(&'static str),
    /// The constant value.
    Constant,
}

/// Each question about a fixture has this answer.
#[track_caller]
fn check_assist(question: Question, language: Language, rows: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (fixture, wanted) in rows {
        let at = fixture.find("$0").unwrap_or_default();
        let text = fixture.replacen("$0", "", 1);
        let offset = TextSize::try_from(at).unwrap_or_default();
        let answer = answer(question, language, &text, offset);
        if answer != *wanted {
            wrong.push_str(&format!("{fixture}\n  wanted {wanted}\n  found  {answer}\n"));
        }
    }
    assert!(wrong.is_empty(), "{language:?}\n{wrong}");
}

fn answer(question: Question, language: Language, text: &str, offset: TextSize) -> String {
    match question {
        Expects => shown_expected(text, &expected(language, text, offset)),
        Calls => call_at(language, text, offset).map_or("-".to_owned(), |call| {
            let label = call.entry.signature.unwrap_or_default();
            let active = call.parameter.and_then(|index| call.parameters.get(index));
            active.map_or(label.to_owned(), |range| {
                let (before, after) = (&label[..range.start().into()], &label[range.end().into()..]);
                format!("{before}<{}>{after}", &label[*range])
            })
        }),
        Hovers => hover_at(language, text, offset).map_or("-".to_owned(), |hover| {
            let what = match hover.what {
                HoverKind::Entry(entry) => format!("{:?} {}", entry.kind, entry.name),
                HoverKind::Path { segments, entry } => {
                    format!("path {}{}", segments.join("."), if entry.is_some() { " (root)" } else { "" })
                }
                HoverKind::Literal => "literal".to_owned(),
                HoverKind::Word => "word".to_owned(),
            };
            let of_type = hover.part_type.map(|known| format!(": {}", known.name())).unwrap_or_default();
            format!("`{}` {what}{of_type}", &text[hover.range])
        }),
        Tokens => {
            tokens(language, text).iter().map(|token| shown_token(text, token)).collect::<Vec<_>>().join(" ")
        }
        Paths => {
            let shown = paths(language, text).into_iter().map(|path| {
                let names: Vec<&str> = path.segments.iter().map(|segment| &text[segment.range]).collect();
                let written: Vec<&str> = path.segments.iter().map(|segment| segment.name.as_str()).collect();
                assert_eq!(names, written, "in `{text}`");
                format!("{}{}", written.join("/"), if path.is_read { "" } else { " (not read)" })
            });
            shown.collect::<Vec<_>>().join(", ")
        }
        Renames(name) => {
            let uses = paths(language, text);
            let mut segments = uses.iter().flat_map(|path| &path.segments);
            let segment =
                segments.find(|segment| segment.range.contains_inclusive(offset)).map(|found| found.range);
            let edit = segment.and_then(|segment| rename_segment(language, text, segment, name));
            edit.map_or("-".to_owned(), |edit| {
                format!(
                    "{}{}{}",
                    &text[..edit.range.start().into()],
                    edit.text,
                    &text[edit.range.end().into()..]
                )
            })
        }
        Constant => constant(language, text).map_or("-".to_owned(), |constant| constant.shown()),
    }
}

fn shown_expected(text: &str, expected: &Expected) -> String {
    let kinds: Vec<String> = expected.kinds.iter().map(shown_wanted).collect();
    let word = match (expected.prefix.as_str(), &text[expected.replace]) {
        ("", "") => String::new(),
        (prefix, replaced) if prefix == replaced => format!("{prefix}> "),
        (prefix, replaced) => format!("{prefix}>{replaced} "),
    };
    format!("{word}{}", if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") })
}

fn shown_wanted(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Operand { compared: Some(path), .. } => format!("operand like {}", path.join(".")),
        Wanted::Operand { compared: None, in_comparison: true } => "compared operand".to_owned(),
        Wanted::Operand { .. } => "operand".to_owned(),
        Wanted::Operator { logic_only: true } => "logic".to_owned(),
        Wanted::Operator { .. } => "operator".to_owned(),
        Wanted::Continuation(word) => format!("`{word}`"),
        Wanted::Member { path } => format!("member of {}", shown_path(path)),
        Wanted::Method => "method".to_owned(),
        Wanted::FunctionPath { path } => format!("function below {}", shown_path(path)),
        Wanted::Builtin => "builtin".to_owned(),
        Wanted::Argument { function, index } => format!("argument {index} of {function}"),
        Wanted::Text { compared: Some(path), quote } => format!("text in {quote} like {}", path.join(".")),
        Wanted::Text { compared: None, quote } => format!("text in {quote}"),
        Wanted::Route => "route".to_owned(),
        Wanted::Path => "path".to_owned(),
        Wanted::Selector => "selector".to_owned(),
    }
}

fn shown_path(path: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "the root".to_owned() } else { names.join(".") }
}

fn shown_token(text: &str, token: &Token) -> String {
    format!("{:?}:{}", token.class, &text[token.range])
}

#[test]
fn what_a_liman_condition_expects() {
    check_assist(
        Expects,
        LimanCe,
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
fn what_a_filtrex_expression_expects() {
    check_assist(
        Expects,
        FiltrexEdge,
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
fn what_a_routing_expression_expects() {
    check_assist(
        Expects,
        AgentOsRouting,
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
fn what_a_path_expects() {
    check_assist(
        Expects,
        JsonPathState,
        &[
            ("$0", "path, member of the root"),
            ("$$0", "$> path, member of the root"),
            ("$.$0", "member of the root, selector"),
            ("$.me$0", "me> member of the root, selector"),
            ("mem$0", "mem> path, member of the root"),
            ("$.memory.$0", "member of memory, selector"),
            ("$.memory.rows[*].$0", "member of memory.rows.*, selector"),
            ("$.memory['my rows'].$0", "member of memory.my rows, selector"),
            ("$.memory['ro$0", "ro> member of memory"),
            ("$.memory['ro$0ws']", "ro>rows member of memory"),
            ("$.memory[$0]", "member of memory, selector"),
            ("$.memory[0].$0", "member of memory.*, selector"),
            ("$..$0", "member of *"),
            ("$.memory $0", "nothing"),
            ("$.memory.rows[?($0", "operand"),
            ("$.memory.rows[?(@.$0)]", "member of @, method"),
            ("$.memory.rows[?(@.na$0 == 1)]", "na> member of @, method"),
            ("$.memory.rows[?(@.name == '$0')]", "text in ' like @.name"),
            ("$.memory.rows[?(@.name == $0", "operand like @.name"),
            ("$.memory.rows[?(@.name $0)]", "operator"),
            ("$.memory.rows[?(@r$0)]", "@r> operand"),
            ("$.memory.rows[?(@.a > @root.memory.$0)]", "member of memory, method"),
            ("$.memory.rows[?(@.name.match(/a/).$0)]", "method"),
            ("$.memory.rows[?(@.a)].$0", "member of memory.rows.*, selector"),
        ],
    );
}

#[test]
fn what_is_the_call_at_the_cursor() {
    check_assist(
        Calls,
        LimanCe,
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
    check_assist(
        Calls,
        FiltrexEdge,
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
    check_assist(
        Calls,
        JsonPathState,
        &[
            ("$.memory.rows[?(@.name.startsWith($0", "startsWith(<text>)"),
            ("$.memory.rows[?(@.name.replace('a', $0))]", "replace(pattern, <text>)"),
        ],
    );
}

#[test]
fn what_stands_at_the_cursor() {
    check_assist(
        Hovers,
        LimanCe,
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
    check_assist(
        Hovers,
        FiltrexEdge,
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
    check_assist(
        Hovers,
        AgentOsRouting,
        &[
            ("scratch.n$0 > 3", "`n` path scratch.n"),
            ("scratch$0", "`scratch` path scratch (root)"),
            ("scratch.n ?$0 a : b", "`?` Operator ?: text"),
            ("scratch.n $0&& true", "`&&` Logic &&: boolean"),
        ],
    );
    check_assist(
        Hovers,
        JsonPathState,
        &[
            ("$.mem$0ory.rows", "`memory` path memory (root)"),
            ("$.memory.ro$0ws[*].x", "`rows` path memory.rows"),
            ("$.memory.rows[$0*].x", "`*` Selector *"),
            ("$.memory.rows[?(@.x =$0= 1)]", "`==` Comparison ==: boolean"),
            ("$.memory.rows[?($0@root.memory.y)]", "`@root` Builtin @root"),
            ("$.memory.rows[?(@root.memory.y$0)]", "`y` path memory.y"),
        ],
    );
}

#[test]
fn the_tokens_of_a_text() {
    check_assist(
        Tokens,
        LimanCe,
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
    check_assist(
        Tokens,
        FiltrexVerifier,
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
    check_assist(
        Tokens,
        AgentOsRouting,
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
    check_assist(
        Tokens,
        JsonPathValue,
        &[
            (
                "$.a[0,1]..b^",
                "Builtin:$ Punctuation:. Name:a Punctuation:[ Number:0 Punctuation:, Number:1 \
              Punctuation:] Operator:.. Property:b Operator:^",
            ),
            (
                "$['a b'][?(@.x >= 1 && /a]/.test(@.y))]",
                "Builtin:$ Punctuation:[ Punctuation:' Name:a b \
              Punctuation:' Punctuation:] Punctuation:[ Punctuation:?( Builtin:@ Punctuation:. Property:x \
              Operator:>= Number:1 Operator:&& Pattern:/a]/ Punctuation:. Function:test Punctuation:( Builtin:@ \
              Punctuation:. Property:y Punctuation:) Punctuation:) Punctuation:]",
            ),
            ("$.a@string()", "Builtin:$ Punctuation:. Name:a Function:@string()"),
            (
                "$.a[?(@.x == 'open",
                "Builtin:$ Punctuation:. Name:a Punctuation:[ Punctuation:?( Builtin:@ \
              Punctuation:. Property:x Operator:== OpenText:'open",
            ),
        ],
    );
}

#[test]
fn the_paths_of_a_text() {
    check_assist(
        Paths,
        LimanCe,
        &[
            ("user.role == 'x' and $is_error(T) or n", "user/role, n"),
            ("user.role == and n", "user/role, n"),
            ("rules.check", ""),
        ],
    );
    check_assist(
        Paths,
        FiltrexEdge,
        &[("k of memory + memory.a.b", "memory/k, memory/a/b"), ("memory.a >", "memory/a")],
    );
    check_assist(
        Paths,
        AgentOsRouting,
        &[("scratch.n > input.m", "scratch/n, input/m"), ("scratch.n + 1", "scratch/n (not read)")],
    );
    check_assist(
        Paths,
        JsonPathState,
        &[
            ("$.memory.rows[*].x", "memory/rows"),
            ("$.memory['my rows'][a,b]", "memory/my rows/a, memory/my rows/b"),
            ("$.memory.rows[?(@.n > @root.memory.least)]", "memory/rows, memory/least"),
            ("$..x", ""),
        ],
    );
    check_assist(Paths, JsonPathUpdates, &[("$.updates.score", "updates/score")]);
}

#[test]
fn a_name_is_renamed_as_the_language_can_write_it() {
    check_assist(
        Renames("new"),
        LimanCe,
        &[("us$0er.role == 1", "new.role == 1"), ("user.ro$0le and user", "user.new and user")],
    );
    check_assist(
        Renames("and"),
        LimanCe,
        &[("us$0er.role == 1", "-"), ("user.ro$0le == 1", "user.and == 1")],
    );
    check_assist(Renames("my key"), LimanCe, &[("us$0er.role == 1", "-")]);
    check_assist(
        Renames("new"),
        FiltrexEdge,
        &[("old$0 of memory > 1", "new of memory > 1"), ("memory.old$0 >", "memory.new >")],
    );
    check_assist(Renames("a.b"), FiltrexEdge, &[("memory.old$0 > 1", "-")]);
    check_assist(Renames("a-b"), AgentOsRouting, &[("scratch.old$0 > 1", "-")]);
    check_assist(Renames("new"), AgentOsRouting, &[("scratch.old$0 + 1", "scratch.new + 1")]);
    check_assist(
        Renames("a.b"),
        JsonPathState,
        &[
            ("$.memory.old$0[*].x", "$.memory['a.b'][*].x"),
            ("$.memory['old$0'].x", "$.memory['a.b'].x"),
            ("$.memory[old$0].x", "$.memory[a.b].x"),
            ("old$0.x", "$['a.b'].x"),
            ("$.memory.x[?(@root.memory.old$0)]", "-"),
        ],
    );
    check_assist(Renames("it's"), JsonPathState, &[("$.memory.old$0", "$.memory.it's")]);
    check_assist(Renames("new"), JsonPathState, &[("$.memory[a,old$0]", "$.memory[a,new]")]);
}

#[test]
fn the_value_of_a_constant_expression() {
    check_assist(
        Constant,
        LimanCe,
        &[
            ("1 == 1.0", "true"),
            ("false and x", "false"),
            ("'a' < 1", "a text and a number have no order"),
            ("$now() > 1", "-"),
            ("x", "-"),
            ("1 ==", "-"),
        ],
    );
    check_assist(
        Constant,
        FiltrexEdge,
        &[
            ("1 + 2 * 3", "7"),
            ("length('abc') + max(1, 2)", "5"),
            ("'a' + 'b'", "'ab'"),
            ("(1, 'a')", "(1, 'a')"),
            ("'a' ~= 'b'", "-"),
            ("memory.x", "-"),
        ],
    );
    check_assist(
        Constant,
        AgentOsRouting,
        &[("1 > 2 ? a : b", "'b'"), ("approve", "'approve'"), ("scratch.n > 1", "-")],
    );
}

#[test]
fn the_type_of_an_expression() {
    let type_name = |language, text| type_of(language, text).map(nodewise_expr::types::Type::name);
    assert_eq!(type_name(LimanCe, "a == 1 and b"), Some("boolean"));
    assert_eq!(type_name(LimanCe, "$now()"), Some("number"));
    assert_eq!(type_name(FiltrexEdge, "memory.a"), None);
    assert_eq!(type_name(FiltrexEdge, "memory.a * 2"), Some("number"));
    assert_eq!(type_name(JsonPathState, "$.memory"), None);
    let part = type_at(FiltrexEdge, "memory.a > length(memory.b)", TextSize::new(12));
    let wanted = TextRange::new(TextSize::new(11), TextSize::new(27));
    assert_eq!(part.map(|(range, known)| (range, known.name())), Some((wanted, "number")));
}

const LANGUAGES: [Language; 7] =
    [LimanCe, FiltrexEdge, FiltrexVerifier, AgentOsRouting, JsonPathState, JsonPathUpdates, JsonPathValue];

#[test]
fn an_entry_is_told_from_all_others() {
    for language in LANGUAGES {
        let entries = vocabulary(language);
        let key = |entry: &Entry| (entry.kind, entry.name);
        let mut keys: Vec<(EntryKind, &str)> = entries.iter().map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), entries.len(), "{language:?}");
        assert!(entries.iter().all(|entry| entry.doc.ends_with('.')), "{language:?}");
    }
}

#[test]
fn what_fits_a_place() {
    let names = |language, text: &str| {
        let offset = TextSize::of(text);
        let expected = expected(language, text, offset);
        let fitting = expected.kinds.iter().flat_map(|wanted| fitting(language, wanted));
        fitting.map(|entry| entry.name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(LimanCe, ""), "$is_error $now true false null not !");
    assert_eq!(names(LimanCe, "a == "), "$is_error $now true false null");
    assert_eq!(names(LimanCe, "(a) "), "and or && ||");
    assert_eq!(names(AgentOsRouting, "scratch.n ? a "), ":");
    assert_eq!(names(AgentOsRouting, "scratch.n == 1 "), "&& || ?");
    assert_eq!(
        names(FiltrexVerifier, "if memory.a "),
        "== != < <= > >= ~= in not in and or + - * / mod % ^ of ? then"
    );
    assert_eq!(names(JsonPathUpdates, "$."), "updates * .. ?() () start:end ^ ~");
    assert_eq!(names(JsonPathUpdates, ""), "$ updates");
    let now = vocabulary(LimanCe).iter().find(|entry| entry.name == "$now");
    assert_eq!(now.and_then(|entry| entry.snippet.as_deref()), Some("\\$now()"));
    let includes = vocabulary(FiltrexEdge).iter().find(|entry| entry.name == "includes");
    assert_eq!(includes.and_then(|entry| entry.snippet.as_deref()), Some("includes(${1:list}, ${2:value})"));
}

/// Every question has an answer whose ranges lie on the bounds of characters.
fn ask_everything(text: &str) {
    let is_shown = |range: TextRange| text.get(range.start().into()..range.end().into()).is_some();
    for language in LANGUAGES {
        let mut end = TextSize::new(0);
        for token in tokens(language, text) {
            assert!(is_shown(token.range) && !token.range.is_empty(), "{language:?} {token:?} in `{text}`");
            assert!(token.range.start() >= end, "{language:?} {token:?} overlaps in `{text}`");
            let gap = &text[end.into()..token.range.start().into()];
            assert!(gap.trim_matches(nodewise_expr::javascript::is_blank).is_empty(), "`{gap}` of `{text}`");
            end = token.range.end();
        }
        assert!(text[end.into()..].trim_matches(nodewise_expr::javascript::is_blank).is_empty(), "`{text}`");
        for path in paths(language, text) {
            assert!(
                is_shown(path.range) && path.segments.iter().all(|segment| is_shown(segment.range)),
                "`{text}`"
            );
        }
        constant(language, text);
        type_of(language, text);
        for offset in 0..text.len() + 3 {
            let offset = TextSize::try_from(offset).unwrap_or_default();
            let answer = expected(language, text, offset);
            assert!(is_shown(answer.replace), "{language:?} `{text}` at {offset:?}");
            assert!(hover_at(language, text, offset).is_none_or(|hover| is_shown(hover.range)), "`{text}`");
            if let Some(call) = call_at(language, text, offset) {
                let signature = call.entry.signature.unwrap_or_default();
                assert!(call.parameters.iter().all(|range| usize::from(range.end()) <= signature.len()));
            }
            if let Some((range, _)) = type_at(language, text, offset) {
                assert!(is_shown(range), "`{text}`");
            }
        }
    }
}

#[test]
fn half_typed_texts_are_read_at_every_length() {
    let texts = [
        "user.role == 'admin' and not ($is_error(Timeout, 'x') or n >= -2.5)",
        "if k of memory > 1 then includes(memory.a, \"é\") else (1, 2) ~= 'x' ? a : b",
        "scratch.n === 'é' || input.m >= 3 && true ? go : artifacts.x.y",
        "$.memory['é'][?(@.a.match(/[)]/) && @root.memory.b == \"x\")].c[1:2]..d[(@.length-1)]^~",
    ];
    for text in texts {
        for (at, _) in text.char_indices() {
            ask_everything(&text[..at]);
        }
        ask_everything(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_answers(text in "\\PC{0,24}") {
        ask_everything(&text);
    }

    #[test]
    fn any_text_of_the_languages_has_answers(text in r#"[ a-c.()\[\]$@?:!&|=<>;,'"/\\*^~0-9\n\u{e9}+-]{0,24}"#) {
        ask_everything(&text);
    }

    #[test]
    fn any_order_of_words_has_answers(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "a", "memory.b", ".", "scratch.c", "$", "@", "@root", "$.", "[", "]", "[?(", ")]", "(", ")", ",", "and ",
                "not ", "in ", "if ", "then ", "else ", "of ", "==", "=", "&&", "?", ":", "'x'", "'", "1", "$now", "length(",
                "/", "é", " ",
            ]),
            0..12,
        )
    ) {
        ask_everything(&words.concat());
    }
}

/// The tokens of a path are an author's reading: where no check finds the path odd, and a name is a plain word, the
/// library reads the same name. Records with a quote or bracket too many are the one path in fifty that may differ.
#[test]
fn the_names_of_recorded_paths_are_tokens() {
    const RECORDED: &str = include_str!("../../../tests/data/recorded/cycgraph_paths.jsonl");
    let is_plain =
        |name: &str| !name.is_empty() && name.chars().all(|found| found.is_alphanumeric() || found == '_');
    let mut wrong = Vec::new();
    let mut names = 0;
    for line in RECORDED.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let path = row["question"]["path"].as_str().unwrap_or_default();
        let parsed = jsonpath::parse(path);
        if !parsed.accepted() || !jsonpath::check(&parsed, jsonpath::Use::Assertion).is_empty() {
            continue;
        }
        let tokens = tokens(JsonPathValue, path);
        let segments = paths(JsonPathValue, path).into_iter().flat_map(|path| path.segments);
        for segment in
            segments.filter(|segment| is_plain(&path[segment.range]) && path[segment.range] == segment.name)
        {
            names += 1;
            if !tokens.iter().any(|token| token.range == segment.range) {
                wrong.push(format!("{path}: {}", segment.name));
            }
        }
    }
    assert!(wrong.len() * 50 <= names && names > 300, "{} of {names}\n{}", wrong.len(), wrong.join("\n"));
}
