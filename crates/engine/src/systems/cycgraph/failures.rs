//! The errors of a run (cycgraph:6.22): classes and texts as in the release. In: what went wrong; out: failures.
//! Invariant: a failure that is lasting here ends the attempts of a node at once.

use smol_str::{SmolStr, format_smolstr};

use super::host::OutOfBounds;
use super::interface::InterfaceMismatch;
use crate::ask::RemoteReply;
use crate::outcome::Failure;

/// The class of failures that end a run although no error is thrown.
pub const NOT_THROWN: &str = "RunFailed";
/// The class of errors that have no class of their own.
pub(crate) const PLAIN: &str = "Error";

/// A setting of a node is missing.
pub(crate) fn node_config(kind: &str, node: &str, lacks: &str) -> Failure {
    Failure::lasting("NodeConfigError", format_smolstr!("{kind} node \"{node}\" is missing {lacks}"))
}

/// No executor runs nodes of this type.
pub(crate) fn unsupported(type_word: &str) -> Failure {
    Failure::new("UnsupportedNodeTypeError", format_smolstr!("Unsupported node type: {type_word}"))
}

/// No edge leads on.
pub(crate) fn no_matching_edge(node: &str) -> Failure {
    Failure::new(
        "NoMatchingEdgeError",
        format_smolstr!(
            "Node '{node}' is not an end node and has no outgoing edge whose condition matched — execution cannot \
             proceed. Check the node's edge conditions, or add it to end_nodes if it is meant to terminate."
        ),
    )
}

/// A person approved, and no edge leads on.
pub(crate) fn approved_without_edge(node: &str) -> SmolStr {
    format_smolstr!(
        "Approval node '{node}' was approved but has no outgoing edge whose condition matched and is not an end \
         node — execution cannot proceed. Check the node's edge conditions, or add it to end_nodes if approval is \
         meant to complete the run."
    )
}

/// The run took too long.
pub(crate) fn workflow_timeout(workflow: &str, run: &str, elapsed_ms: u64) -> Failure {
    Failure::new(
        "WorkflowTimeoutError",
        format_smolstr!("Workflow {workflow} (run {run}) timed out after {elapsed_ms}ms"),
    )
}

/// A node took too long.
pub(crate) fn node_timeout(node: &str, timeout_ms: u64) -> Failure {
    Failure::new(PLAIN, format_smolstr!("Node {node} timeout after {timeout_ms}ms"))
}

/// A node failed too often, and is not tried for a while.
pub(crate) fn breaker_open(node: &str) -> Failure {
    Failure::lasting("CircuitBreakerOpenError", format_smolstr!("Circuit breaker open for node {node}"))
}

/// A node wrote a key that it may not write.
pub(crate) fn permission_denied(node: &str) -> Failure {
    Failure::new("PermissionDeniedError", format_smolstr!("Node {node} tried to write to unauthorized keys"))
}

/// The host has no agent with this id.
pub(crate) fn agent_not_found(agent: &str) -> Failure {
    Failure::new("AgentNotFoundError", format_smolstr!("Agent not found: {agent}"))
}

/// The settings of an agent are invalid. The text is the release's, which lists the problems as JSON.
pub(crate) fn agent_not_loaded(agent: &str, issues: &[OutOfBounds]) -> Failure {
    let issue = |issue: &OutOfBounds| {
        let (code, edge, words, sign) = match issue.is_more {
            true => ("too_big", "maximum", "Too big", "<="),
            false => ("too_small", "minimum", "Too small", ">="),
        };
        let (setting, bound) = (issue.setting, number(issue.bound));
        format!(
            "  {{\n    \"origin\": \"number\",\n    \"code\": \"{code}\",\n    \"{edge}\": {bound},\n    \
             \"inclusive\": true,\n    \"path\": [\n      \"{setting}\"\n    ],\n    \
             \"message\": \"{words}: expected number to be {sign}{bound}\"\n  }}"
        )
    };
    let issues: Vec<String> = issues.iter().map(issue).collect();
    Failure {
        cause: Some("ZodError".into()),
        ..Failure::new(
            "AgentLoadError",
            format_smolstr!("Failed to load agent {agent}: [\n{}\n]", issues.join(",\n")),
        )
    }
}

/// An agent took too long.
pub(crate) fn agent_timeout(agent: &str, timeout_ms: u64) -> Failure {
    Failure::new("AgentTimeoutError", format_smolstr!("Agent {agent} timed out after {timeout_ms}ms"))
}

/// A call of an agent's model failed.
pub(crate) fn agent_execution(agent: &str, cause: &Failure) -> Failure {
    Failure {
        class: "AgentExecutionError".into(),
        message: format_smolstr!("Agent {agent} execution failed: {}", cause.message),
        retryable: cause.retryable,
        cause: Some(cause.class.clone()),
    }
}

/// A model's answer has another shape than the question wants.
pub(crate) fn no_object(agent: &str) -> Failure {
    let cause =
        Failure::new("AI_NoObjectGeneratedError", "No object generated: response did not match schema.");
    agent_execution(agent, &cause)
}

/// A model's answer is not JSON, although the question wants JSON.
pub(crate) fn not_parsed(agent: &str) -> Failure {
    let cause =
        Failure::new("AI_NoObjectGeneratedError", "No object generated: could not parse the response.");
    agent_execution(agent, &cause)
}

/// The host cannot write to long-term memory.
pub(crate) fn memory_writer_missing(node: &str) -> Failure {
    Failure::new(
        "MemoryWriterMissingError",
        format_smolstr!(
            "Reflection node \"{node}\" requires a memoryWriter on GraphRunnerOptions but none was provided"
        ),
    )
}

/// An inner graph did not complete.
pub(crate) fn subgraph_incomplete(graph: &str, status: &str) -> Failure {
    Failure::new(
        "SubgraphIncompleteError",
        format_smolstr!("Subgraph \"{graph}\" did not complete (status: {status})"),
    )
}

/// A value that enters or leaves an inner graph does not fit its declaration.
pub(crate) fn subgraph_interface(graph: &str, direction: &str, mismatch: &InterfaceMismatch) -> Failure {
    Failure::lasting(
        "SubgraphInterfaceError",
        format_smolstr!(
            "Subgraph \"{graph}\" {direction} \"{}\" violates the declared interface: {}",
            mismatch.key,
            mismatch.fault
        ),
    )
}

/// A remote agent did not complete its task.
pub(crate) fn remote_task(server: &str, reply: &RemoteReply) -> Failure {
    let (task, state) = (&reply.task, &reply.state);
    let detail = reply.message.as_ref().filter(|message| !message.is_empty());
    let detail = detail.map(|message| format!(": {message}")).unwrap_or_default();
    Failure {
        retryable: !matches!(state.as_str(), "rejected" | "auth-required"),
        ..Failure::new(
            "A2ATaskFailedError",
            format_smolstr!("A2A task {task} on server \"{server}\" ended in state \"{state}\"{detail}"),
        )
    }
}

/// The release does something here that nodewise does not simulate.
pub(crate) fn not_simulated(node: &str, fact: &str) -> Failure {
    Failure::lasting("NotSimulated", format_smolstr!("node \"{node}\": {fact}"))
}

/// A model called tools although the question wants a value.
pub(crate) fn no_output(agent: &str) -> Failure {
    agent_execution(agent, &Failure::new("AI_NoOutputGeneratedError", "No output generated."))
}

/// The host does not register this tool.
pub(crate) fn tool_not_registered(tool: &str) -> Failure {
    Failure::new(
        "ToolNotRegisteredError",
        format_smolstr!(
            "Custom tool \"{tool}\" is not registered — add its defineTool() result to GraphRunnerOptions.tools"
        ),
    )
}

/// A visit used more than the budget of its node.
pub(crate) fn node_budget(node: &str, limit: &str, unit: &str, used: f64, cap: f64) -> Failure {
    let (used, cap) = (number(used), number(cap));
    Failure::new(
        "NodeBudgetExceededError",
        format_smolstr!("Node \"{node}\" exceeded {limit}: used {used} {unit}, cap was {cap} {unit}"),
    )
}

/// A run used more than its budget. The text says "tokens" even for money.
pub(crate) fn budget(used: f64, budget: f64) -> Failure {
    let (used, budget) = (number(used), number(budget));
    Failure::new(
        "BudgetExceededError",
        format_smolstr!("Token budget exceeded: {used} tokens used, budget was {budget}"),
    )
}

/// The security policy blocks a node.
pub(crate) fn policy_violation(node: &str, reason: Option<&SmolStr>) -> Failure {
    let reason = reason.cloned().unwrap_or_else(|| {
        format_smolstr!(
            "Blocked by security policy: untrusted data reaching a sensitive action at node \"{node}\""
        )
    });
    Failure::new("SecurityPolicyViolationError", reason)
}

/// A supervisor cannot choose.
pub(crate) fn supervisor_config(node: &str, fact: &str) -> Failure {
    Failure::new("SupervisorConfigError", format_smolstr!("Supervisor config error ({node}): {fact}"))
}

/// A supervisor chose a node that it does not manage.
pub(crate) fn supervisor_routing(node: &str, chosen: &str, managed: &[SmolStr]) -> Failure {
    let managed = managed.join(", ");
    Failure::new(
        "SupervisorRoutingError",
        format_smolstr!(
            "Supervisor \"{node}\" tried to route to \"{chosen}\" which is not in managed_nodes: [{managed}]"
        ),
    )
}

/// A number as JavaScript prints it.
pub(crate) fn number(number: f64) -> String {
    nodewise_expr::javascript::number_to_text(number)
}
