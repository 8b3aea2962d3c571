//! The builtins of the languages: one table that checks, evaluation, hover and signature help read.
//!
//! Input: a name; output: its entry in the table. Invariant: each name occurs once in a language's table.

use crate::eval::Scope;
use crate::types::ValueType;
use crate::value::Value;
use smol_str::SmolStr;

/// A builtin function.
#[derive(Debug)]
pub struct Builtin {
    /// The name as written, with `$` if it has one.
    pub name: &'static str,
    /// The call as documentation shows it.
    pub signature: &'static str,
    /// Its documentation, in a sentence or two.
    pub doc: &'static str,
    /// How many arguments it takes.
    pub arity: Arity,
    pub arguments: Arguments,
    /// The type of its result.
    pub result: ValueType,
    /// Whether its result is a moment, which can be compared with RFC 3339 texts.
    pub yields_moment: bool,
    /// How its result is computed.
    pub(crate) body: Body,
}

/// How the result of a builtin is computed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// From what the run knows. The arguments are names that are not evaluated.
    OfScope(fn(&Scope<'_>, &[SmolStr]) -> Value),
    /// From the values of its arguments. The error is a message.
    OfValues(fn(&[Value]) -> Result<Value, String>),
}

/// How many arguments a builtin takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    /// Exactly this many.
    Exactly(usize),
    /// This many. Further arguments are ignored, and missing ones count as absent values.
    Usually(usize),
    /// Any number.
    Any,
}

/// What the arguments of a builtin are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    None,
    /// Names of error types, bare or quoted, which are not evaluated.
    ErrorTypes,
    /// Expressions of any type.
    Values,
}

impl Arity {
    /// Whether this number of arguments is allowed.
    pub fn accepts(self, count: usize) -> bool {
        match self {
            Arity::Exactly(wanted) => count == wanted,
            Arity::Usually(_) | Arity::Any => true,
        }
    }
}
