//! Builders whose methods add parts, and objects that their types say to be graphs.

use std::sync::Arc;

use crate::tests::check_module;
use crate::{NoOthers, read};

const IMPORT: &str = "import { AgentGraph, END, START, gmiNode, toolNode, humanNode, routerNode, guardrailNode, judgeNode, \
    subgraphNode, voiceNode, workflow, mission, type CompiledExecutionGraph } from '@framers/agentos/orchestration';\n\
    import { z } from 'zod';\n\
    const none = z.object({});\n";

/// Compares the lines about a part of what the module builds.
#[track_caller]
fn check(text: &str, part: &str, expected: &[&str]) {
    let text: Arc<str> = format!("{IMPORT}{text}").into();
    check_module(&read("m.ts", &text, &NoOthers), &text, part, expected);
}

/// Compares what is read of one node.
#[track_caller]
fn check_node(node: &str, expected: &[&str]) {
    let text = format!(
        "export const g = new AgentGraph({{ input: none, scratch: none, artifacts: none }}).addNode('n', {node});"
    );
    let expected: Vec<String> = expected.iter().map(|line| format!(".nodes[0].{line}")).collect();
    check(&text, ".nodes", &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_graph_of_methods() {
    check(
        "export const g = new AgentGraph({ input: z.object({ a: z.string() }), scratch: none, artifacts: none }, { reducers: { 'scratch.x': 'concat' } })
  .addNode('one', toolNode('look'))
  .addEdge(START, 'one')
  .addEdge('one', END)
  .compile();",
        "",
        &[
            "CompiledExecutionGraph g",
            ".id = \"m.ts#g\" @ AgentGraph",
            ".name = \"agent-graph\" @ AgentGraph",
            ".nodes[0].id = \"one\" @ 'one'",
            ".nodes[0].executorConfig.toolName = \"look\" @ 'look'",
            ".nodes[0].executorConfig.type = \"tool\" @ toolNode",
            ".nodes[0].effectClass = \"external\" @ toolNode",
            ".nodes[0].checkpoint = \"none\" @ toolNode",
            ".nodes[0].type = \"tool\" @ toolNode",
            ".nodes[0].executionMode = \"single_turn\" @ toolNode",
            ".edges[0].id = \"edge-1\" @ addEdge",
            ".edges[0].source = \"__START__\" @ START",
            ".edges[0].target = \"one\" @ 'one'",
            ".edges[0].type = \"static\" @ addEdge",
            ".edges[1].id = \"edge-2\" @ addEdge",
            ".edges[1].source = \"one\" @ 'one'",
            ".edges[1].target = \"__END__\" @ END",
            ".edges[1].type = \"static\" @ addEdge",
            ".stateSchema.input.type = \"object\" @ z.object({ a: z.string() })",
            ".stateSchema.input.properties.a.type = \"string\" @ z.string()",
            ".stateSchema.input.required[0] = \"a\" @ a",
            ".stateSchema.scratch.type = \"object\" @ none",
            ".stateSchema.scratch.properties = {} @ none",
            ".stateSchema.artifacts.type = \"object\" @ none",
            ".stateSchema.artifacts.properties = {} @ none",
            ".reducers.scratch.x = \"concat\" @ 'concat'",
            ".checkpointPolicy = \"none\" @ AgentGraph",
            ".memoryConsistency = \"snapshot\" @ AgentGraph",
        ],
    );
}

#[test]
fn statements_add_to_a_constant() {
    let text = "const g = new AgentGraph({ input: none, scratch: none, artifacts: none });
g.addNode('one', toolNode('look'));
g.addEdge(START, 'one').addEdge('one', END);
export const made = g.compile();";
    check(
        text,
        ".edges",
        &[
            ".edges[0].id = \"edge-1\" @ addEdge",
            ".edges[0].source = \"__START__\" @ START",
            ".edges[0].target = \"one\" @ 'one'",
            ".edges[0].type = \"static\" @ addEdge",
            ".edges[1].id = \"edge-2\" @ addEdge",
            ".edges[1].source = \"one\" @ 'one'",
            ".edges[1].target = \"__END__\" @ END",
            ".edges[1].type = \"static\" @ addEdge",
        ],
    );
    check(text, ".id", &[".id = \"m.ts#made\" @ AgentGraph"]);
    check(text, "Compiled", &["CompiledExecutionGraph made"]);
}

#[test]
fn parts_of_loops_and_conditions_are_unknown() {
    let unknown = ".edges[0] = ? parts that are added in a loop, or behind a condition @ ";
    let begun = "const g = new AgentGraph({ input: none, scratch: none, artifacts: none });\n";
    for (statement, place) in [
        ("for (const id of ids) { g.addNode(id, toolNode(id)); }", "g.addNode(id, toolNode(id))"),
        ("if (more) g.addEdge('a', 'b');", "g.addEdge('a', 'b')"),
        ("ids.forEach((id) => g.addEdge(id, END));", "g.addEdge(id, END)"),
        ("more && g.addEdge('a', END);", "g.addEdge('a', END)"),
    ] {
        check(
            &format!("{begun}{statement}\nexport default g.compile();"),
            ".edges",
            &[&format!("{unknown}{place}")],
        );
    }
    check(
        &format!("{begun}function more(graph) {{ graph.addEdge('a', 'b'); }}\nmore(g);\ng.compile();"),
        ".edges",
        &[".edges[0] = ? it is handed to a function @ more(g)"],
    );
}

#[test]
fn nodes_of_every_kind() {
    check_node(
        "gmiNode({ instructions: 'Do.', maxTokens: 5, unheard: 1 }, { memory: { consistency: 'live' }, checkpoint: 'after' })",
        &[
            "id = \"n\" @ 'n'",
            "executorConfig.instructions = \"Do.\" @ 'Do.'",
            "executorConfig.maxTokens = 5 @ 5",
            "executorConfig.type = \"gmi\" @ gmiNode",
            "memoryPolicy.consistency = \"live\" @ 'live'",
            "checkpoint = \"after\" @ 'after'",
            "executionMode = \"react_bounded\" @ gmiNode",
            "effectClass = \"read\" @ gmiNode",
            "type = \"gmi\" @ gmiNode",
        ],
    );
    check_node(
        "routerNode(\"input.a ? 'x' : 'y'\")",
        &[
            "id = \"n\" @ 'n'",
            "executorConfig.condition.type = \"expression\" @ \"input.a ? 'x' : 'y'\"",
            "executorConfig.condition.expr = \"input.a ? 'x' : 'y'\" @ \"input.a ? 'x' : 'y'\"",
            "executorConfig.type = \"router\" @ routerNode",
            "type = \"router\" @ routerNode",
            "executionMode = \"single_turn\" @ routerNode",
            "effectClass = \"pure\" @ routerNode",
            "checkpoint = \"none\" @ routerNode",
        ],
    );
    check_node(
        "routerNode((state) => 'x')",
        &[
            "id = \"n\" @ 'n'",
            "executorConfig.condition = ? a function decides @ (state) => 'x'",
            "executorConfig.type = \"router\" @ routerNode",
            "type = \"router\" @ routerNode",
            "executionMode = \"single_turn\" @ routerNode",
            "effectClass = \"pure\" @ routerNode",
            "checkpoint = \"none\" @ routerNode",
        ],
    );
    check_node(
        "voiceNode('v', { mode: 'conversation' }).on('completed', 'next').build()",
        &[
            "id = \"n\" @ 'n'",
            "executorConfig.voiceConfig.mode = \"conversation\" @ 'conversation'",
            "executorConfig.type = \"voice\" @ voiceNode",
            "type = \"voice\" @ voiceNode",
            "executionMode = \"react_bounded\" @ voiceNode",
            "effectClass = \"external\" @ voiceNode",
            "checkpoint = \"before\" @ voiceNode",
            "edges.completed = \"next\" @ 'next'",
        ],
    );
}

#[test]
fn edges_of_every_kind() {
    let graph = |method: &str| {
        format!(
            "export const g = new AgentGraph({{ input: none, scratch: none, artifacts: none }}).{method};"
        )
    };
    check(
        &graph("addConditionalEdge('a', (state) => 'b')"),
        ".edges",
        &[
            ".edges[0].id = \"edge-1\" @ addConditionalEdge",
            ".edges[0].source = \"a\" @ 'a'",
            ".edges[0].condition = ? a function decides @ (state) => 'b'",
            ".edges[0].target = \"__CONDITIONAL__\" @ addConditionalEdge",
            ".edges[0].type = \"conditional\" @ addConditionalEdge",
        ],
    );
    check(
        &graph("addDiscoveryEdge('a', { query: 'q', fallbackTarget: 'b' })"),
        ".edges",
        &[
            ".edges[0].id = \"edge-1\" @ addDiscoveryEdge",
            ".edges[0].discoveryQuery = \"q\" @ 'q'",
            ".edges[0].target = \"b\" @ 'b'",
            ".edges[0].discoveryFallback = \"b\" @ 'b'",
            ".edges[0].source = \"a\" @ 'a'",
            ".edges[0].type = \"discovery\" @ addDiscoveryEdge",
        ],
    );
    check(
        &graph("addPersonalityEdge('a', { trait: 't', threshold: 0.5, above: 'x', below: 'y' })"),
        ".edges[1]",
        &[
            ".edges[1].id = \"edge-2\" @ addPersonalityEdge",
            ".edges[1].personalityCondition.trait = \"t\" @ 't'",
            ".edges[1].personalityCondition.threshold = 0.5 @ 0.5",
            ".edges[1].personalityCondition.above = \"x\" @ 'x'",
            ".edges[1].personalityCondition.below = \"y\" @ 'y'",
            ".edges[1].target = \"y\" @ 'y'",
            ".edges[1].source = \"a\" @ 'a'",
            ".edges[1].type = \"personality\" @ addPersonalityEdge",
        ],
    );
}

#[test]
fn steps_follow_one_another() {
    check(
        "export const w = workflow('w').input(none).returns(none)
  .step('a', { tool: 't', outputAs: 'x' })
  .branch((state) => 'b', { b: { gmi: { instructions: 'I' } } })
  .parallel([{ human: { prompt: 'P' } }], { merge: { 'scratch.x': 'concat' } })
  .then('z', {}).compile();",
        ".edges",
        &[
            ".edges[0].id = \"we-1\" @ step",
            ".edges[0].source = \"__START__\" @ step",
            ".edges[0].target = \"a\" @ step",
            ".edges[0].type = \"static\" @ step",
            ".edges[1].id = \"we-3\" @ branch",
            ".edges[1].source = \"a\" @ branch",
            ".edges[1].target = \"router-2\" @ branch",
            ".edges[1].type = \"static\" @ branch",
            ".edges[2].id = \"we-5\" @ branch",
            ".edges[2].source = \"router-2\" @ branch",
            ".edges[2].target = \"branch-b-4\" @ branch",
            ".edges[2].condition = ? a function decides @ branch",
            ".edges[2].type = \"conditional\" @ branch",
            ".edges[3].id = \"we-7\" @ parallel",
            ".edges[3].source = \"branch-b-4\" @ parallel",
            ".edges[3].target = \"parallel-0-6\" @ parallel",
            ".edges[3].type = \"static\" @ parallel",
            ".edges[4].id = \"we-8\" @ then",
            ".edges[4].source = \"parallel-0-6\" @ then",
            ".edges[4].target = \"z\" @ then",
            ".edges[4].type = \"static\" @ then",
            ".edges[5].id = \"we-9\" @ compile",
            ".edges[5].source = \"z\" @ compile",
            ".edges[5].target = \"__END__\" @ compile",
            ".edges[5].type = \"static\" @ compile",
        ],
    );
}

#[test]
fn unknown_steps_leave_the_rest() {
    check(
        "export const w = workflow('w').step('a', build()).branch(f, routes).then('z', { tool: 't' }).compile();",
        ".edges[4]",
        &[
            ".edges[4].id = ? the number in an id that is made @ compile",
            ".edges[4].source = \"z\" @ compile",
            ".edges[4].target = \"__END__\" @ compile",
            ".edges[4].type = \"static\" @ compile",
        ],
    );
}

#[test]
fn graphs_name_one_another() {
    check(
        "const inner = workflow('inner').input(none).returns(none).step('s', { tool: 't' }).compile();
export const outer = workflow('outer').input(none).returns(none).step('o', { subgraph: inner.toIR() }).compile();",
        ".nodes[0].executorConfig.graphId",
        &[".nodes[0].executorConfig.graphId = \"m.ts#inner\" @ toIR()"],
    );
}

#[test]
fn folded_steps() {
    check(
        "const chain = ['a', 'b'].reduce((w, id) => w.step(id, { tool: `${id}_tool` }), workflow('w').input(none).returns(none));
export const made = chain.compile();",
        ".nodes[1]",
        &[
            ".nodes[1].id = \"b\" @ 'b'",
            ".nodes[1].executorConfig.toolName = \"b_tool\" @ `${id}_tool`",
            ".nodes[1].executorConfig.type = \"tool\" @ step",
            ".nodes[1].effectClass = \"external\" @ step",
            ".nodes[1].checkpoint = \"none\" @ step",
            ".nodes[1].type = \"tool\" @ step",
            ".nodes[1].executionMode = \"single_turn\" @ step",
        ],
    );
}

#[test]
fn objects_of_the_type() {
    let lines = [
        ".id = \"g\" @ 'g'",
        ".nodes = [] @ []",
        ".edges[0].condition = ? a function decides @ { type: 'function', fn: () => 'a' }",
    ];
    let object = "{ id: 'g', nodes: [], edges: [{ condition: { type: 'function', fn: () => 'a' } }] }";
    for text in [
        format!("export const g: CompiledExecutionGraph = {object};"),
        format!("export const g = {object} as CompiledExecutionGraph;"),
        format!("export default ({object}) satisfies CompiledExecutionGraph;"),
        format!("export const g: CompiledExecutionGraph = {object} satisfies CompiledExecutionGraph;"),
    ] {
        check(&text, ".", &lines);
    }
    check("type Other = CompiledExecutionGraph; const g: Other = { id: 'g' };", "", &[]);
}

#[test]
fn a_long_chain_is_read_to_its_end() {
    let steps: String = (0..300).map(|number| format!(".step('s{number}', {{ tool: 't' }})")).collect();
    check(
        &format!("export const w = workflow('w').input(none).returns(none){steps}.compile();"),
        ".nodes[299].id",
        &[".nodes[299].id = \"s299\" @ 's299'"],
    );
}

#[test]
fn chains_without_an_end_have_an_answer() {
    for text in [
        "const g = new AgentGraph({}).addNode(",
        "const g = new AgentGraph(g).addNode(g, g).addEdge(g);",
        "const g = workflow('g').step('a', g).branch(g, g).parallel(g, g);",
        "g.compile().compile(); workflow().then().branch().parallel().compile();",
        "workflow('w').toIR().toIR();",
    ] {
        let text: Arc<str> = format!("{IMPORT}{text}").into();
        let _ = read("m.ts", &text, &NoOthers);
    }
}

/// A mission around some calls of methods.
fn with_mission(calls: &str) -> String {
    format!("export const m = mission('m').input(none).returns(none){calls}.compile();")
}

/// Compares the order of a mission's nodes.
#[track_caller]
fn check_order(calls: &str, expected: &[&str]) {
    let targets: Vec<String> = expected
        .iter()
        .chain(&["__END__"])
        .enumerate()
        .map(|(number, target)| format!(".edges[{number}].target = \"{target}\" @ planner"))
        .collect();
    let text: Arc<str> = format!("{IMPORT}{}", with_mission(calls)).into();
    let module = read("m.ts", &text, &NoOthers);
    let found = crate::tests::lines(&module, &text);
    let found: Vec<&str> = found.lines().filter(|line| line.contains("].target = ")).collect();
    assert_eq!(found, targets);
}

#[test]
fn a_goal_or_a_style_plans_a_mission() {
    let with_goal = |goal: &str| format!(".goal('{goal}').planner({{ maxIterationsPerNode: 3 }})");
    check_order(&with_goal("What is {{x}}?"), &["research-quick", "answer"]);
    check_order(&with_goal("Write a poem"), &["brainstorm", "develop-concept", "produce-artifact", "polish"]);
    let research = ["gather-info", "process-info", "deliver-result", "refine-output"];
    check_order(&with_goal("Look at {{x}}"), &research);
    check_order(".goal('Write a poem').planner({ style: 'research' })", &research);
    check(
        &with_mission(&with_goal("What is {{x}}?")),
        ".nodes[0]",
        &[
            ".nodes[0].id = \"research-quick\" @ planner",
            ".nodes[0].executorConfig.instructions = ? the package composes it @ planner",
            ".nodes[0].executorConfig.maxInternalIterations = 3 @ 3",
            ".nodes[0].executorConfig.type = \"gmi\" @ planner",
            ".nodes[0].type = \"gmi\" @ planner",
            ".nodes[0].executionMode = \"planner_controlled\" @ planner",
            ".nodes[0].effectClass = \"read\" @ planner",
            ".nodes[0].checkpoint = \"none\" @ planner",
        ],
    );
    check(&with_mission(&with_goal("x")), ".memory", &[".memoryConsistency = \"snapshot\" @ planner"]);
}

#[test]
fn steps_and_anchors_run_in_the_order_of_their_phases() {
    let steps = ".goal('x').planner({ plan: { steps: [
        { id: 'tell', action: 'reasoning', description: 'Tell.', phase: 'deliver' },
        { id: 'look', action: 'tool_call', toolName: 'web', description: '', phase: 'gather' },
        { id: 'ask', action: 'human_input', description: 'Right?', phase: 'process' } ] } })";
    check_order(steps, &["look", "ask", "tell"]);
    let anchors = ".anchor('tail', toolNode('t'), {}).anchor('gate', guardrailNode(['g']), { phase: 'process', after: 'look' })
        .anchor('early', toolNode('t'), { phase: 'gather' })";
    check_order(&format!("{steps}{anchors}"), &["look", "gate", "early", "ask", "tell", "tail"]);
    check(
        &with_mission(&format!(
            "{steps}{anchors}.policy({{ guardrails: ['pii'], memory: {{ consistency: 'live' }} }})"
        )),
        ".nodes[2]",
        &[
            ".nodes[2].id = \"ask\" @ 'ask'",
            ".nodes[2].executorConfig.prompt = \"Right?\" @ 'Right?'",
            ".nodes[2].executorConfig.type = \"human\" @ planner",
            ".nodes[2].checkpoint = \"after\" @ planner",
            ".nodes[2].type = \"human\" @ planner",
            ".nodes[2].executionMode = \"single_turn\" @ planner",
            ".nodes[2].effectClass = \"human\" @ planner",
            ".nodes[2].guardrailPolicy.output[0] = \"pii\" @ 'pii'",
            ".nodes[2].guardrailPolicy.onViolation = \"warn\" @ ['pii']",
        ],
    );
}

#[test]
fn a_plan_that_is_not_known_makes_the_graph_unknown() {
    for (calls, expected) in [
        (".goal(input()).planner({})", "? a plan that is not known @ input()"),
        (".goal('x').planner(settings())", "? a plan that is not known @ settings()"),
        (".goal('x').planner({ plan: { steps: more() } })", "? a plan that is not known @ more()"),
        (".goal('x').planner({}).anchor(id(), toolNode('t'), {})", "? an order that is not known @ planner"),
        (
            ".goal('x').planner({}).anchor('a', toolNode('t'), place())",
            "? an order that is not known @ planner",
        ),
    ] {
        check(&with_mission(calls), ".edges", &[&format!(".edges[0] = {expected}")]);
    }
}
