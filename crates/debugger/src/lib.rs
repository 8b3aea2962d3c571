//! A debugger for graphs: a position in the log of a run, which moves forwards and backwards.
//!
//! Reading order: [`stops`] (which events the debugger stops at), [`lanes`] (visits side by side), [`locations`] (what
//! breakpoints can be set on, and where it is in the files), [`breakpoints`] (conditions, and the events that they hit),
//! [`expressions`] (what is evaluated and completed at an event), [`state_path`] (parts of a state), [`frames`] (the stack), [`variables`] (the state and
//! the rest of what an event shows), [`branches`] (runs that are kept), [`debugger`] (moves), `answer_notation` (answers as users write them), [`forks`] (other answers, and the runs that they lead to).
//!
//! Going back never executes anything. The log only grows, so that everything is a function of a position: a breakpoint
//! cannot change a run, and the same position looks the same however you came there. The crate does no I/O.

pub mod stops;

pub mod lanes;

pub mod locations;

pub mod expressions;

pub mod state_path;

pub mod breakpoints;

pub mod frames;

pub mod variables;

pub mod branches;

pub mod debugger;

mod answer_notation;

pub mod forks;
