//! Modules that depend on one another: the facts of one are those of its text and of the texts that it imports.

use std::sync::Arc;

use nodewise_modules::{Others, Trees, is_module};
use rustc_hash::FxHashMap;

use super::Wanted;
use crate::files::Files;

/// The texts of a project's modules, by path.
#[derive(Debug, Default)]
pub struct ModuleTexts<'f> {
    /// The files that already exist.
    files: Option<&'f Files>,
    /// The texts of files that are added or changed; `None` for removed files.
    new: FxHashMap<Arc<str>, Option<Arc<str>>>,
    /// The syntax trees of recent modules. Only used if few files change.
    trees: Option<&'f Trees>,
}

impl<'f> ModuleTexts<'f> {
    /// The texts after the change `wanted`.
    pub(super) fn new(files: &'f Files, wanted: &Wanted) -> ModuleTexts<'f> {
        let modules = wanted.iter().filter(|(path, _)| is_module(path));
        let text = |content: &Option<(Arc<str>, _)>| content.as_ref().map(|(text, _)| Arc::clone(text));
        let new = modules.map(|(path, content)| (Arc::clone(path), text(content))).collect();
        ModuleTexts { files: Some(files), new, trees: None }
    }

    /// The same texts, with the syntax trees of the modules that were read last.
    pub(super) fn with_trees(self, trees: &'f Trees) -> ModuleTexts<'f> {
        ModuleTexts { trees: Some(trees), ..self }
    }
}

impl<'t> FromIterator<(&'t str, &'t Arc<str>)> for ModuleTexts<'static> {
    /// The modules among the given files.
    fn from_iter<I: IntoIterator<Item = (&'t str, &'t Arc<str>)>>(files: I) -> ModuleTexts<'static> {
        let modules = files.into_iter().filter(|(path, _)| is_module(path));
        let new = modules.map(|(path, text)| (Arc::from(path), Some(Arc::clone(text)))).collect();
        ModuleTexts { files: None, new, trees: None }
    }
}

impl Others for ModuleTexts<'_> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        if let Some(text) = self.new.get(path) {
            return text.clone();
        }
        self.files?.at_path(path).map(|file| Arc::clone(file.text.shared()))
    }

    fn trees(&self) -> Option<&Trees> {
        self.trees
    }
}

/// Adds the modules whose facts depend on changed files.
pub(super) fn add_dependents(files: &Files, wanted: &mut Wanted) {
    if !wanted.keys().any(|path| is_module(path)) {
        return;
    }
    let depends = |imports: &[String]| imports.iter().any(|path| wanted.contains_key(path.as_str()));
    let dependents: Vec<_> = files
        .iter()
        .filter(|file| depends(file.imports()) && !wanted.contains_key(&file.path))
        .map(|file| {
            (Arc::clone(&file.path), Some((Arc::clone(file.text.shared()), Arc::clone(&file.settings))))
        })
        .collect();
    wanted.extend(dependents);
}

#[cfg(test)]
mod tests {
    use crate::settings::Settings;
    use crate::testing::check_findings;
    use crate::workspace::{Change, Workspace};
    use std::sync::Arc;

    #[test]
    fn findings_stand_where_the_module_has_it() {
        check_findings(
            r#"
#- /agents.yaml
id: ada
name: Ada
model: m
provider: openai
system_prompt: Find.
#- /main.ts
import { approval, graph, node } from '@cycgraph/orchestrator';
import { KEYS } from './keys';
const read = node({ id: 'read', agent: 'ada', reads: [KEYS.topic, 'nots'], writes: 'notes' });
#                                                                 ^^^^^^ warning[unwritten-key]: no node writes `nots`
const gate = approval({ id: 'gate', timeoutMs: -5 });
#                                              ^^ error[out-of-range]: `timeoutMs` takes a whole number from 1 to 2592000000, not -5
export const main = graph({
  name: 'main',
  inputs: { topic: { type: 'string' } },
  nodes: [read, gate],
  edges: [
    { from: read, to: gate, when: 'memory.notes = "' },
#                                               ^ error[invalid-expression]: `=` is not part of the language
    { from: read, to: 'gaet' },
#                     ^^^^^^ error[unknown-node]: no node has the id `gaet`
  ],
});
#- /keys.ts
export const KEYS = { topic: 'topic' };
"#,
        );
    }

    #[test]
    fn a_target_that_means_every_node_is_wrong_whatever_decides() {
        check_findings(
            r#"
#- /m.ts
import { AgentGraph, END, START, toolNode, type CompiledExecutionGraph } from '@framers/agentos/orchestration';
export const built = new AgentGraph({ input: {}, scratch: {}, artifacts: {} })
  .addNode('a', toolNode('look'))
  .addNode('b', toolNode('look'))
  .addEdge(START, 'a')
  .addConditionalEdge('a', (state) => (state.scratch.x ? 'b' : END))
#  ^^^^^^^^^^^^^^^^^^ error[placeholder-target]: `__CONDITIONAL__` means every node
  .addEdge('b', END)
  .compile();
const tool = { type: 'tool', executorConfig: { type: 'tool', toolName: 'look' }, executionMode: 'single_turn',
  effectClass: 'external', checkpoint: 'none' } as const;
export const literal: CompiledExecutionGraph = {
  id: 'g', name: 'g',
  nodes: [{ id: 'a', ...tool }, { id: 'b', ...tool }],
  edges: [
    { id: 'e1', source: START, target: 'a', type: 'static' },
    { id: 'e2', source: 'a', target: '__CONDITIONAL__', type: 'conditional', condition: { type: 'function', fn: decide } },
#                                    ^^^^^^^^^^^^^^^^^ error[placeholder-target]: `__CONDITIONAL__` means every node
    { id: 'e3', source: 'b', target: END, type: 'static' },
  ],
  stateSchema: { input: {}, scratch: {}, artifacts: {} }, reducers: {}, checkpointPolicy: 'none', memoryConsistency: 'snapshot',
};
"#,
        );
    }

    #[test]
    fn a_search_without_a_fallback_has_one_finding() {
        check_findings(
            r#"
#- /m.ts
import { AgentGraph, END, START, toolNode } from '@framers/agentos/orchestration';
export const built = new AgentGraph({ input: {}, scratch: {}, artifacts: {} })
  .addNode('a', toolNode('look'))
  .addNode('b', toolNode('look'))
  .addEdge(START, 'a')
  .addDiscoveryEdge('a', { query: 'q', kind: 'tool' })
#  ^^^^^^^^^^^^^^^^ error[placeholder-target]: `__DISCOVERY__` means every node
  .addEdge('b', END)
  .compile();
"#,
        );
    }

    #[test]
    fn findings_stand_where_missions_have_it() {
        check_findings(
            r#"
#- /m.ts
import { guardrailNode, mission, toolNode } from '@framers/agentos/orchestration';
export const report = mission('report')
  .input({})
  .goal('Research {{topic}}')
  .returns({})
  .planner({ maxSteps: 4 })
  .anchor('check', toolNode('check'), { phase: 'review' })
#         ^^^^^^^ warning[dead-end-node]: no path leads from `check` to the end
#         ^^^^^^^ warning[unreachable-node]: `check` is unreachable
  .anchor('gate', guardrailNode(['pii'], { onViolation: 'reroute', rerouteTarget: 'gaet' }), { after: 'answer', phase: 'deliver' })
#                                                                                 ^^^^^^ error[unknown-node]: no node has the id `gaet`
  .compile();
"#,
        );
    }

    #[test]
    fn messages_spell_keys_as_the_program_does() {
        check_findings(
            r#"
#- /m.ts
import { agent, graph, node } from '@cycgraph/orchestrator';
const ada = agent({ id: 'ada', model: 'claude-x', instructions: 5 });
#                                                               ^ error[wrong-type]: `instructions` takes a text, not a number
const one = node({ id: 'one', agent: ada, writes: 7 });
#                                                 ^ error[wrong-type]: `writes` takes a list, not a number
const keys = node({ id: 'keys', agent: ada, reads: ['agent_id', 'source'] });
#                                                   ^^^^^^^^^^ warning[unwritten-key]: no node writes `agent_id`
#                                                               ^^^^^^^^ warning[unwritten-key]: no node writes `source`
graph({ name: 'g', nodes: [one, keys], edges: [{ from: 5, to: keys }, { from: one, to: keys }] });
#                                                      ^ error[wrong-type]: `from` takes the id of a node, not a number
"#,
        );
    }

    #[test]
    fn findings_stand_where_methods_have_it() {
        check_findings(
            r#"
#- /m.ts
import { AgentGraph, END, START, gmiNode, guardrailNode, routerNode, toolNode } from '@framers/agentos/orchestration';
import { z } from 'zod';
const text = z.object({ text: z.string() });
new AgentGraph({ input: text, scratch: z.object({}), artifacts: text }, { checkpointPolicy: 'sometimes' })
#                                                                                           ^^^^^^^^^^^ error[invalid-value]: `sometimes` is not a valid `checkpointPolicy`
  .addNode('read', toolNode('read_file', { timeout: -1 }))
#                                                   ^^ warning[out-of-range]: `timeout` takes a number above 0, not -1
  .addNode('route', routerNode("input.text = 'x' ? 'tell' : 'tel'"))
#                                          ^ error[invalid-expression]: `=` is read as text, not compared
  .addNode('tell', gmiNode({ instructions: 7 }))
#                                          ^ error[wrong-type]: `instructions` takes a text, not a number
  .addEdge(START, 'read').addEdge('read', 'route').addEdge('route', 'tell').addEdge('tell', END);
export const desk = new AgentGraph({ input: text, scratch: z.object({}), artifacts: text })
  .addNode('read', toolNode('read_file'))
  .addNode('choose', routerNode("input.txt === 'a' ? 'read' : 'reed'"))
#                                ^^^^^^^^^ warning[undeclared-path]: `input.txt` is not declared
#                                                    ^^^^^^ warning[unknown-route]: no edge of the router leads to `read`
#                                                             ^^^^^^ warning[unknown-route]: no edge of the router leads to `reed`
  .addEdge(START, 'read')
  .addEdge('read', 'choose')
  .addEdge('read', 'thank')
#                  ^^^^^^^ error[unknown-node]: no node has the id `thank`
  .addEdge('choose', END)
  .compile();
"#,
        );
    }

    #[test]
    fn findings_stand_where_steps_have_it() {
        check_findings(
            r#"
#- /m.ts
import { workflow } from '@framers/agentos/orchestration';
import { z } from 'zod';
const text = z.object({ text: z.string() });
export const first = workflow('first').input(text).returns(text)
  .step('start', { tool: 'open', retryPolicy: { maxAttempts: 0, backoff: 'fixed', backoffMs: 1 } })
#                                                            ^ warning[out-of-range]: `maxAttempts` takes a whole number from 1 on, not 0
  .branch((state) => state.input.text, { a: { tool: 'a' }, b: { gmi: { instructions: 'B.', maxTokens: 0 } } })
  .then('end', { tool: 'close' })
  .compile();
"#,
        );
    }

    #[test]
    fn what_methods_add_in_loops_causes_no_finding() {
        check_findings(
            r"
#- /m.ts
import { AgentGraph, END, START, gmiNode, toolNode, workflow, type CompiledExecutionGraph } from '@framers/agentos/orchestration';
const graph = new AgentGraph({ input: inputs, scratch, artifacts });
for (const id of ids) {
  graph.addNode(id, toolNode(id));
  graph.addEdge(START, id);
}
graph.addNode('a', gmiNode(options));
graph.addEdge('b', END);
export const made = graph.compile();
export const steps = workflow('steps').input(inputs).returns(outputs).step('a', config).branch(choose, routes).then('b', { tool: 'b' }).compile();
export const literal: CompiledExecutionGraph = { ...base, id: 'x', nodes: make() };
",
        );
    }

    #[test]
    fn what_is_unknown_causes_no_finding() {
        check_findings(
            r"
#- /m.ts
import { agent, graph, node } from '@cycgraph/orchestrator';
const some = agent({ id: 'some', model: process.env.MODEL, instructions: prompt() });
const first = node({ id: 'first', agent: some, reads: keys() });
const second = node({ ...shared, id: 'second' });
const third = node({ id: ids[2], type: 'router' });
graph({ name: title(), nodes: [first, second, third, ...more], edges: [{ from: first, to: 'elsewhere' }] });
graph({ name: 'open', nodes: [first], edges: build(), ...rest });
graph(options);
graph({ name: 'a', nodes: [], ...options });
",
        );
    }

    #[test]
    fn a_half_typed_module_is_read_without_panic_at_every_length() {
        let text = "import { graph, node } from '@cycgraph/orchestrator';\n\
            const a = node({ id: `a${1}`, type: 'router', reads: ['x', ...[1].map((y) => `${y}`)] });\n\
            export const g = graph({ name: 'g', nodes: [a], edges: [{ from: a, to: 'b', when: \"x > 'y'\" }] });\n";
        for length in 0..text.len() {
            let mut workspace = Workspace::new();
            write(&mut workspace, "m.ts", &text[..length]);
            workspace.snapshot().source("m.ts").map(|source| workspace.snapshot().diagnostics(source));
        }
    }

    fn write(workspace: &mut Workspace, path: &str, text: &str) -> Vec<String> {
        let settings = Arc::new(Settings::default());
        let applied = workspace.apply(vec![Change::Write { path: path.into(), text: text.into(), settings }]);
        let snapshot = workspace.snapshot();
        let path = |source| snapshot.file(source).map(|file| file.path.to_string());
        applied.stale.into_iter().filter_map(path).collect()
    }

    #[test]
    fn a_module_is_read_again_when_what_it_imports_changes() {
        let mut workspace = Workspace::new();
        let main = "import { graph, node } from '@cycgraph/orchestrator';\nimport { TO } from './ids';\n\
            graph({ name: 'g', startNode: 'a', nodes: [node({ id: 'a', type: 'router' }), node({ id: 'b', type: 'router' })], \
            edges: [{ from: 'a', to: TO }] });";
        let messages = |workspace: &Workspace| -> Vec<String> {
            let snapshot = workspace.snapshot();
            let found = snapshot.diagnostics(snapshot.source("main.ts").unwrap());
            found.into_iter().map(|one| one.finding.message).collect()
        };
        write(&mut workspace, "main.ts", main);
        assert_eq!(messages(&workspace), [""; 0], "the import is not known");
        let stale = write(&mut workspace, "ids.ts", "export const TO = 'c';");
        assert_eq!(stale, ["ids.ts", "main.ts"]);
        assert_eq!(messages(&workspace)[..1], ["no node has the id `c`"]);
        write(&mut workspace, "ids.ts", "export const TO = 'b';");
        assert_eq!(messages(&workspace), [""; 0]);
        workspace.apply(vec![Change::Remove { path: "ids.ts".into() }]);
        assert_eq!(messages(&workspace), [""; 0]);
    }
}
