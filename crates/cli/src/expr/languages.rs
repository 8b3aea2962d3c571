//! The expression languages, behind one interface.
//!
//! Input: a language and a question. Output: its answer. Invariant: a language is a file in this folder and its line in
//! [`Language::answer`]. No other code depends on the language.

mod agentos;
mod filtrex;
mod jsonpath;
mod limance;

use clap::ValueEnum;

use super::question::{Answer, Question};

/// An expression language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Language {
    /// The conditions of Liman.
    Limance,
    /// The conditions and verifier expressions of cycgraph.
    Filtrex,
    /// The routing expressions of AgentOS.
    Agentos,
    /// The paths of cycgraph.
    Jsonpath,
}

impl Language {
    /// Parses the question's expression, and evaluates it if the question has a context.
    pub(super) fn answer(self, question: &Question) -> Answer {
        match self {
            Language::Limance => limance::answer(question),
            Language::Filtrex => filtrex::answer(question),
            Language::Agentos => agentos::answer(question),
            Language::Jsonpath => jsonpath::answer(question),
        }
    }

    /// Whether the context can be any value, and not only an object of variables.
    pub(super) fn takes_any_value(self) -> bool {
        self == Language::Jsonpath
    }
}
