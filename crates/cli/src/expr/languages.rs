//! The expression languages, as values of the command line.
//!
//! Input: a word as typed. Output: a language. Invariant: what help says about a language, the language says itself.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nodewise_dialect::tables::{DIALECTS, language};
use nodewise_expr::language::{Language, StateAccess};
use nodewise_expr::standalone::Standalone;

/// A language that answers for expressions by themselves.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    language: Language,
    /// How it answers.
    pub(super) standalone: &'static Standalone,
}

/// The languages in the order of the tables; those of paths come last.
fn languages() -> Vec<Choice> {
    let languages = DIALECTS.iter().flat_map(|dialect| dialect.languages);
    let mut choices: Vec<Choice> = languages.filter_map(|language| Choice::of(*language)).collect();
    choices.sort_by_key(|choice| choice.language.is_path());
    choices
}

/// Reads the id of a language.
pub(super) fn choice() -> impl TypedValueParser<Value = Choice> {
    let value = |choice: Choice| PossibleValue::new(choice.language.id()).help(choice.standalone.doc);
    let values: Vec<PossibleValue> = languages().into_iter().map(value).collect();
    PossibleValuesParser::new(values).try_map(|id| {
        language(&id).and_then(Choice::of).ok_or_else(|| format!("no language is called `{id}`"))
    })
}

/// The help for the values of an expression.
pub(super) fn context_help() -> String {
    format!("Evaluate the expression with these values.\n\n{}", values())
}

/// The ids of the languages.
#[cfg(feature = "mcp")]
pub(super) fn ids() -> Vec<String> {
    languages().into_iter().map(|choice| choice.language.id().to_owned()).collect()
}

/// What values an expression can have: each language has its own.
pub(super) fn values() -> String {
    let help = |choice: Choice| format!("{}: {}.", choice.language.id(), choice.standalone.context);
    let languages: Vec<String> = languages().into_iter().map(help).collect();
    languages.join(" ")
}

/// The parsers of releases that differ from the specification.
pub(super) fn released_parsers() -> String {
    let parsers: Vec<&str> = languages().into_iter().filter_map(|choice| choice.standalone.release).collect();
    parsers.join("; ")
}

impl Choice {
    fn of(language: Language) -> Option<Choice> {
        Some(Choice { language, standalone: language.standalone()? })
    }

    /// Whether the context can be any value, and not only an object of variables.
    pub(super) fn takes_any_value(self) -> bool {
        self.language.syntax().state == StateAccess::Value
    }
}
