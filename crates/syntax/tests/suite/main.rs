//! The proofs of the crate: conformance, differences from other parsers, recovery, hostile input.

mod support;
mod yaml_test_suite;
