//! The forms of an edge.

use super::{check_action, check_titles};

fn node(edges: &str) -> String {
    format!(
        "kind: Node\nname: a\nfunc: a.b\n{edges}---\nkind: LLMNode\nname: b\nprompts: {{system: {{en: Hi}}}}\n"
    )
}

#[test]
fn a_name_becomes_an_edge_and_back() {
    for (name, edge) in [
        ("nodes: [b$0]\n", "nodes: [{target: b, when: \"true\"}]\n"),
        ("nodes:\n  - b$0 # why\n", "nodes:\n  - target: b\n    when: \"true\" # why\n"),
        ("to:\n  - LLMNode/b$0\n", "to:\n  - ref: LLMNode/b\n"),
    ] {
        let plain = name.replace("$0", "");
        check_action(&node(name), "Convert to an edge with a condition", &node(edge));
        let cursor = edge.find('b').unwrap() + 1;
        let edge = format!("{}$0{}", &edge[..cursor], &edge[cursor..]);
        check_action(&node(&edge), "Convert to a name", &node(&plain));
    }
}

#[test]
fn an_edge_that_says_more_stays_one() {
    for edge in
        ["{target: b$0, when: x}", "{target: b$0, when: \"true\", id: 1}", "{target: [b$0], when: \"true\"}"]
    {
        check_titles(&node(&format!("nodes: [{edge}]\n")), "Convert to a name", &[]);
    }
}

#[test]
fn the_list_of_the_other_profile() {
    let edges = |list: &str, key: &str, first: &str, second: &str| {
        node(&format!(
            "{list}:\n  # the first\n  - {key}: {first}\n    when: >-\n      x\n    id: 1\n  - {second} # the second\n"
        ))
    };
    let specification = edges("llm_nodes", "target", "b", "'b'");
    let release = edges("to", "ref", "LLMNode/b", "'LLMNode/b'");
    let at = |text: &str, key: &str| text.replacen(key, &format!("{key}$0"), 1);
    check_action(
        &at(&specification, "llm_nodes"),
        "Convert the edges to `to`, as in release 0.1.1",
        &release,
    );
    check_action(
        &at(&release, "\nto"),
        "Convert the edges to `llm_nodes`, as in the specification",
        &specification,
    );
}

#[test]
fn several_lists_become_one() {
    let others = "---\nkind: Node\nname: n\nfunc: a.b\n";
    let two = "nodes:\n  - n # first\nllm_nodes:\n  # second\n  - target: b\n    when: x\n";
    let one = "to:\n  - Node/n # first\n  # second\n  - ref: LLMNode/b\n    when: x\n";
    let title = "Convert the edges to `to`, as in release 0.1.1";
    let both = |edges: &str| format!("{}{others}", node(edges));
    check_action(&both(&two.replace("llm_nodes", "llm_nodes$0")), title, &both(one));
    check_action(&both(&two.replacen("nodes", "nodes$0", 1)), title, &both(one));
    let apart = two.replace("llm_nodes", "tools: []\nllm_nodes$0");
    check_titles(&both(&apart), "Convert the edges", &[]);
    check_titles(&both("nodes: [n]\nllm_nodes$0: [b]\n"), "Convert the edges", &[]);
}

#[test]
fn what_the_release_has_no_word_for_stays() {
    let tool = "kind: Node\nname: a\nfunc: a.b\nnodes: [t$0]\n---\nkind: ToolNode\nname: t\ndescription: {en: T.}\nfunc: a.b\n";
    check_titles(tool, "Convert the edges", &[]);
    check_titles(&node("nodes: [{target: [b$0, a], when: x}]\n"), "Convert the edges", &[]);
    check_titles(&node("nodes: [gone$0]\n"), "Convert the edges", &[]);
}
