//! The types of names of memory keys, which the settings of many nodes have.

use crate::table::{NameUse, Symbol, Type};

pub(super) static A_READ_KEY: Type = A_READ;
pub(super) const A_READ: Type = Type::Symbol(Symbol::State, NameUse::Reads);
pub(super) const A_WRITE: Type = Type::Symbol(Symbol::State, NameUse::Writes);
