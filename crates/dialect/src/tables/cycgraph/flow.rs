//! The blocks of nodes that decide or delegate what comes next: subgraph, a2a, supervisor, approval, map
//! (cycgraph:2.4 to cycgraph:2.6, cycgraph:2.13).

use super::keys::{A_READ, A_READ_KEY, A_WRITE};
use super::scopes::{AGENT, ERROR_STRATEGIES, GRAPH};
use super::{A_NODE, NODE_IDS};
use crate::table::{
    FieldOrigin, NameUse, ReviewTopic, Shape, Symbol, Type, Word, field, integer, number, up_to, word,
};
use nodewise_expr::jsonpath;

static ANY_ITEMS: Type = Type::List(&ANYTHING);
static ANYTHING: Type = Type::Any;

pub(crate) static SUBGRAPH: Shape = Shape {
    name: "SubgraphConfig",
    doc: "Another graph, run as one step with a memory of its own. Only mapped keys cross the border.",
    fields: &[
        field("subgraph_id", Type::Reference(&GRAPH), "The id of the graph to run.").required(),
        field(
            "input_mapping",
            Type::MapOf(&(A_READ, Type::Symbol(Symbol::ForeignState, NameUse::Writes))),
            "From this graph's keys to the other's. A key that is not in `read_keys` is skipped silently.",
        )
        .default("{}"),
        field(
            "output_mapping",
            Type::MapOf(&(Type::Symbol(Symbol::ForeignState, NameUse::Reads), A_WRITE)),
            "From the other graph's keys to this graph's, which need no entry in `write_keys`.",
        )
        .default("{}"),
        field(
            "max_iterations",
            integer(1, 10_000),
            "The steps that the other graph may take. A run that needs exactly as many fails: one more is needed.",
        ).topic(ReviewTopic::Budget)
        .default("50"),
    ],
};

pub(crate) static A2A: Shape = Shape {
    name: "A2AConfig",
    doc: "An agent of another system, called over the a2a protocol. What it answers is tainted.",
    fields: &[
        field(
            "server_id",
            Type::Sized(&A_SERVER, crate::table::at_least(1)),
            "The id of the server in the host's registry; never a network address.",
        )
        .required(),
        field("skill_id", Type::Text, "The skill of the remote agent."),
        field(
            "input_mapping",
            Type::MapOf(&(A_READ, Type::Text)),
            "From memory keys to parts of the message. A key that is not in `read_keys` is skipped silently.",
        )
        .default("{}"),
        field(
            "output_mapping",
            Type::MapOf(&(Type::Symbol(Symbol::Artifact, NameUse::Reads), A_WRITE)),
            "From artifacts of the answer to memory keys, which need no entry in `write_keys`. Others are dropped.",
        )
        .default("{}"),
        field(
            "max_wait_ms",
            integer(1, 86_400_000),
            "How long to wait, in milliseconds; at most a day. Without it the server's own limit (10 minutes).",
        ).topic(ReviewTopic::Policy),
    ],
};

static A_SERVER: Type = Type::Symbol(Symbol::Server, NameUse::Refers);

pub(crate) static SUPERVISOR: Shape = Shape {
    name: "SupervisorConfig",
    doc: "A model that chooses the next node again and again, or ends the run. Managed nodes come back only by \
          edges of their own.",
    fields: &[
        field("agent_id", Type::Reference(&AGENT), "The agent that chooses; without it the node's `agent_id`."),
        field("managed_nodes", Type::Sized(&NODE_IDS, up_to(200)), "The nodes it chooses from.").unordered().required(),
        field(
            "max_iterations",
            integer(1, 1000),
            "The choices before the run is ended. The history keeps 100, so a limit above 100 never works.",
        ).topic(ReviewTopic::Budget)
        .default("10"),
        field(
            "completion_condition",
            Type::Any,
            "Known from the documentation; release 1.4.0 drops it. The agent ends the run by answering `__done__`.",
        )
        .origin(FieldOrigin::Unheeded),
    ],
};

pub(crate) static APPROVAL: Shape = Shape {
    name: "ApprovalGateConfig",
    doc: "A pause until a person has decided. Any decision but `rejected` approves.",
    fields: &[
        field("approval_type", Type::Word(APPROVAL_TYPES), "Who decides.").default("human_review"),
        field("prompt_message", Type::Text, "What the person is asked.")
            .topic(ReviewTopic::Prompt)
            .default("Please review and approve this workflow step."),
        field(
            "review_keys",
            Type::List(&A_READ_KEY),
            "The memory keys that the person sees; `*` is what the node reads.",
        )
        .unordered()
        .default("['*']"),
        field(
            "timeout_ms",
            integer(1, 2_592_000_000),
            "How long the answer may take, in milliseconds; at most 30 days. Then the run ends with status \
             `timeout`; the rejection node is not visited.",
        )
        .topic(ReviewTopic::Policy)
        .default("86400000"),
        field(
            "rejection_node_id",
            A_NODE,
            "Where a rejection leads. Without it a rejection cancels the run.",
        ),
    ],
};

const APPROVAL_TYPES: &[Word] = &[word("human_review", "a person")];

pub(crate) static MAP: Shape = Shape {
    name: "MapReduceConfig",
    doc: "A worker node run once for each item, in parallel. Results go to `<id>_results`, `<id>_errors`, \
          `<id>_count` and `<id>_error_count`.",
    fields: &[
        field(
            "worker_node_id",
            A_NODE,
            "The node that handles one item: an agent or a tool. It sees the map's keys, and its own `read_keys`, \
             failure policy and budget are ignored.",
        )
        .required(),
        field(
            "items_path",
            Type::Expression(jsonpath::STATE),
            "A JSONPath to the items, from `$.memory.<key>` on; the key must be in `read_keys`. Nothing found is no \
             items, silently.",
        ),
        field(
            "static_items",
            Type::Sized(&ANY_ITEMS, up_to(1000)),
            "The items themselves. They win over `items_path`.",
        ),
        field(
            "synthesizer_node_id",
            A_NODE,
            "The node that merges the results, for people: the map never runs it. Draw an edge to it.",
        ),
        field("error_strategy", Type::Word(ERROR_STRATEGIES), "What a failing item does.").default("best_effort"),
        field("max_concurrency", integer(1, 50), "How many items are handled at once.").topic(ReviewTopic::Budget).default("5"),
        field("max_items", integer(1, 1000), "The most items; more fails the node.").topic(ReviewTopic::Budget).default("1000"),
        field("task_timeout_ms", number(1.0, f64::INFINITY), "How long one item may take, in milliseconds."),
    ],
};
