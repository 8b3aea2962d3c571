//! The fields of a run's state, for the expressions that read it.
//!
//! Input: none; output: a table. Invariant: each name occurs once, and the fields that a verifier can read are marked.

/// The field with the values that nodes share, by key.
pub const MEMORY: &str = "memory";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateField {
    pub name: &'static str,
    /// What the field contains.
    pub doc: &'static str,
    /// Whether the expression of a verifier can read it too.
    pub in_verifier: bool,
}

/// Every field of the state. Those that conditions are written for come first.
pub fn state_fields() -> &'static [StateField] {
    FIELDS
}

/// Whether the state has a field with this name.
pub(super) fn is_field(name: &str) -> bool {
    FIELDS.iter().any(|field| field.name == name)
}

/// Whether a verifier can read a field with this name.
pub(super) fn is_verifier_field(name: &str) -> bool {
    FIELDS.iter().any(|field| field.in_verifier && field.name == name)
}

const fn field(name: &'static str, doc: &'static str) -> StateField {
    StateField { name, doc, in_verifier: false }
}

const fn shared(name: &'static str, doc: &'static str) -> StateField {
    StateField { name, doc, in_verifier: true }
}

static FIELDS: &[StateField] = &[
    shared(MEMORY, "What the nodes have written, by key. A verifier sees the keys that its node may read."),
    shared("goal", "What the run is to achieve, as a text."),
    field("constraints", "What the run must keep to: a list of texts."),
    field(
        "status",
        "Where the run stands: `pending`, `scheduled`, `running`, `waiting`, `retrying`, `completed`, `failed`, \
         `cancelled` or `timeout`.",
    ),
    field("current_node", "The id of the node that runs or has just run."),
    field("iteration_count", "How many nodes have been visited so far."),
    field("max_iterations", "How many visits the run may take; 50 unless the run says otherwise."),
    field("visited_nodes", "The ids of the nodes in the order of their visits: the last 1000."),
    field("tainted", "Whether any value of the memory came from outside."),
    field("tainted_keys", "The memory keys whose values came from outside: a list of texts."),
    field("total_tokens_used", "How many tokens the models have used."),
    field("total_input_tokens", "How many of them were read."),
    field("total_output_tokens", "How many of them were written."),
    field("total_cost_usd", "What the models have cost, in US dollars."),
    field("max_token_budget", "How many tokens the run may use; missing where there is no limit."),
    field("budget_usd", "What the run may cost in US dollars; missing where there is no limit."),
    field("last_error", "The text of the last error; missing where there was none."),
    field("retry_count", "Not used: retries are counted for each node."),
    field("max_retries", "Not used: retries are set for each node."),
    field("workflow_id", "The id of the workflow, a UUID."),
    field("run_id", "The id of this run, a UUID."),
    field("waiting_for", "What the run waits for, while it waits."),
    field("waiting_since", "Since when it waits."),
    field("waiting_timeout_at", "When it stops waiting."),
    field("started_at", "When the run began."),
    field("created_at", "When the state was made."),
    field("updated_at", "When the state was last changed."),
    field(
        "max_execution_time_ms",
        "How long the run may take, in milliseconds; one hour unless it says otherwise.",
    ),
    field("supervisor_history", "What supervisors have decided: the last 100 delegations."),
    field("taint_registry", "The tainted memory keys, each with where its value came from."),
    field("lesson_provenance", "Where the lessons of the run came from."),
    field("pending_approval", "What a person is asked to approve, while the run waits for it."),
    field("policy_approvals", "What has been approved for policies."),
    field("subgraph_checkpoints", "The states of subgraphs that are not done."),
    field("subgraph_stack", "The graphs that led to this one, outermost first."),
    field("swarm_handoff_count", "How often agents of a swarm have handed over."),
    field("node_breakdown", "Tokens and cost by node."),
    field("model_breakdown", "Tokens and cost by model."),
    field("compensation_stack", "What is to be undone if the run fails."),
    field("memory_drops", "Values that were not written to the memory: the last 50, with the reasons."),
    field("state_schema_version", "The version of the state's layout."),
    field("_last_event_sequence_id", "The number of the last event; internal."),
    field("_cost_alert_thresholds_fired", "The cost alerts that have been given; internal."),
];
