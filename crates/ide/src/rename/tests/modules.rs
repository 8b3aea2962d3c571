//! Renaming over modules of programs and documents.

use super::{check_prepare, check_rename};

const PIPE: &str = "
#- /agents.yaml
id: ada
name: Ada
model: m
provider: openai
system_prompt: Find.
#- /graph.yaml
id: g
name: G
description: ''
start_node: a
end_nodes: [a]
nodes:
  - {id: a, type: agent, agent_id: ada}
edges: []
#- /keys.ts
export const LAST = 'draft';
#- /pipe.ts
import { graph, node } from '@cycgraph/orchestrator';
import { LAST } from './keys';
const NOTES = 'notes';
const research = node({ id: 'research', agent: 'ada', reads: ['topic'], writes: NOTES });
const write = node({ id: 'write', agent: 'ada', reads: [research.output, NOTES], writes: LAST });
export const pipe = graph({
  name: 'pipe',
  inputs: { topic: { type: 'string' } },
  nodes: [research, write],
  edges: [{ from: research, to: 'write', when: 'memory.notes != \"\" and memory.research_output != \"\"' }],
});
";

/// The project with the cursor in one place of it.
fn at(place: &str) -> String {
    assert_eq!(PIPE.matches(&place.replace("$0", "")).count(), 1, "{place}");
    PIPE.replace(&place.replace("$0", ""), place)
}

#[test]
fn a_node_with_its_keys() {
    let expected = "
pipe.ts: const research = node({ id: 'study', agent: 'ada', reads: ['topic'], writes: NOTES });
pipe.ts: edges: [{ from: research, to: 'write', when: 'memory.notes != \"\" and memory.study_output != \"\"' }],
";
    check_rename(&at("id: 're$0search'"), "study", expected);
    let expected = "
pipe.ts: const write = node({ id: 'tell', agent: 'ada', reads: [research.output, NOTES], writes: LAST });
pipe.ts: edges: [{ from: research, to: 'tell', when: 'memory.notes != \"\" and memory.research_output != \"\"' }],
";
    check_rename(&at("to: '$0write'"), "tell", expected);
}

#[test]
fn a_key_at_its_literal() {
    let expected = "
pipe.ts: const NOTES = 'facts';
pipe.ts: edges: [{ from: research, to: 'write', when: 'memory.facts != \"\" and memory.research_output != \"\"' }],
";
    check_rename(&at("NOTES = 'no$0tes'"), "facts", expected);
    check_rename(&at("'memory.not$0es"), "facts", expected);
    let expected = "
pipe.ts: const research = node({ id: 'research', agent: 'ada', reads: ['the topic'], writes: NOTES });
pipe.ts: inputs: { 'the topic': { type: 'string' } },
";
    check_rename(&at("['topi$0c']"), "the topic", expected);
}

#[test]
fn an_agent_over_documents_and_modules() {
    let expected = "
agents.yaml: id: eve
graph.yaml: - {id: a, type: agent, agent_id: eve}
pipe.ts: const research = node({ id: 'research', agent: 'eve', reads: ['topic'], writes: NOTES });
pipe.ts: const write = node({ id: 'write', agent: 'eve', reads: [research.output, NOTES], writes: LAST });
";
    check_rename(&at("id: ada$0\n"), "eve", expected);
    check_rename(&at("'research', agent: 'ad$0a'"), "eve", expected);
}

#[test]
fn letters_in_another_module() {
    let files = "
#- /ids.ts
export const FIRST = 'one';
#- /m.ts
import { graph, node } from '@cycgraph/orchestrator';
import { FIRST } from './ids';
graph({ name: 'g', startNode: '$0one', nodes: [node({ id: FIRST, type: 'router' })], edges: [] });
";
    let expected = "
ids.ts: export const FIRST = 'two';
m.ts: graph({ name: 'g', startNode: 'two', nodes: [node({ id: FIRST, type: 'router' })], edges: [] });
";
    check_rename(files, "two", expected);
}

#[test]
fn what_the_program_computes_is_not_torn_apart() {
    let refused =
        "refused: the program in `m.ts` computes a name from this one, or uses it for something else\n";
    let start = "
#- /m.ts
import { graph, memoryKeys, node } from '@cycgraph/orchestrator';
";
    let with = |rest: &str| format!("{start}{rest}");
    let properties = with(
        "const keys = memoryKeys({ mail: { seeded: true } });
graph({ name: 'g', inputs: keys.inputs, nodes: [node({ id: 'a', type: 'agent', agent: 'x', reads: [keys.mail, '$0mail'] })] });",
    );
    check_rename(&properties, "letter", refused);
    let joined = with(
        "const part = 'o';
graph({ name: 'g', nodes: [node({ id: `${part}ne`, type: 'router' }), node({ id: 'b', type: 'router' })], edges: [{ from: '$0one', to: 'b' }] });",
    );
    check_rename(&joined, "two", refused);
    let both = with(
        "const X = 'a';
graph({ name: 'g', nodes: [node({ id: X, type: 'agent', agent: 'y', writes: X })], endNodes: ['$0a'] });",
    );
    check_rename(&both, "b", refused);
    check_rename(
        &at("id: 're$0search'"),
        "it's",
        "refused: a text in pipe.ts cannot contain `it's` instead of `research`\n",
    );
}

#[test]
fn outside_of_texts_the_program_answers() {
    check_prepare(&at("from: re$0search"), "there is no name here that can be renamed");
    check_prepare(&at("inputs: { to$0pic"), "there is no name here that can be renamed");
    check_prepare(&at("NOTES = 'no$0tes'"), "notes at `notes`");
}

#[test]
fn ids_that_methods_name() {
    const DESK: &str = "
#- /desk.ts
import { AgentGraph, END, START, toolNode, workflow } from '@framers/agentos/orchestration';
export const desk = new AgentGraph({ input: {}, scratch: {}, artifacts: {} })
  .addNode('look', toolNode('look_up'))
  .addEdge(START, 'look')
  .addEdge('look', END);
export const chain = workflow('chain').step('first', { tool: 't' }).then('second', { tool: 'u' });
";
    let expected = "
desk.ts: .addNode('read', toolNode('look_up'))
desk.ts: .addEdge(START, 'read')
desk.ts: .addEdge('read', END);
";
    check_rename(&DESK.replace(".addEdge('look'", ".addEdge('lo$0ok'"), "read", expected);
    let expected = "
desk.ts: export const chain = workflow('chain').step('begin', { tool: 't' }).then('second', { tool: 'u' });
";
    check_rename(&DESK.replace("'first'", "'fir$0st'"), "begin", expected);
}
