//! Completion inside texts of modules.

use super::{check_accept, check_completion, check_labels};

/// A module with a cursor in a part of the second node, or of the edge.
fn module(node: &str, edge: &str) -> String {
    format!(
        "
#- /agents.yaml
id: ada
name: Ada
model: m
provider: openai
system_prompt: Find.
#- /m.ts
import {{ graph, node }} from '@cycgraph/orchestrator';
const one = node({{ id: 'one', agent: 'ada', reads: ['topic'], writes: 'notes' }});
export const g = graph({{
  name: 'g',
  inputs: {{ topic: {{ type: 'string' }} }},
  nodes: [one, node({{ id: 'two', {node} }})],
  edges: [{{ from: one, {edge} }}],
}});
"
    )
}

#[test]
fn names_in_texts() {
    check_completion(
        &module("agent: 'ada', reads: ['$0']", "to: 'two'"),
        "
notes State: written by `one`
one_output State: written by `one`
topic State: input
two_output State: written by this node
* State: every key
",
    );
    check_labels(&module("agent: 'ada'", "to: '$0two'"), "two one");
    check_labels(&module("agent: 'ada'", "to: \"t$0\""), "two");
    check_completion(&module("agent: '$0'", "to: 'two'"), "ada Declaration: Agent in agents.yaml");
    let accepted = module("agent: 'ada', reads: ['notes']", "to: 'two'");
    let accepted = accepted.split_once("#- /m.ts\n").map_or("", |(_, module)| module);
    check_accept(&module("agent: 'ada', reads: ['no$0']", "to: 'two'"), "notes", accepted);
}

#[test]
fn expressions_in_texts() {
    check_labels(&module("agent: 'ada'", "to: 'two', when: 'memory.no$0'"), "notes one_output");
    // Without a text there is no condition yet.
    check_labels(&module("agent: 'ada'", "to: 'two', when: '$0'"), "memory …");
    let accepted = module("agent: 'ada'", "to: 'two', when: 'memory.notes'");
    let accepted = accepted.split_once("#- /m.ts\n").map_or("", |(_, module)| module);
    check_accept(&module("agent: 'ada'", "to: 'two', when: '$0'"), "memory.notes", accepted);
}

#[test]
fn what_the_program_knows_is_not_offered() {
    check_labels(&module("type: '$0'", "to: 'two'"), "");
    check_labels(&module("agent: $0'ada'", "to: 'two'"), "");
    check_labels(&module("$0agent: 'ada'", "to: 'two'"), "");
    check_labels(&module("agent: 'ada', reads: [on$0e.writes]", "to: 'two'"), "");
    check_labels(&module("id2: `a${$0one.id}`", "to: 'two'"), "");
}
