//! The memory allocator of programs that name this crate: mimalloc. With the C library's allocator, threads that each hold
//! thousands of files wait for one another.
//!
//! Input and output: memory. Invariant: no library of ours names it, so programs that use our libraries choose for themselves.
//! A crate of its own is optimised in the release build, where the command itself is not (`Cargo.toml`).

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
