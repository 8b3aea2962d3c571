//! The commands that this build does not include, by missing feature.
//!
//! Input: any arguments. Output: an error that says what is missing and how to get it.

/// The error of a command that needs `feature`.
#[cfg(not(all(feature = "lsp", feature = "mcp")))]
fn missing(what: &str, feature: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "this build of nodewise does not include {what}; to add it, run `cargo install --path . --features {feature}` in a \
         checkout of nodewise"
    )
}

/// `nodewise run`, `resume`, `runs`, `eval`, `import`, `trust` and `serve` without the feature `live`.
#[cfg(not(feature = "live"))]
pub(crate) mod live {
    use anyhow::{Result, bail};
    use clap::Args;
    use nodewise_dap::launch::{Launched, StoredRunArguments};
    use nodewise_dap::refusal::{Refusal, RefusalKind};
    use nodewise_platform::left_out::NO_LIVE;
    use std::path::PathBuf;

    use crate::outcome::Outcome;
    use crate::output::Output;
    use crate::subject::FoundTarget;

    pub(crate) use self::{
        RunOptions as EvalOptions, RunOptions as ImportOptions, RunOptions as ResumeOptions,
        RunOptions as RunsOptions, RunOptions as ServeOptions, RunOptions as TrustOptions, run as eval,
        run as import, run as resume, run as runs, run as serve, run as trust,
    };

    /// Not available: this build does not include live runs.
    #[derive(Args)]
    #[group(skip)]
    pub(crate) struct RunOptions {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    }

    /// A live run that is debugged.
    pub(crate) fn debug_live_run(_: FoundTarget, _: PathBuf, _: &str) -> Result<Launched, Refusal> {
        Err(Refusal::new(RefusalKind::NoTarget, NO_LIVE))
    }

    /// A stored run that is debugged.
    pub(crate) fn debug_stored_run(_: &StoredRunArguments) -> Result<Launched, Refusal> {
        Err(Refusal::new(RefusalKind::NoTarget, NO_LIVE))
    }

    /// Returns the error.
    pub(crate) fn run(_options: &RunOptions, _output: &mut Output) -> Result<Outcome> {
        bail!(NO_LIVE)
    }
}

/// `nodewise lsp` without the feature `lsp`.
#[cfg(not(feature = "lsp"))]
pub(crate) mod lsp {
    use anyhow::Result;
    use clap::Args;

    use crate::outcome::Outcome;

    /// Not available: this build does not include the language server.
    #[derive(Args)]
    #[group(skip)]
    pub(crate) struct LspOptions {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    }

    /// Returns the error.
    pub(crate) fn run(_options: &LspOptions) -> Result<Outcome> {
        Err(super::missing("the language server", "lsp"))
    }
}

/// `nodewise man` without the feature `man`.
#[cfg(not(feature = "man"))]
pub(crate) mod man {
    use anyhow::{Result, bail};
    use clap::Args;

    use crate::outcome::Outcome;
    use crate::output::Output;

    /// Not available: this build does not include manual pages.
    #[derive(Args)]
    #[group(skip)]
    pub(crate) struct ManOptions {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    }

    /// Returns the error.
    pub(crate) fn run(_options: &ManOptions, _output: &mut Output) -> Result<Outcome> {
        bail!(
            "this build does not include manual pages\n  \
             help: run the command with `--help`, or build with the feature `man`"
        )
    }
}

/// `nodewise mcp` without the feature `mcp`.
#[cfg(not(feature = "mcp"))]
pub(crate) mod mcp {
    use anyhow::Result;
    use clap::Args;

    use crate::outcome::Outcome;

    /// Not available: this build does not include the server for coding agents.
    #[derive(Args)]
    #[group(skip)]
    pub(crate) struct McpOptions {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    }

    /// Returns the error.
    pub(crate) fn run(_options: &McpOptions) -> Result<Outcome> {
        Err(super::missing("the server for coding agents", "mcp"))
    }
}
