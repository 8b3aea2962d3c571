//! Guardrails: how they are named, and what a violation may lead to.

use crate::table::{NameUse, Symbol, Type, Word, word};

/// What a violation of a guardrail may lead to.
pub const ACTIONS_ON_VIOLATION: &[Word] = &[
    word("block", "the run halts"),
    word("reroute", "the run continues at `rerouteTarget`"),
    word("warn", "the run halts, as with `block`"),
    word("sanitize", "the run halts, as with `block`"),
];

/// The action on a violation that needs a target.
pub const REROUTE_ACTION: &str = "reroute";

/// Actions on a violation that halt the run, although their names say otherwise.
pub const HALTING_ACTIONS: &[&str] = &["warn", "sanitize"];

pub(super) static A_GUARDRAIL: Type = Type::Symbol(Symbol::Guardrail, NameUse::Refers);
