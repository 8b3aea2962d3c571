//! The words of `nodewise.toml`: what each key may be set to.
//!
//! Input: none. Output: choices. Invariant: the reader and the schema know the same words.

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::{Level, Profile};
use nodewise_dialect::table::Dialect;
use nodewise_format::options::{FlowWrapping, Quotes, SequenceIndent};

/// A word that a key can be set to: its value for the program, and its meaning for people.
pub(super) struct Choice<T> {
    pub(super) word: &'static str,
    pub(super) value: T,
    pub(super) doc: &'static str,
}

const fn choice<T>(word: &'static str, value: T, doc: &'static str) -> Choice<T> {
    Choice { word, value, doc }
}

/// The word for files that are ignored, whatever they contain.
pub(super) const NO_DIALECT: &str = "none";
/// The keys of a system's table: the version to follow, the prefixes of generated tools, the fields that plugins add.
pub(super) const PROFILE: &str = "profile";
pub(super) const TOOL_PREFIXES: &str = "tool_prefixes";
pub(super) const EXTRA_FIELDS: &str = "extra_fields";
/// The table of names that no file declares, and its former name.
pub(super) const EXTERNAL: &str = "external";
pub(super) const FORMER_EXTERNAL: &str = "outside";
/// The key, among the rules, of levels for some files.
pub(super) const OVERRIDES: &str = "override";

/// The table of rules from elsewhere.
pub(super) const SHARED_RULES: &str = "shared_rules";

pub(super) const LEVELS: &[Choice<Level>] = &[
    choice("off", Level::Off, "not reported"),
    choice("hint", Level::At(Severity::Hint), "shown in editors and with `--hints`; the command succeeds"),
    choice("warning", Level::At(Severity::Warning), "reported; the command fails"),
    choice("error", Level::At(Severity::Error), "reported; the command fails"),
];

/// The versions of a system that a project can follow.
pub(super) fn profiles(dialect: &Dialect) -> Vec<Choice<Profile>> {
    dialect.profiles.iter().map(|(word, profile)| choice(word.text, *profile, word.doc)).collect()
}

pub(super) const SEQUENCES: &[Choice<SequenceIndent>] = &[
    choice("keep", SequenceIndent::Keep, "leave each sequence as it is"),
    choice("indent", SequenceIndent::Indent, "indent below the key"),
    choice("flush", SequenceIndent::Flush, "align with the key"),
];

pub(super) const QUOTES: &[Choice<Quotes>] = &[
    choice("double", Quotes::Double, "double quotes, except where that costs more escapes"),
    choice("single", Quotes::Single, "single quotes, except where the text needs an escape"),
    choice("keep", Quotes::Keep, "leave each text as it is"),
];

pub(super) const FLOWS: &[Choice<FlowWrapping>] = &[
    choice("block", FlowWrapping::Block, "write a block where that is possible"),
    choice("keep", FlowWrapping::Keep, "keep the brackets, one member per line"),
];

pub(super) const KEY_ORDERS: &[Choice<bool>] = &[
    choice("keep", false, "leave the keys as they are"),
    choice("table", true, "order of the system's reference page"),
];
