//! Models over a real connection: a server on this machine says what a script says, and has the faults of real ones. Invariant: no
//! test depends on the environment, on the network or on how fast the machine is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "models/door.rs"]
mod door;

#[path = "models/answers.rs"]
mod answers;
#[path = "models/faults.rs"]
mod faults;
#[path = "models/keys.rs"]
mod keys;
#[path = "models/plans.rs"]
mod plans;
#[path = "models/prompts.rs"]
mod prompts;
#[path = "models/values.rs"]
mod values;
