//! What programs on machines and in pages do in different ways: threads and sorting, and what they say about live runs.
//!
//! Input: work. Output: its result. Invariant: the result is the same everywhere. In WebAssembly there is one thread, and the code is
//! small, because pages download it.

pub mod left_out;
pub mod sorting;
pub mod threads;
