//! The types that Liman's kinds share: scopes, edges, arguments, accounts, words
//! (liman:2.2, liman:2.4, liman:2.5, liman:2.7, liman:2.9, liman:3).

use nodewise_expr::limance;
use nodewise_model::{NameScope, UnresolvedSeverity};

use crate::table::{Field, FieldOrigin, ReviewTopic, Shape, Template, Type, Word, field, word};

/// The language whose texts release 0.1.1 drops from an LLMNode's prompts (liman:6.3).
pub const DROPPED_PROMPT_LANGUAGE: &str = "es";

/// The key of an LLMNode's prompts under which its system message stands (liman:2.1).
pub const SYSTEM_PROMPT: &str = "system";

/// Tools named `{prefix}__{operation}` are generated at run time; this is the prefix's default.
pub const DEFAULT_TOOL_PREFIX: &str = "OpenAPI";

/// The type's name in the generated name of an account written in place.
pub const INLINED_ACCOUNT_TYPE: &str = "ServiceAccount";

/// The overlay strategy that drops the target's own fields.
pub const REPLACE_STRATEGY: &str = "replace";

/// The argument type that has properties.
pub const OBJECT_TYPE: &str = "object";

/// The argument type that no release implements.
pub const ARRAY_TYPE: &str = "array";

/// The types of a tool's arguments (liman:2.2).
pub const ARGUMENT_TYPES: &[Word] = &[
    word("string", "a text"),
    word("str", "a text"),
    word("number", "a number"),
    word("integer", "a number; the releases do not tell integers from others"),
    word("int", "a number; the releases do not tell integers from others"),
    word("float", "a number"),
    word("boolean", "true or false"),
    word("bool", "true or false"),
    word(OBJECT_TYPE, "an object; `properties` lists its fields"),
    word(ARRAY_TYPE, "a list; the releases do not implement it"),
];

/// The scalar types of a structured answer (liman:2.8).
pub const OUTPUT_TYPES: &[Word] = &[
    word("str", "a text"),
    word("int", "an integer"),
    word("float", "a number"),
    word("bool", "true or false"),
];

/// The extended form of a field of a structured answer (liman:2.8).
pub static OUTPUT_FIELD: Shape = Shape {
    name: "OutputField",
    doc: "A field of a structured answer with its type, description and optionality.",
    fields: &[
        field("type", Type::OutputFields(OUTPUT_TYPES, &OUTPUT_FIELD), "The type of the field.").required(),
        field(
            "description",
            Type::Bundle(Template::Open),
            "What the field means, as the model reads it; localized.",
        )
        .nullable(),
        field("optional", Type::Bool, "Whether the answer may leave it out.").default("false"),
    ],
};

/// A place that holds a tool.
pub static TOOL: NameScope = NameScope {
    class: "unresolved-tool",
    noun: "tool",
    kinds: &["ToolNode"],
    takes_kind: false,
    severity: UnresolvedSeverity::Error,
    is_secondary: false,
};

/// A place that holds an LLM node.
pub static LLM_NODE: NameScope = NameScope {
    class: "unresolved-llm-node",
    noun: "LLM node",
    kinds: &["LLMNode"],
    takes_kind: true,
    severity: UnresolvedSeverity::Error,
    is_secondary: false,
};

/// A place that holds any node; the first kind that declares the name wins (liman:2.9).
pub static ANY_NODE: NameScope = NameScope {
    class: "unresolved-node",
    noun: "node",
    kinds: &["Node", "FunctionNode", "LLMNode", "ToolNode"],
    takes_kind: true,
    severity: UnresolvedSeverity::Error,
    is_secondary: false,
};

/// The target of an edge in release 0.1.1: no ToolNode.
pub(super) static RELEASE_TARGET: NameScope = NameScope {
    class: "unresolved-node",
    noun: "node",
    kinds: &["LLMNode", "Node", "FunctionNode"],
    takes_kind: true,
    severity: UnresolvedSeverity::Error,
    is_secondary: false,
};

/// A place that holds an account.
pub static SERVICE_ACCOUNT: NameScope = NameScope {
    class: "unresolved-service-account",
    noun: "service account",
    kinds: &["ServiceAccount"],
    takes_kind: true,
    severity: UnresolvedSeverity::Error,
    is_secondary: false,
};

/// A place that holds a credentials provider; programs may register them at run time.
pub static CREDENTIALS_PROVIDER: NameScope = NameScope {
    class: "unresolved-credentials-provider",
    noun: "credentials provider",
    kinds: &["CredentialsProvider"],
    takes_kind: true,
    severity: UnresolvedSeverity::Warning,
    is_secondary: false,
};

/// What an overlay may patch.
pub static OVERLAY_TARGET: NameScope = NameScope {
    class: "overlay-unresolved-target",
    noun: "declaration",
    kinds: &["LLMNode", "ToolNode", "Node", "FunctionNode", "ServiceAccount", "CredentialsProvider"],
    takes_kind: true,
    severity: UnresolvedSeverity::Error,
    is_secondary: true,
};

pub(super) const CREDENTIAL_SCHEMES: &[Word] = &[
    word("bearer", "a bearer token"),
    word("basic", "user name and password"),
    word("aws", "credentials for AWS"),
    word("gcp", "credentials for Google Cloud"),
    word("azure", "credentials for Azure"),
    word("custom", "whatever the function yields"),
];

pub(super) const STRATEGIES: &[Word] = &[
    word("merge", "combine with the target, key by key"),
    word(REPLACE_STRATEGY, "replace every field of the target except kind and name"),
];

pub(super) static A_TOOL: Type = Type::Reference(&TOOL);
pub(super) static AN_ARGUMENT: Type = Type::Object(&ARGUMENT);
pub(super) static A_WAY_TO_NODE: Type = Type::TextOr(&A_NODE, &EDGE_TO_NODE);
pub(super) static A_WAY_TO_LLM_NODE: Type = Type::TextOr(&AN_LLM_NODE, &EDGE_TO_LLM_NODE);
pub(super) static A_RELEASE_WAY: Type = Type::TextOr(&A_RELEASE_TARGET, &RELEASE_EDGE);
static A_NODE: Type = Type::Reference(&ANY_NODE);
static AN_LLM_NODE: Type = Type::Reference(&LLM_NODE);
static A_RELEASE_TARGET: Type = Type::Qualified(&RELEASE_TARGET, '/');
static AN_ACCOUNT: Type = Type::Reference(&SERVICE_ACCOUNT);
static A_PROVIDER: Type = Type::Reference(&CREDENTIALS_PROVIDER);
static AN_EDGE_ID: Type = Type::EdgeId;
static AN_INJECTION: Type = Type::Injection;

const WHEN: Field = field(
    "when",
    Type::Condition(limance::LANGUAGE),
    "When the edge is followed: a LimanCE condition, or the dotted path of a function that returns a boolean.",
);
const ID: Field =
    field("id", Type::EdgeId, "The edge's id, for `depends`; unique within the node.").identity();
const DEPENDS: Field = field(
    "depends",
    Type::OneOrMany(&AN_EDGE_ID),
    "Ids of edges of the same node; this edge waits until they are resolved. No release implements it.",
)
.topic(ReviewTopic::Condition)
.unordered()
.nullable();
const LEGACY_REF: Field = field(
    "ref",
    Type::Qualified(&RELEASE_TARGET, '/'),
    "The target as release 0.1.1 writes it: `Kind/name`.",
)
.origin(FieldOrigin::Release("0.1.1"))
.superseded_by("target");

/// An edge in `nodes`.
pub(super) static EDGE_TO_NODE: Shape = Shape {
    name: "Edge",
    doc: "A way to one or more nodes under a condition.",
    fields: &[
        field(
            "target",
            Type::OneOrMany(&A_NODE),
            "The node that the edge leads to, or several, each a branch.",
        )
        .required_unless("ref"),
        WHEN.required_unless("ref"),
        ID,
        DEPENDS,
        LEGACY_REF,
    ],
};

/// An edge in `llm_nodes`.
pub(super) static EDGE_TO_LLM_NODE: Shape = Shape {
    name: "Edge",
    doc: "A way to one or more LLM nodes under a condition.",
    fields: &[
        field(
            "target",
            Type::OneOrMany(&AN_LLM_NODE),
            "The LLM node that the edge leads to, or several, each a branch.",
        )
        .required_unless("ref"),
        WHEN.required_unless("ref"),
        ID,
        DEPENDS,
        LEGACY_REF,
    ],
};

/// An edge in `to`.
pub(super) static RELEASE_EDGE: Shape = Shape {
    name: "ReleaseEdge",
    doc: "A way to a node under a condition, as release 0.1.1 writes it.",
    fields: &[
        field(
            "ref",
            Type::Qualified(&RELEASE_TARGET, '/'),
            "The node that the edge leads to, as `Kind/name`.",
        )
        .required(),
        WHEN,
        ID,
        DEPENDS,
    ],
};

/// An argument of a tool, or a property of an object argument.
pub(super) static ARGUMENT: Shape = Shape {
    name: "ToolArgument",
    doc: "An argument of a tool, as the model sees it.",
    fields: &[
        field("name", Type::Text, "The name of the function's parameter.").required().identity(),
        field(
            "type",
            Type::ArgumentType(ARGUMENT_TYPES),
            "The type of the value, or a list of types for a union.",
        )
        .required(),
        field(
            "description",
            Type::Bundle(Template::Open),
            "What the value means, as the model reads it; localized.",
        )
        .nullable(),
        field("optional", Type::Bool, "Whether the model may leave it out.").default("false"),
        field("properties", Type::List(&AN_ARGUMENT), "The fields of an `object` argument.").unordered(),
    ],
};

/// The value of `auth`.
pub(super) static AUTH: Shape = Shape {
    name: "Auth",
    doc: "The identity that a node runs with.",
    fields: &[field(
        "service_account",
        Type::TextOr(&AN_ACCOUNT, &INLINED_ACCOUNT),
        "A ServiceAccount by name, or one written in place; the latter is visible to this node only.",
    )
    .required()],
};

/// A ServiceAccount written in place (liman:2.7).
pub(super) static INLINED_ACCOUNT: Shape = Shape {
    name: "ServiceAccount",
    doc: "An identity visible to its node only; named `Kind:node__inlined__0_ServiceAccount`.",
    fields: &[
        field("name", Type::Text, "A label; it declares nothing.").nullable(),
        CONTEXT,
        ONE_PROVIDER,
        MANY_PROVIDERS,
    ],
};

pub(super) const CONTEXT: Field =
    field("context", Type::Object(&CONTEXT_SHAPE), "Variables copied from the run's context into the node.")
        .needed_without(&["credentials_provider", "credentials_providers"])
        .nullable();
pub(super) const ONE_PROVIDER: Field = field(
    "credentials_provider",
    Type::Reference(&CREDENTIALS_PROVIDER),
    "The credentials provider. Excludes `credentials_providers`.",
)
.topic(ReviewTopic::Grant)
.excludes(&["credentials_providers"])
.nullable();
pub(super) const MANY_PROVIDERS: Field = field(
    "credentials_providers",
    Type::List(&A_PROVIDER),
    "The credentials providers. Excludes `credentials_provider`.",
)
.topic(ReviewTopic::Grant)
.unordered()
.excludes(&["credentials_provider"])
.nullable();

static CONTEXT_SHAPE: Shape = Shape {
    name: "Context",
    doc: "Which variables of the run's context a node receives.",
    fields: &[
        field("strict", Type::Bool, "Whether a missing variable fails the turn.").default("true"),
        field(
            "inject",
            Type::List(&AN_INJECTION),
            "The variables: `path.to.value`, or `target: path.to.value` to store it under another name.",
        )
        .topic(ReviewTopic::Grant)
        .unordered()
        .required(),
    ],
};
