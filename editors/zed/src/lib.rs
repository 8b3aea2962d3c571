//! The extension for Zed: starts the language server and the debug adapter, and passes their settings.
//!
//! Input is Zed's requests. Output is a command and settings. Invariant: nothing is downloaded. The program is the one
//! in the settings, else the one on `PATH`.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::serde_json::{Value, from_str, json};
use zed_extension_api::{
    self as zed, DebugAdapterBinary, DebugConfig, DebugRequest, DebugScenario, DebugTaskDefinition,
    LanguageServerId, Result, StartDebuggingRequestArguments, StartDebuggingRequestArgumentsRequest, Worktree,
    serde_json,
};

const PROGRAM: &str = "nodewise";

struct Nodewise;

/// The program: the one in the settings, else the one on `PATH`. Also the arguments in the settings.
fn program(worktree: &Worktree) -> Result<(String, Option<Vec<String>>)> {
    let named = LspSettings::for_worktree(PROGRAM, worktree)?.binary;
    let (path, arguments) = named.map(|binary| (binary.path, binary.arguments)).unwrap_or_default();
    let command = path.or_else(|| worktree.which(PROGRAM)).ok_or_else(|| {
        format!("`{PROGRAM}` is not on PATH. Install it, or set lsp.{PROGRAM}.binary.path")
    })?;
    Ok((command, arguments))
}

/// Whether a configuration opens a stored run.
fn request_of(configuration: &Value) -> StartDebuggingRequestArgumentsRequest {
    match configuration.get("request").and_then(Value::as_str) {
        Some("attach") => StartDebuggingRequestArgumentsRequest::Attach,
        _ => StartDebuggingRequestArgumentsRequest::Launch,
    }
}

impl zed::Extension for Nodewise {
    fn new() -> Nodewise {
        Nodewise
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let (command, arguments) = program(worktree)?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(zed::Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(PROGRAM, worktree)?.settings.unwrap_or_default();
        Ok(Some(json!({ PROGRAM: settings })))
    }

    fn get_dap_binary(
        &mut self,
        _: String,
        task: DebugTaskDefinition,
        path: Option<String>,
        worktree: &Worktree,
    ) -> Result<DebugAdapterBinary, String> {
        let configuration: Value = from_str(&task.config)
            .map_err(|error| format!("the debug configuration is not valid JSON: {error}"))?;
        let command = match path {
            Some(path) => path,
            None => program(worktree)?.0,
        };
        Ok(DebugAdapterBinary {
            command: Some(command),
            arguments: vec!["dap".to_owned()],
            envs: worktree.shell_env(),
            cwd: Some(worktree.root_path()),
            connection: None,
            request_args: StartDebuggingRequestArguments {
                request: request_of(&configuration),
                configuration: task.config,
            },
        })
    }

    fn dap_request_kind(
        &mut self,
        _: String,
        configuration: Value,
    ) -> Result<StartDebuggingRequestArgumentsRequest, String> {
        Ok(request_of(&configuration))
    }

    fn dap_config_to_scenario(&mut self, config: DebugConfig) -> Result<DebugScenario, String> {
        let DebugRequest::Launch(launch) = &config.request else {
            return Err("nodewise has no processes to attach to: choose a file".to_owned());
        };
        let configuration = json!({
            "request": "launch",
            "program": launch.program,
            "stopOnEntry": config.stop_on_entry.unwrap_or(false),
        });
        Ok(DebugScenario {
            label: config.label,
            adapter: config.adapter,
            build: None,
            config: configuration.to_string(),
            tcp_connection: None,
        })
    }
}

zed::register_extension!(Nodewise);
