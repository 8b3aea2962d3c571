//! Value to model: the one place, beside the tables, that knows a dialect's keys.
//! Never fails; what cannot be read is absent from the model.

pub mod liman;
