//! The rules for cycgraph.

pub(in crate::rules) mod edges;
pub(in crate::rules) mod expressions;
pub(in crate::rules) mod fixes;
pub(in crate::rules) mod located_nodes;
pub(in crate::rules) mod names;
pub(in crate::rules) mod nodes;
pub(in crate::rules) mod state;

use nodewise_dialect::tables::cycgraph::CYCGRAPH;

use crate::diagnostic::Severity;
use crate::rule::Part;
use crate::rules::{self, SystemRules, Theme};

pub(super) static RULES: SystemRules = SystemRules {
    dialect: &CYCGRAPH,
    pages: &[],
    themes: &[&edges::THEME, &expressions::THEME, &names::THEME, &nodes::THEME, &state::THEME, &SHARED],
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

static NODE_ID: Part = Part {
    spec: Some("cycgraph:R1"),
    severity: Severity::Error,
    check: rules::names::duplicate_node_id::check,
    ..Part::DEFAULT
};

// The release makes up the ids that an author leaves out.
static EDGE_ID: Part = Part {
    spec: Some("cycgraph:R8"),
    severity: Severity::Error,
    check: |context, report| {
        rules::names::duplicate_edge_id::check(
            context,
            "give the edge an id of its own, or leave it out",
            report,
        );
    },
    ..Part::DEFAULT
};

static DECLARATION: Part =
    Part { severity: Severity::Error, check: rules::names::duplicate_declaration::check, ..Part::DEFAULT };

static GRAPH: Part =
    Part { severity: Severity::Warning, check: rules::names::unknown_graph::check, ..Part::DEFAULT };
