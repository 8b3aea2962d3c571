//! Boards of Liman nodes, which are separate documents.

use super::check_board;

const A: &str = "kind: LLMNode\nname: a$0 # first\nprompts: {system: {en: Hi}}\nnodes:\n  - b # on\n  - target: c\n    when: x > 1\ntools: [look]\n";
const B: &str = "kind: LLMNode\nname: b\nprompts: {system: {en: Hi}}\n";
const C: &str = "kind: LLMNode\nname: c\nprompts: {system: {en: Hi}}\nnodes: [b]\n";
const LOOK: &str = "kind: ToolNode\nname: look\ndescription: {en: Looks.}\nfunc: app.look\n";

fn files(a: &str, b: &str, c: &str) -> String {
    let b = if b.is_empty() { "#- /b.yaml is deleted\n".to_owned() } else { format!("#- /b.yaml\n{b}") };
    format!("#- /a.yaml\n{a}{b}#- /c.yaml\n{c}#- /look.yaml\n{LOOK}")
}

fn check(edit: &str, a: &str, b: &str, c: &str) {
    let expected = if a.is_empty() { String::new() } else { files(a, b, c).replace("$0", "") };
    check_board(&files(A, B, C), edit, &expected);
}

fn refused(edit: &str, reason: &str) {
    check_board(&files(A, B, C), edit, reason);
}

#[test]
fn edges() {
    check("connect b>c", A, &format!("{B}nodes:\n  - c\n"), C);
    check("connect b>c if y == 'z'", A, &format!("{B}nodes:\n  - target: c\n    when: y == 'z'\n"), C);
    check("connect c>look", A, B, &format!("{C}tools:\n  - look\n"));
    check("move c>b to a", A, B, &C.replace("[b]", "[a]"));
    check("move a>c to b", &A.replace("target: c", "target: b"), B, C);
    check("move c>b from b", A, &format!("{B}nodes:\n  - b\n"), &C.replace("nodes: [b]\n", ""));
    check("delete a>b", &A.replace("  - b # on\n", ""), B, C);
    check("delete c>b", A, B, &C.replace("nodes: [b]\n", ""));
    check("delete a>look", &A.replace("tools: [look]\n", ""), B, C);
    refused("connect a>b", "`a` already leads to `b`.");
    refused("connect a>x", "`x` is not declared in this graph. Add it to the nodes first.");
}

#[test]
fn conditions() {
    check("condition a>b: n < 1", &A.replace("  - b # on", "  - target: b\n    when: n < 1 # on"), B, C);
    check("condition a>c: x > 2", &A.replace("x > 1", "x > 2"), B, C);
    check("condition a>c:", &A.replace("  - target: c\n    when: x > 1\n", "  - c\n"), B, C);
    refused("condition a>look: x", "The model decides when it calls a tool, so this edge has no condition.");
}

#[test]
fn nodes() {
    let new = "#- /d.yaml\nkind: LLMNode\nname: d\nprompts:\n  system:\n    en: d\n";
    let after = format!("{}{new}nodes:\n  - b\n", files(&A.replace("- b # on", "- d # on"), B, C));
    check_board(&files(A, B, C), "insert a>b: LLMNode d", &after.replace("$0", ""));
    let after = format!("{}{new}", files(A, &format!("{B}nodes:\n  - d\n"), C));
    check_board(&files(A, B, C), "add b: LLMNode d", &after.replace("$0", ""));
    check("delete b", &A.replace("  - b # on\n", ""), "", &C.replace("nodes: [b]\n", ""));
    let renamed = B.replace("name: b", "name: bee");
    check("rename b: bee", &A.replace("- b # on", "- bee # on"), &renamed, &C.replace("[b]", "[bee]"));
    refused("add a: LLMNode b", "A node `b` already exists. Choose another name.");
}

#[test]
fn documents_of_one_file() {
    let file = |parts: &[&str]| parts.join("---\n");
    let a = A.replace("tools: [look]\n", "");
    let check = |edit: &str, after: String| check_board(&file(&[&a, B, C]), edit, &after.replace("$0", ""));
    check("delete b", file(&[&a.replace("  - b # on\n", ""), &C.replace("nodes: [b]\n", "")]));
    check("delete c", file(&[&a.replace("  - target: c\n    when: x > 1\n", ""), B]));
    let d = "kind: LLMNode\nname: d\nprompts:\n  system:\n    en: d\n";
    check("add b: LLMNode d", file(&[&a, &format!("{B}nodes:\n  - d\n"), C, d]));
}

#[test]
fn overlays_keep_a_node() {
    let overlay = "kind: Overlay\nto: LLMNode:b\nprompts: {system: {en: Ho}}\n";
    let fixture = format!("{}#- /over.yaml\n{overlay}", files(A, B, C));
    check_board(&fixture, "delete b", "An overlay in over.yaml changes `b`. Delete the overlay first.");
}
