//! The table against the meta-model and against the page.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads the page and fails by panicking"
)]

use std::path::Path;

use super::{ANSWERS, page, protocol};

/// Set to write the page instead of comparing it.
const BLESS: &str = "NODEWISE_BLESS";

#[test]
fn every_method_has_one_line() {
    let mut methods: Vec<String> = protocol().methods.into_iter().map(|method| method.method).collect();
    let mut lines: Vec<&str> = ANSWERS.iter().map(|(method, _)| *method).collect();
    methods.sort_unstable();
    lines.sort_unstable();
    assert!(!methods.is_empty());
    assert_eq!(lines, methods);
}

#[test]
fn the_page_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lsp.md");
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page(), "docs/lsp.md is not fresh: run this test with {BLESS}=1");
}
