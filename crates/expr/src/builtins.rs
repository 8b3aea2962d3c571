//! The builtins of the languages: one table that checks, evaluation, hover and signature help read.
//!
//! Input: a name; output: its line of the table. Invariant: each name stands in a language's table once.

use crate::eval::Scope;
use crate::types::ValueType;
use crate::value::Value;
use smol_str::SmolStr;

/// A builtin function.
#[derive(Debug)]
pub struct Builtin {
    /// The name as written, `$` included.
    pub name: &'static str,
    /// The call as documentation shows it.
    pub signature: &'static str,
    /// What it yields, in a sentence or two.
    pub doc: &'static str,
    /// How many arguments it takes.
    pub arity: Arity,
    pub arguments: Arguments,
    /// The type of its result.
    pub result: ValueType,
    /// Whether its number is a moment, which compares with RFC 3339 texts.
    pub yields_moment: bool,
    /// How its result is found.
    pub(crate) body: Body,
}

/// How a builtin finds its result.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// From what the run knows, and argument texts that are not looked up.
    OfScope(fn(&Scope<'_>, &[SmolStr]) -> Value),
    /// From the values of its arguments; the error is a message.
    OfValues(fn(&[Value]) -> Result<Value, String>),
}

/// How many arguments a builtin takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    /// Exactly so many.
    Exactly(usize),
    /// So many; the language ignores what is more, and what is less counts as missing.
    Usually(usize),
    /// Any number.
    Any,
}

/// What the arguments of a builtin are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    None,
    /// Names of error types, bare or quoted; no variable is looked up.
    ErrorTypes,
    /// Expressions of any type.
    Values,
}

impl Arity {
    /// Whether so many arguments are right.
    pub fn accepts(self, count: usize) -> bool {
        match self {
            Arity::Exactly(wanted) => count == wanted,
            Arity::Usually(_) | Arity::Any => true,
        }
    }
}
