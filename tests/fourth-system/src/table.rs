//! The table of Relay: its one kind of document, the keys in it, their types and what they mean. Data only.
//!
//! Checks, completion, hover, the schema, the formatter's order of keys and renames all read it here.

use nodewise_dialect::table::{
    Dialect, Field, Kind, KindRole, Mark, NameUse, Shape, Symbol, Type, ViolationPolicy, Word, field, word,
};
use nodewise_model::conventions::{Conventions, TerminalKeys};
use nodewise_model::{NameScope, UnresolvedSeverity};

use crate::language::CONDITIONS;
use crate::lower;
use crate::work::STATE;

/// A step that asks a model.
pub const ASK: &str = "ask";
/// A step that only chooses what comes next.
pub const PICK: &str = "pick";

pub static RELAY: Dialect = Dialect {
    id: "relay",
    title: "Relay",
    follows: &["relay 1.0"],
    violations: ViolationPolicy {
        missing: Some("relay:missing"),
        wrong_type: Some("relay:type"),
        bad_word: Some("relay:word"),
        unknown_key: Some("relay:key"),
        ..ViolationPolicy::NONE
    },
    languages: &[CONDITIONS],
    conventions: &CONVENTIONS,
    graphs: Some(&GRAPH),
    plain_node: Some(PICK),
    registrations: None,
    builders: None,
    kinds: &[Kind {
        name: "Relay",
        role: KindRole::Graph,
        evidence: &[&[Mark::Has("relay"), Mark::List("steps")], &[Mark::Has("relay"), Mark::Has("first")]],
        shape: RELAY_SHAPE,
    }],
    lower: lower::declaration,
    ..Dialect::NONE
};

/// The names to which the runtime gives a meaning.
pub static CONVENTIONS: Conventions = Conventions {
    terminal_keys: Some(TerminalKeys { start: "first", ends: "last" }),
    conditions: Some(CONDITIONS),
    state: STATE,
    ..Conventions::NONE
};

/// A place that holds a relay.
static GRAPH: NameScope = NameScope {
    class: "unknown-graph",
    noun: "relay",
    kinds: &["Relay"],
    takes_kind: true,
    severity: UnresolvedSeverity::Warning,
    is_secondary: false,
};

const STEP_TYPES: &[Word] = &[
    word(ASK, "a model answers the question, and the answer goes to `writes`"),
    word(PICK, "nothing runs: the links decide what comes next"),
];

const NODE: Type = Type::Symbol(Symbol::Node, NameUse::Refers);
const A_STEP: Type = Type::Object(&STEP);
const A_LINK: Type = Type::Object(&LINK);
const KEY_READ: Type = Type::Symbol(Symbol::State, NameUse::Reads);

const RELAY_SHAPE: Shape = Shape {
    name: "Relay",
    doc: "Steps that share a few keys, and links between them.",
    fields: &[
        field("relay", Type::Symbol(Symbol::Graph, NameUse::Declares), "The name of the relay.").required(),
        field(
            "keys",
            Type::List(&Type::Symbol(Symbol::State, NameUse::Declares)),
            "The keys that a run is given.",
        )
        .default("[]"),
        field("first", NODE, "The step where a run begins.").required(),
        field("last", Type::List(&NODE), "The steps where a run may end.").default("[]"),
        field("steps", Type::List(&A_STEP), "The steps.").required(),
        field("links", Type::List(&A_LINK), "The links; the first one that fits is followed.").default("[]"),
    ],
};

static STEP: Shape = Shape {
    name: "Step",
    doc: "What happens at one point of a relay.",
    fields: &[
        field("step", Type::Symbol(Symbol::Node, NameUse::Declares), "The name of the step.").required(),
        field("type", Type::Word(STEP_TYPES), "What the step does.").required(),
        QUESTION,
        field("reads", Type::List(&KEY_READ), "The keys that the model sees.").default("[]"),
        field("writes", Type::Symbol(Symbol::State, NameUse::Writes), "The key that takes the answer."),
    ],
};

const QUESTION: Field = field("question", Type::Text, "What the model is asked.")
    .beside("type", &[ASK])
    .needed_beside("type", &[ASK]);

static LINK: Shape = Shape {
    name: "Link",
    doc: "A way from one step to another.",
    fields: &[
        field("from", NODE, "The step that it leaves.").required(),
        field("to", NODE, "The step that it leads to.").required(),
        field("when", Type::Expression(CONDITIONS), "When it is followed; always, if it is missing."),
    ],
};
