//! Rules that a project writes for itself: what they look at, what they report, and their tests. One format for the
//! declarations of all systems. Data only.
//!
//! A pattern asks for properties of parts. [`PROPERTIES`] is the one list of them; which of them the declarations of a
//! system can say is in the table of that system.

mod pattern;

use crate::lower;
use crate::table::{
    Dialect, Discriminator, DocumentTemplate, Field, FileName, Form, Kind, KindRole, Mark, Shape, Type, Word,
    field, word,
};
use pattern::{AGENT_PATTERN, GRAPH_PATTERN, MUST_PATTERN, NODE_PATTERN};
pub(crate) use pattern::{ANY, AT_LEAST, AT_MOST, NOT, ONLY, SET};
pub use pattern::{PROPERTIES, WORK_KINDS, property};

/// What a rule of a project is called in the table.
pub const RULE_KIND: &str = "Rule";

/// What stands in front of the name of a project's rule in findings, comments and configuration.
pub const PREFIX: &str = "project/";

/// The most patterns and tests that a rule may have.
pub const PATTERN_MAX: usize = 200;

/// The dialect of a project's own rules.
pub static RULE: Dialect = Dialect {
    id: "rule",
    title: "nodewise rules",
    extensions: &["yaml", "yml"],
    file_names: &[
        FileName { ending: ".rule.yaml", kind: RULE_KIND },
        FileName { ending: ".rule.yml", kind: RULE_KIND },
        FileName { ending: ".rules.yaml", kind: RULE_KIND },
        FileName { ending: ".rules.yml", kind: RULE_KIND },
    ],
    kinds: &[RULE_DOCUMENT],
    templates: &[DocumentTemplate {
        label: "nodewise rule",
        kind: RULE_KIND,
        doc: "a rule of your own: a pattern, what is reported, and tests",
        text: include_str!("rule/templates/rule.yaml"),
    }],
    lower: lower::rule::declaration,
    ..Dialect::NONE
};

const RULE_DOCUMENT: Kind = Kind {
    name: RULE_KIND,
    role: KindRole::Rule,
    evidence: &[
        &[Mark::Text(keys::RULE), Mark::Map(keys::NODE)],
        &[Mark::Text(keys::RULE), Mark::Map(keys::AGENT)],
        &[Mark::Text(keys::RULE), Mark::Map(keys::GRAPH)],
        &[Mark::Text(keys::RULE), Mark::Map(keys::PATH)],
    ],
    shape: Shape {
        name: RULE_KIND,
        doc: "A rule of the project: what it looks at, what is reported there, and its tests. It has one of `node`, `agent`, \
              `graph` and `path`.",
        fields: RULE_FIELDS,
    },
};

/// The keys of a rule that its kind, its lowering and messages name.
pub mod keys {
    /// Its name.
    pub const RULE: &str = "rule";
    /// What is reported.
    pub const MESSAGE: &str = "message";
    /// What to write instead.
    pub const HELP: &str = "help";
    /// Nodes that are looked at.
    pub const NODE: &str = "node";
    /// Agents that are looked at.
    pub const AGENT: &str = "agent";
    /// Graphs that are looked at.
    pub const GRAPH: &str = "graph";
    /// Paths that are looked at.
    pub const PATH: &str = "path";
    /// What must hold.
    pub const MUST: &str = "must";
    /// Where a path begins.
    pub const FROM: &str = "from";
    /// Where a path leads.
    pub const TO: &str = "to";
    /// Where runs begin.
    pub const START: &str = "start";
    /// Where runs end.
    pub const END: &str = "end";

    /// What a rule can look at.
    pub const SUBJECTS: [&str; 4] = [NODE, AGENT, GRAPH, PATH];
    /// What stands in braces for a part or an end of a path.
    pub const PLACEHOLDERS: [&str; 6] = [NODE, AGENT, GRAPH, FROM, TO, PATH];
}

/// How much harm what a rule reports does.
pub const SEVERITIES: &[Word] = &[
    word("error", "a run fails, or does something that must not happen"),
    word("warning", "probably a mistake"),
    word("hint", "worth knowing; it does not change the exit code"),
];

const RULE_FIELDS: &[Field] = &[
    field(
        keys::RULE,
        Type::Text,
        "The name of the rule: small letters, digits and `-`. Findings have it after `project/`.",
    )
    .required(),
    field(
        keys::MESSAGE,
        Type::Text,
        "What is reported. `{node}`, `{agent}` and `{graph}` stand for ids, `{from}`, `{to}` and `{path}` for nodes of a path, \
         and a property such as `{model}` for its value.",
    )
    .required(),
    field(keys::HELP, Type::Text, "What to write instead. It may have the same names in braces."),
    field(
        "severity",
        Type::Word(SEVERITIES),
        "How much harm it does. `[rules]` in `nodewise.toml` can change it.",
    )
    .default("warning"),
    field("why", Type::Text, "Why the project has the rule. `nodewise explain project/…` shows it."),
    field(keys::NODE, Type::Object(&NODE_PATTERN), "The nodes that the rule looks at; `{}` is every node.")
        .excludes(&[keys::AGENT, keys::GRAPH, keys::PATH]),
    field(
        keys::AGENT,
        Type::Object(&AGENT_PATTERN),
        "What works with a model: a declared agent, or a node that is one itself. `{}` is every one.",
    )
    .excludes(&[keys::NODE, keys::GRAPH, keys::PATH]),
    field(keys::GRAPH, Type::Object(&GRAPH_PATTERN), "The graphs that the rule looks at; `{}` is every graph.")
        .excludes(&[keys::NODE, keys::AGENT, keys::PATH]),
    field(
        keys::PATH,
        Type::Object(&PATH_PATTERN),
        "Paths that must not be there: from one node to another, without some nodes between.",
    )
    .excludes(&[keys::NODE, keys::AGENT, keys::GRAPH, keys::MUST]),
    field(
        keys::MUST,
        Type::Object(&MUST_PATTERN),
        "What must hold of each part that fits. Without it, each part that fits is reported.",
    ),
    field("tests", Type::List(&A_TEST), "Projects, each with the findings that the rule has in it."),
];

static PATH_PATTERN: Shape = Shape {
    name: "PathPattern",
    doc: "A path that must not be there.",
    fields: &[
        field(
            keys::FROM,
            FROM_END,
            "Where the path begins: a pattern of nodes, or `start` for where runs begin.",
        )
        .required(),
        field(keys::TO, TO_END, "Where it leads: a pattern of nodes, or `end` for where runs end.")
            .required(),
        field(
            "without",
            Type::Object(&NODE_PATTERN),
            "The nodes that make the path allowed, if one of them is on it. A node that runs a graph with such a node counts \
             too.",
        ),
    ],
};

const FROM_END: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&NODE_PATTERN) },
    Form { when: Discriminator::Otherwise, ty: Type::Word(&[word(keys::START, "where a run begins")]) },
]);

const TO_END: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&NODE_PATTERN) },
    Form { when: Discriminator::Otherwise, ty: Type::Word(&[word(keys::END, "where a run ends")]) },
]);

static A_TEST: Type = Type::Object(&TEST);

static TEST: Shape = Shape {
    name: "RuleTest",
    doc: "A project, with the findings that the rule has in it.",
    fields: &[
        field("test", Type::Text, "What it shows, in a sentence."),
        field(
            "files",
            Type::Text,
            "The files. A line `#- /flow.yaml` begins a file; without one, all is `/main.yaml`. A line of carets below a line \
             says what is reported there: `#    ^^^^ warning[project/name]: message`. Without such a line, nothing is.",
        )
        .required(),
    ],
};
