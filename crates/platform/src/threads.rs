//! Work on all processors, and on one thread where there is no other.
//!
//! Input: what `rayon` takes. Output: what it gives. Invariant: the results are the same on one thread, and in the same order.

#[cfg(any(target_family = "wasm", test))]
#[cfg_attr(test, allow(unreachable_pub, reason = "only a module for WebAssembly offers it"))]
mod one;

#[cfg(target_family = "wasm")]
pub use one::{broadcast, current_num_threads, join, prelude, spawn};
#[cfg(not(target_family = "wasm"))]
pub use rayon::{broadcast, current_num_threads, join, prelude, spawn};
