//! What must hold of a run. Data only.

use crate::table::{
    Discriminator, Field, Form, NameUse, Shape, Symbol, Type, Word, field, integer_from, number, word,
};

/// How a run can end.
pub const STATUSES: &[Word] = &[
    word("completed", "it did what it had to do"),
    word("failed", "something went wrong"),
    word("waiting", "it waits for a person"),
    word("timeout", "the system's own time limit was reached"),
    word("cancelled", "it was ended from outside, or by a rejection"),
    word("hung", "the system's runtime would never come back"),
    word("crashed", "the system's runtime throws an exception through the run"),
    word("stopped", "a limit of the simulator was reached"),
];

static A_NODE: Type = Type::Symbol(Symbol::Node, NameUse::Refers);
static A_TEXT: Type = Type::Text;
static ANYTHING: Type = Type::Any;

pub(super) static EXPECT: Shape = Shape {
    name: "Expectations",
    doc: "What must hold of a run. What is not said may be anything.",
    fields: &[
        field(
            "status",
            Type::Word(STATUSES),
            "How it ends. By default `completed`, unless an `error` is expected.",
        ),
        field("error", Type::TextOr(&A_TEXT, &ERROR), "Why it fails: the class of the error, or a mapping."),
        field(
            "path",
            Type::OneOf(&[
                Form { when: Discriminator::Mapping, ty: Type::Object(&PATH) },
                Form { when: Discriminator::Otherwise, ty: Type::List(&A_NODE) },
            ]),
            "The nodes that are visited: a list is exactly these in this order.",
        ),
        field(
            "next",
            Type::OneOrMany(&A_NODE),
            "The nodes that the last visited node of the main graph leads to, in any order; `[]` if it leads nowhere.",
        ),
        field(
            "state",
            Type::MapOf(&(Type::Symbol(Symbol::State, NameUse::Refers), Type::Any)),
            "What the state holds at the end, among other keys; of mappings, among other members. `null` is also what is \
             not there.",
        ),
        field("whole_state", Type::Any, "The whole state at the end."),
        field("output", Type::Any, "What the run gives back."),
        field(
            "calls",
            Type::MapOf(&(
                Type::Text,
                Type::OneOf(&[
                    Form { when: Discriminator::Mapping, ty: Type::Object(&CALLS) },
                    Form { when: Discriminator::Otherwise, ty: integer_from(0) },
                ]),
            )),
            "How often tools, agents, functions and others are asked, each by its name.",
        ),
        amount("cost", "The money, in US dollars: at most this, or a mapping."),
        amount("tokens", "The tokens: at most so many, or a mapping."),
        field(
            "time",
            Type::OneOf(&[
                Form { when: Discriminator::Mapping, ty: Type::Object(&SPAN_BOUNDS) },
                Form { when: Discriminator::Otherwise, ty: super::answer::SPAN },
            ]),
            "The virtual time: at most so long, in milliseconds or as `5 min`, or a mapping.",
        ),
        amount("visits", "The visits of nodes: at most so many, or a mapping."),
        field(
            "coverage",
            Type::OneOf(&[
                Form { when: Discriminator::Mapping, ty: Type::Object(&COVERAGE) },
                Form { when: Discriminator::Otherwise, ty: number(0.0, 100.0) },
            ]),
            "How much of the graph the scenarios of the file visit together, in percent: of nodes, or a mapping.",
        ),
    ],
};

/// A number that is the most, or bounds.
const fn amount(key: &'static str, doc: &'static str) -> Field {
    const AMOUNT: Type = Type::OneOf(&[
        Form { when: Discriminator::Mapping, ty: Type::Object(&BOUNDS) },
        Form { when: Discriminator::Otherwise, ty: number(0.0, f64::INFINITY) },
    ]);
    field(key, AMOUNT, doc)
}

static ERROR: Shape = Shape {
    name: "ExpectedError",
    doc: "Why a run is expected to fail.",
    fields: &[
        field("class", Type::Text, "The class of the error."),
        field("message", Type::Text, "A part of its text."),
    ],
};

static PATH: Shape = Shape {
    name: "ExpectedPath",
    doc: "The nodes that are visited.",
    fields: &[
        field("exactly", Type::List(&A_NODE), "These and no others, in this order."),
        field("in_order", Type::List(&A_NODE), "These in this order, others between them or not."),
        field("includes", Type::List(&A_NODE), "These, in any order."),
        field("excludes", Type::List(&A_NODE), "None of these."),
    ],
};

static CALLS: Shape = Shape {
    name: "ExpectedCalls",
    doc: "How often an agent, a tool or a person is asked, and with what.",
    fields: &[
        field("count", integer_from(0), "How often."),
        field(
            "arguments",
            Type::List(&ANYTHING),
            "The arguments of each call in order; of mappings only the members that are given here are compared.",
        ),
    ],
};

static BOUNDS: Shape = Shape {
    name: "Bounds",
    doc: "Bounds of an amount, both inclusive.",
    fields: &[
        field("at_least", number(0.0, f64::INFINITY), "The least."),
        field("at_most", number(0.0, f64::INFINITY), "The most."),
    ],
};

static SPAN_BOUNDS: Shape = Shape {
    name: "SpanBounds",
    doc: "Bounds of a span of time, both inclusive.",
    fields: &[
        field("at_least", super::answer::SPAN, "The least."),
        field("at_most", super::answer::SPAN, "The most."),
    ],
};

static COVERAGE: Shape = Shape {
    name: "ExpectedCoverage",
    doc: "How much of the graph is visited, in percent.",
    fields: &[
        field("nodes", number(0.0, 100.0), "Of its nodes."),
        field("edges", number(0.0, 100.0), "Of its edges."),
        field(
            "conditions",
            number(0.0, 100.0),
            "Of the parts of its conditions that decided an edge both ways.",
        ),
    ],
};
