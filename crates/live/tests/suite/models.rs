//! Models over a real connection: a server on this machine says what a script says, and has the faults of real ones. Invariant: no
//! test depends on the environment, on the network or on how fast the machine is.

mod door;

mod answers;
mod attachments;
mod faults;
mod keys;
mod plans;
mod prompts;
mod retries;
mod settings;
mod values;
