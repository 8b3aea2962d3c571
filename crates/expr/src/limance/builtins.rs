//! The builtins of LimanCE.
//!
//! Input: a name; output: its entry. Invariant: each name is in the table once.

use crate::builtins::{Arguments, Arity, Body, Builtin};
use crate::types::ValueType;
use crate::value::Value;

/// The builtins of LimanCE.
pub static BUILTINS: &[Builtin] = &[
    Builtin {
        name: "$is_error",
        signature: "$is_error(error_type?, ...)",
        doc: "True when the node that just ran has an active error. With arguments: when the type of that \
              error is one of them. Error types are written bare or quoted and are not looked up as variables.",
        arity: Arity::Any,
        arguments: Arguments::ErrorTypes,
        result: ValueType::Bool,
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
        result: ValueType::Number,
        yields_moment: true,
        body: Body::OfScope(|scope, _| Value::Number(scope.now)),
    },
];

/// The builtin with this name; the name begins with `$`.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}
