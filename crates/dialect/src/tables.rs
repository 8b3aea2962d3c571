//! The tables, one module a dialect.

pub mod liman;

use crate::table::Dialect;

/// Every dialect, in the order in which documents are recognised.
pub static DIALECTS: &[&Dialect] = &[&liman::LIMAN];
