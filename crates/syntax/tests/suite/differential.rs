//! Differences from yaml-rust2 and saphyr-parser, on damaged and generated documents.
//!
//! Invariant: verdict and events are equal, or a line of the ledger says why ours is what the specification asks
//! for. A line is a predicate on the one case, not a quota.

use std::collections::BTreeMap;

use nodewise_syntax::{Problem, ProblemKind, Tree, parse};

use crate::oracle::{self, Verdict};
use crate::support::{Random, corpus_files, mutant, shared_file};
use crate::{generate, oracle::ours};

/// One disagreement.
struct Case<'a> {
    text: &'a str,
    tree: &'a Tree,
    ours: &'a Verdict,
    theirs: &'a Verdict,
}

/// A kind of disagreement in which ours is right.
struct Line {
    name: &'static str,
    /// The production of YAML 1.2.2 that decides.
    reason: &'static str,
    holds: fn(&Case<'_>) -> bool,
}

const LEDGER: &[Line] = &[
    Line {
        name: "tab as indentation",
        reason: "[63] s-indent(n) is spaces alone; block collections begin behind it ([183], [187], [185])",
        holds: |case| case.first_refused_for(&[ProblemKind::TabIndentation]),
    },
    Line {
        name: "character outside c-printable",
        reason: "[1] c-printable, [2] nb-json, [27] nb-char",
        holds: |case| {
            case.only_refused_for(&[ProblemKind::ControlCharacter]) || case.has_inner_byte_order_mark()
        },
    },
    Line {
        name: "tab behind an indicator",
        reason: "[66] s-separate-in-line holds tabs; only a compact collection needs spaces ([185])",
        holds: |case| {
            case.text.contains('\t')
                && case.only_they_refuse(&["expected whitespace", "valid YAML whitespace", "tabs disallowed"])
        },
    },
    Line {
        name: "pair in a flow sequence",
        reason: "[143], [145], [149]: key and value may be empty; a value may touch its JSON-like key",
        holds: |case| {
            let has_pair = case.text.contains('[') && case.text.contains([':', '?']);
            let errors = [
                "while parsing a flow sequence, expected",
                "while parsing a flow mapping, did not find",
                "did not find expected node content",
            ];
            has_pair && case.only_they_refuse(&errors)
        },
    },
    Line {
        name: "plain scalar that begins with an indicator in a flow collection",
        reason: "[126] ns-plain-first",
        holds: |case| {
            let first = case.syntax_problems().next().map_or("", |problem| &case.text[problem.range]);
            case.first_refused_for(&[ProblemKind::ReservedCharacter]) && matches!(first, "?" | "|" | ">")
        },
    },
    Line {
        name: "block collection behind the colon of an empty key",
        reason: "[194] c-l-block-map-implicit-value: a block collection begins on its own line ([198])",
        holds: |case| {
            let is_opening = |problem: &Problem| {
                matches!(problem.kind, ProblemKind::MappingNotAllowed | ProblemKind::SequenceNotAllowed)
            };
            let mut openings = case.syntax_problems().filter(|problem| is_opening(problem));
            case.only_we_refuse() && openings.any(|problem| case.begins_with_colon(problem))
        },
    },
    Line {
        name: "blank last line of a block scalar without a line break",
        reason: "[165] b-chomped-last: clipping drops it, and keeping keeps it (test suite, JEF9)",
        holds: |case| {
            let last_line = case.text.rsplit('\n').next().unwrap_or_default();
            let is_blank = !last_line.is_empty() && last_line.chars().all(|character| character == ' ');
            is_blank
                && case.differ_in(|ours, theirs| {
                    is_block(ours) && (ours.starts_with(theirs) || theirs.starts_with(ours))
                })
        },
    },
    Line {
        name: "flow node that goes on left of its parent",
        reason: "[69] s-flow-line-prefix(n): each line of a flow node is indented",
        holds: |case| {
            let kinds =
                [ProblemKind::BadIndentation, ProblemKind::UnclosedBracket, ProblemKind::UnclosedQuote];
            case.first_refused_for(&kinds) && case.is_inside_flow()
        },
    },
    Line {
        name: "reserved directive",
        reason: "[84] ns-directive-name is any characters; unknown directives are ignored",
        holds: |case| {
            let has_directive = case.text.lines().any(|line| line.starts_with('%'));
            has_directive && case.only_they_refuse(&["while scanning a directive"])
        },
    },
    Line {
        name: "directive that is not well-formed, or given twice",
        reason: "[86] ns-yaml-directive, [88] ns-tag-directive; at most one for a handle (section 6.8.2)",
        holds: |case| {
            let kinds =
                [ProblemKind::BadDirective, ProblemKind::SecondDirective, ProblemKind::UnknownTagHandle];
            case.only_refused_for(&kinds) && case.text.lines().any(|line| line.starts_with('%'))
        },
    },
    Line {
        name: "document marker inside a block scalar at column 0",
        reason: "[206] c-forbidden: a marker at the start of a line ends the document",
        holds: |case| {
            let is_taken =
                |event: &String| is_block(event) && (event.contains("---") || event.contains("..."));
            case.theirs.as_ref().is_ok_and(|events| events.iter().any(is_taken))
        },
    },
    Line {
        name: "empty block scalar",
        reason: "[165] b-chomped-last, [167] l-strip-empty: clipping leaves nothing of empty lines",
        holds: |case| case.differ_in(|ours, theirs| is_block(ours) && theirs == format!("{ours}\\n")),
    },
    Line {
        name: "key of several lines",
        reason: "[154] ns-s-implicit-yaml-key, [155] c-s-implicit-json-key: within one line",
        holds: |case| case.first_refused_for(&[ProblemKind::MultilineKey]),
    },
    Line {
        name: "colon before a bracket in a flow mapping",
        reason: "[147] c-ns-flow-map-separate-value: the colon's next character is not plain",
        holds: |case| case.only_they_refuse(&["':' may not precede any of"]),
    },
    Line {
        name: "byte order mark",
        reason: "[3] c-byte-order-mark stands before a document and is no content of it",
        holds: |case| case.text.contains('\u{feff}'),
    },
    Line {
        name: "empty verbatim tag",
        reason: "[98] c-verbatim-tag has at least one character",
        holds: |case| case.text.contains("!<>") && case.only_refused_for(&[ProblemKind::BadTag]),
    },
    Line {
        name: "tab at the head of a block scalar's text",
        reason: "[171] l-nb-literal-text: any character follows the indentation",
        holds: |case| case.only_they_refuse(&["block scalar content cannot start with a tab"]),
    },
    Line {
        name: "less indented line behind an empty block scalar",
        reason: "[169] l-trail-comments and [206] c-forbidden end the scalar",
        holds: |case| {
            let is_end = |line: &str| {
                line.trim_start().starts_with('#') || line.starts_with("---") || line.starts_with("...")
            };
            case.text.lines().any(is_end) && case.only_they_refuse(&["wrongly indented line in block scalar"])
        },
    },
    Line {
        name: "plain scalar that begins with a dash in a flow collection",
        reason: "[126] ns-plain-first: the next character is no flow indicator",
        holds: |case| case.only_they_refuse(&["plain scalar cannot start with '-'"]),
    },
    Line {
        name: "question mark at the end of the text",
        reason: "[189] c-l-block-map-explicit-key: the node behind it may be empty",
        holds: |case| case.text.ends_with('?') && case.only_they_refuse(&["expected whitespace"]),
    },
    Line {
        name: "properties that touch their content",
        reason: "[161] ns-flow-node: white space lies between properties and content",
        holds: |case| {
            let touches = |problem: &Problem| {
                let before = &case.text[..problem.range.start().into()];
                before.rsplit(char::is_whitespace).next().is_some_and(|word| word.starts_with(['&', '!']))
            };
            case.only_refused_for(&[ProblemKind::UnexpectedText]) && case.syntax_problems().all(touches)
        },
    },
    Line {
        name: "comment inside a plain scalar",
        reason: "[133] s-ns-plain-next-line: lines of a plain scalar follow each other",
        holds: |case| {
            let is_tabbed = |line: &str| {
                line.split_once('#')
                    .is_some_and(|(before, _)| before.trim().is_empty() && before.contains('\t'))
            };
            let kinds = [
                ProblemKind::MissingComma,
                ProblemKind::MissingColon,
                ProblemKind::BadIndentation,
                ProblemKind::ItemInMapping,
            ];
            case.first_refused_for(&kinds) && case.text.lines().any(is_tabbed)
        },
    },
    Line {
        name: "comment without white space behind a colon",
        reason: "[78] l-comment, [77] s-b-comment: white space comes first",
        holds: |case| case.first_refused_for(&[ProblemKind::CommentNeedsSpace]),
    },
    Line {
        name: "closing bracket below its key",
        reason: "[69] asks for one space more (test suite, 9C9N); like all loaders, we take it, empty lists included",
        holds: |case| {
            let is_closer = |line: &str| line.trim_start().starts_with([']', '}']);
            let errors = ["invalid indentation", "found a tab"];
            case.text.lines().any(is_closer) && case.only_they_refuse(&errors)
        },
    },
    Line {
        name: "tab on a blank line of a quoted scalar",
        reason: "[70] l-empty asks for the indentation first; a line without content is no place to be strict",
        holds: |case| {
            let is_blank = |line: &str| line.contains('\t') && line.trim().is_empty();
            case.text.lines().any(is_blank) && case.only_they_refuse(&["tab cannot be used as indentation"])
        },
    },
    Line {
        name: "escapes in tags",
        reason: "[39] ns-uri-char: escapes are kept as they are; the test suite (6CK3) expands those of shorthands",
        holds: |case| {
            let is_tagged = |ours: &str, theirs: &str| ours.contains('<') && theirs.contains('<');
            case.text.contains('%') && (case.differ_in(is_tagged) || case.only_they_refuse(&["UTF-8"]))
        },
    },
    Line {
        name: "second directive",
        reason: "[82] l-directive: each of a document's directives holds for it",
        holds: |case| {
            let directives = case.text.lines().filter(|line| line.starts_with('%')).count();
            directives > 1 && case.only_they_refuse(&["handle wasn't declared"])
        },
    },
];

impl Case<'_> {
    fn syntax_problems(&self) -> impl Iterator<Item = &Problem> {
        self.tree.problems().iter().filter(|problem| problem.is_syntax())
    }

    fn only_we_refuse(&self) -> bool {
        self.ours.is_err() && self.theirs.is_ok()
    }

    fn only_refused_for(&self, kinds: &[ProblemKind]) -> bool {
        self.only_we_refuse() && self.syntax_problems().all(|problem| kinds.contains(&problem.kind))
    }

    /// True when the first thing that only we refuse is of these kinds; what follows may be a consequence.
    fn first_refused_for(&self, kinds: &[ProblemKind]) -> bool {
        self.only_we_refuse()
            && self.syntax_problems().next().is_some_and(|problem| kinds.contains(&problem.kind))
    }

    /// True when the first problem lies in or behind a quoted scalar or a flow collection that spans lines.
    fn is_inside_flow(&self) -> bool {
        let first = self.syntax_problems().next();
        let before = first.map_or("", |problem| &self.text[..problem.range.end().into()]);
        before.find(['\'', '"', '[', '{']).is_some_and(|opener| self.text[opener..].contains(['\n', '\r']))
    }

    fn only_they_refuse(&self, messages: &[&str]) -> bool {
        let is_known = |error: &String| messages.iter().any(|message| error.contains(message));
        self.ours.is_ok() && self.theirs.as_ref().is_err_and(is_known)
    }

    fn has_inner_byte_order_mark(&self) -> bool {
        self.text.char_indices().any(|(start, character)| start > 0 && character == '\u{feff}')
    }

    /// True when the problem's line begins with the colon of an empty key.
    fn begins_with_colon(&self, problem: &Problem) -> bool {
        let before = &self.text[..problem.range.start().into()];
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
        line.trim_start_matches(['-', '?', ' ', '\t']).starts_with(':')
    }

    /// True when every event that differs does so in the given way.
    fn differ_in(&self, is_such: fn(&str, &str) -> bool) -> bool {
        let (Ok(ours), Ok(theirs)) = (self.ours, self.theirs) else { return false };
        let mut pairs = ours.iter().zip(theirs);
        ours.len() == theirs.len() && pairs.all(|(ours, theirs)| ours == theirs || is_such(ours, theirs))
    }
}

fn is_block(event: &str) -> bool {
    event.starts_with("=VAL") && (event.contains(" |") || event.contains(" >"))
}

fn same(ours: &Verdict, theirs: &Verdict) -> bool {
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => ours == theirs,
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

/// Compares one text with both parsers; counts the ledger lines that were needed.
fn check_agreement(text: &str, used: &mut BTreeMap<&'static str, usize>) {
    let tree = parse(text);
    let mine = ours(&tree);
    for (parser, theirs) in [("yaml-rust2", oracle::yaml_rust2(text)), ("saphyr", oracle::saphyr(text))] {
        if same(&mine, &theirs) {
            continue;
        }
        let case = Case { text, tree: &tree, ours: &mine, theirs: &theirs };
        match LEDGER.iter().find(|line| (line.holds)(&case)) {
            Some(line) => *used.entry(line.name).or_default() += 1,
            None => panic!("{parser} differs on {text:?}\nours:   {mine:?}\ntheirs: {theirs:?}"),
        }
    }
}

fn check_texts(name: &str, count: usize, mut next: impl FnMut() -> String) {
    let mut used = BTreeMap::new();
    for _ in 0..count {
        check_agreement(&next(), &mut used);
    }
    println!("{name}: {count} texts");
    for line in LEDGER.iter().filter(|line| used.contains_key(line.name)) {
        println!("  {:4} {}: {}", used[line.name], line.name, line.reason);
    }
}

#[test]
fn generated_documents_agree() {
    let mut random = Random::new(21);
    check_texts("generated", 60_000, || generate::document(&mut random));
}

#[test]
fn damaged_corpus_files_agree() {
    let mut random = Random::new(22);
    let small = |text: &String| text.len() < 4_000;
    let files: Vec<String> = ["liman", "cycgraph", "agentos"]
        .into_iter()
        .flat_map(|folder| corpus_files(folder).into_values())
        .filter(small)
        .collect();
    check_texts("corpus", 12_000, || mutant(&files[random.below(files.len())], &mut random).text);
}

#[test]
fn damaged_test_suite_cases_agree() {
    let Some(data) = shared_file("data/yaml-test-suite.json") else { return };
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    let cases: Vec<&str> =
        data["cases"].as_array().unwrap().iter().map(|case| case["yaml"].as_str().unwrap()).collect();
    let mut random = Random::new(23);
    check_texts("test suite", 60_000, || {
        let edits = 1 + random.below(3);
        let case = cases[random.below(cases.len())].to_owned();
        (0..edits).fold(case, |text, _| mutant(&text, &mut random).text)
    });
}
