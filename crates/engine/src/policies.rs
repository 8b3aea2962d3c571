//! Policies that several systems have in common. Policies of one system are in the folder of that system.

pub mod backoff;
pub mod breaker;
