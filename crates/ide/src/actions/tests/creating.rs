//! Actions that declare missing things.

use super::{check_action, check_titles};

const CHAT: &str = "
#- /agents/chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [sea$0rch]
#- /tools/other.yaml
kind: ToolNode
name: other
description: {en: Other.}
func: app.other
";

#[test]
fn a_document_of_its_own() {
    check_titles(
        CHAT,
        "Create",
        &["Create ToolNode `search` in this file", "Create ToolNode `search` in `tools/search.yaml`"],
    );
    let other = "
#- /tools/other.yaml
kind: ToolNode
name: other
description: {en: Other.}
func: app.other
";
    let chat = "
#- /agents/chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [search]
";
    let search = "kind: ToolNode
name: search
description:
  en: search
func: app.search
";
    check_action(
        CHAT,
        "Create ToolNode `search` in this file",
        &format!("{}---\n{search}{}", &chat[1..], &other[1..]),
    );
    check_action(
        CHAT,
        "Create ToolNode `search` in `tools/search.yaml`",
        &format!("{}{}#- /tools/search.yaml\n{search}", &chat[1..], &other[1..]),
    );
}

#[test]
fn of_the_kind_in_front_of_the_name() {
    let node = |to: &str, rest: &str| format!("kind: FunctionNode\nname: a\nto: [LLMNode/{to}]\n{rest}");
    check_titles(
        &node("b$0", ""),
        "Create",
        &["Create LLMNode `b` in this file", "Create LLMNode `b` in `b.yaml`"],
    );
    check_action(
        &node("b$0", ""),
        "Create LLMNode `b` in this file",
        &node("b", "---\nkind: LLMNode\nname: b\nprompts:\n  system:\n    en: b\n"),
    );
}

#[test]
fn a_node_of_the_graph() {
    let graph = |nodes: &str, end: &str| {
        format!(
            "name: desk\ndescription: A desk.\nnodes:\n  - {{id: a, type: router}} # first\n{nodes}edges:\n  - {{source: \
             a, target: b}}\nstart_node: a\nend_nodes: [{end}]\n"
        )
    };
    check_action(&graph("", "b$0"), "Create node `b`", &graph("  - {id: b, type: router}\n", "b"));
}

#[test]
fn a_node_of_agentos() {
    let graph = |nodes: &str, target: &str| {
        format!(
            "#- /a.json\n{{\"id\": \"g\", \"name\": \"g\", \"nodes\": [{nodes}], \"edges\": [{{\"id\": \"e\", \"source\": \
             \"__START__\", \"target\": \"{target}\", \"type\": \"static\"}}, {{\"id\": \"f\", \"source\": \"a\", \
             \"target\": \"__END__\", \"type\": \"static\"}}], \"stateSchema\": {{\"input\": {{}}, \"scratch\": {{}}, \
             \"artifacts\": {{}}}}, \"reducers\": {{}}, \"checkpointPolicy\": \"every_node\", \"memoryConsistency\": \
             \"live\"}}\n"
        )
    };
    let node = "{\"id\": \"a\", \"type\": \"gmi\", \"executorConfig\": {\"type\": \"gmi\", \"instructions\": \"a\"}, \
                \"executionMode\": \"single_turn\", \"effectClass\": \"pure\", \"checkpoint\": \"before\"}";
    check_action(&graph("", "a$0"), "Create node `a`", &graph(node, "a"));
}

#[test]
fn nothing_where_nothing_is_missing_or_the_text_is_broken() {
    check_titles("kind: Node\nname: a\nfunc: a.b\nnodes: [a$0]\n", "Create", &[]);
    check_titles("kind: LLMNode\nname: a\nprompts: {system: {en: b}}\ntools: [a$0\n", "Create", &[]);
}
