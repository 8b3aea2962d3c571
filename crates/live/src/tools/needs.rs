//! What a target needs of the configured tools, without starting anything.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use nodewise_project::config::live::Live;

use super::{needed_servers, python};
use crate::wiring::Wiring;

/// Whether a run could start or call a server.
pub(crate) fn may_call(live: &Live, wiring: &Wiring, server: &str) -> bool {
    needed_servers(live, wiring).contains_key(server)
}

/// The Python functions that a run could call.
pub(crate) fn functions(live: &Live, wiring: &Wiring) -> BTreeSet<String> {
    let mut functions: BTreeSet<String> = wiring.functions.iter().map(ToString::to_string).collect();
    functions.extend(live.services.values().cloned());
    for (name, tool) in &wiring.tools {
        match live.tools.get(name.as_str()) {
            Some(settings) if settings.function.is_some() => functions.extend(settings.function.clone()),
            Some(settings) if settings.mcp.is_some() => {}
            _ => functions.extend(tool.function.as_ref().map(ToString::to_string)),
        }
    }
    functions
}

/// The interpreter that runs Python functions.
pub(crate) fn interpreter(live: &Live, folder: &Path) -> PathBuf {
    python::interpreter(live, folder)
}
