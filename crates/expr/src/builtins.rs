//! The builtins of the languages: one table that checks, evaluation, hover and signature help read.
//!
//! Input: a name; output: its line of the table. Invariant: each name stands in a language's table once.

use crate::eval::Scope;
use crate::types::Type;
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
    /// What its arguments are.
    pub arguments: Arguments,
    /// The type of its result.
    pub result: Type,
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
    /// There are none.
    None,
    /// Names of error types, bare or quoted; no variable is looked up.
    ErrorTypes,
    /// Expressions of any type.
    Values,
}

/// The builtins of LimanCE.
pub static LIMANCE: &[Builtin] = &[
    Builtin {
        name: "$is_error",
        signature: "$is_error(error_type?, ...)",
        doc: "True when the node that just ran has an active error. With arguments: when the type of that \
              error is one of them. Error types are written bare or quoted and are not looked up as variables.",
        arity: Arity::Any,
        arguments: Arguments::ErrorTypes,
        result: Type::Bool,
        yields_moment: false,
        body: Body::OfScope(|scope, wanted| {
            let active = scope.active_errors;
            Value::Bool(if wanted.is_empty() {
                !active.is_empty()
            } else {
                active.iter().any(|name| wanted.contains(name))
            })
        }),
    },
    Builtin {
        name: "$now",
        signature: "$now()",
        doc: "The current time in seconds since 1970 UTC, read once for an evaluation. A text compared with it \
              must be an RFC 3339 timestamp.",
        arity: Arity::Exactly(0),
        arguments: Arguments::None,
        result: Type::Number,
        yields_moment: true,
        body: Body::OfScope(|scope, _| Value::Number(scope.now)),
    },
];

/// The LimanCE builtin with this name, `$` included.
pub fn limance(name: &str) -> Option<&'static Builtin> {
    LIMANCE.iter().find(|builtin| builtin.name == name)
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
