//! The systems whose graphs can run. Each has its own program, host, state, routing and executors, like its own runtime.

pub mod agentos;
pub mod cycgraph;
pub mod liman;
