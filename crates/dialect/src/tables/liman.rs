//! Liman: kinds, fields, types, defaults, docs and references (liman:1 to liman:3 and liman:6).
//! Data only; what a field's type means stands in [`crate::bind`].

mod example;
mod habits;
mod shapes;

use nodewise_expr::limance;
use nodewise_model::NodeKind;
use nodewise_model::conventions::Conventions;
use nodewise_model::project_rule::PartProperty;

pub use crate::bundle::{FALLBACK_LANGUAGE, LANGUAGES};
use crate::lower;
use crate::packed_text::PackedText;
use crate::table::{
    Dialect, DocumentTemplate, Exclusive, Field, FieldOrigin, Import, Kind, KindRole, Outside, Overlays,
    Profile, Recognition, Registrations, ReviewTopic, Shape, Template, Type, ViolationPolicy, Word, field,
    word,
};
use shapes::{
    A_RELEASE_WAY, A_TOOL, A_WAY_TO_LLM_NODE, A_WAY_TO_NODE, AN_ARGUMENT, AUTH, CONTEXT, CREDENTIAL_SCHEMES,
    STRATEGIES,
};
pub use shapes::{
    ANY_NODE, ARGUMENT_TYPES, ARRAY_TYPE, CREDENTIALS_PROVIDER, DEFAULT_TOOL_PREFIX, DROPPED_PROMPT_LANGUAGE,
    INLINED_ACCOUNT_TYPE, LLM_NODE, OBJECT_TYPE, OUTPUT_FIELD, OUTPUT_TYPES, OVERLAY_TARGET,
    REPLACE_STRATEGY, SERVICE_ACCOUNT, SYSTEM_PROMPT, TOOL,
};

/// Two ways of routing that exclude one another.
pub const MIXED_ROUTING: &str = "mixed-routing";

/// A structured answer, which excludes tools.
pub const OUTPUT_BESIDE_TOOLS: &str = "output-beside-tools";

pub const RELEASE_0_1_1: Profile = Profile::Release("0.1.1");

/// Release 0.1.0, with the specification's form of edges.
pub const RELEASE_0_1_0: Profile = Profile::Release("0.1.0");

/// The versions that a project can follow.
const PROFILES: &[(Word, Profile)] = &[
    (word("spec", "follow the specification; what a release lacks is a hint"), Profile::Specification),
    (word("0.1.1", "follow release 0.1.1; what it lacks is a warning"), RELEASE_0_1_1),
    (word("0.1.0", "follow release 0.1.0; what it lacks is a warning"), RELEASE_0_1_0),
];

/// The classes of `liman_core` 0.1.1 whose instances register themselves, or that programs add to a registry.
static REGISTRATIONS: Registrations = Registrations {
    packages: &["liman", "liman_core"],
    kinds: &[
        LLM_NODE_KIND.name,
        TOOL_NODE_KIND.name,
        NODE_KIND.name,
        FUNCTION_NODE_KIND.name,
        ACCOUNT_KIND.name,
        PROVIDER_KIND.name,
    ],
    from_mapping: "from_dict",
    declaration_suffix: "Spec",
    name: "name",
};

static SPECIFICATION: PackedText = PackedText::new(include_bytes!(concat!(env!("OUT_DIR"), "/liman.packed")));

pub static LIMAN: Dialect = Dialect {
    id: "liman",
    title: "Liman",
    follows: &["the specification", "liman_core 0.1.1", "liman_core 0.1.0"],
    specification: Some(&SPECIFICATION),
    profiles: PROFILES,
    extensions: &["yaml", "yml"],
    loads_by_extension: true,
    file_names: &[],
    recognition: Recognition::ByWord { key: "kind", foreign_keys: &["apiVersion"] },
    violations: ViolationPolicy {
        broken_text: Some("liman:yaml-syntax"),
        empty_file: Some("liman:empty-file"),
        not_a_mapping: Some("liman:not-a-mapping"),
        repeated_key: Some("liman:yaml-duplicate-key"),
        missing: Some("liman:missing-field"),
        wrong_type: Some("liman:wrong-type"),
        bad_word: Some("liman:bad-enum"),
        unknown_key: Some("liman:unknown-field"),
        out_of_range: None,
        undeclared: None,
        range_is_refused: true,
        halt: false,
    },
    outside: &[
        Outside {
            key: "tools",
            kinds: TOOL.kinds,
            symbol: None,
            doc: "Tools that the program registers in code.",
        },
        Outside {
            key: "nodes",
            kinds: ANY_NODE.kinds,
            symbol: None,
            doc: "Nodes that the program registers in code.",
        },
        Outside {
            key: "service_accounts",
            kinds: SERVICE_ACCOUNT.kinds,
            symbol: None,
            doc: "Service accounts that the program registers in code.",
        },
        Outside {
            key: "credentials_providers",
            kinds: CREDENTIALS_PROVIDER.kinds,
            symbol: None,
            doc: "Credentials providers that the program registers in code.",
        },
    ],
    languages: &[limance::LANGUAGE],
    conventions: &Conventions { conditions: Some(limance::LANGUAGE), ..Conventions::NONE },
    state_schema: None,
    reducers: &[],
    traits: &[],
    keyword_exit: None,
    overlays: Some(&Overlays { kind: lower::liman::overlay_kind, target: lower::liman::overlay }),
    exclusive: &[
        Exclusive { id: MIXED_ROUTING, find: lower::liman::mixed_routing },
        Exclusive { id: OUTPUT_BESIDE_TOOLS, find: lower::liman::output_beside_tools },
    ],
    graphs: None,
    terminals: &[],
    builtin_tools: &[],
    generated_tools: Some(DEFAULT_TOOL_PREFIX),
    plain_node: None,
    registrations: Some(&REGISTRATIONS),
    builders: None,
    kinds: &[
        LLM_NODE_KIND,
        TOOL_NODE_KIND,
        NODE_KIND,
        FUNCTION_NODE_KIND,
        ACCOUNT_KIND,
        PROVIDER_KIND,
        OVERLAY_KIND,
    ],
    templates: TEMPLATES,
    example: example::FILES,
    properties: &[PartProperty::Id, PartProperty::Kind, PartProperty::TypeWord, PartProperty::Tools],
    has_plugins: true,
    aliases: habits::ALIASES,
    synonyms: habits::SYNONYMS,
    foreign: habits::FOREIGN,
    lower: lower::liman::declaration,
};

const TEMPLATES: &[DocumentTemplate] = &[
    DocumentTemplate {
        label: "Liman LLM node",
        kind: "LLMNode",
        doc: "asks a language model",
        text: include_str!("liman/templates/llm_node.yaml"),
    },
    DocumentTemplate {
        label: "Liman tool node",
        kind: "ToolNode",
        doc: "a tool with an argument",
        text: include_str!("liman/templates/tool_node.yaml"),
    },
    DocumentTemplate {
        label: "Liman node",
        kind: "Node",
        doc: "runs a function of the program",
        text: include_str!("liman/templates/node.yaml"),
    },
    DocumentTemplate {
        label: "Liman function node",
        kind: "FunctionNode",
        doc: "runs a function that the program sets",
        text: include_str!("liman/templates/function_node.yaml"),
    },
    DocumentTemplate {
        label: "Liman service account",
        kind: "ServiceAccount",
        doc: "an identity for tools",
        text: include_str!("liman/templates/service_account.yaml"),
    },
    DocumentTemplate {
        label: "Liman credentials provider",
        kind: "CredentialsProvider",
        doc: "a source of credentials",
        text: include_str!("liman/templates/credentials_provider.yaml"),
    },
    DocumentTemplate {
        label: "Liman overlay",
        kind: "Overlay",
        doc: "a patch for another declaration",
        text: include_str!("liman/templates/overlay.yaml"),
    },
];

const KIND: Field = field("kind", Type::Kind, "What the document declares.").required();
const NAME: Field =
    field("name", Type::DeclaredName, "The name that other declarations refer to; unique within the kind.")
        .required();
const AUTH_FIELD: Field = field(
    "auth",
    Type::Object(&AUTH),
    "The identity that the node runs with: a ServiceAccount by name, or one written in place.",
)
.topic(ReviewTopic::Grant);
const PROMPTS: Field = field(
    "prompts",
    Type::Bundle(Template::Open),
    "Texts for the model, localized; `system` is the system message, other keys are free.",
)
.topic(ReviewTopic::Prompt)
.usually(&PROMPT_TEXTS);
static PROMPT_TEXTS: Shape = Shape {
    name: "Prompts",
    doc: "Texts for the model.",
    fields: &[field(SYSTEM_PROMPT, Type::Text, "The system message.")],
};
const DESCRIPTION: Field =
    field("description", Type::Bundle(Template::Open), "What the node is for, localized.")
        .topic(ReviewTopic::Prompt);
const TOOLS: Field = field("tools", Type::List(&A_TOOL), "The ToolNodes that may be called.")
    .topic(ReviewTopic::Grant)
    .unordered()
    .default("[]");
const NODES: Field = field(
    "nodes",
    Type::List(&A_WAY_TO_NODE),
    "Where the node leads: names (always followed) or edges with a condition.",
)
.excludes(&["to"])
.default("[]");
const LLM_NODES: Field = field(
    "llm_nodes",
    Type::List(&A_WAY_TO_LLM_NODE),
    "The LLMNodes that the node leads to: names (always followed) or edges with a condition.",
)
.excludes(&["to"])
.default("[]");
const TO: Field = field(
    "to",
    Type::List(&A_RELEASE_WAY),
    "Where the node leads, as release 0.1.1 writes it: `Kind/name` texts or `ref` edges. Excludes `nodes` and `llm_nodes`.",
)
.excludes(&["nodes", "llm_nodes"])
.origin(FieldOrigin::Release("0.1.1"));

const LLM_NODE_KIND: Kind = Kind {
    name: "LLMNode",
    role: KindRole::Node(NodeKind::Model),
    evidence: &[],
    shape: Shape {
        name: "LLMNode",
        doc: "A call of a language model with a system prompt and tools.",
        fields: &[
            KIND,
            NAME,
            field(
                "description",
                Type::Bundle(Template::Open),
                "What the node is for. The packages ignore it here; it is for people.",
            ).topic(ReviewTopic::Prompt)
            .nullable()
            .origin(FieldOrigin::Examples),
            PROMPTS.required(),
            TOOLS,
            NODES,
            TO,
            field(
                "structured_output",
                Type::OutputFields(OUTPUT_TYPES, &OUTPUT_FIELD),
                "The fields that the model's answer must have, with their types. Excludes `tools` in release 0.1.1.",
            )
            .nullable()
            .origin(FieldOrigin::Release("0.1.1")),
            AUTH_FIELD,
        ],
    },
};

const TOOL_NODE_KIND: Kind = Kind {
    name: "ToolNode",
    role: KindRole::Node(NodeKind::Tool),
    evidence: &[],
    shape: Shape {
        name: "ToolNode",
        doc: "A function that a language model may call, with the texts and arguments that the model sees.",
        fields: &[
            KIND,
            NAME,
            field("description", Type::Bundle(Template::Open), "What the tool does, as the model reads it; localized.").topic(ReviewTopic::Prompt)
                .required(),
            field("func", Type::FunctionPath(Import::Done), "The Python function to call, as `module.path.function`.").required(),
            field("arguments", Type::List(&AN_ARGUMENT), "The arguments that the model fills in.").unordered()
                .nullable()
                .default("[]"),
            field(
                "triggers",
                Type::Bundles(Template::Open),
                "Example sentences that should lead to this tool, localized.",
            ).topic(ReviewTopic::Prompt)
            .nullable()
            .default("[]"),
            field(
                "tool_prompt_template",
                Type::Bundle(Template::Closed(&["name", "description", "triggers"])),
                "How the tool is shown in the system prompt. Knows `{name}`, `{description}` and `{triggers}`; release 0.1.1 ignores it.",
            ).topic(ReviewTopic::Prompt)
            .nullable(),
            NODES,
            LLM_NODES,
            TO,
            AUTH_FIELD,
        ],
    },
};

const NODE_KIND: Kind = Kind {
    name: "Node",
    role: KindRole::Node(NodeKind::Function),
    evidence: &[],
    shape: Shape {
        name: "Node",
        doc: "A custom function as a step of the graph.",
        fields: &[
            KIND,
            NAME,
            field(
                "func",
                Type::FunctionPath(Import::Never),
                "The Python function to call, as `module.path.function`.",
            )
            .required(),
            DESCRIPTION,
            PROMPTS,
            NODES,
            LLM_NODES,
            TOOLS,
            TO,
            AUTH_FIELD,
        ],
    },
};

const FUNCTION_NODE_KIND: Kind = Kind {
    name: "FunctionNode",
    role: KindRole::Node(NodeKind::Function),
    evidence: &[],
    shape: Shape {
        name: "FunctionNode",
        doc: "A custom function that the host program sets; release 0.1.1 runs this kind instead of Node.",
        fields: &[
            KIND,
            NAME,
            field(
                "func",
                Type::FunctionPath(Import::Never),
                "The Python function, if the declaration names it.",
            )
            .nullable(),
            DESCRIPTION,
            PROMPTS,
            NODES,
            LLM_NODES,
            TOOLS,
            TO,
            AUTH_FIELD,
        ],
    },
};

const ACCOUNT_KIND: Kind = Kind {
    name: "ServiceAccount",
    role: KindRole::Account,
    evidence: &[],
    shape: Shape {
        name: "ServiceAccount",
        doc: "An identity: variables injected from the run's context, and credentials. Needs at least one of the two.",
        fields: &[KIND, NAME, CONTEXT, shapes::ONE_PROVIDER, shapes::MANY_PROVIDERS],
    },
};

const PROVIDER_KIND: Kind = Kind {
    name: "CredentialsProvider",
    role: KindRole::Provider,
    evidence: &[],
    shape: Shape {
        name: "CredentialsProvider",
        doc: "A source of credentials, obtained by a function of the host program.",
        fields: &[
            KIND,
            NAME,
            field("type", Type::Word(CREDENTIAL_SCHEMES), "The credentials' scheme.").required(),
            field(
                "func",
                Type::FunctionPath(Import::Done),
                "The Python function that yields the credentials.",
            )
            .required(),
        ],
    },
};

const OVERLAY_KIND: Kind = Kind {
    name: "Overlay",
    role: KindRole::Overlay,
    evidence: &[],
    shape: Shape {
        name: "Overlay",
        doc: "A patch for another declaration. Beside its own keys it holds fields of the target's kind.",
        fields: &[
            KIND,
            field("to", Type::Qualified(&OVERLAY_TARGET, ':'), "The declaration to patch, as `Kind:name`.")
                .required(),
            field("strategy", Type::Word(STRATEGIES), "How the fields are combined with the target's.")
                .default("merge"),
        ],
    },
};
