//! cycgraph.

mod ballot;
mod breeding;
mod clean;
mod interface;
mod sentences;
