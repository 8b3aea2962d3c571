//! The typed graph that declarations lower to.
