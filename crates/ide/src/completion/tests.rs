//! Completion, as tables: the items at a cursor, and the text after accepting an item.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod agentos;
mod beginning;
mod corpus;
mod cycgraph;
mod liman;
mod modules;
mod scenarios;
mod tables;

use std::fmt::Write;

use nodewise_syntax::TextRange;
use nodewise_syntax::edit::{TextEdit, apply_edits};

use super::{CompletionItem, CompletionSettings, Completions, Handle, complete, resolve};
use crate::testing::project_at_cursor;

const SNIPPETS: CompletionSettings = CompletionSettings { snippets: true, trigger: None, usual: None };

/// Lists the first items at the cursor: label, kind, detail.
#[track_caller]
fn check_completion(fixture: &str, expected: &str) {
    let found = completions(fixture, SNIPPETS);
    let mut list = String::new();
    let shown = expected.trim().lines().count();
    let is_open = expected.trim_end().ends_with('…');
    let count = if is_open { shown - 1 } else { found.items.len() };
    for item in found.items.iter().take(count) {
        let struck = if item.is_deprecated { " (deprecated)" } else { "" };
        let detail = item.detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default();
        writeln!(list, "{} {:?}{detail}{struck}", item.label, item.kind).unwrap();
    }
    if is_open {
        assert!(found.items.len() > count, "more than {count} items");
        list.push('…');
    }
    assert_eq!(list.trim(), dedent(expected).trim(), "{fixture}");
}

/// Lists only the labels.
#[track_caller]
fn check_labels(fixture: &str, expected: &str) {
    let labels: Vec<String> =
        completions(fixture, SNIPPETS).items.into_iter().map(|item| item.label).collect();
    let listed = labels.join(" ");
    match expected.strip_suffix(" …") {
        Some(first) => assert!(listed.starts_with(first), "{fixture}\nfound {listed}"),
        None => assert_eq!(listed, expected, "{fixture}"),
    }
}

/// Accepts the item with that label. Returns the text of the file, with `$0` at the new cursor and placeholders filled
/// in.
#[track_caller]
fn check_accept(fixture: &str, label: &str, expected: &str) {
    assert_eq!(accepted(fixture, label, SNIPPETS), expected, "{fixture}");
}

/// The same for an editor without snippets.
#[track_caller]
fn check_plain(fixture: &str, label: &str, expected: &str) {
    let options = CompletionSettings { snippets: false, trigger: None, usual: None };
    assert_eq!(accepted(fixture, label, options), expected, "{fixture}");
}

#[track_caller]
fn accepted(fixture: &str, label: &str, options: CompletionSettings) -> String {
    let (snapshot, position) = project_at_cursor(fixture);
    let found = complete(&snapshot, position, options);
    let labels = || found.items.iter().map(|item| item.label.as_str()).collect::<Vec<_>>().join(" ");
    let item = found.items.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| panic!("no {label} among: {}\n{fixture}", labels()));
    let text = &snapshot.file(position.source).unwrap().text;
    let (with, cursor) = applied(text, item, item.edit.replace);
    let problems = |text: &str| nodewise_syntax::parse(text).problems().len();
    assert!(problems(&with) <= problems(text), "accepting {label} breaks\n{}\ninto\n{with}", &**text);
    match cursor {
        Some(cursor) => format!("{}$0{}", &with[..cursor], &with[cursor..]),
        None => with,
    }
}

/// The text with an item in it, with placeholders filled in, and the place of the first or last placeholder.
fn applied(text: &str, item: &CompletionItem, range: TextRange) -> (String, Option<usize>) {
    let (inserted, cursor) = match item.edit.is_snippet {
        true => filled(&item.edit.text),
        false => (item.edit.text.clone(), None),
    };
    let mut edits = item.additional.clone();
    let shift: usize = edits
        .iter()
        .filter(|edit| edit.range.start() <= range.start())
        .map(|edit| edit.text.len() - usize::from(edit.range.len()))
        .sum();
    edits.push(TextEdit { range, text: inserted });
    let with = apply_edits(text, &mut edits).unwrap();
    (with, cursor.map(|cursor| cursor + usize::from(range.start()) + shift))
}

/// A snippet with its placeholders filled in. The cursor is at `$0`, else at the first empty placeholder.
fn filled(snippet: &str) -> (String, Option<usize>) {
    let mut text = String::new();
    let (mut last, mut first) = (None, None);
    let mut letters = snippet.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next()),
            '$' if letters.peek() == Some(&'{') => {
                letters.next();
                while letters.peek().is_some_and(char::is_ascii_digit) {
                    letters.next();
                }
                let is_choice = letters.next() == Some('|');
                let mut is_past_first = false;
                while let Some(letter) = letters.next() {
                    match letter {
                        '\\' => {
                            let escaped = letters.next();
                            text.extend(escaped.filter(|_| !is_past_first));
                        }
                        '}' if !is_choice => break,
                        '|' if is_choice => {
                            letters.next();
                            break;
                        }
                        ',' if is_choice => is_past_first = true,
                        letter if !is_past_first => text.push(letter),
                        _ => {}
                    }
                }
            }
            '$' => {
                let number = letters.next();
                match number {
                    Some('0') => last = Some(text.len()),
                    _ => first = first.or(Some(text.len())),
                }
            }
            letter => text.push(letter),
        }
    }
    (text, last.or(first))
}

fn completions(fixture: &str, options: CompletionSettings) -> Completions {
    let (snapshot, position) = project_at_cursor(fixture);
    let found = complete(&snapshot, position, options);
    for item in &found.items {
        if let Some(handle) = &item.documentation {
            let again = Handle::from_text(handle.as_text());
            assert!(resolve(&snapshot, &again).is_some(), "no documentation of {}", item.label);
        }
        let offset = position.offset;
        assert!(item.edit.replace.contains_inclusive(offset), "{} is replaced elsewhere", item.label);
        assert_eq!(item.edit.insert.end(), offset);
        assert_eq!(item.edit.insert.start(), item.edit.replace.start());
    }
    found
}

fn dedent(text: &str) -> String {
    text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Spaces after a plain scalar belong to the expression, so the same items are offered as in a quoted text.
#[test]
fn blanks_behind_plain_expressions() {
    let liman = "kind: LLMNode\nname: a\nnodes:\n  - ";
    let graph = "id: g\nname: G\ndescription: ''\nstart_node: a\nnodes:\n  - id: a\n    type: agent\nedges:\n  - source: a\n    target: a\n    ";
    let agentos =
        "id: g\nnodes:\n  - id: a\n    type: router\n    executorConfig:\n      type: router\n      ";
    let places = [
        (format!("{liman}target: b\n    when: "), "\n", "ticket"),
        (format!("{liman}{{target: b, when: "), "}\n", "ticket"),
        (format!("{liman}{{when: "), ", target: b}\n", "ticket"),
        (format!("{graph}condition:\n      type: conditional\n      condition: "), "\n", "memory.amount"),
        (format!("{graph}condition: {{type: conditional, condition: "), "}\n", "memory.amount"),
        (format!("{agentos}condition:\n        type: expression\n        expr: "), "\n", "scratch.a"),
        (format!("{agentos}condition: {{type: expression, expr: "), "}\n", "scratch.a"),
    ];
    for (before, behind, name) in &places {
        for typed in ["NAME and ", "not ", "NAME ", "NAME  ", "NAME == "] {
            let typed = typed.replace("NAME", name);
            let plain = completions(&format!("{before}{typed}$0{behind}"), SNIPPETS);
            let quoted = completions(&format!("{before}\"{typed}$0\"{behind}"), SNIPPETS);
            // The name is known only from this use, which differs slightly between the two.
            // A plain scalar in a flow mapping cannot contain the comma that `includes` inserts.
            let labels = |found: &Completions| -> Vec<String> {
                let labels = found.items.iter().map(|item| item.label.clone());
                labels.filter(|label| !name.ends_with(label.as_str()) && label != "includes").collect()
            };
            assert_eq!(labels(&plain), labels(&quoted), "{before}{typed}");
        }
        let operators = completions(&format!("{before}{name} $0{behind}"), SNIPPETS);
        assert!(!operators.items.is_empty(), "no operators: {before}{name}");
    }
}

#[test]
fn an_item_behind_a_blank_keeps_the_blank() {
    let before = "kind: LLMNode\nname: a\nnodes:\n  - target: b\n    when: ticket ";
    check_accept(&format!("{before}$0\n"), "and", &format!("{before}and\n"));
}
