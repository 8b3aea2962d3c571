//! Relay: a system that does not ship. It exists to show that a system is one plug: everything about it is here, and
//! nothing outside of this folder names it.
//!
//! Reading order: [`table`] (the keys of its documents), [`language`] (its conditions), [`work`] (what its nodes do, read and
//! write), [`lower`] (documents to the model), [`rules`], [`engine`] (how its graphs run), [`guide`] (what explorations
//! try), [`runtime`] (declarations and scripts to runs). `docs/adding-a-system.md` walks through these files.

pub mod engine;
pub mod guide;
pub mod language;
pub mod lower;
pub mod rules;
pub mod runtime;
pub mod table;
pub mod work;

use nodewise::SystemPlugin;

/// The system, as the program adds it.
pub static RELAY: SystemPlugin =
    SystemPlugin { dialect: &table::RELAY, rules: &rules::RULES, runtime: runtime::RUNTIME, live: None };
