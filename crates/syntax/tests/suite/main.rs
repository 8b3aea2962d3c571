//! The proofs of the crate: conformance, differences from other parsers, recovery, hostile input.

mod differential;
mod generate;
mod oracle;
mod recovery;
mod support;
mod yaml_test_suite;
mod zz_probe;
mod zz_probe2;
