//! What a project configured, as plain data. Reading `nodewise.toml` is the command line's and the
//! server's business.

use std::collections::BTreeMap;

use nodewise_dialect::tables::liman::DEFAULT_TOOL_PREFIX;

use crate::diagnostic::Severity;

/// The settings that hold for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Whose reading of Liman counts.
    pub profile: Profile,
    /// Levels of rules that differ from their own.
    pub levels: BTreeMap<String, Level>,
    /// Names that a host program registers in code.
    pub outside: Outside,
    /// Fields that plugins add to declarations.
    pub extra_fields: Vec<String>,
    /// Prefixes of tools that are generated at run time.
    pub tool_prefixes: Vec<String>,
    /// The dialect that the project's configuration pins the file to.
    pub dialect: Pin,
}

/// Whose reading of Liman counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// The specification; what releases lack is at most a hint.
    #[default]
    Specification,
    /// Release 0.1.1: what it rejects or reads differently is a warning.
    Release011,
    /// Release 0.1.0, with the specification's form of edges.
    Release010,
}

/// How loud a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Not at all.
    Off,
    /// With this severity.
    At(Severity),
}

/// Which dialect a file is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pin {
    /// By content.
    #[default]
    ByContent,
    /// As this dialect, whatever it holds.
    Dialect(&'static str),
    /// As none; the file is left alone.
    None,
}

/// Names that no declaration of the project has and that are there all the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outside {
    /// Tools.
    pub tools: Vec<String>,
    /// Nodes of any kind.
    pub nodes: Vec<String>,
    /// Service accounts.
    pub service_accounts: Vec<String>,
    /// Credentials providers.
    pub credentials_providers: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            profile: Profile::default(),
            levels: BTreeMap::new(),
            outside: Outside::default(),
            extra_fields: Vec::new(),
            tool_prefixes: vec![DEFAULT_TOOL_PREFIX.to_owned()],
            dialect: Pin::default(),
        }
    }
}

impl Settings {
    /// Whether a tool of that name may be generated at run time: `{prefix}__{operation}`.
    #[must_use]
    pub fn is_generated_tool(&self, name: &str) -> bool {
        self.tool_prefixes.iter().any(|prefix| {
            name.strip_prefix(prefix.as_str())
                .and_then(|rest| rest.strip_prefix("__"))
                .is_some_and(|rest| !rest.is_empty())
        })
    }
}
