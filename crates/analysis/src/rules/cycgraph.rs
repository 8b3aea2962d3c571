//! The rules for cycgraph.

pub(in crate::rules) mod edges;
pub(in crate::rules) mod expressions;
pub(in crate::rules) mod fixes;
pub(in crate::rules) mod located_nodes;
pub(in crate::rules) mod names;
pub(in crate::rules) mod nodes;
pub(in crate::rules) mod security;
pub(in crate::rules) mod state;

use nodewise_dialect::tables::cycgraph::CYCGRAPH;

use crate::diagnostic::Severity;
use crate::rule::RulePart;
use crate::rules::{self, SystemRules, Theme};

pub(super) static RULES: SystemRules = SystemRules {
    dialect: &CYCGRAPH,
    pages: &[],
    themes: &[
        &edges::THEME,
        &expressions::THEME,
        &names::THEME,
        &nodes::THEME,
        &security::THEME,
        &state::THEME,
        &SHARED,
    ],
};

/// Parts of shared rules whose shared check fits as it is.
static SHARED: Theme = Theme {
    rules: &[],
    parts: &[
        (&rules::form::out_of_range::RULE, &rules::form::out_of_range::PART),
        (&rules::form::unrecognised_document::RULE, &rules::form::unrecognised_document::PART),
        (&rules::form::unsupported_field::RULE, &rules::form::unsupported_field::PART),
        (&rules::names::duplicate_declaration::RULE, &DECLARATION),
        (&rules::names::duplicate_edge_id::RULE, &EDGE_ID),
        (&rules::names::duplicate_node_id::RULE, &NODE_ID),
        (&rules::names::unknown_graph::RULE, &GRAPH),
    ],
};

static NODE_ID: RulePart = RulePart {
    spec: Some("cycgraph:R1"),
    severity: Severity::Error,
    check: rules::names::duplicate_node_id::check,
    ..RulePart::DEFAULT
};

// The release makes up the ids that an author leaves out.
static EDGE_ID: RulePart = RulePart {
    spec: Some("cycgraph:R8"),
    severity: Severity::Error,
    check: |context, report| {
        rules::names::duplicate_edge_id::check(
            context,
            "give the edge an id of its own, or leave it out",
            report,
        );
    },
    ..RulePart::DEFAULT
};

static DECLARATION: RulePart = RulePart {
    severity: Severity::Error,
    check: rules::names::duplicate_declaration::check,
    ..RulePart::DEFAULT
};

static GRAPH: RulePart =
    RulePart { severity: Severity::Warning, check: rules::names::unknown_graph::check, ..RulePart::DEFAULT };
