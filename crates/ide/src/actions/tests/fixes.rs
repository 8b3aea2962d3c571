//! The fixes of rules.

use std::cell::Cell;

use nodewise_syntax::{TextRange, TextSize};

use super::super::draft::DRAFTS;
use super::super::{ActionContext, ActionEdit, ActionKind, ActionRequest, actions, ignore, resolve};
use super::{check_action, check_titles};
use crate::testing::project_at_cursor;

#[test]
fn a_fix_of_a_rule() {
    check_action(
        "
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [serch$0]
---
kind: ToolNode
name: search
description: {en: Searches.}
func: a.b
",
        "Replace it with `search`",
        "
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [search]
---
kind: ToolNode
name: search
description: {en: Searches.}
func: a.b
",
    );
}

#[test]
fn fixes_come_before_other_layouts_of_the_same_text() {
    let fixture = "kind: LLMNode\nname: chat\nprompts: {system: {en: Hi}}\ntools: [serch$0]\n---\nkind: ToolNode\nname: search\ndescription: {en: A}\nfunc: a.b\n";
    let (snapshot, position) = project_at_cursor(fixture);
    let range = TextRange::empty(position.offset);
    let offered = |only: &[ActionKind]| {
        let request = ActionRequest { source: position.source, range, only, can_create_files: true };
        actions(&snapshot, request).into_iter().map(|action| (action.title, action.kind)).collect::<Vec<_>>()
    };
    let all = offered(&[]);
    let first_layout = all.iter().position(|(_, kind)| *kind == ActionKind::Rewrite).unwrap();
    assert_eq!(all[0], ("Replace it with `search`".to_owned(), ActionKind::QuickFix));
    // Each title says what is written, also away from the text.
    assert_eq!(all[first_layout].0, "Split onto separate lines");
    assert!(all.iter().any(|(title, _)| title == "Use single quotes"));
    let fixes = offered(&[ActionKind::QuickFix]);
    assert!(fixes.iter().all(|(_, kind)| *kind == ActionKind::QuickFix) && fixes.len() < all.len());
}

#[test]
fn all_of_a_rule_and_all_that_is_safe() {
    let before = "
kind: Node
name: a
func: \"pkg:ru$0n\"
---
kind: Node
name: b
func: \"pkg:go\"
nodes: [a]  # nodewise: ignore nothing
";
    check_titles(
        before,
        "Fix",
        &["Fix all 2 `invalid-function-path` problems in the file", "Fix all auto-fixable problems"],
    );
    check_action(
        before,
        "Fix all 2 `invalid-function-path` problems in the file",
        "
kind: Node
name: a
func: \"pkg.run\"
---
kind: Node
name: b
func: \"pkg.go\"
nodes: [a]  # nodewise: ignore nothing
",
    );
    check_action(
        before,
        "Fix all auto-fixable problems",
        "
kind: Node
name: a
func: \"pkg.run\"
---
kind: Node
name: b
func: \"pkg.go\"
nodes: [a]
",
    );
}

#[test]
fn what_overlaps_waits_for_the_next_round() {
    check_action(
        "
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [k, k, k, k$0], write_keys: [k]}
edges: []
start_node: a
end_nodes: [a]
",
        "Fix all 3 `duplicate-entry` problems in the file",
        "
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [k], write_keys: [k]}
edges: []
start_node: a
end_nodes: [a]
",
    );
}

#[test]
fn a_selection_of_everything_has_a_short_list() {
    let edges = "  - {target: a, whn: x}\n".repeat(300);
    let fixture = format!("kind: Node\nname: a$0\nfunc: f.a\nnodes:\n{edges}");
    let (snapshot, position) = project_at_cursor(&fixture);
    let text = &snapshot.file(position.source).unwrap().text;
    let range = TextRange::up_to(TextSize::of(&**text));
    let request = ActionRequest { source: position.source, range, only: &[], can_create_files: true };
    let actions = actions(&snapshot, request);
    let of = |title: &str| actions.iter().filter(|action| action.title.starts_with(title)).count();
    assert_eq!((of("Rename it to `when`"), of("Fix all 300 `unknown-field`")), (64, 1));
}

/// The number of times that the whole text is read to ignore so many findings.
fn readings_of(findings: usize) -> usize {
    let edges: String = (0..findings).map(|number| format!("  - target: nowhere{number}\n")).collect();
    let (snapshot, position) =
        project_at_cursor(&format!("kind: Node\nname: a$0\nfunc: f.a\nnodes:\n{edges}"));
    let file = snapshot.file(position.source).unwrap();
    let mut diagnostics = snapshot.diagnostics(position.source);
    diagnostics.retain(|one| one.rule == "unknown-node");
    let range = TextRange::up_to(TextSize::of(&*file.text));
    let context = ActionContext {
        snapshot: &snapshot,
        file,
        range,
        diagnostics: &diagnostics,
        can_create_files: false,
    };
    let before = DRAFTS.with(Cell::get);
    let mut found = Vec::new();
    ignore::offer(&context, &mut found);
    assert_eq!(found.len(), findings + 1);
    DRAFTS.with(Cell::get) - before
}

#[test]
fn many_findings_are_ignored_without_a_reading_of_the_text_for_each() {
    assert_eq!(readings_of(60), readings_of(10));
}

#[test]
fn a_selection_of_everything_in_a_long_file_has_a_shorter_list() {
    let edges = "  - {target: a, whn: x}\n".repeat(20_000);
    let (snapshot, position) =
        project_at_cursor(&format!("kind: Node\nname: a$0\nfunc: f.a\nnodes:\n{edges}"));
    let text = &snapshot.file(position.source).unwrap().text;
    let range = TextRange::up_to(TextSize::of(&**text));
    let request = ActionRequest { source: position.source, range, only: &[], can_create_files: true };
    let before = DRAFTS.with(Cell::get);
    let actions = actions(&snapshot, request);
    let of = |title: &str| actions.iter().filter(|action| action.title.starts_with(title)).count();
    assert_eq!((of("Rename it to `when`"), of("Fix all 20000 `unknown-field`")), (8, 1));
    assert!(DRAFTS.with(Cell::get) - before < 20);
}

#[test]
fn fixes_of_a_whole_file_are_those_that_touch_no_other() {
    let edges = "  - {target: a, whn: x}\n".repeat(3_000);
    let (snapshot, position) =
        project_at_cursor(&format!("kind: Node\nname: a$0\nfunc: f.a\nnodes:\n{edges}"));
    let pending = ActionEdit::FixRule("unknown-field".to_owned());
    let before = DRAFTS.with(Cell::get);
    let change = resolve(&snapshot, position.source, &pending).unwrap();
    assert_eq!(change.edits.len(), 3_000);
    assert!(DRAFTS.with(Cell::get) - before < 10);
}
