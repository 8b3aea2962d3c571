//! Checks declarations: what each file says, how files fit together, and the rules.
//!
//! Reading order: [`settings`] (what a project configured), [`diagnostic`] (what a rule reports), `basis` (what that rests on),
//! `ownership` (whose file it is, and what says so), [`facts`] (one file, a pure function of its text and settings; `faults` are what is wrong with it, and `secrets` in its text), `condensed` (the same for rules alone) with `file_text` (a text that is read again), [`deferred`] (files that are read when they are asked for) by their [`links`] (what they have to do with others), [`files`] (many, in order, sharing what
//! they have in common, as `persistent_map` do), [`graphs`] (a graph as a whole), `flows` (where untrusted values go in it, counted in `steps`), `tool_words` (what the names of tools say), [`schema`] (what the schema of a state says), [`index`]
//! (all files together), [`nesting`] (which graphs run which others),
//! [`rule`] (what a rule is) and [`rules`] (the rules), [`project_rules`] and [`rule_application`] (those that a project writes itself), [`check`] (facts and index to diagnostics, with
//! `program_words` in modules),
//! [`workspace`] (all of it, kept true edit by edit), [`fingerprint`] (what findings are called across edits), [`fixing`] (fixes carried out), [`page`] (a rule's page), [`report`] (findings as data for programs), [`citation`] (where the classes that it cites are explained), [`functions`]
//! (where programs define what declarations name), read by [`python`], [`scenario_target`] (what scenarios run). Where
//! work may take long (a text is parsed, a file is checked, a rule runs) there is a span, so that a log can say what it is at.

pub mod basis;
mod built_parts;
pub mod cancel;
pub mod check;
pub mod citation;
mod condensed;
pub mod conditions;
pub mod deferred;
pub mod diagnostic;
mod effective;
mod error_ranges;
pub mod facts;
mod faults;
mod file_text;
pub mod files;
pub mod fingerprint;
pub mod fixing;
mod flows;
pub mod functions;
pub mod graphs;
pub mod index;
pub mod links;
mod name_pattern;
pub mod nesting;
mod ownership;
pub mod page;
mod persistent_map;
#[cfg(feature = "planted-hang")]
mod planted;
mod program_keys;
mod program_words;
pub mod project_rules;
pub mod python;
mod readable;
pub mod registrations;
pub mod report;
mod roles;
pub mod rule;
pub mod rule_application;
pub mod rules;
pub mod scenario_target;
pub mod schema;
mod secrets;
pub mod settings;
mod steps;
mod suggest;
pub mod suppress;
#[cfg(test)]
mod testing;
mod text_views;
mod texts;
mod tool_trust;
mod tool_words;
pub mod workspace;

pub use file_text::{FileText, TextMark, TextSource};
pub use suggest::{nearest, similarity};
