//! Sessions as transcripts: what a user does, and what the editor shows.

use crate::support::check_debug;

pub(crate) const LOOP: &str = r#"
#- /flow.yaml
id: flow
name: Flow
description: A draft is scored until it is good.
nodes:
  - {id: write, type: agent, agent_id: writer, read_keys: [score_result], write_keys: [draft]}
  - {id: score, type: tool, tool_id: rate, tools: [rate], read_keys: [draft]}
  - {id: send, type: tool, tool_id: post, tools: [post], read_keys: [draft]}
edges:
  - {id: rated, source: write, target: score}
  - {id: weak, source: score, target: write, condition: {type: conditional, condition: memory.score_result < 5}}
  - {id: good, source: score, target: send, condition: {type: conditional, condition: memory.score_result >= 5}}
start_node: write
end_nodes: [send]
#- /flow.scenario.yaml
scenario: The third draft is sent.
file: flow.yaml
agents: {writer: [first, second, third]}
tools:
  rate: [{value: 1, after: 40}, {value: 2, after: 40}, {value: 8, after: 40}]
  post: {value: sent}
"#;

const AGENTOS: &str = r#"
#- /desk.yaml
id: desk
name: desk
nodes:
  - {id: sort, type: tool, executorConfig: {type: tool, toolName: sort, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: left, type: tool, executorConfig: {type: tool, toolName: left, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: right, type: tool, executorConfig: {type: tool, toolName: right, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none}
edges:
  - {id: in, source: __START__, target: sort, type: static}
  - {id: to-left, source: sort, target: left, type: static}
  - {id: to-right, source: sort, target: right, type: static}
  - {id: from-left, source: left, target: __END__, type: static}
  - {id: from-right, source: right, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
#- /desk.scenario.yaml
scenario: Two sides.
file: desk.yaml
nodes: {sort: {value: {a: 1}}, left: {value: {b: 2}, after: 40}, right: {value: {c: 3}, after: 20}}
"#;

const LIMAN: &str = r#"
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
nodes:
  - {target: close, when: customer.known and $now() < 10}
  - {target: ask, when: not customer.known}
---
kind: Node
name: close
func: desk.close
---
kind: Node
name: ask
func: desk.ask
#- /desk.scenario.yaml
scenario: A known customer.
file: desk.yaml
start: desk
turns: [{input: hello, context: {customer: {known: true}}}]
nodes: {desk: [Hello Ada.]}
functions: {close: {value: closed}}
"#;

const LAUNCH: &str = r#"launch {"program": "flow.scenario.yaml"}"#;

#[test]
fn conditions_hit_counts_and_steps() {
    check_debug(
        LOOP,
        &format!(
            r#"{LAUNCH}
            setBreakpoints {{"source": {{"path": "/project/flow.yaml"}}, "breakpoints": [{{"line": 6, "hitCondition": ">1"}}, {{"line": 10, "condition": "memory.score_result == 2"}}, {{"line": 12, "condition": "memory.("}}]}}
            configurationDone
            stack
            scope State
            continue
            continue
            next
            stepBack
            reverseContinue
            reverseContinue
            reverseContinue"#
        ),
        r##"
> launch {"program": "flow.scenario.yaml"}
  | note: the agent `writer` is not declared; it runs without tools and limits
  initialized
> setBreakpoints {"source": {"path": "/project/flow.yaml"}, "breakpoints": [{"line": 6, "hitCondition": ">1"}, {"line": 10, "condition": "memory.score_result == 2"}, {"line": 12, "condition": "memory.("}]}
  breakpoint 1 at line 6
  breakpoint 2 at line 10
  unverified: nothing follows `(` (column 9)
> configurationDone
  |       0 ms  write
  |       0 ms  score
  |      40 ms  write
  |      40 ms  score
  breakpoint: score: breakpoint, hit 2
> stack
  score flow.yaml:6
  graph Flow flow.yaml:1
> scope State
  draft = "second"
  score_result = 1
> continue
  breakpoint: score: -> write when memory.score_result < 5: breakpoint, hit 1
> continue
  |      80 ms  write
  |      80 ms  score
  breakpoint: score: breakpoint, hit 3
> next
  step: score: -x write when memory.score_result < 5
> stepBack
  breakpoint: score: breakpoint, hit 3
> reverseContinue
  breakpoint: score: -> write when memory.score_result < 5: breakpoint, hit 1
> reverseContinue
  breakpoint: score: breakpoint, hit 2
> reverseContinue
  entry: graph Flow begins: the beginning
"##,
    );
}

#[test]
fn into_questions_and_conditions() {
    check_debug(
        LOOP,
        &format!(
            r#"{LAUNCH}
            setFunctionBreakpoints {{"breakpoints": [{{"name": "scor"}}, {{"name": "Flow/score"}}, {{"name": "agent:nobody"}}]}}
            configurationDone
            stepIn
            scope Question
            stepIn
            scope Answer
            stepIn
            scope Changes
            stepOut
            stepIn
            stack
            stepIn
            stepIn
            stack
            stepBack
            next
            scope Edges
            stepOut"#
        ),
        r##"
> launch {"program": "flow.scenario.yaml"}
  | note: the agent `writer` is not declared; it runs without tools and limits
  initialized
> setFunctionBreakpoints {"breakpoints": [{"name": "scor"}, {"name": "Flow/score"}, {"name": "agent:nobody"}]}
  unverified: no node is named `scor`; did you mean `score`?
  breakpoint 1 at line 6
  breakpoint 2 at line null
> configurationDone
  |       0 ms  write
  |       0 ms  score
  function breakpoint: score: breakpoint, hit 1
> stepIn
  step: score: asks tool rate
> scope Question
  of = "tool"
  tool = "rate"
  arguments = {draft: "first"}
> stepIn
  step: score: answer of tool rate
> scope Answer
  answer = 1
  after = 40
> stepIn
  step: score: wrote `score_result`
> scope Changes
  score_result = undefined → 1
> stepOut
  step: score: ended
> stepIn
  step: score: -> write when memory.score_result < 5
> stack
  -> write when memory.score_result < 5 flow.yaml:10
  score flow.yaml:6
  graph Flow flow.yaml:1
> stepIn
  step: score: memory.score_result = 1
> stepIn
  |      40 ms  write
  step: write
> stack
  write flow.yaml:5
  graph Flow flow.yaml:1
> stepBack
  step: score: -> write when memory.score_result < 5
> next
  step: write
> scope Edges
> stepOut
  step: write: ended
"##,
    );
}

#[test]
fn another_answer_is_a_branch() {
    check_debug(
        LOOP,
        &format!(
            r#"{LAUNCH}
            setFunctionBreakpoints {{"breakpoints": [{{"name": "tool:rate"}}]}}
            configurationDone
            set 3
            continue
            stack
            eval .branches
            eval .branch 0
            continue
            continue
            eval memory.score_result
            eval .answer {{"failure": {{"class": "Broken", "message": "no", "retryable": false}}}}
            eval .branch 7"#
        ),
        r##"
> launch {"program": "flow.scenario.yaml"}
  | note: the agent `writer` is not declared; it runs without tools and limits
  initialized
> setFunctionBreakpoints {"breakpoints": [{"name": "tool:rate"}]}
  breakpoint 1 at line null
> configurationDone
  |       0 ms  write
  |       0 ms  score
  function breakpoint: score: asks tool rate: breakpoint, hit 1
> set 3
  invalidated
> continue
  |      40 ms  write
  |      40 ms  score
  function breakpoint: score: asks tool rate: breakpoint, hit 2
> stack
  asks tool rate flow.yaml:6
  score flow.yaml:6
  graph Flow flow.yaml:1
> eval .branches
    0  as scripted
  * 1  score: answer of tool rate at 40 ms: 3
> eval .branch 0
  invalidated
  goto: score: asks tool rate
> continue
  function breakpoint: score: asks tool rate: breakpoint, hit 2
> continue
  |      80 ms  write
  |      80 ms  score
  function breakpoint: score: asks tool rate: breakpoint, hit 3
> eval memory.score_result
  2
> eval .answer {"failure": {"class": "Broken", "message": "no", "retryable": false}}
  a new branch begins here
  invalidated
> eval .branch 7
  badExpression: there is no branch `7`: `.branches` lists them
"##,
    );
}

#[test]
fn messages_data_and_goto() {
    check_debug(
        LOOP,
        &format!(
            r#"{LAUNCH}
            setBreakpoints {{"source": {{"path": "/project/flow.yaml"}}, "breakpoints": [{{"line": 10, "logMessage": "score {{memory.score_result}}, \\{{{{memory.draft}}"}}]}}
            setDataBreakpoints {{"breakpoints": [{{"dataId": "state:flow:score_result"}}, {{"dataId": "nothing"}}]}}
            configurationDone
            continue
            gotoTargets {{"source": {{"path": "/project/flow.yaml"}}, "line": 5}}
            goto {{"threadId": 1, "targetId": 6}}
            setDataBreakpoints {{"breakpoints": [{{"dataId": "state:flow:draft", "accessType": "read"}}]}}
            continue
            setDataBreakpoints {{}}
            continue
            eval .back
            eval .back in
            eval .rc
            eval .at 3
            continue
            continue"#
        ),
        r##"
> launch {"program": "flow.scenario.yaml"}
  | note: the agent `writer` is not declared; it runs without tools and limits
  initialized
> setBreakpoints {"source": {"path": "/project/flow.yaml"}, "breakpoints": [{"line": 10, "logMessage": "score {memory.score_result}, \\{{memory.draft}"}]}
  breakpoint 1 at line 10
> setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:score_result"}, {"dataId": "nothing"}]}
  breakpoint 2 at line null
  unverified: `nothing` is not the id of a part of the state
> configurationDone
  |       0 ms  write
  |       0 ms  score
  data breakpoint: score: wrote `score_result`, undefined → 1: breakpoint, hit 1
> continue
  |      40 ms  write
  |      40 ms  score
  | score 1, {first
  data breakpoint: score: wrote `score_result`, 1 → 2: breakpoint, hit 2
> gotoTargets {"source": {"path": "/project/flow.yaml"}, "line": 5}
  70 visit 3, 80 ms
  38 visit 2, 40 ms
  6 visit 1, 0 ms
> goto {"threadId": 1, "targetId": 6}
  goto: write
> setDataBreakpoints {"breakpoints": [{"dataId": "state:flow:draft", "accessType": "read"}]}
  breakpoint 4 at line null
> continue
  data breakpoint: score: breakpoint, hit 1
> setDataBreakpoints {}
> continue
  |      80 ms  write
  |      80 ms  score
  |     120 ms  send
  | score 1, {first
  | score 2, {second
  | score 8, {third
  end: completed
> eval .back
  step: send
> eval .back in
  step: score: -> send when memory.score_result >= 5
> eval .rc
  entry: graph Flow begins: the beginning
> eval .at 3
  goto: graph Flow: state:persisted
> continue
  | score 1, {first
  | score 2, {second
  | score 8, {third
  end: completed
> continue
  exited 0
  terminated
"##,
    );
}

#[test]
fn failures_and_the_console() {
    let broken = LOOP.replace(
        "{value: 1, after: 40}, {value: 2, after: 40}, {value: 8, after: 40}",
        "{error: No rating.}",
    );
    check_debug(
        &broken,
        &format!(
            r#"{LAUNCH}
            setExceptionBreakpoints {{"filters": ["run-failed", "node-failed", "none"], "filterOptions": [{{"filterId": "retried", "condition": "Other"}}]}}
            configurationDone
            eval .explain
            continue
            scope Result
            stepBack
            eval .state
            eval .help
            eval .break send if memory.draft ==
            eval .break send
            eval memory.draft
            restart"#
        ),
        r##"
> launch {"program": "flow.scenario.yaml"}
  | note: the agent `writer` is not declared; it runs without tools and limits
  initialized
> setExceptionBreakpoints {"filters": ["run-failed", "node-failed", "none"], "filterOptions": [{"filterId": "retried", "condition": "Other"}]}
  breakpoint 1 at line null
  breakpoint 2 at line null
  unverified: no exception filter is called `none`
  breakpoint 3 at line null
> configurationDone
  |       0 ms  write
  |       0 ms  score
  exception: score: failed with ScriptExhausted: the script has no answer left for the tool `rate`, which node `score` asks
> eval .explain
  score: failed with ScriptExhausted: the script has no answer left for the tool `rate`, which node `score` asks
> continue
  exception: failed: ScriptExhausted: the script has no answer left for the tool `rate`, which node `score` asks
> scope Result
  status = "failed"
  failure = "ScriptExhausted: the script has no answer left for the tool `rate`, which node `score` asks"
  output = {memory: {draft: "first"}, goal: "", constraints: [], status: "failed", current_node: "score", iteration_count: 1, max_iterations: 50, visited_nodes: ["write", …
> stepBack
  exception: score: failed with ScriptExhausted: the script has no answer left for the tool `rate`, which node `score` asks
> eval .state
  draft = "first"
> eval .help
  .help                        list the commands
  .state                       show the state
  .explain                     show what happens here: the whole question, or the parts of the condition
  .back [in]                   step back; `in`: also into questions and conditions
  .rc                          continue backwards to the breakpoint before
  .at EVENT                    go to an event by its number
  .answer TEXT|JSON            give another answer to the question here, as a new run
  .decide WORD                 decide what the run waits for; a simulation continues as a new run
  .branches                    list the branches
  .branch NUMBER               continue with another branch
  .scenario FILE               save the run as a scenario for `nodewise test`
  .trace FILE                  save the trace of the run as JSON
  .break NAME [if CONDITION]   stop at a node, an edge, a graph, `agent:NAME` or `tool:NAME`
> eval .break send if memory.draft ==
  badExpression: nothing follows `==` (column 16)
> eval .break send
  stops at `send`
> eval memory.draft
  "first"
> restart
  breakpoint
  | note: the agent `writer` is not declared; it runs without tools and limits
  |       0 ms  write
  |       0 ms  score
  exception: score: failed with ScriptExhausted: the script has no answer left for the tool `rate`, which node `score` asks
"##,
    );
}

#[test]
fn lanes_are_threads() {
    check_debug(
        AGENTOS,
        r#"launch {"program": "desk.scenario.yaml", "timeline": "full"}
        setBreakpoints {"source": {"path": "/project/desk.yaml"}, "breakpoints": [{"line": 5}]}
        configurationDone
        stack
        next
        stepIn
        stepBack"#,
        r##"
> launch {"program": "desk.scenario.yaml", "timeline": "full"}
  initialized
> setBreakpoints {"source": {"path": "/project/desk.yaml"}, "breakpoints": [{"line": 5}]}
  breakpoint 1 at line 5
> configurationDone
  |       0 ms  graph desk begins
  |       0 ms  sort
  |       0 ms  sort: asks tool sort
  |       0 ms  sort: answer of tool sort
  |       0 ms  sort: wrote `artifacts.sort`
  |       0 ms  sort: ended
  |       0 ms  sort: -> left
  |       0 ms  sort: -> right
  |       0 ms  left
  breakpoint: left: breakpoint, hit 1
> stack
  left desk.yaml:5
  graph desk desk.yaml:1
> next
  |       0 ms  right
  |       0 ms  left: asks tool left
  |       0 ms  right: asks tool right
  |      20 ms  right: answer of tool right
  |      20 ms  right: wrote `artifacts.right`
  |      20 ms  right: ended
  |      20 ms  right: -> __END__
  |      40 ms  left: answer of tool left
  |      40 ms  left: wrote `artifacts.left`
  |      40 ms  left: ended
  |      40 ms  left: -> __END__
  step: left: -> __END__
> stepIn
  |      40 ms  graph desk: wrote `artifacts.right`
  step: graph desk: wrote `artifacts.right`
> stepBack
  step: left: -> __END__
"##,
    );
}

#[test]
fn the_language_is_that_of_the_graph() {
    check_debug(
        LIMAN,
        r#"launch {"program": "desk.scenario.yaml", "stopOnEntry": true}
        setFunctionBreakpoints {"breakpoints": [{"name": "close", "condition": "customer.known"}]}
        configurationDone
        continue
        eval customer.known
        eval customer.nothing
        stepBack
        stack"#,
        r##"
> launch {"program": "desk.scenario.yaml", "stopOnEntry": true}
  initialized
> setFunctionBreakpoints {"breakpoints": [{"name": "close", "condition": "customer.known"}]}
  breakpoint 1 at line 9
> configurationDone
  entry: agent of `LLMNode/desk` begins: the beginning
> continue
  |       0 ms  desk
  |       0 ms  close
  function breakpoint: close: breakpoint, hit 1
> eval customer.known
  true
> eval customer.nothing
  badExpression: `customer.nothing` is a function of the program, which is not called here
> stepBack
  step: desk: -x Node/ask when not customer.known
> stack
  -x Node/ask when not customer.known desk.yaml:6
  desk desk.yaml:2
  agent of `LLMNode/desk` -:0
"##,
    );
}
