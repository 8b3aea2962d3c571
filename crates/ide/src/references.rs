//! Every place that names an entity. In: a snapshot and a position. Out: the uses of the entity in all files, in the
//! order of files and positions.

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::Origin;

use crate::anchors::anchor_at;
use crate::names::{name_at, occurrences_everywhere};
use crate::position::FilePosition;

/// The places that name the entity at the cursor. Its declaration is included only if the caller asks for it.
#[must_use]
pub fn references(
    snapshot: &Snapshot,
    position: FilePosition,
    with_declaration: bool,
) -> Option<Vec<Origin>> {
    if let Some(anchor) = position.file(snapshot).and_then(|file| anchor_at(file, position.offset)) {
        let own = with_declaration.then_some(anchor.at);
        return Some(own.into_iter().chain(anchor.aliases).collect());
    }
    let name = name_at(snapshot, position)?;
    let all = occurrences_everywhere(snapshot, &name.entity).into_iter();
    let wanted = all.filter(|one| with_declaration || one.usage != NameUse::Declares);
    Some(wanted.map(|one| one.at).collect())
}

#[cfg(test)]
mod tests {
    use crate::testing::{places, project_at_cursor};

    fn check_references(fixture: &str, with_declaration: bool, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let found = super::references(&snapshot, position, with_declaration);
        let list = found.map(|found| places(&snapshot, &found)).unwrap_or_default();
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn over_files_through_overlays_and_quotes() {
        let files = "
#- /a.yaml
kind: ToolNode
name: sea$0rch
func: app.search
#- /b.json.yaml
{kind: LLMNode, name: planner, prompts: {system: x}, tools: [\"search\"], nodes: ['ToolNode/search']}
#- /c.yaml
kind: Overlay
to: ToolNode:search
description: search
";
        check_references(
            files,
            true,
            "
a.yaml:2:7 search
b.json.yaml:1:63 search
b.json.yaml:1:91 search
c.yaml:2:14 search
",
        );
        check_references(
            files,
            false,
            "
b.json.yaml:1:63 search
b.json.yaml:1:91 search
c.yaml:2:14 search
",
        );
    }

    #[test]
    fn scenarios_name_what_is_in_the_graph_that_they_run() {
        let flow = "
#- /flow.yaml
id: flow
name: flow
description: ''
start_node: write
end_nodes: [write]
nodes:
  - {id: wri$0te, type: agent, agent_id: writer, write_keys: [draft]}
edges: []
---
id: writer
name: Writer
model: m
provider: p
system_prompt: Write.
#- /flow.scenario.yaml
scenario: A draft.
file: flow.yaml
nodes: {write: hello}
agents: {writer: hello}
expect: {path: [write]}
";
        let nodes = "
flow.scenario.yaml:3:9 write
flow.scenario.yaml:5:17 write
flow.yaml:4:13 write
flow.yaml:5:13 write
flow.yaml:7:10 write
";
        check_references(flow, true, nodes);
        let cursor = |at: &str, to: &str| flow.replace("wri$0te", "write").replace(at, to);
        check_references(&cursor("path: [write", "path: [$0write"), true, nodes);
        let agents = "
flow.scenario.yaml:4:10 writer
flow.yaml:7:40 writer
flow.yaml:10:5 writer
";
        check_references(&cursor("agents: {writer", "agents: {$0writer"), true, agents);
        check_references(&cursor("agent_id: writer", "agent_id: $0writer"), true, agents);
    }

    #[test]
    fn scenarios_name_nodes_that_are_declared_by_themselves() {
        let found = "
desk.scenario.yaml:3:8 desk
desk.scenario.yaml:4:17 desk
desk.yaml:2:7 desk
";
        let files = "
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Hi}}
#- /desk.scenario.yaml
scenario: Hello.
file: desk.yaml
start: desk
nodes: {LLMNode/desk: hello}
";
        check_references(&files.replace("name: desk", "name: $0desk"), true, found);
        check_references(&files.replace("start: desk", "start: $0desk"), true, found);
    }

    #[test]
    fn keys_of_the_state_through_mappings_and_expressions() {
        check_references(
            "
#- /child.yaml
id: child
name: Child
description: ''
inputs: {topic: {schema: {type: string}}}
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [topic$0], write_keys: [result]}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: \"memory.topic == 'topic'\"}}
start_node: a
end_nodes: [a]
#- /parent.yaml
id: parent
name: Parent
description: ''
nodes:
  - id: sub
    type: subgraph
    read_keys: [topic]
    subgraph_config: {subgraph_id: child, input_mapping: {topic: topic}, output_mapping: {}}
edges: []
start_node: sub
end_nodes: [sub]
",
            true,
            "
child.yaml:4:10 topic
child.yaml:6:51 topic
child.yaml:8:78 topic
parent.yaml:8:66 topic
",
        );
    }

    #[test]
    fn edges_of_a_patched_declaration() {
        check_references(
            "
#- /a.yaml
kind: LLMNode
name: planner
prompts: {system: x}
nodes:
  - {target: b, when: x, id: fir$0st}
#- /patch.yaml
kind: Overlay
to: LLMNode:planner
nodes:
  - {target: b, when: y, depends: [first]}
",
            false,
            "
patch.yaml:4:36 first
",
        );
    }

    #[test]
    fn aliases_of_an_anchor() {
        check_references(
            "
#- /a.yaml
kind: LLMNode
name: planner
prompts: &te$0xts {system: x}
extra: *texts
",
            true,
            "
a.yaml:3:11 texts
a.yaml:4:9 texts
",
        );
    }

    #[test]
    fn members_of_variables() {
        let condition = |file: &str, when: &str| {
            format!(
                "#- /{file}.yaml\nkind: LLMNode\nname: {file}\nprompts: x\nnodes: [{{target: a, when: \"{when}\"}}]\n"
            )
        };
        let files = condition("a", "ticket.pri$0ority == 'high' and ticket.open")
            + &condition("b", "not ticket.priority.level")
            + &condition("c", "priority == 1");
        check_references(&files, false, "a.yaml:4:35 priority\nb.yaml:4:39 priority\n");
    }

    #[test]
    fn servers_and_tags_are_names() {
        let files = "
#- /a.yaml
id: a
name: A
description: x
nodes:
  - {id: learn, type: reflection, read_keys: [x], reflection_config: {source_keys: [x], extractor: {type: rule_based}, tags: [les$0son]}}
  - {id: ask, type: agent, agent_id: w, memory_query: {tags: ['lesson', other]}, tools: [{mcp: crm}, {type: mcp, server_id: crm}]}
edges: []
start_node: learn
end_nodes: [ask]
#- /b.yaml
id: w
name: W
model: m
provider: p
system_prompt: x
tools: [{type: mcp, server_id: crm}]
";
        check_references(files, false, "a.yaml:5:127 lesson\na.yaml:6:64 lesson\n");
        let server = files.replace("les$0son", "lesson").replace("mcp: crm}, {", "mcp: c$0rm}, {");
        check_references(&server, false, "a.yaml:6:96 crm\na.yaml:6:125 crm\nb.yaml:6:32 crm\n");
    }
}
