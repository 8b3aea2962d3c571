//! The expression languages, each behind the same question and answer.
//!
//! Input: a language and a question; output: its answer. Invariant: a language is a file below this one and its
//! line in [`Language::answer`]; nothing else tells languages apart.

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
    /// Parses the question's expression, and evaluates it when the question has a context.
    pub(super) fn answer(self, question: &Question) -> Answer {
        match self {
            Language::Limance => limance::answer(question),
            Language::Filtrex => filtrex::answer(question),
            Language::Agentos => agentos::answer(question),
            Language::Jsonpath => jsonpath::answer(question),
        }
    }

    /// Whether an expression can be asked about any value, and not about variables alone.
    pub(super) fn takes_any_value(self) -> bool {
        self == Language::Jsonpath
    }
}
