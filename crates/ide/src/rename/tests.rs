//! Tests of renaming: the changed lines of each file, or the reason why nothing changes.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use nodewise_syntax::edit::apply_edits;

use super::{RenameOptions, prepare_rename, rename};
use crate::testing::project_at_cursor;

mod files;
mod modules;

/// Renames the entity at the cursor, and lists the lines that changed.
fn check_rename(fixture: &str, new_name: &str, expected: &str) {
    check_rename_with(fixture, new_name, RenameOptions::default(), expected);
}

fn check_rename_with(fixture: &str, new_name: &str, options: RenameOptions, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let mut list = String::new();
    match rename(&snapshot, position, new_name, options) {
        Err(refusal) => writeln!(list, "refused: {refusal}").unwrap(),
        Ok(files) => {
            for mut edits in files {
                let file = snapshot.file(edits.source).unwrap();
                let edited = apply_edits(&file.text, &mut edits.edits).unwrap();
                let changed = file.text.lines().zip(edited.lines()).filter(|(old, new)| old != new);
                for (_, line) in changed {
                    writeln!(list, "{}: {}", file.path, line.trim()).unwrap();
                }
            }
        }
    }
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
}

/// The name at the cursor that can be changed, or the reason why not.
fn check_prepare(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let found = match prepare_rename(&snapshot, position) {
        Ok(found) => {
            let text = &snapshot.file(found.at.source).unwrap().text;
            format!("{} at `{}`", found.name, &text[std::ops::Range::<usize>::from(found.at.range)])
        }
        Err(refusal) => refusal.to_string(),
    };
    assert_eq!(found, expected);
}

const LIMAN: &str = "
#- /tools.yaml
kind: ToolNode
name: sea$0rch # the search tool
func: app.search
description: search
#- /a.yaml
kind: LLMNode
name: a
prompts: {system: Use {search}}
nodes: ['search', ToolNode/search, \"search\", {target: search, when: search}] # search, research
#- /o.yaml
kind: Overlay
to: ToolNode:search
description: search
#- /other.yaml
kind: LLMNode
name: taken
prompts: {system: x}
";

#[test]
fn liman_declarations_in_all_files() {
    check_rename(
        LIMAN,
        "find",
        "
a.yaml: nodes: ['find', ToolNode/find, \"find\", {target: find, when: search}] # search, research
o.yaml: to: ToolNode:find
tools.yaml: name: find # the search tool
",
    );
    check_rename_with(
        LIMAN,
        "find",
        RenameOptions { comments: true },
        "
a.yaml: nodes: ['find', ToolNode/find, \"find\", {target: find, when: search}] # find, research
o.yaml: to: ToolNode:find
tools.yaml: name: find # the find tool
",
    );
}

#[test]
fn names_get_the_quotes_that_they_need() {
    check_rename(
        LIMAN,
        "it's, \"x\"",
        "
a.yaml: nodes: ['it''s, \"x\"', \"ToolNode/it's, \\\"x\\\"\", \"it's, \\\"x\\\"\", {target: \"it's, \\\"x\\\"\", when: search}] # search, research
o.yaml: to: \"ToolNode:it's, \\\"x\\\"\"
tools.yaml: name: \"it's, \\\"x\\\"\" # the search tool
",
    );
    check_rename(
        LIMAN,
        "yes",
        "
a.yaml: nodes: ['yes', ToolNode/yes, \"yes\", {target: \"yes\", when: search}] # search, research
o.yaml: to: ToolNode:yes
tools.yaml: name: \"yes\" # the search tool
",
    );
    check_rename(
        LIMAN,
        "7",
        "
a.yaml: nodes: ['7', ToolNode/7, \"7\", {target: \"7\", when: search}] # search, research
o.yaml: to: ToolNode:7
tools.yaml: name: \"7\" # the search tool
",
    );
}

#[test]
fn names_that_cannot_be() {
    let refused = |name: &str, reason: &str| check_rename(LIMAN, name, &format!("refused: {reason}\n"));
    refused("a/b", "`a/b` cannot be the name: it has a `/`, which separates kind and name in references");
    refused("", "`` cannot be the name: it is empty");
    refused(" x", "` x` cannot be the name: it starts or ends with a space");
    refused("x\ny", "`x\ny` cannot be the name: it contains a control character");
    refused("x\u{202e}y", "`x\u{202e}y` cannot be the name: it contains an invisible character");
    refused("taken", "LLMNode `taken` is already declared in other.yaml");
    check_rename(LIMAN, "search", "");
}

#[test]
fn what_can_be_renamed() {
    check_prepare(LIMAN, "search at `search`");
    check_prepare(
        "kind: ToolNode\nname: a\nfunc: app.se$0arch\n",
        "`app.search` is a function in a program: rename the function there, then change its path here",
    );
    check_prepare("kind: LLMNode\nname: a\ntools: [go$0ne]\n", "no file declares `gone`");
    check_prepare("ki$0nd: LLMNode\nname: a\n", "there is no name here that can be renamed");
    check_prepare(
        "kind: LLMNode\nname: a\nnodes: [{target: a, when: rea$0dy}]\n",
        "a program provides the state key `ready`, so you cannot rename it here",
    );
    check_prepare(
        &agentos("ask").replace("__START__", "__ST$0ART__"),
        "`__START__` is a word of the language, not a name",
    );
    check_prepare(&agentos("'ask$0'"), "ask at `ask`");
    check_prepare(&agentos("scratch.cou$0nt > 3"), "count at `count`");
    check_prepare(
        &agentos("artifacts.as$0k > 3"),
        "the key `ask` gets its name from node `ask`: rename the node",
    );
    check_prepare(&agentos("memory.epi$0sodic > 3"), "the runtime defines `memory`, so you cannot rename it");
    check_prepare(
        &cycgraph("goal", "x").replace("[goal]", "[go$0al]"),
        "the engine defines `goal`, so you cannot rename it",
    );
}

#[test]
fn edges_and_variables_through_overlays() {
    let files = "
#- /a.yaml
kind: LLMNode
name: a
prompts:
  system:
    en: >
      Dear {user},
      your {order}
    de: \"{user}: {order}\"
nodes:
  - {target: b, when: x, id: 1}
  - {target: b, when: x, id: 2, depends: 1}
#- /o.yaml
kind: Overlay
to: LLMNode:a
prompts: {system: {fr: 'Cher {user}'}}
nodes:
  - {target: c, when: y, depends: ['1', 2]}
";
    check_rename(
        &files.replace("depends: 1}", "depends: 1$0}"),
        "3",
        "
a.yaml: - {target: b, when: x, id: 3}
a.yaml: - {target: b, when: x, id: 2, depends: 3}
o.yaml: - {target: c, when: y, depends: ['3', 2]}
",
    );
    check_rename(&files.replace("id: 1", "id: 1$0"), "2", "refused: edge `2` already exists\n");
    check_rename(
        &files.replace("\"{user}", "\"{us$0er}"),
        "name",
        "
a.yaml: Dear {name},
a.yaml: de: \"{name}: {order}\"
o.yaml: prompts: {system: {fr: 'Cher {name}'}}
",
    );
    check_rename(
        &files.replace("\"{user}", "\"{us$0er}"),
        "a b",
        "refused: `a b` cannot be the name: it is not a valid variable name\n",
    );
}

fn cycgraph(reads: &str, condition: &str) -> String {
    format!(
        "
#- /main.yaml
id: main
name: Main
description: ''
nodes:
  - {{id: plan, type: agent, agent_id: planner, read_keys: [{reads}], write_keys: [draft]}}
  - {{id: look, type: tool, tool_id: echo, read_keys: [draft.text], write_keys: [other]}}
  - id: sub
    type: subgraph
    read_keys: ['*']
    subgraph_config: {{subgraph_id: child, input_mapping: {{draft: text}}, output_mapping: {{out: found}}}}
edges:
  - {{source: plan, target: look}}
  - {{source: look, target: sub, condition: {{type: conditional, condition: \"{condition}\"}}}}
start_node: plan
end_nodes: [sub]
#- /child.json
{{\"id\": \"child\", \"name\": \"Child\", \"description\": \"\",
  \"nodes\": [{{\"id\": \"a\", \"type\": \"agent\", \"agent_id\": \"planner\",
    \"read_keys\": [\"text\"], \"write_keys\": [\"out\"]}}],
  \"edges\": [], \"start_node\": \"a\", \"end_nodes\": [\"a\"]}}
"
    )
}

#[test]
fn cycgraph_keys_through_expressions_and_mappings() {
    check_rename(
        &cycgraph("goal", "memory.dra$0ft.text == 'draft' and draft of memory"),
        "text",
        "
main.yaml: - {id: plan, type: agent, agent_id: planner, read_keys: [goal], write_keys: [text]}
main.yaml: - {id: look, type: tool, tool_id: echo, read_keys: [text.text], write_keys: [other]}
main.yaml: subgraph_config: {subgraph_id: child, input_mapping: {text: text}, output_mapping: {out: found}}
main.yaml: - {source: look, target: sub, condition: {type: conditional, condition: \"memory.text.text == 'draft' and text of memory\"}}
",
    );
    check_rename(
        &cycgraph("goal", "memory.dra$0ft"),
        "my draft",
        "refused: an expression in main.yaml cannot contain `my draft` instead of `draft`\n",
    );
    check_rename(&cycgraph("goal", "memory.dra$0ft"), "other", "refused: state key `other` already exists\n");
    check_rename(
        &cycgraph("goal", "memory.dra$0ft"),
        "a.b",
        "refused: `a.b` cannot be the name: it contains a `.`, which separates the parts of a key\n",
    );
    check_rename(
        &cycgraph("goal", "x").replace("{out: found}", "{o$0ut: found}"),
        "a: \"b\"",
        "
child.json: \"read_keys\": [\"text\"], \"write_keys\": [\"a: \\\"b\\\"\"]}],
main.yaml: subgraph_config: {subgraph_id: child, input_mapping: {draft: text}, output_mapping: {'a: \"b\"': found}}
",
    );
}

#[test]
fn cycgraph_keys_through_the_ceilings_of_agents() {
    let planner = "id: planner\nname: P\nmodel: m\nprovider: p\nsystem_prompt: Plan.\n";
    let permissions = "permissions: {read_keys: [goal, draft.text, elsewhere], write_keys: ['draft', '*']}\n";
    let both = format!("{}#- /agents.yaml\n{planner}{permissions}", cycgraph("goal", "memory.dra$0ft"));
    check_rename(
        &both,
        "text",
        "
agents.yaml: permissions: {read_keys: [goal, text.text, elsewhere], write_keys: ['text', '*']}
main.yaml: - {id: plan, type: agent, agent_id: planner, read_keys: [goal], write_keys: [text]}
main.yaml: - {id: look, type: tool, tool_id: echo, read_keys: [text.text], write_keys: [other]}
main.yaml: subgraph_config: {subgraph_id: child, input_mapping: {text: text}, output_mapping: {out: found}}
main.yaml: - {source: look, target: sub, condition: {type: conditional, condition: \"memory.text\"}}
",
    );
    // The other graph of the agent keeps its own key.
    check_rename(
        &both.replace("[\"text\"]", "[\"draft\"]"),
        "text",
        "
agents.yaml: permissions: {read_keys: [goal, draft.text, text.text, elsewhere], write_keys: ['draft', text, '*']}
main.yaml: - {id: plan, type: agent, agent_id: planner, read_keys: [goal], write_keys: [text]}
main.yaml: - {id: look, type: tool, tool_id: echo, read_keys: [text.text], write_keys: [other]}
main.yaml: subgraph_config: {subgraph_id: child, input_mapping: {text: text}, output_mapping: {out: found}}
main.yaml: - {source: look, target: sub, condition: {type: conditional, condition: \"memory.text\"}}
",
    );
    let odd = both.replace("[goal, draft.text, elsewhere]", "draft").replace("['draft', '*']", "{draft: 1}");
    check_rename(
        &odd,
        "text",
        "
agents.yaml: permissions: {read_keys: text, write_keys: {draft: 1}}
main.yaml: - {id: plan, type: agent, agent_id: planner, read_keys: [goal], write_keys: [text]}
main.yaml: - {id: look, type: tool, tool_id: echo, read_keys: [text.text], write_keys: [other]}
main.yaml: subgraph_config: {subgraph_id: child, input_mapping: {text: text}, output_mapping: {out: found}}
main.yaml: - {source: look, target: sub, condition: {type: conditional, condition: \"memory.text\"}}
",
    );
}

#[test]
fn cycgraph_nodes_take_their_keys_along() {
    check_rename(
        &cycgraph("look_result", "memory.look_result").replace("source: look", "source: lo$0ok"),
        "see",
        "
main.yaml: - {id: plan, type: agent, agent_id: planner, read_keys: [see_result], write_keys: [draft]}
main.yaml: - {id: see, type: tool, tool_id: echo, read_keys: [draft.text], write_keys: [other]}
main.yaml: - {source: plan, target: see}
main.yaml: - {source: see, target: sub, condition: {type: conditional, condition: \"memory.see_result\"}}
",
    );
    check_rename(
        &cycgraph("look_result, see_result", "x").replace("source: look", "source: lo$0ok"),
        "see",
        "refused: the state already has a key `see_result`, which the node would then write\n",
    );
    check_rename(
        &cycgraph("x", "x").replace("source: look", "source: lo$0ok"),
        "sub",
        "refused: node `sub` already exists\n",
    );
    check_rename(
        &cycgraph("x", "x").replace("subgraph_id: child", "subgraph_id: chi$0ld"),
        "kid",
        "
child.json: {\"id\": \"kid\", \"name\": \"Child\", \"description\": \"\",
main.yaml: subgraph_config: {subgraph_id: kid, input_mapping: {draft: text}, output_mapping: {out: found}}
",
    );
}

fn agentos(expr: &str) -> String {
    format!(
        r#"
id: flow
name: flow
nodes:
  - {{id: ask, type: tool, executorConfig: {{type: tool, toolName: search}}}}
  - {{id: done, type: tool, executorConfig: {{type: tool, toolName: search}}}}
  - id: route
    type: router
    executorConfig:
      type: router
      condition:
        type: expression
        expr: "{expr}"
edges:
  - {{id: e1, source: __START__, target: ask, type: static}}
stateSchema:
  input: {{}}
  scratch: {{type: object, properties: {{"count": {{type: number}}}}}}
  artifacts: {{}}
reducers: {{scratch.count: sum}}
"#
    )
}

#[test]
fn agentos_nodes_through_routes_and_artifacts() {
    check_rename(
        &agentos("artifacts.ask.ok == 'ask' ? as$0k : done"),
        "question",
        "
main.yaml: - {id: question, type: tool, executorConfig: {type: tool, toolName: search}}
main.yaml: expr: \"artifacts.question.ok == 'ask' ? question : done\"
main.yaml: - {id: e1, source: __START__, target: question, type: static}
",
    );
    check_rename(
        &agentos("scratch.count > 3 ? as$0k : done"),
        "a question",
        "
main.yaml: - {id: a question, type: tool, executorConfig: {type: tool, toolName: search}}
main.yaml: expr: \"scratch.count > 3 ? a question : done\"
main.yaml: - {id: e1, source: __START__, target: a question, type: static}
",
    );
    check_rename(
        &agentos("scratch.count > 3 ? as$0k : done"),
        "3",
        "
main.yaml: - {id: \"3\", type: tool, executorConfig: {type: tool, toolName: search}}
main.yaml: expr: \"scratch.count > 3 ? 3 : done\"
main.yaml: - {id: e1, source: __START__, target: \"3\", type: static}
",
    );
    check_rename(
        &agentos("scratch.count > 3 ? as$0k : done"),
        "__END__",
        "refused: `__END__` cannot be the name: it is a reserved name for the start or the end of a run\n",
    );
}

#[test]
fn agentos_keys_through_schemas_and_reducers() {
    check_rename(
        &agentos("scratch.cou$0nt > 3 ? ask : done"),
        "total",
        "
main.yaml: expr: \"scratch.total > 3 ? ask : done\"
main.yaml: scratch: {type: object, properties: {\"total\": {type: number}}}
main.yaml: reducers: {scratch.total: sum}
",
    );
    check_rename(
        &agentos("scratch.cou$0nt > 3 ? ask : done"),
        "my total",
        "refused: an expression in main.yaml cannot contain `my total` instead of `count`\n",
    );
}

#[test]
fn aliases_and_merge_keys() {
    check_rename(
        "
kind: LLMNode
name: &m pla$0nner
prompts: {system: x}
nodes: [{target: *m, when: x}]
",
        "writer",
        "main.yaml: name: &m writer\n",
    );
    check_rename(
        "
kind: LLMNode
name: &m$0 planner
prompts: {system: x}
nodes: [{target: *m, when: x}]
",
        "me",
        "
main.yaml: name: &me planner
main.yaml: nodes: [{target: *me, when: x}]
",
    );
    check_rename(
        "
#- /b.yaml
kind: LLMNode
name: &m a
prompts: {system: x}
nodes: [{target: w$0, when: x, id: *m}]
---
kind: ToolNode
name: w
func: a.b
description: *x
",
        "v",
        "
b.yaml: nodes: [{target: v, when: x, id: *m}]
b.yaml: name: v
",
    );
    check_rename(
        "
kind: LLMNode
name: &m a$0
prompts: {system: x}
nodes: [{target: b, when: x, id: *m}]
",
        "v",
        "refused: an alias or merge key in main.yaml makes `*m` mean two things\n",
    );
}

#[test]
fn tags_of_memory_are_renamed_where_a_reflection_writes_them() {
    let graph = |tag: &str, read: &str| {
        format!(
            "id: a\nname: A\ndescription: x\nnodes:\n  - {{id: learn, type: reflection, reflection_config: {{source_keys: [x], extractor: {{type: rule_based}}, tags: [{tag}]}}}}\n  - {{id: ask, type: agent, agent_id: w, memory_query: {{tags: [{read}]}}}}\nedges: []\nstart_node: learn\nend_nodes: [ask]\n"
        )
    };
    check_rename(
        &graph("lesson", "les$0son"),
        "hint",
        "
main.yaml: - {id: learn, type: reflection, reflection_config: {source_keys: [x], extractor: {type: rule_based}, tags: [hint]}}
main.yaml: - {id: ask, type: agent, agent_id: w, memory_query: {tags: [hint]}}
",
    );
    check_rename(
        &graph("lesson", "oth$0er"),
        "hint",
        "refused: a program provides the tag `other`, so you cannot rename it here\n",
    );
}
