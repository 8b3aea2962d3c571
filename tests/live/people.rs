//! What people decide, later and elsewhere.

use crate::place::{Place, check_replay, has_python};

const FLOW: &str = "#- nodewise.toml
[live]
tools.pay = { function = \"shop.pay\" }
#- shop.py
def pay(**state):
    return 'paid'
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: ask, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Pay it?', rejection_node_id: refuse}}
  - {id: pay, type: tool, tool_id: pay, tools: [pay], read_keys: ['*'], write_keys: ['*']}
  - {id: refuse, type: router}
edges: [{source: ask, target: pay}]
start_node: ask
end_nodes: [pay, refuse]
";

#[test]
fn a_run_waits_until_somebody_decides() {
    if !has_python() {
        return;
    }
    for (decision, node, other) in [("--approve", "pay", "refuse"), ("--reject", "refuse", "pay")] {
        let place = Place::new(FLOW);
        let waiting = place.run(&["run", "flow.yaml", "--trust"]);
        assert_eq!(waiting.code, Some(1), "{waiting:?}");
        assert!(waiting.err.contains("waits for a decision at `ask`"), "{}", waiting.err);
        assert!(waiting.err.contains("--approve"), "{}", waiting.err);
        let still = place.run(&["resume", "--trust"]);
        assert_eq!(still.code, Some(1), "nobody decided: {still:?}");
        let wrong = place.run(&["resume", "--trust", "--approve", "pay"]);
        assert!(wrong.err.contains("the run is not waiting for a decision at `pay`"), "{}", wrong.err);
        let done = place.run(&["resume", "--trust", decision, "--format", "json"]).well();
        assert!(done.out.contains(&format!("\"node\":\"{node}\"")), "{}", done.out);
        assert!(
            !done.out.contains(&format!("\"visit-started\",\"visit\":1,\"scope\":0,\"node\":\"{other}\""))
        );
        check_replay(&place, &done.out);
        let over = place.run(&["resume", "--trust"]);
        assert_eq!(over.code, Some(2), "{over:?}");
        assert!(over.err.contains("has ended: completed"), "{}", over.err);
    }
}

#[test]
fn nothing_starts_that_nobody_allowed() {
    let place = Place::new(FLOW);
    let refused = place.run(&["run", "flow.yaml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("you have not allowed yet"), "{}", refused.err);
    assert!(refused.err.contains("shop.pay"), "{}", refused.err);
    assert!(!place.path().join(".nodewise").exists(), "a run that is not allowed leaves nothing");
    let dry = place.run(&["run", "flow.yaml", "--dry-run"]).well();
    assert!(dry.out.contains("Python functions: python3"), "{}", dry.out);
    let former = place.run(&["run", "flow.yaml", "--dry"]).well();
    assert_eq!(former.out, dry.out);
}
