//! Boards of AgentOS graphs.

use super::check_board;

const NODE: &str = "    executorConfig: {type: tool, toolName: look_up}\n    executionMode: single_turn\n    effectClass: read\n    checkpoint: none\n";
const REST: &str = "stateSchema: {input: {}, scratch: {}, artifacts: {}}\nreducers: {}\ncheckpointPolicy: none\nmemoryConsistency: live\n";

/// A node that an edit adds.
const NEW: (&str, &str) = (
    "c",
    "  - id: c\n    type: tool\n    executorConfig:\n      type: tool\n      toolName: look_up\n    executionMode: single_turn\n    effectClass: read\n    checkpoint: none\n",
);

fn node(id: &str) -> String {
    if id == NEW.0 {
        return NEW.1.to_owned();
    }
    format!("  - id: {id}\n    type: tool\n{NODE}")
}

fn graph(nodes: &[&str], edges: &str) -> String {
    let nodes: String = nodes.iter().map(|id| node(id)).collect();
    format!("id: g$0\nname: g\nnodes:\n{nodes}edges:\n{edges}{REST}")
}

const START: &str = "  - {id: e1, source: __START__, target: a, type: static}\n";
const MIDDLE: &str = "  - {id: e2, source: a, target: b, type: static} # on\n";
const END: &str = "  - id: e3\n    source: b\n    target: __END__\n    type: static\n";

fn check(edit: &str, nodes: &[&str], edges: &[&str]) {
    let before = graph(&["a", "b"], &[START, MIDDLE, END].concat());
    let after = graph(nodes, &edges.concat()).replace("$0", "");
    check_board(&before, edit, &after);
}

fn refused(edit: &str, reason: &str) {
    check_board(&graph(&["a", "b"], &[START, MIDDLE, END].concat()), edit, reason);
}

#[test]
fn new_nodes() {
    let new = "  - {id: c-b, source: c, target: b, type: static}\n";
    check("add a: tool c", &["a", "c", "b"], &[START, &MIDDLE.replace("target: b", "target: c"), new, END]);
    let last = "  - id: c-end\n    source: c\n    target: __END__\n    type: static\n";
    check("insert b>$: tool c", &["a", "b", "c"], &[START, MIDDLE, &END.replace("__END__", "c"), last]);
    let first = "  - {id: c-a, source: c, target: a, type: static}\n";
    check(
        "insert ^>a: tool c",
        &["c", "a", "b"],
        &[&START.replace("target: a", "target: c"), first, MIDDLE, END],
    );
}

#[test]
fn edges() {
    let new = "  - {id: a-end, source: a, target: __END__, type: static}\n";
    check("connect a>$", &["a", "b"], &[START, MIDDLE, new, END]);
    let new = "  - {id: start-b, source: __START__, target: b, type: static}\n";
    check("connect ^>b", &["a", "b"], &[START, new, MIDDLE, END]);
    let new = "  - id: b-a\n    source: b\n    target: a\n    type: conditional\n    condition:\n      type: expression\n      expr: scratch.n > 1\n";
    check("connect b>a if scratch.n > 1", &["a", "b"], &[START, MIDDLE, END, new]);
    check("move a>b to $", &["a", "b"], &[START, &MIDDLE.replace("target: b", "target: __END__"), END]);
    check("move ^>a to b", &["a", "b"], &[&START.replace("target: a", "target: b"), MIDDLE, END]);
    check("delete a>b", &["a", "b"], &[START, END]);
    check("delete b", &["a"], &[START]);
}

#[test]
fn conditions() {
    let conditional = "  - {id: e2, source: a, target: b, type: conditional, condition: {type: expression, expr: scratch.n > 1}} # on\n";
    check("condition a>b: scratch.n > 1", &["a", "b"], &[START, conditional, END]);
    let before = graph(&["a", "b"], &[START, conditional, END].concat());
    check_board(&before, "condition a>b: scratch.n > 2", &before.replace("$0", "").replace("n > 1", "n > 2"));
    check_board(
        &before,
        "condition a>b:",
        &graph(&["a", "b"], &[START, MIDDLE, END].concat()).replace("$0", ""),
    );
    let end = "  - id: e3\n    source: b\n    target: __END__\n    type: conditional\n    condition:\n      type: expression\n      expr: scratch.n > 1\n";
    check("condition b>$: scratch.n > 1", &["a", "b"], &[START, MIDDLE, end]);
}

#[test]
fn refusals() {
    refused(
        "condition ^>a: scratch.n > 1",
        "An edge from the start is always followed, so it takes no condition.",
    );
    refused("delete a", "Runs start at `a`. Move the end of the edge from the start to another node first.");
    refused(
        "add a: tool __END__",
        "`__END__` is a reserved name for the start or the end of a run. Choose another name.",
    );
    refused("connect ^>$", "A run needs a node between its start and its end.");
    let router = "  - id: r\n    type: router\n    executorConfig:\n      type: router\n      condition: {type: expression, expr: \"scratch.n > 1 ? a : b\"}\n    executionMode: single_turn\n    effectClass: read\n    checkpoint: none\n";
    let before =
        graph(&["a", "b"], &[START, MIDDLE, END].concat()).replace("edges:\n", &format!("{router}edges:\n"));
    check_board(&before, "delete b", "A condition in line 20 names `b`. Change the condition first.");
}

#[test]
fn an_edit_that_the_text_would_read_otherwise_is_refused() {
    let before = graph(
        &["a", "__END__"],
        &[START, "  - {id: e2, source: a, target: __END__, type: static}\n"].concat(),
    );
    check_board(
        &before,
        "move ^>a to __END__",
        "The text has a mistake that gives a name here another meaning. Correct the text, or edit it there.",
    );
}
