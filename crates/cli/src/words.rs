//! Words from tables, as values of the command line: rules, dialects, commands.
//!
//! Input: a word as typed. Output: the same word. For shells and help, all possible words. Invariant: an unknown word
//! is passed on, so that the command can suggest a known one.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use nodewise_analysis::page;
use nodewise_analysis::rule::Category;
use nodewise_analysis::rules::RULES;
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::{DIALECTS, systems};

/// The name of the schema for `nodewise.toml`.
pub(crate) const CONFIG: &str = "config";
/// The name of the schema for debug configurations.
pub(crate) const LAUNCH: &str = "launch";

/// A value that is one of the words of a table.
#[derive(Clone)]
pub(crate) struct Words(fn() -> Vec<PossibleValue>);

/// The ids of rules.
pub(crate) fn rules() -> Words {
    Words(|| RULES.iter().map(|rule| described(rule.id, page::summary(rule))).collect())
}

/// The ids of rules, and the categories.
pub(crate) fn rules_and_categories() -> Words {
    Words(|| {
        let categories =
            Category::ALL.iter().map(|category| described(category.word(), category.doc().to_owned()));
        categories.chain(RULES.iter().map(|rule| described(rule.id, page::summary(rule)))).collect()
    })
}

/// The ids of dialects.
pub(crate) fn dialects() -> Words {
    Words(|| DIALECTS.iter().map(|dialect| PossibleValue::new(dialect.id).help(dialect.title)).collect())
}

/// The systems of which a run can follow one version or another.
pub(crate) fn with_profiles() -> impl Iterator<Item = &'static Dialect> {
    systems().filter(|dialect| !dialect.profiles.is_empty())
}

/// The versions of these systems.
pub(crate) fn profiles() -> PossibleValuesParser {
    let words = with_profiles().flat_map(|dialect| dialect.profiles).map(|(word, _)| word.text);
    words.map(PossibleValue::new).collect::<Vec<_>>().into()
}

/// The names of schemas.
pub(crate) fn schemas() -> Words {
    Words(|| {
        let dialects = DIALECTS.iter().map(|dialect| PossibleValue::new(dialect.id).help(dialect.title));
        let others = [
            PossibleValue::new(CONFIG).help("nodewise.toml"),
            PossibleValue::new(LAUNCH).help("debug configurations"),
        ];
        dialects.chain(others).collect()
    })
}

/// The commands of nodewise.
#[cfg(feature = "man")]
pub(crate) fn commands() -> Words {
    Words(|| crate::command_line().get_subcommands().map(named).collect())
}

/// A word with its description. The description is left out if a shell would interpret characters in it.
fn described(word: &'static str, description: String) -> PossibleValue {
    let value = PossibleValue::new(word);
    if description.contains(['$', '"', '\\']) { value } else { value.help(description) }
}

#[cfg(feature = "man")]
fn named(command: &Command) -> PossibleValue {
    let value = PossibleValue::new(command.get_name().to_owned());
    match command.get_about() {
        Some(about) => value.help(about.clone()),
        None => value,
    }
}

impl TypedValueParser for Words {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter()))
    }
}
