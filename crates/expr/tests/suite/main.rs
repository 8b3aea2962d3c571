//! The proofs of the crate: each language's findings and recovery as tables, recorded answers of the releases, what holds
//! for every text, and what editors ask.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail like the test itself")]

mod agentos_check;
mod agentos_corpus;
mod agentos_properties;
mod assist;
mod filtrex_check;
mod filtrex_corpus;
mod filtrex_properties;
mod filtrex_recovery;
mod jsonpath_check;
mod jsonpath_properties;
mod jsonpath_recorded;
mod jsonpath_select;
mod jsonpath_uses;
mod limance_check;
mod limance_corpus;
mod limance_eval;
mod limance_properties;
mod limance_recovery;
mod values;
