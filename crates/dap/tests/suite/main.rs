//! The adapter from outside: messages in, messages out.

#![allow(
    clippy::disallowed_methods,
    clippy::too_many_lines,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests read the examples, and fail by panics"
)]

mod children;
mod data;
mod equality;
mod files;
mod generated;
mod hostile;
mod protocol;
mod recorded;
mod requests;
mod schema;
mod sessions;
mod support;
