//! What editors ask about JSONPath, which cycgraph writes assertions and extractions in.

use nodewise_expr::jsonpath;
use nodewise_expr::jsonpath::STATE;
use nodewise_expr::jsonpath::UPDATES;
use nodewise_expr::jsonpath::VALUE;

use crate::assist::Question::{Calls, Expects, Hovers, Paths, Renames, Tokens};
use crate::assist::check_assist;

#[test]
fn what_is_expected() {
    check_assist(
        Expects,
        STATE,
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
        STATE,
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
        STATE,
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
        VALUE,
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
        STATE,
        &[
            ("$.memory.rows[*].x", "memory/rows"),
            ("$.memory['my rows'][a,b]", "memory/my rows/a, memory/my rows/b"),
            ("$.memory.rows[?(@.n > @root.memory.least)]", "memory/rows, memory/least"),
            ("$..x", ""),
        ],
    );
    check_assist(Paths, UPDATES, &[("$.updates.score", "updates/score")]);
}

#[test]
fn a_name_is_renamed_as_the_language_can_write_it() {
    check_assist(
        Renames("a.b"),
        STATE,
        &[
            ("$.memory.old$0[*].x", "$.memory['a.b'][*].x"),
            ("$.memory['old$0'].x", "$.memory['a.b'].x"),
            ("$.memory[old$0].x", "$.memory[a.b].x"),
            ("old$0.x", "$['a.b'].x"),
            ("$.memory.x[?(@root.memory.old$0)]", "-"),
        ],
    );
    check_assist(Renames("it's"), STATE, &[("$.memory.old$0", "$.memory.it's")]);
    check_assist(Renames("new"), STATE, &[("$.memory[a,old$0]", "$.memory[a,new]")]);
}

/// The tokens of a path are an author's reading: where no check finds the path odd, and a name is a plain word, the
/// library reads the same name. Records with a quote or bracket too many are the one path in fifty that may differ.
#[test]
fn the_names_of_recorded_paths_are_tokens() {
    const RECORDED: &str = include_str!("../../../../../tests/data/recorded/cycgraph_paths.jsonl");
    let is_plain =
        |name: &str| !name.is_empty() && name.chars().all(|found| found.is_alphanumeric() || found == '_');
    let mut wrong = Vec::new();
    let mut names = 0;
    for line in RECORDED.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let path = row["question"]["path"].as_str().unwrap_or_default();
        let parsed = jsonpath::parse(path);
        if !parsed.accepted() || !jsonpath::check(&parsed, jsonpath::PathPurpose::Assertion).is_empty() {
            continue;
        }
        let tokens = VALUE.tokens(path);
        let segments = VALUE.paths(path).into_iter().flat_map(|path| path.segments);
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
