//! Policies that several systems have in common. What a system does its own way stands with the system.

pub mod backoff;
pub mod breaker;
