//! Declarative tables of the dialects; binding and lowering.
