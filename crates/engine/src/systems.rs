//! The systems whose graphs run: each with its own program, host, state, routing and executors, as its runtime has them.

pub mod agentos;
pub mod cycgraph;
pub mod liman;
