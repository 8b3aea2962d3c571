//! What can happen in small graphs of the three systems, and what is found in them.

use std::fmt::Write;

use nodewise_engine::explore::sample::{SampleCounts, by_chance, seed_of_run};
use nodewise_engine::explore::{ExplorationBounds, ExplorationReport, OneThread, explore};

use crate::explore_graphs::{Setting, of_agentos, of_cycgraph, of_liman};
use crate::explore_threads::check_threads;

fn shown(report: &ExplorationReport) -> String {
    let mut text = format!("exhaustive: {}\n", report.is_exhaustive);
    for gap in &report.gaps {
        writeln!(text, "gap: {gap}").unwrap();
    }
    for note in &report.notes {
        writeln!(text, "note: {note}").unwrap();
    }
    for end in &report.ends {
        let class = end.failure.as_ref().map(|failure| format!(" {}", failure.class)).unwrap_or_default();
        let fault = if end.needs_fault { " (fault)" } else { "" };
        writeln!(text, "end: {}{class} at {}{fault}", end.status.word(), end.node).unwrap();
    }
    for finding in &report.findings {
        let path = finding.witness.as_ref().map(|witness| {
            let nodes: Vec<&str> = witness.path.iter().map(|(_, node)| node.as_str()).take(8).collect();
            format!(" [{}]", nodes.join(" "))
        });
        writeln!(text, "{}: {}{}", finding.kind.name(), finding.kind, path.unwrap_or_default()).unwrap();
    }
    let worst = &report.worst;
    match (worst.is_unbounded, &worst.limit) {
        (true, limit) => writeln!(text, "worst: {}", limit.as_deref().unwrap_or("no limit")).unwrap(),
        (false, _) => {
            writeln!(text, "worst: {} visits, {} model calls", worst.visits, worst.model_calls).unwrap()
        }
    }
    text
}

/// Holds that an exploration reports this, with any number of threads.
fn check_explore((run, guide): Setting, expected: &str) {
    check_threads((&*run, &*guide), &ExplorationBounds::default());
    let report =
        explore(run.as_ref(), guide.as_ref(), &ExplorationBounds::default(), &OneThread, &mut || true);
    assert_eq!(shown(&report), expected.trim_start_matches('\n'), "\n{}", shown(&report));
}

#[test]
fn a_condition_that_never_holds() {
    check_explore(
        of_cycgraph(
            r#"
id: claims
name: claims
start_node: read
end_nodes: [pay, refuse]
nodes:
  - {id: read, type: agent, agent_id: reader, write_keys: [amount]}
  - {id: pay, type: agent, agent_id: payer, write_keys: [paid]}
  - {id: refuse, type: agent, agent_id: payer, write_keys: [paid]}
  - {id: lost, type: agent, agent_id: payer, write_keys: [paid]}
edges:
  - {source: read, target: pay, condition: {type: conditional, condition: "memory.amount <= 100"}}
  - {source: read, target: refuse, condition: {type: conditional, condition: "memory.amount > 100"}}
  - {source: read, target: lost, condition: {type: conditional, condition: "memory.amount > 200 and memory.amount < 100"}}
"#,
        ),
        r"
exhaustive: true
end: failed NoMatchingEdgeError at read
end: failed AgentExecutionError at read (fault)
end: completed at pay
end: failed AgentExecutionError at pay (fault)
end: completed at refuse
end: failed AgentExecutionError at refuse (fault)
unreached-node: no run visits `lost`
unreached-edge: no run follows the edge from `read` to `lost`: its condition never holds
dead-end: a run gets stuck at `read`: it follows no edge from there [read]
worst: 2 visits, 3 model calls
",
    );
}

#[test]
fn a_loop_without_an_exit_and_an_early_read() {
    check_explore(
        of_cycgraph(
            r#"
id: drafts
name: drafts
start_node: write
end_nodes: [publish]
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft], read_keys: [notes]}
  - {id: review, type: agent, agent_id: reviewer, write_keys: [notes, verdict], read_keys: [draft]}
  - {id: publish, type: agent, agent_id: writer, write_keys: [out]}
edges:
  - {source: write, target: review}
  - {source: review, target: write, condition: {type: conditional, condition: "memory.verdict != \"good\""}}
  - {source: review, target: write, condition: {type: conditional, condition: "memory.verdict == \"good\""}}
  - {source: review, target: publish, condition: {type: conditional, condition: "memory.verdict == \"good\""}}
"#,
        ),
        r"
exhaustive: true
end: failed AgentExecutionError at write (fault)
end: failed AgentExecutionError at review (fault)
unreached-node: no run visits `publish`
unreached-edge: no run evaluates the edge from `review` to `publish`
endless-loop: no answer ends the loop of `review`, `write`: only a limit stops it [write review write review write review write review]
read-before-write: `write` can read `notes` before anything has written it [write]
worst: max_iterations (50)
",
    );
}

#[test]
fn a_loop_that_some_answer_leaves() {
    check_explore(
        of_cycgraph(
            r#"
id: drafts
name: drafts
start_node: write
end_nodes: [publish]
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: review, type: agent, agent_id: reviewer, write_keys: [score]}
  - {id: publish, type: router}
edges:
  - {source: write, target: review}
  - {source: review, target: publish, condition: {type: conditional, condition: "memory.score >= 0.8"}}
  - {source: review, target: write}
"#,
        ),
        r"
exhaustive: true
end: failed AgentExecutionError at write (fault)
end: failed AgentExecutionError at review (fault)
end: completed at publish
worst: max_iterations (50)
",
    );
}

#[test]
fn dead_ends_of_tools_and_people() {
    check_explore(
        of_cycgraph(
            r#"
id: requests
name: requests
start_node: fetch
end_nodes: [done]
nodes:
  - {id: fetch, type: tool, tool_id: fetch, tools: [{type: custom, name: fetch}]}
  - {id: ask, type: approval, approval_config: {prompt_message: ok, review_keys: ["*"], rejection_node_id: fetch}}
  - {id: done, type: router}
edges:
  - {source: fetch, target: ask, condition: {type: conditional, condition: "memory.fetch_result.status == \"ok\""}}
  - {source: ask, target: done}
"#,
        ),
        r"
exhaustive: true
end: failed NoMatchingEdgeError at fetch
end: failed Error at fetch (fault)
end: completed at done
dead-end: a run gets stuck at `fetch`: it follows no edge from there [fetch]
worst: max_iterations (50)
",
    );
}

#[test]
fn a_text_is_never_true() {
    check_explore(
        of_cycgraph(
            r#"
id: texts
name: texts
start_node: judge
end_nodes: [yes, no]
nodes:
  - {id: judge, type: agent, agent_id: judge-text, write_keys: [approved]}
  - {id: yes, type: router}
  - {id: no, type: router}
edges:
  - {source: judge, target: yes, condition: {type: conditional, condition: "memory.approved == true"}}
  - {source: judge, target: no}
"#,
        ),
        r"
exhaustive: true
end: failed AgentExecutionError at judge (fault)
end: completed at no
unreached-node: no run visits `yes`
unreached-edge: no run follows the edge from `judge` to `yes`: its condition never holds
worst: 2 visits, 1 model calls
",
    );
}

#[test]
fn a_supervisor_chooses_among_its_nodes() {
    check_explore(
        of_cycgraph(
            r#"
id: team
name: team
start_node: lead
end_nodes: [done]
nodes:
  - {id: lead, type: supervisor, agent_id: leader, supervisor_config: {managed_nodes: [dig, build], max_iterations: 4}}
  - {id: dig, type: agent, agent_id: worker, write_keys: [hole]}
  - {id: build, type: agent, agent_id: worker, write_keys: [house], read_keys: [hole]}
  - {id: done, type: router}
edges:
  - {source: dig, target: lead}
  - {source: build, target: lead}
"#,
        ),
        r"
exhaustive: true
note: supervisor `lead` ends the run after 4 choices
end: completed at lead
end: failed AgentExecutionError at lead (fault)
end: failed AgentExecutionError at dig (fault)
end: failed AgentExecutionError at build (fault)
unreached-node: no run visits `done`
read-before-write: `build` can read `hole` before anything has written it [lead build]
worst: max_iterations (50)
",
    );
}

#[test]
fn a_verifier_decides_by_a_path() {
    check_explore(
        of_cycgraph(
            r#"
id: checks
name: checks
start_node: make
end_nodes: [good]
nodes:
  - {id: make, type: agent, agent_id: maker, write_keys: [report]}
  - {id: check, type: verifier, read_keys: [report], verifier_config: {type: jsonpath, target_key: report, path: $.total, assertion: {op: gt, value: 10}}}
  - {id: good, type: router}
edges:
  - {source: make, target: check}
  - {source: check, target: good, condition: {type: conditional, condition: "memory.check_verification_passed"}}
  - {source: check, target: make, condition: {type: conditional, condition: "not memory.check_verification_passed"}}
"#,
        ),
        r"
exhaustive: true
end: failed AgentExecutionError at make (fault)
end: completed at good
worst: max_iterations (50)
",
    );
}

#[test]
fn items_of_a_map() {
    check_explore(
        of_cycgraph(
            r#"
id: maps
name: maps
start_node: list
end_nodes: [all, some]
nodes:
  - {id: list, type: agent, agent_id: lister, write_keys: [items]}
  - {id: each, type: map, read_keys: [items], map_reduce_config: {worker_node_id: work, items_path: $.memory.items, error_strategy: best_effort}}
  - {id: work, type: agent, agent_id: worker, write_keys: [out]}
  - {id: all, type: router}
  - {id: some, type: router}
edges:
  - {source: list, target: each}
  - {source: each, target: all, condition: {type: conditional, condition: "memory.each_error_count == 0"}}
  - {source: each, target: some}
"#,
        ),
        r"
exhaustive: true
end: failed AgentExecutionError at list (fault)
end: completed at some
end: completed at all
worst: 3 visits, 4 model calls
",
    );
}

#[test]
fn a_condition_that_counts_visits() {
    check_explore(
        of_cycgraph(
            r#"
id: rounds
name: rounds
start_node: work
end_nodes: [done]
nodes:
  - {id: work, type: agent, agent_id: worker, write_keys: [out]}
  - {id: done, type: router}
edges:
  - {source: work, target: done, condition: {type: conditional, condition: "iteration_count >= 3"}}
  - {source: work, target: work}
"#,
        ),
        r"
exhaustive: true
end: failed AgentExecutionError at work (fault)
end: completed at done
worst: 4 visits, 3 model calls
",
    );
}

#[test]
fn what_is_not_varied_is_reported() {
    check_explore(
        of_cycgraph(
            r#"
id: costs
name: costs
start_node: work
end_nodes: [work]
nodes:
  - {id: work, type: agent, agent_id: worker, write_keys: [out]}
edges:
  - {source: work, target: work, condition: {type: conditional, condition: "total_cost_usd > 1"}}
"#,
        ),
        r"
exhaustive: false
gap: conditions read `total_cost_usd`, which the exploration does not vary
end: completed at work
end: failed AgentExecutionError at work (fault)
unreached-edge: no run evaluates the edge from `work` to `work`
worst: 1 visits, 1 model calls
",
    );
}

#[test]
fn swarms_hand_over() {
    check_explore(
        of_cycgraph(
            r#"
id: swarm
name: swarm
start_node: a
end_nodes: [z]
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: ["*"], swarm_config: {peer_nodes: [b], max_handoffs: 2}}
  - {id: b, type: agent, agent_id: two, write_keys: ["*"], swarm_config: {peer_nodes: [a], max_handoffs: 2}}
  - {id: z, type: router}
edges:
  - {source: a, target: z}
  - {source: b, target: z, condition: {type: conditional, condition: "memory.ready"}}
"#,
        ),
        r"
exhaustive: true
end: failed AgentExecutionError at a (fault)
end: completed at z
end: failed NoMatchingEdgeError at b
end: failed AgentExecutionError at b (fault)
dead-end: a run gets stuck at `b`: it follows no edge from there [a b]
worst: max_iterations (50)
",
    );
}

#[test]
fn a_router_chooses_and_a_branch_is_skipped() {
    check_explore(
        of_agentos(
            r#"
id: g
name: g
nodes:
  - {id: score, type: extension, executorConfig: {type: extension, extensionId: risk, methodName: rate}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: choose, type: router, executorConfig: {type: router, condition: {type: expression, expr: "scratch.risk > 5 ? 'high' : 'low'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
  - {id: high, type: gmi, executorConfig: {type: gmi, instructions: x}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: low, type: gmi, executorConfig: {type: gmi, instructions: x}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: never, type: gmi, executorConfig: {type: gmi, instructions: x}, executionMode: single_turn, effectClass: read, checkpoint: none}
edges:
  - {id: e1, source: __START__, target: score, type: static}
  - {id: e2, source: score, target: choose, type: static}
  - {id: e3, source: choose, target: high, type: static}
  - {id: e4, source: choose, target: low, type: static}
  - {id: e5, source: low, target: never, type: conditional, condition: {type: expression, expr: "scratch.risk > 5"}}
  - {id: e6, source: low, target: __END__, type: static}
  - {id: e7, source: high, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: snapshot
"#,
        ),
        r"
exhaustive: true
end: failed NODE_EXECUTION_FAILED at score (fault)
end: completed at low
end: failed NODE_EXECUTION_FAILED at low (fault)
end: completed at never
end: failed NODE_EXECUTION_FAILED at never (fault)
unreached-edge: no run follows the edge from `low` to `never`: its condition never holds
worst: 4 visits, 2 model calls
",
    );
}

#[test]
fn two_branches_write_one_key() {
    check_explore(
        of_agentos(
            r#"
id: g
name: g
nodes:
  - {id: a, type: extension, executorConfig: {type: extension, extensionId: x, methodName: y}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: b, type: extension, executorConfig: {type: extension, extensionId: x, methodName: y}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: c, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: block}, executionMode: single_turn, effectClass: read, checkpoint: none}
edges:
  - {id: e1, source: __START__, target: a, type: static}
  - {id: e2, source: __START__, target: b, type: static}
  - {id: e3, source: a, target: c, type: static}
  - {id: e4, source: b, target: c, type: static}
  - {id: e5, source: c, target: __END__, type: conditional, condition: {type: expression, expr: "scratch.ready == 'yes'"}}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: snapshot
"#,
        ),
        r"
exhaustive: true
end: failed NODE_EXECUTION_FAILED at b (fault)
end: completed at c
end: failed NODE_EXECUTION_FAILED at c
conflicting-writes: `a` and `b` can write `scratch.ready` at the same time [a b c]
worst: 3 visits, 0 model calls
",
    );
}

#[test]
fn tools_functions_and_errors() {
    check_explore(
        of_liman(
            r#"
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [find]
nodes:
  - {target: close, when: "status == 'done'"}
  - {target: apologise, when: "$is_error(TimeoutError)"}
  - {target: never, when: "status == 'done' and status == 'open'"}
---
kind: ToolNode
name: find
description: {en: finds}
func: lib.find
arguments: [{name: who, type: string, description: {en: who}}]
---
kind: LLMNode
name: close
prompts: {system: {en: Close.}}
---
kind: LLMNode
name: apologise
prompts: {system: {en: Sorry.}}
---
kind: LLMNode
name: never
prompts: {system: {en: Never.}}
"#,
        ),
        r"
exhaustive: true
end: completed at LLMNode/desk
end: failed Error at LLMNode/desk (fault)
end: completed at LLMNode/close
end: failed Error at LLMNode/close (fault)
end: failed TimeoutError at LLMNode/close (fault)
end: completed at LLMNode/apologise (fault)
end: failed Error at LLMNode/apologise (fault)
end: failed TimeoutError at LLMNode/apologise (fault)
unreached-node: no run visits `LLMNode/never`
unreached-edge: no run follows the edge from `LLMNode/desk` to `LLMNode/never`: its condition never holds
worst: max_iterations (50)
",
    );
}

#[test]
fn runs_by_chance_are_spread_by_the_seed() {
    let (run, guide) = of_cycgraph(
        r#"
id: coin
name: coin
start_node: throw
end_nodes: [heads, tails]
nodes:
  - {id: throw, type: agent, agent_id: thrower, write_keys: [side]}
  - {id: heads, type: router}
  - {id: tails, type: router}
edges:
  - {source: throw, target: heads, condition: {type: conditional, condition: "memory.side == \"heads\""}}
  - {source: throw, target: tails}
"#,
    );
    let drawn = |seed| {
        let mut counts = SampleCounts::new(guide.as_ref());
        for number in 0..300 {
            let (played, outcome) = by_chance(run.as_ref(), guide.as_ref(), seed_of_run(seed, number));
            counts.add(number, played.as_ref(), &outcome);
        }
        counts.sample()
    };
    let found = drawn(7);
    let ended: u32 = found.outcomes.iter().map(|(_, count)| count).sum();
    let gone: u32 = found.paths.iter().map(|(_, count)| count).sum();
    assert_eq!((found.runs, ended, gone), (300, 300, 300));
    assert_eq!(found.paths.len(), 3, "heads, tails, and a thrower who fails: {:?}", found.paths);
    assert!(found.paths.iter().all(|(_, count)| (60..=140).contains(count)), "{:?}", found.paths);
    assert_eq!(found, drawn(7), "a seed decides everything");
    assert_ne!(found.paths, drawn(8).paths);
}

#[test]
fn bounds_are_reported() {
    let (run, guide) = of_cycgraph(
        r#"
id: wide
name: wide
start_node: a
end_nodes: [b]
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: [x, y]}
  - {id: b, type: router}
edges:
  - {source: a, target: b, condition: {type: conditional, condition: "memory.x == \"1\" and memory.y == \"2\""}}
"#,
    );
    let explored =
        |bounds: ExplorationBounds| explore(run.as_ref(), guide.as_ref(), &bounds, &OneThread, &mut || true);
    assert!(explored(ExplorationBounds::default()).is_exhaustive);
    let few = explored(ExplorationBounds { alternatives: 2, ..ExplorationBounds::default() });
    assert_eq!(
        few.gaps,
        ["the answers to node `a` have more than 2 combinations; each value was tried at least once"]
    );
    let narrow = explored(ExplorationBounds { states: 2, ..ExplorationBounds::default() });
    assert_eq!(narrow.gaps, ["there are more than 2 states"]);
    let stopped =
        explore(run.as_ref(), guide.as_ref(), &ExplorationBounds::default(), &OneThread, &mut || false);
    assert_eq!(stopped.gaps, ["the exploration was stopped"]);
    assert!(!few.is_exhaustive && !narrow.is_exhaustive && !stopped.is_exhaustive);
}

#[test]
fn a_tool_returns_to_the_node_that_called_it() {
    check_explore(
        of_liman(
            r#"
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [find]
nodes:
  - {target: second}
  - {target: third, when: "status == 'done'"}
---
kind: ToolNode
name: find
description: {en: finds}
func: lib.find
arguments: [{name: who, type: string, description: {en: who}}]
---
kind: LLMNode
name: second
prompts: {system: {en: Help more.}}
tools: [find]
nodes:
  - {target: last, when: "$is_error(KeyError)"}
---
kind: LLMNode
name: third
prompts: {system: {en: Third.}}
---
kind: LLMNode
name: last
prompts: {system: {en: Last.}}
"#,
        ),
        r"
exhaustive: true
end: failed Error at LLMNode/desk (fault)
end: failed KeyError at LLMNode/desk (fault)
end: completed at LLMNode/second
end: failed Error at LLMNode/second (fault)
end: completed at LLMNode/third
end: failed Error at LLMNode/third (fault)
end: completed at LLMNode/last (fault)
end: failed Error at LLMNode/last (fault)
end: failed KeyError at LLMNode/last (fault)
worst: max_iterations (50)
",
    );
}
