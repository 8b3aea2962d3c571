//! What several builders of `@framers/agentos` 0.9.164 share.

use super::node::HUMAN_EFFECT;
use crate::table::BuilderArgument::Named;
use crate::table::OptionForm::Schema;
use crate::table::{Builder, BuilderOption, ChainMethod, Does, method, node_builder, option};

/// The mappings of a graph that are there even if they are empty.
pub(super) const CHAIN_BLOCKS: &[&str] =
    &["stateSchema.input", "stateSchema.scratch", "stateSchema.artifacts", "reducers"];

pub(super) const TOOL_FIXED: &[(&str, &str)] =
    &[("type", "tool"), ("executorConfig.type", "tool"), ("executionMode", "single_turn")];

pub(super) const TOOL_DEFAULTS: &[(&str, &str)] = &[("effectClass", "external"), ("checkpoint", "none")];

pub(super) const HUMAN_FIXED: &[(&str, &str)] = &[
    ("type", "human"),
    ("executorConfig.type", "human"),
    ("executionMode", "single_turn"),
    ("effectClass", HUMAN_EFFECT),
];

pub(super) const GUARDRAIL_FIXED: &[(&str, &str)] = &[
    ("type", "guardrail"),
    ("executorConfig.type", "guardrail"),
    ("executionMode", "single_turn"),
    ("effectClass", "pure"),
    ("checkpoint", "none"),
];

pub(super) const INPUT_METHOD: ChainMethod = method(
    "input",
    Does::Sets(&[
        option("", "stateSchema.input").form(Schema),
        option("", "stateSchema.scratch").form(Schema),
    ]),
);

pub(super) const RETURNS_METHOD: ChainMethod =
    method("returns", Does::Sets(&[option("", "stateSchema.artifacts").form(Schema)]));

pub(super) const COMPILE: ChainMethod = method("compile", Does::Completes);

pub(super) const DOCUMENT: ChainMethod = method("toIR", Does::Returns);

pub(super) const SOURCE: BuilderOption = option("source", "source");

pub(super) const TARGET: BuilderOption = option("target", "target");

pub(super) const STATIC_EDGE: Builder = node_builder("addEdge", &[("type", "static")])
    .arguments(&[Named("source"), Named("target")])
    .closed(&[])
    .options(&[SOURCE, TARGET]);

pub(super) const fn step(fixed: &'static [(&'static str, &'static str)]) -> Builder {
    node_builder("step", fixed)
}
