//! The built language server, as an editor talks to it.
//!
//! Input: messages. Output: messages, and how the process ends. Invariant: no test depends on another, on the current
//! folder or on the machine.

mod client;

mod board;
mod completion;
mod corpora;
mod features;
#[cfg(feature = "live")]
mod following;
#[cfg(feature = "planted-hang")]
mod hang;
#[cfg(feature = "live")]
mod history;
mod inlay_and_lens;
mod keeping;
mod life;
#[cfg(feature = "live")]
mod live;
mod log;
mod marks;
mod modules;
#[cfg(not(feature = "live"))]
mod no_live;
#[cfg(feature = "live")]
mod parts;
mod programs;
mod reports;
mod simulate;
mod soak;
mod status;
mod storm;
mod strace;
mod texts;
mod warm_start;
mod workspace;
