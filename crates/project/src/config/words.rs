//! The words of `nodewise.toml`: what each key may be set to.
//!
//! Input: none. Output: choices. Invariant: the reader and the schema know the same words.

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::{Level, Profile};
use nodewise_format::options::{Flow, Quotes, SequenceIndent};

/// A word, what it means to the program, and to people.
pub(super) struct Choice<T> {
    pub(super) word: &'static str,
    pub(super) value: T,
    pub(super) doc: &'static str,
}

const fn choice<T>(word: &'static str, value: T, doc: &'static str) -> Choice<T> {
    Choice { word, value, doc }
}

/// What leaves files alone, whatever they hold.
pub(super) const NO_DIALECT: &str = "none";
/// The key, among the rules, of levels for some files.
pub(super) const OVERRIDES: &str = "override";

pub(super) const LEVELS: &[Choice<Level>] = &[
    choice("off", Level::Off, "not reported"),
    choice("hint", Level::At(Severity::Hint), "shown in editors and with `--hints`; fails nothing"),
    choice("warning", Level::At(Severity::Warning), "reported; the command fails"),
    choice("error", Level::At(Severity::Error), "reported; the command fails"),
];

pub(super) const PROFILES: &[Choice<Profile>] = &[
    choice("spec", Profile::Specification, "as the specification has it; what a release lacks is a hint"),
    choice("0.1.1", Profile::Release011, "as release 0.1.1 does; what it lacks is a warning"),
    choice("0.1.0", Profile::Release010, "as release 0.1.0 does; what it lacks is a warning"),
];

pub(super) const SEQUENCES: &[Choice<SequenceIndent>] = &[
    choice("keep", SequenceIndent::Keep, "as each sequence has it"),
    choice("indent", SequenceIndent::Indent, "to the right of the key"),
    choice("flush", SequenceIndent::Flush, "below the key's first letter"),
];

pub(super) const QUOTES: &[Choice<Quotes>] = &[
    choice("double", Quotes::Double, "double quotes, except where that costs more escapes"),
    choice("single", Quotes::Single, "single quotes, except where the text needs an escape"),
    choice("keep", Quotes::Keep, "as each text has them"),
];

pub(super) const FLOWS: &[Choice<Flow>] = &[
    choice("block", Flow::Block, "it becomes a block, where a block can say the same"),
    choice("keep", Flow::Keep, "it stays in brackets, one member a line"),
];

pub(super) const KEY_ORDERS: &[Choice<bool>] = &[
    choice("keep", false, "as each document has them"),
    choice("table", true, "in the order of the system's reference page"),
];
