//! The proofs of the crate: conformance, differences from other parsers, recovery, hostile input.

mod differential;
mod generate;
mod hostile;
mod lossless;
mod oracle;
mod recovery;
mod support;
mod yaml_test_suite;
