//! Edges of an AgentOS graph (agentos:2.6). All four types share one shape: a key of another
//! type than the edge's own is known, and has no effect.

use super::policy::{CAPABILITIES, GUARDRAIL_POLICY};
use super::work::CONDITION;
use crate::table::{NameUse, ReviewTopic, Shape, Symbol, Type, Word, field, number, word};

pub(super) static AN_EDGE: Type = Type::Object(&EDGE);

/// The words for when an edge is followed.
pub(super) const EDGE_TYPES: &[Word] = &[
    word("static", "always"),
    word("conditional", "when its condition yields `true` or the target's id"),
    word("discovery", "when a search finds a capability; else `discoveryFallback` is followed"),
    word("personality", "by the strength of a trait of the persona"),
];

static PERSONALITY: Shape = Shape {
    name: "PersonalityCondition",
    doc: "A choice by the strength of a trait. Draw an edge for each of the two outcomes.",
    fields: &[
        field("trait", Type::Symbol(Symbol::Trait, NameUse::Refers), "The trait.").required(),
        field(
            "threshold",
            number(0.0, 1.0),
            "The strength from which `above` is followed. A trait that nobody sets is 0.5.",
        )
        .required()
        .range_class("agentos:I34"),
        field(
            "above",
            Type::Symbol(Symbol::Endpoint, NameUse::Refers),
            "Where it leads from the threshold on.",
        )
        .required(),
        field(
            "below",
            Type::Symbol(Symbol::Endpoint, NameUse::Refers),
            "Where it leads below the threshold.",
        )
        .required(),
    ],
};

pub(super) const EDGE_SHAPE: Shape = Shape {
    name: "GraphEdge",
    doc: "A way from one node to the next. It also makes the target wait for the source.",
    fields: &[
        field("id", Type::Symbol(Symbol::Edge, NameUse::Declares), "The edge's id, for messages and checkpoints.")
            .required(),
        field("source", Type::Symbol(Symbol::Endpoint, NameUse::Refers), "A node, or `__START__`.").required(),
        field("target", Type::Symbol(Symbol::Endpoint, NameUse::Refers), "A node, or `__END__`.").required(),
        field(
            "type",
            Type::Word(EDGE_TYPES),
            "When the edge is followed. Edges from `__START__` are never evaluated: they all count as `static`.",
        ).topic(ReviewTopic::Condition)
        .required(),
        field("condition", Type::Variant(&CONDITION), "With `type: conditional`: when it is followed.")
        .beside("type", &["conditional"])
        .needed_beside("type", &["conditional"]),
        field("discoveryQuery", Type::Text, "With `type: discovery`: what to look for.").topic(ReviewTopic::Condition)
        .beside("type", &["discovery"])
        .needed_beside("type", &["discovery"]),
        field(
            "discoveryKind",
            Type::Word(CAPABILITIES),
            "With `type: discovery`: what kind of capability. Default: any.",
        ).topic(ReviewTopic::Condition)
        .beside("type", &["discovery"]),
        field(
            "discoveryFallback",
            Type::Symbol(Symbol::Node, NameUse::Refers),
            "With `type: discovery`: the node to follow when nothing is found; draw an edge to it too.",
        )
        .beside("type", &["discovery"]),
        field(
            "personalityCondition",
            Type::Object(&PERSONALITY),
            "With `type: personality`: the trait that decides.",
        ).topic(ReviewTopic::Condition)
        .beside("type", &["personality"])
        .needed_beside("type", &["personality"]),
        field(
            "guardrailPolicy",
            Type::Object(&GUARDRAIL_POLICY),
            "Guardrails on the edge. The base runtime evaluates none.",
        ).topic(ReviewTopic::Policy),
    ],
};

static EDGE: Shape = EDGE_SHAPE;
