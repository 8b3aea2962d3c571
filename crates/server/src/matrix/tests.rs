//! Compares the table with the meta-model, with the server's capabilities, and with the page.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads the page and fails by panicking"
)]

use std::path::Path;

use serde_json::Value;

use super::{ANSWERS, Support, answer, page, protocol};
use crate::abilities::Abilities;
use crate::capabilities;
use crate::positions::Encoding;

/// Set this variable to write the page instead of comparing it.
const BLESS: &str = "NODEWISE_BLESS";
/// Supported, but newer than the framework's types, which have no field to announce it.
const UNANNOUNCED: &str = "workspace/textDocumentContent";

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
fn what_is_answered_is_announced_and_nothing_else() {
    let abilities =
        Abilities { pulls: true, has_actions: true, resolves_edits: true, ..Abilities::default() };
    let announced = serde_json::to_value(capabilities::server(Encoding::Utf16, abilities)).unwrap();
    let is_announced = |path: &str| {
        let found = path.split('.').try_fold(&announced, |value, key| value.get(key));
        found.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    };
    let mut differences = Vec::new();
    for method in protocol().methods {
        let Some(capability) = &method.capability else { continue };
        let is_answered = matches!(answer(&method.method), Some(Support::Yes(_)));
        // A request that the client sends is not an answer of the server.
        let is_known = method.method != UNANNOUNCED;
        if method.is_from_client() && is_known && is_announced(capability) != is_answered {
            differences.push(format!("{}: `{capability}`", method.method));
        }
    }
    assert_eq!(differences, Vec::<String>::new());
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
