//! The extension for Zed: starts the language server, and passes its settings.
//!
//! Input is Zed's requests. Output is a command and settings. Invariant: nothing is downloaded. The program is the one
//! in the settings, else the one on `PATH`.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, LanguageServerId, Result, Worktree, serde_json};

const PROGRAM: &str = "nodewise";

struct Nodewise;

impl zed::Extension for Nodewise {
    fn new() -> Nodewise {
        Nodewise
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let named = LspSettings::for_worktree(PROGRAM, worktree)?.binary;
        let (path, arguments) = named.map(|binary| (binary.path, binary.arguments)).unwrap_or_default();
        let command = path.or_else(|| worktree.which(PROGRAM)).ok_or_else(|| {
            format!("`{PROGRAM}` is not on PATH. Install it, or set lsp.{PROGRAM}.binary.path")
        })?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(zed::Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(PROGRAM, worktree)?.settings.unwrap_or_default();
        Ok(Some(serde_json::json!({ PROGRAM: settings })))
    }
}

zed::register_extension!(Nodewise);
