//! What the proofs share: where data is, and the key paths of a document.

use std::path::{Path, PathBuf};

/// A file of the optional shared data; absent data is an error on CI alone.
#[allow(clippy::disallowed_methods, reason = "tests read their data")]
pub(crate) fn shared_file(name: &str) -> Option<String> {
    let root =
        std::env::var_os("NODEWISE_SHARED").map_or_else(|| checkout().join("../shared"), PathBuf::from);
    match std::fs::read_to_string(root.join(name)) {
        Ok(text) => Some(text),
        Err(error) => {
            let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!is_ci, "{name} is needed on CI: {error}");
            eprintln!("skipped: {name} is not here ({error}); set NODEWISE_SHARED");
            None
        }
    }
}

/// The root of the checkout.
pub(crate) fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
