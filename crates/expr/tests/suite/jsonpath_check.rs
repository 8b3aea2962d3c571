//! What is said of paths: problems that make the release throw, findings about what it reads without a word.

use nodewise_expr::TextRange;
use nodewise_expr::jsonpath::{FindingKind, PathPurpose, check, memory_keys, parse};

fn slice(text: &str, range: TextRange) -> &str {
    &text[usize::from(range.start())..usize::from(range.end())]
}

/// The first problem: its place, `|`, its message; and its help behind `=>`.
fn check_problem(path: &str, expected: &str) {
    let parsed = parse(path);
    let shown = parsed.problems.first().map_or("none".to_owned(), |problem| {
        let help = problem.help.as_ref().map_or(String::new(), |help| format!(" => {help}"));
        format!("{} | {}{help}", slice(path, problem.range), problem.message)
    });
    assert_eq!(shown, expected, "`{path}`");
    for problem in &parsed.problems {
        assert!(problem.message.chars().count() <= 80, "`{}`", problem.message);
    }
}

/// The only finding of a path over the state: its kind, its place, and the path with its replacement.
fn check_finding(path: &str, kind: FindingKind, place: &str, fixed: Option<&str>) {
    check_finding_for(PathPurpose::Items, path, kind, place, fixed);
}

fn check_finding_for(used_for: PathPurpose, path: &str, kind: FindingKind, place: &str, fixed: Option<&str>) {
    let findings = check(&parse(path), used_for);
    assert_eq!(findings.len(), 1, "`{path}`: {findings:?}");
    let finding = &findings[0];
    assert_eq!((finding.kind, slice(path, finding.range)), (kind, place), "`{path}`");
    assert!(finding.message.chars().count() <= 80, "`{}`", finding.message);
    let found = finding.replacement.as_ref().map(|replacement| {
        let (before, after) =
            (&path[..usize::from(finding.range.start())], &path[usize::from(finding.range.end())..]);
        format!("{before}{replacement}{after}")
    });
    assert_eq!(found.as_deref(), fixed, "`{path}`");
    if let Some(found) = found {
        let rest: Vec<FindingKind> =
            check(&parse(&found), used_for).into_iter().map(|finding| finding.kind).collect();
        assert_eq!(rest, [], "`{path}` fixed to `{found}`");
    }
}

fn check_silent(path: &str) {
    let parsed = parse(path);
    assert_eq!(parsed.problems, [], "`{path}`");
    for used_for in [PathPurpose::Items, PathPurpose::Assertion] {
        assert_eq!(check(&parsed, used_for), [], "`{path}`");
    }
}

#[test]
fn what_makes_the_release_throw_is_a_problem() {
    for (path, expected) in [
        ("$.a[?(@.p <)]", " | an operand is missing here"),
        ("$.a[?(@.p = 8)]", "= | `=` assigns, and nothing can be assigned here => write `==` to compare"),
        ("$.a[?(@.p =~ /x/)]", "= | `=` assigns, and nothing can be assigned here => write `==` to compare"),
        ("$.a[?(@>5)]", "@ | `@` cannot stand here => write `@.name`, or a blank behind `@`"),
        ("$.a[?(@.p and @.q)]", "and | a filter knows no name `and` => write `&&`"),
        (
            "$.a[?(@.p == open)]",
            "open | a filter knows no name `open` => write `@.open` for a part of the item, or quotes around a text",
        ),
        (
            "$.a[?(Math.max(1, 2) > 1)]",
            "Math | a filter knows no name `Math` => write `@.Math` for a part of the item, or quotes around a text",
        ),
        ("$.a[?(max(1))]", "max(1) | filters have no functions but those of values"),
        ("$.a[?(@[@.k])]", "@.k | only literals can be read between the brackets of a filter"),
        ("$.a[?(@.p ?? 1)]", "?? | `??` has no meaning in a filter"),
        ("$.a[?(@.p == 'x)]", "'x | the text is not closed => close it with `'`"),
        ("$.a[?(@.p.match(/[/))]", "/[/) | the regular expression is not closed => close it with `/`"),
        ("$.a[?(@.p.match(/(/))]", "/(/ | the regular expression is not valid"),
        ("$.a[?(@.p == 1 2x)]", "x | a number cannot run into `x`"),
        ("$.a[?((@.p)]", " | `)` is missing here => close the parenthesis"),
        ("$.a[?(@.p == 1]", "?(@.p == 1 | the filter is not closed => end it with `)]`"),
        ("$^", "^ | nothing is above the path's root => leave `^` out"),
        ("$~", "~ | the path's root has no name => write a name before `~`"),
        (
            "$@string()",
            "@string() | `@string()` cannot be asked of the path's root => write a step before it, as in `$..@string()`",
        ),
        ("@.rows", "@ | a name that begins with `@` is read as a type => outside filters, write `$`"),
        ("$['@id']", "@id | a name that begins with `@` is read as a type => write ['`@id']"),
        ("$..a@other()", "@other() | `@other()` needs a function that cycgraph does not give it"),
        (
            "constructor",
            "constructor | `constructor` alone is no path to the release => write `$.constructor`",
        ),
        ("$.a[?(@.b[?(@.c <)])]", " | an operand is missing here"),
    ] {
        check_problem(path, expected);
    }
}

#[test]
fn what_the_release_misreads_is_a_finding() {
    use FindingKind as Kind;
    check_finding("", Kind::Empty, "", None);
    check_finding("/memory/rows", Kind::Pointer, "/memory/rows", Some("$.memory.rows"));
    check_finding("$.rows", Kind::OutsideState, "rows", Some("$.memory.rows"));
    check_finding("$['rows'][*]", Kind::OutsideState, "rows", None);
    check_finding("rows", Kind::OutsideState, "rows", Some("memory.rows"));
    check_finding("$.memory.rows[-1]", Kind::NegativeIndex, "-1", Some("$.memory.rows[-1:]"));
    check_finding("$.memory.rows[-2].k", Kind::NegativeIndex, "-2", Some("$.memory.rows[-2:-1].k"));
    check_finding("$.memory.rows[::-1]", Kind::NegativeStep, "::-1", None);
    check_finding("$.memory['a','b']", Kind::QuotedUnion, "a','b", None);
    check_finding("$.memory[\"a\", \"b\"]", Kind::QuotedUnion, "a\", \"b", None);
    check_finding("$.memory.rows[0, 2]", Kind::BlankName, " 2", Some("$.memory.rows[0,2]"));
    check_finding("$.memory.rows[ 0 ]", Kind::BlankName, " 0 ", Some("$.memory.rows[0]"));
    check_finding("$.memory.rows ", Kind::BlankName, "rows ", Some("$.memory.rows"));
    check_finding("$.memory.'a.b'", Kind::QuotedBehindDot, "a", None);
    check_finding(
        "$.memory.rows[?@.state == 'open']",
        Kind::BareFilter,
        "?@.state == 'open'",
        Some("$.memory.rows[?(@.state == 'open')]"),
    );
    check_finding("$.memory.rows.length()", Kind::FunctionCall, "length()", Some("$.memory.rows.length"));
    check_finding("$.memory.rows.[0]", Kind::DotBeforeBracket, ".", Some("$.memory.rows[0]"));
    check_finding("$.memory.rows[]", Kind::EmptyName, "", Some("$.memory.rows[*]"));
    check_finding(".memory.rows", Kind::EmptyName, "", Some("$.memory.rows"));
    check_finding("$.memory.rows[", Kind::Unclosed, "[", None);
    check_finding("$.memory.rows[0", Kind::Unclosed, "[0", None);
    check_finding("$.memory['rows", Kind::Unclosed, "['rows", None);
    check_finding("$.memory.rows[0:2", Kind::Unclosed, "[0:2", None);
    check_finding("$.memory.rows[*]~.k", Kind::Ignored, ".k", Some("$.memory.rows[*]~"));
    check_finding("$.memory.rows[*]@object().k", Kind::Ignored, ".k", Some("$.memory.rows[*]@object()"));
    check_finding_for(PathPurpose::Score, "$.score", Kind::OutsideUpdates, "score", Some("$.updates.score"));
}

#[test]
fn good_paths_are_silent() {
    for path in [
        "$",
        "$.memory",
        "$.memory.rows",
        "$.memory.rows[*]",
        "$.memory.rows[*].k",
        "$.memory['my rows'][0]",
        "$.memory[\"a.b\"].c",
        "$.memory.tickets[?(@.state=='open')]",
        "$.memory.tickets[?(@.state === \"open\" && @.age > 3)].id",
        "$.memory.tickets[?(@['state'] != 'x')]",
        "$.memory.tickets[?(@.text.match(/urgent/i))]",
        "$.memory.tickets[?(!@.closed || @.tags.includes('vip'))]",
        "$.memory.tickets[?(@.tags.length > 1)]",
        "$.memory.tickets[?(@root.goal == @.goal)]",
        "$.memory.tickets[(@.length-1)]",
        "$.memory.tickets[-1:]",
        "$.memory.tickets[0,2]",
        "$.memory[a,b]",
        "$.memory.tickets.length",
        "$.memory.*~",
        "$..tickets",
        "$..*@string()",
        "$.memory.tickets[*].owner^",
        "$.memory.`@id",
        "$.memory.rows[*]['@id']",
        "$.memory.größe",
        "memory.rows",
        "$.goal",
        "$.constraints[*]",
    ] {
        check_silent(path);
    }
    for path in ["$.updates.draft.score", "$['updates'].score", "$..score"] {
        assert_eq!(check(&parse(path), PathPurpose::Score), [], "`{path}`");
    }
    for path in ["$.items[*].amount", "$.title", "items", "$.lines[*].qty"] {
        assert_eq!(check(&parse(path), PathPurpose::Assertion), [], "`{path}`");
    }
}

#[test]
fn the_memory_keys_of_a_path_are_known() {
    for (path, expected) in [
        ("$.memory.rows[*].k", "rows"),
        ("memory.rows", "rows"),
        ("$['memory']['my rows']", "my rows"),
        ("$.memory[a,b].c", "a b"),
        ("$.memory.`rows", "rows"),
        ("$.memory.*", ""),
        ("$..rows", ""),
        ("$.memory", ""),
        ("$.rows", ""),
        ("$.memory.rows[?(@.k == @root.memory.key)]", "rows key"),
    ] {
        let keys = memory_keys(&parse(path).path);
        let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
        assert_eq!(names.join(" "), expected, "`{path}`");
        for key in &keys {
            assert_eq!(slice(path, key.range), key.name, "`{path}`");
        }
    }
}
