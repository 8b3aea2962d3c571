//! What editors ask about expressions, as tables: the question, the expression with its cursor `$0`, the answer. Each
//! language has a file of tables; here is the door that they share.

mod filtrex;
mod hostile;
mod jsonpath;
mod liman;
mod routing;
mod vocabulary;

use nodewise_expr::TextSize;
use nodewise_expr::agentos::ROUTING;
use nodewise_expr::assist::{
    Expected, HoverKind, Wanted, call_at, constant, expected, hover_at, rename_segment,
};
use nodewise_expr::filtrex::EDGE;
use nodewise_expr::filtrex::VERIFIER;
use nodewise_expr::jsonpath::STATE;
use nodewise_expr::jsonpath::UPDATES;
use nodewise_expr::jsonpath::VALUE;
use nodewise_expr::language::Language;
use nodewise_expr::limance::LANGUAGE as LIMANCE;
use nodewise_expr::token::Token;

use Question::{Calls, Constant, Expects, Hovers, Paths, Renames, Tokens};

/// The languages, with each use of one that differs.
const LANGUAGES: [Language; 7] = [LIMANCE, EDGE, VERIFIER, ROUTING, STATE, UPDATES, VALUE];

/// What is asked.
#[derive(Clone, Copy)]
enum Question {
    /// What may stand at the cursor: `prefix>replaced: kinds`.
    Expects,
    /// The call at the cursor, the active parameter in `<>`.
    Calls,
    /// The token at the cursor and what it is.
    Hovers,
    Tokens,
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
            language.tokens(text).iter().map(|token| shown_token(text, token)).collect::<Vec<_>>().join(" ")
        }
        Paths => {
            let shown = language.paths(text).into_iter().map(|path| {
                let names: Vec<&str> = path.segments.iter().map(|segment| &text[segment.range]).collect();
                let written: Vec<&str> = path.segments.iter().map(|segment| segment.name.as_str()).collect();
                assert_eq!(names, written, "in `{text}`");
                format!("{}{}", written.join("/"), if path.is_read { "" } else { " (not read)" })
            });
            shown.collect::<Vec<_>>().join(", ")
        }
        Renames(name) => {
            let uses = language.paths(text);
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
