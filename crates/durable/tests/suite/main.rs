//! Tests of runs on engines, from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "tests read the examples")]

mod crashes;
mod memory;
