//! Boards of cycgraph graphs.

use super::check_board;

/// A graph with the given nodes, edges and last nodes.
fn graph(nodes: &str, edges: &str, ends: &str) -> String {
    format!(
        "name: de$0sk # the desk\ndescription: A desk.\nnodes:\n{nodes}edges:\n{edges}start_node: 'a'\nend_nodes: {ends} # last\n"
    )
}

const NODES: &str = "  # The first one.\n  - id: a # why\n    type: router\n\n  - {id: b, type: router}\n  - id: c\n    type: router\n";
const EDGES: &str = "  - {source: a, target: b} # one\n  # Rarely.\n  - source: b\n    target: c\n    condition: {type: conditional, condition: 'memory.n > 1'}\n";

/// Makes an edit of the graph. Expects other nodes, edges and last nodes.
fn check(edit: &str, nodes: &str, edges: &str, ends: &str) {
    let expected = graph(nodes, edges, ends).replace("$0", "");
    check_board(&graph(NODES, EDGES, "[c]"), edit, &expected);
}

fn refused(edit: &str, reason: &str) {
    check_board(&graph(NODES, EDGES, "[c]"), edit, reason);
}

#[test]
fn a_new_node() {
    let with_d = NODES
        .replace("  - {id: b, type: router}\n", "  - {id: b, type: router}\n  - {id: d, type: router}\n");
    // Only a condition leads on, so the node is another way, and the end of it.
    let edges = format!("{EDGES}  - source: b\n    target: d\n");
    check("add b: router d", &with_d, &edges, "[c, d]");
    // One edge that is always followed: the node goes between.
    let with_d = NODES.replace("    type: router\n\n", "    type: router\n  - id: d\n    type: router\n\n");
    let edges = EDGES.replace(
        "{source: a, target: b} # one\n",
        "{source: a, target: d} # one\n  - {source: d, target: b}\n",
    );
    check("add a: router d", &with_d, &edges, "[c]");
    // At the end, the new node becomes the last one.
    let with_d = format!("{NODES}  - id: d\n    type: router\n");
    check("add c: router d", &with_d, &format!("{EDGES}  - source: c\n    target: d\n"), "[d]");
    refused("add a: router b", "A node `b` already exists. Choose another name.");
    refused("add a: robot d", "`robot` is no kind of node.");
    refused("add $: router d", "Nothing comes after the end of a run. Add the node before it.");
    refused("add x: router d", "`x` is not declared in this graph. Add it to the nodes first.");
}

#[test]
fn a_node_of_the_same_kind_as_the_one_before() {
    let text = |nodes: &str, edges: &str, end: &str| {
        format!(
            "name: d$0\ndescription: D\nnodes:\n  - {{id: a, type: agent, agent_id: clerk}}\n{nodes}edges:{edges}\nstart_node: a\nend_nodes: [{end}]\n"
        )
    };
    let expected = text("  - {id: b, type: agent, agent_id: clerk}\n", "\n  - source: a\n    target: b", "b");
    check_board(&text("", " []", "a"), "add a: agent b", &expected.replace("$0", ""));
}

#[test]
fn a_node_in_an_edge() {
    let with_d = NODES
        .replace("  - {id: b, type: router}\n", "  - {id: b, type: router}\n  - {id: d, type: router}\n");
    let edges = format!("{}  - source: d\n    target: c\n", EDGES.replace("target: c\n", "target: d\n"));
    check("insert b>c: router d", &with_d, &edges, "[c]");
    let with_d = NODES.replace(
        "  # The first one.\n  - id: a",
        "  # The first one.\n  - id: d\n    type: router\n  - id: a",
    );
    let text = graph(&with_d, &format!("  - {{source: d, target: a}}\n{EDGES}"), "[c]")
        .replace("start_node: 'a'", "start_node: 'd'");
    check_board(&graph(NODES, EDGES, "[c]"), "insert ^>a: router d", &text.replace("$0", ""));
}

#[test]
fn a_new_edge() {
    check(
        "connect b>a if memory.n < 3",
        NODES,
        &format!(
            "{EDGES}  - source: b\n    target: a\n    condition:\n      type: conditional\n      condition: memory.n < 3\n"
        ),
        "[c]",
    );
    refused(
        "connect b>$",
        "`b` leads to `c`, and a run that ends at `b` would never go there. Delete that edge first.",
    );
}

#[test]
fn refusals_say_what_to_do() {
    refused("connect a>b", "`a` already leads to `b`. Edit that edge instead.");
    refused(
        "connect a>c",
        "`a` always leads to `b`, so another edge would never be followed. Give the new edge a condition.",
    );
    refused(
        "connect c>a",
        "A run ends at `c`, so no edge from it is followed. Delete its edge to the end first.",
    );
    refused("connect $>a", "Nothing comes after the end of a run.");
    refused("connect a>^", "A run cannot come back to its start. Connect to the first node.");
    refused("delete a", "Runs start at `a`. Move the end of the edge from the start to another node first.");
    refused(
        "delete ^>a",
        "Without this edge no run can start. Move its end to the node where runs shall start.",
    );
    refused("delete a>c", "The graph has changed since it was drawn. Try again.");
    refused("rename a: b", "Node `b` already exists.");
    refused(
        "condition c>$: x",
        "A run that comes to `c` always ends there, so this edge takes no condition.",
    );
    refused("condition ^>a: x", "An edge from the start is always followed, so it takes no condition.");
}

#[test]
fn an_edge_to_another_node() {
    check("move a>b to c", NODES, &EDGES.replace("{source: a, target: b}", "{source: a, target: c}"), "[c]");
    check(
        "move a>b from b",
        NODES,
        &EDGES.replace("{source: a, target: b}", "{source: b, target: b}"),
        "[c]",
    );
    check("move b>c to a", NODES, &EDGES.replace("target: c\n", "target: a\n"), "[c]");
    refused(
        "move c>$ from b",
        "`b` leads to `c`, and a run that ends at `b` would never go there. Delete that edge first.",
    );
    let text = graph(NODES, EDGES, "[c]").replace("start_node: 'a'", "start_node: 'b'");
    check_board(&graph(NODES, EDGES, "[c]"), "move ^>a to b", &text.replace("$0", ""));
}

#[test]
fn deletions() {
    check(
        "delete a>b",
        NODES,
        "  # Rarely.\n  - source: b\n    target: c\n    condition: {type: conditional, condition: 'memory.n > 1'}\n",
        "[c]",
    );
    check("delete c>$", NODES, EDGES, "[]");
    let without_b =
        graph(&NODES.replace("  - {id: b, type: router}\n", ""), "EMPTY", "[c]").replace("$0", "");
    let without_b = without_b.replace("edges:\nEMPTY", "edges: [] # one\n  # Rarely.\n");
    check_board(&graph(NODES, EDGES, "[c]"), "delete b", &without_b);
    check(
        "delete c",
        &NODES.replace("  - id: c\n    type: router\n", ""),
        "  - {source: a, target: b} # one\n  # Rarely.\n",
        "[]",
    );
}

#[test]
fn settings_that_name_a_node() {
    let text = |nodes: &str, managed: &str, map: &str| {
        format!(
            "name: d$0\ndescription: D\nnodes:\n  - {{id: a, type: supervisor, supervisor_config: {{managed_nodes: {managed}}}}}\n{nodes}  - {{id: m, type: map, map_reduce_config: {{worker_node_id: {map}}}}}\nedges:\n  - {{source: b, target: a}}\n  - {{source: a, target: m}}\nstart_node: a\nend_nodes: [m]\n"
        )
    };
    let b = "  - {id: b, type: router}\n";
    let with = |managed: &str, map: &str| text(&format!("{b}  - {{id: c, type: router}}\n"), managed, map);
    let before = with("[b, c]", "c");
    let without_b = text("  - {id: c, type: router}\n", "[c]", "c")
        .replace("  - {source: b, target: a}\n", "")
        .replace("$0", "");
    check_board(&before, "delete b", &without_b);
    check_board(
        &before,
        "delete c",
        "`worker_node_id` in line 7 must name a node, and it names `c`. Let it name another node first.",
    );
    check_board(&before, "move m>c to b", &with("[b, c]", "b").replace("$0", ""));
    check_board(&before, "delete a>c", &with("[b]", "c").replace("$0", ""));
    check_board(
        &before,
        "insert a>b: router x",
        "This edge is a setting of `a`, so no node can be put into it. Add the node after `b` instead.",
    );
}

#[test]
fn conditions() {
    check(
        "condition a>b: memory.x == \"y\"",
        NODES,
        &EDGES.replace(
            "{source: a, target: b}",
            "{source: a, target: b, condition: {type: conditional, condition: memory.x == \"y\"}}",
        ),
        "[c]",
    );
    check("condition b>c: memory.n > 2", NODES, &EDGES.replace("memory.n > 1", "memory.n > 2"), "[c]");
    check(
        "condition b>c:",
        NODES,
        &EDGES.replace("    condition: {type: conditional, condition: 'memory.n > 1'}\n", ""),
        "[c]",
    );
    let always = "  - {source: a, target: b, condition: {type: always}}\n";
    let conditional = "  - {source: a, target: b, condition: {type: conditional, condition: memory.x}}\n";
    check_board(
        &graph(NODES, always, "[c]"),
        "condition a>b: memory.x",
        &graph(NODES, conditional, "[c]").replace("$0", ""),
    );
}

#[test]
fn another_name() {
    let nodes = NODES.replace("id: a", "id: first");
    let text = graph(&nodes, &EDGES.replace("source: a", "source: first"), "[c]")
        .replace("start_node: 'a'", "start_node: 'first'");
    check_board(&graph(NODES, EDGES, "[c]"), "rename a: first", &text.replace("$0", ""));
}

#[test]
fn json() {
    let text = |nodes: &str, edges: &str, end: &str| {
        format!(
            "#- /g.json\n{{\n  \"name\": \"d$0\",\n  \"description\": \"D\",\n  \"nodes\": [\n    {{\"id\": \"a\", \"type\": \"router\"}}{nodes}\n  ],\n  \"edges\": [{edges}],\n  \"start_node\": \"a\",\n  \"end_nodes\": [\"{end}\"]\n}}\n"
        )
    };
    let b = ",\n    {\"id\": \"b\", \"type\": \"router\"}";
    let check = |before: String, edit: &str, after: String| {
        let after = after.replace("$0", "").replace("#- /g.json\n", "");
        check_board(&before, edit, &after);
    };
    check(text("", "", "a"), "add a: router b", text(b, "{\"source\": \"a\", \"target\": \"b\"}", "b"));
    let edge = "{\"source\": \"a\", \"target\": \"b\"}";
    check(text(b, edge, "b"), "delete b", text("", "", "b").replace("[\"b\"]", "[]"));
    let when = "{\"source\": \"a\", \"target\": \"b\", \"condition\": {\"type\": \"conditional\", \"condition\": \"memory.x\"}}";
    check(text(b, edge, "b"), "condition a>b: memory.x", text(b, when, "b"));
}

#[test]
fn broken_text_stays_as_it_is() {
    // The board is still drawn, and what is whole can still be edited.
    let before = "name: d$0\ndescription: D\nnodes:\n  - {id: a, type: router}\n  - {id: b, type: router\n  - {id: c, type: router}\nedges:\n  - {source: a, target: b}\nstart_node: a\nend_nodes: [b]\n";
    let after = before.replace("$0", "").replace("target: b", "target: c");
    check_board(before, "move a>b to c", &after);
}
