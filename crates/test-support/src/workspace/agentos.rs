//! An AgentOS file of a project of any size: a compiled graph with the nodes, policies and routing that programs
//! write. Every name resolves within the project; every second graph runs
//! another file's, which runs none.

/// The text of file `number` of `count`.
pub fn graph(number: usize, count: usize, team: &str) -> String {
    let history = history(number, count);
    format!(
        "\
# Team {team}: flow {number}
id: graph-flow-{number}
name: flow-{number}
nodes:
  - id: score
    type: extension
    executorConfig: {{type: extension, extensionId: com.acme.{team}, method: score}}
    executionMode: single_turn
    effectClass: read
    timeout: 10000
    retryPolicy: {{maxAttempts: 3, backoff: exponential, backoffMs: 200}}
    checkpoint: none
  - id: lane
    type: router
    executorConfig:
      type: router
      condition: {{type: expression, expr: \"scratch.risk >= 0.{number} ? 'review' : 'history'\"}}
    executionMode: single_turn
    effectClass: pure
    checkpoint: none
  - id: review
    type: human
    executorConfig: {{type: human, prompt: Pay request {number}?}}
    executionMode: single_turn
    effectClass: human
    checkpoint: after
  - id: history
    {history}
    executionMode: single_turn
    effectClass: read
    checkpoint: none
  - id: answer
    type: gmi
    executorConfig: {{type: gmi, instructions: Answer for {team}., maxInternalIterations: 3}}
    executionMode: react_bounded
    effectClass: read
    checkpoint: none
  - id: mail
    type: tool
    executorConfig: {{type: tool, toolName: mail_send, args: {{folder: {team}}}}}
    executionMode: single_turn
    effectClass: external
    checkpoint: none
edges:
  - {{id: e1, source: __START__, target: score, type: static}}
  - {{id: e2, source: score, target: lane, type: static}}
  - {{id: e3, source: lane, target: review, type: static}}
  - {{id: e4, source: lane, target: history, type: static}}
  - {{id: e5, source: __START__, target: answer, type: static}}
  - {{id: e6, source: answer, target: mail, type: conditional, condition: {{type: expression, expr: \"input.urgent == true\"}}}}
  - {{id: e7, source: review, target: __END__, type: static}}
  - {{id: e8, source: history, target: __END__, type: static}}
  - {{id: e9, source: mail, target: __END__, type: static}}
stateSchema:
  input: {{type: object, properties: {{urgent: {{type: boolean}}, risk: {{type: number}}}}}}
  scratch: {{type: object, properties: {{risk: {{type: number}}, history: {{type: string}}}}}}
  artifacts: {{}}
reducers: {{scratch.risk: max}}
checkpointPolicy: every_node
memoryConsistency: snapshot
"
    )
}

/// A node that calls the graph of another file, or an extension.
fn history(number: usize, count: usize) -> String {
    let called = (number * 13 + 5) % count;
    if number.is_multiple_of(2) && called % 2 == 1 {
        format!(
            "type: subgraph
    executorConfig: {{type: subgraph, graphId: graph-flow-{called}, inputMapping: {{risk: risk}}, outputMapping: {{answer: history}}}}"
        )
    } else {
        "type: extension
    executorConfig: {type: extension, extensionId: com.acme.history, method: read}"
            .to_owned()
    }
}
