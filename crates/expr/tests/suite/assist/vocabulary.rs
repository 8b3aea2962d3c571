//! The words of the languages, which of them fit a place, and the types of expressions.

use nodewise_expr::agentos::ROUTING;
use nodewise_expr::assist::{expected, fitting, type_at, type_of};
use nodewise_expr::filtrex::EDGE;
use nodewise_expr::filtrex::VERIFIER;
use nodewise_expr::jsonpath::STATE;
use nodewise_expr::jsonpath::UPDATES;
use nodewise_expr::limance::LANGUAGE as LIMANCE;
use nodewise_expr::vocabulary::{EntryKind, VocabularyEntry};
use nodewise_expr::{TextRange, TextSize};

use crate::assist::LANGUAGES;

#[test]
fn the_type_of_an_expression() {
    let type_name = |language, text| type_of(language, text).map(nodewise_expr::types::ValueType::name);
    assert_eq!(type_name(LIMANCE, "a == 1 and b"), Some("boolean"));
    assert_eq!(type_name(LIMANCE, "$now()"), Some("number"));
    assert_eq!(type_name(EDGE, "memory.a"), None);
    assert_eq!(type_name(EDGE, "memory.a * 2"), Some("number"));
    assert_eq!(type_name(STATE, "$.memory"), None);
    let part = type_at(EDGE, "memory.a > length(memory.b)", TextSize::new(12));
    let wanted = TextRange::new(TextSize::new(11), TextSize::new(27));
    assert_eq!(part.map(|(range, known)| (range, known.name())), Some((wanted, "number")));
}

#[test]
fn an_entry_differs_from_all_others() {
    for language in LANGUAGES {
        let entries = language.vocabulary();
        let key = |entry: &VocabularyEntry| (entry.kind, entry.name);
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
    assert_eq!(names(LIMANCE, ""), "$is_error $now true false null not !");
    assert_eq!(names(LIMANCE, "a == "), "$is_error $now true false null");
    assert_eq!(names(LIMANCE, "(a) "), "and or && ||");
    assert_eq!(names(ROUTING, "scratch.n ? a "), ":");
    assert_eq!(names(ROUTING, "scratch.n == 1 "), "&& || ?");
    assert_eq!(
        names(VERIFIER, "if memory.a "),
        "== != < <= > >= ~= in not in and or + - * / mod % ^ of ? then"
    );
    assert_eq!(names(UPDATES, "$."), "updates * .. ?() () start:end ^ ~");
    assert_eq!(names(UPDATES, ""), "$ updates");
    let now = LIMANCE.vocabulary().iter().find(|entry| entry.name == "$now");
    assert_eq!(now.and_then(|entry| entry.snippet.as_deref()), Some("\\$now()"));
    let includes = EDGE.vocabulary().iter().find(|entry| entry.name == "includes");
    assert_eq!(includes.and_then(|entry| entry.snippet.as_deref()), Some("includes(${1:list}, ${2:value})"));
}
