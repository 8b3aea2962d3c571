//! What a project configured, as plain data. Reading `nodewise.toml` is the command line's and the
//! server's business.

use std::collections::BTreeMap;

pub use nodewise_dialect::table::Profile;
use nodewise_dialect::table::{Dialect, Outside};
use nodewise_dialect::tables::DIALECTS;
use nodewise_model::{NameScope, Reference};

use crate::diagnostic::Severity;

/// The settings that hold for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Levels of rules that differ from their own.
    pub levels: BTreeMap<String, Level>,
    /// What is configured for each dialect, by its id.
    pub systems: BTreeMap<&'static str, SystemSettings>,
    /// What is configured about the trust in tools.
    pub security: SecuritySettings,
    /// Prefixes of tools that are generated at run time.
    pub tool_prefixes: Vec<String>,
    /// The dialect that the project's configuration pins the file to.
    pub dialect: Pin,
    /// Whether the user named the file as YAML or JSON, so that it must parse, whatever its system.
    pub is_named: bool,
    /// Whether documents are checked as they are written, mistakes and all, as the packages read them.
    pub is_literal: bool,
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
    #[default]
    ByContent,
    /// As this dialect, whatever it holds.
    Dialect(&'static str),
    /// As none; the file is ignored.
    None,
}

/// What is configured for one dialect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemSettings {
    /// What counts where the releases differ from the specification; one of the profiles of the dialect's table.
    pub profile: Profile,
    /// Fields that plugins add to declarations.
    pub extra_fields: Vec<String>,
    /// Names that no declaration of the project has and that a host program provides, by the key of the
    /// dialect's table.
    pub outside: BTreeMap<&'static str, Vec<String>>,
}

/// What a project says about its tools and servers; in each entry, `*` stands for any letters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecuritySettings {
    /// Tools, servers and remote agents whose answers are trusted.
    pub trusted: Vec<String>,
    /// Those whose answers anyone may have written.
    pub untrusted: Vec<String>,
    /// Tools that change something outside of the run.
    pub effects: Vec<String>,
    /// Tools that do not, whatever their names say.
    pub harmless: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            levels: BTreeMap::new(),
            systems: BTreeMap::new(),
            security: SecuritySettings::default(),
            tool_prefixes: DIALECTS.iter().filter_map(|one| Some(one.generated_tools?.to_owned())).collect(),
            dialect: Pin::default(),
            is_named: false,
            is_literal: false,
        }
    }
}

impl Settings {
    /// What the project follows where the releases of the system differ from its specification.
    #[must_use]
    pub fn profile(&self, dialect: &Dialect) -> Profile {
        self.systems.get(dialect.id).map(|system| system.profile).unwrap_or_default()
    }

    /// The same settings for a project that follows this profile of the system.
    #[must_use]
    pub fn following(mut self, dialect: &Dialect, profile: Profile) -> Settings {
        self.systems.entry(dialect.id).or_default().profile = profile;
        self
    }

    /// Whether a plugin of the dialect adds that field.
    #[must_use]
    pub fn is_extra_field(&self, dialect: &Dialect, key: &str) -> bool {
        self.systems
            .get(dialect.id)
            .is_some_and(|system| system.extra_fields.iter().any(|extra| extra == key))
    }

    /// The severity of a rule's findings, if it is not off: what is configured for it, or for its category.
    pub(crate) fn level_of(&self, id: &str, category: &str, severity: Severity) -> Option<Severity> {
        match self.levels.get(id).or_else(|| self.levels.get(category)) {
            Some(Level::Off) => None,
            Some(Level::At(severity)) => Some(*severity),
            None => Some(severity),
        }
    }

    /// The names that a host program provides, by the key of the dialect's table; `None` where nothing is
    /// configured, so that any name may be there.
    #[must_use]
    pub fn outside(&self, dialect: &Dialect, key: &str) -> Option<&[String]> {
        self.systems.get(dialect.id)?.outside.get(key).map(Vec::as_slice)
    }

    /// Whether the project lists what programs provide for a scope, so that any other name is wrong there.
    #[must_use]
    pub fn lists_outside(&self, dialect: &Dialect, scope: &NameScope) -> bool {
        let is_of_scope = |list: &&Outside| list.kinds.iter().any(|kind| scope.kinds.contains(kind));
        dialect.outside.iter().filter(is_of_scope).any(|list| self.outside(dialect, list.key).is_some())
    }

    /// Whether a host program provides what the reference names.
    #[must_use]
    pub fn is_outside(&self, dialect: &Dialect, reference: &Reference) -> bool {
        let lists =
            dialect.outside.iter().filter(|list| list.kinds.iter().any(|kind| reference.accepts(kind)));
        lists
            .filter_map(|list| self.outside(dialect, list.key))
            .any(|names| names.iter().any(|name| *name == reference.name))
    }

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
