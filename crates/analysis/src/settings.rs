//! What a project configured, as plain data. Reading `nodewise.toml` is the command line's and the
//! server's business.

use std::collections::BTreeMap;

pub use nodewise_dialect::table::Profile;
use nodewise_dialect::table::{Dialect, Outside};
use nodewise_dialect::tables::DIALECTS;
use nodewise_model::{NameScope, Reference};

use crate::diagnostic::Severity;

/// The configuration for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The levels of rules that differ from the default, by rule id or category.
    pub levels: BTreeMap<String, Level>,
    /// The settings for each dialect, by dialect id.
    pub systems: BTreeMap<&'static str, SystemSettings>,
    /// The settings about the trust in tools.
    pub security: SecuritySettings,
    /// Prefixes of the names of tools that are generated at run time.
    pub tool_prefixes: Vec<String>,
    /// The dialect as which the configuration wants the file to be read.
    pub dialect: Pin,
    /// Whether the user named this YAML or JSON file, so that it must parse even if it belongs to no system.
    pub is_named: bool,
    /// Whether documents are checked as written, as the packages read them, without correcting mistakes first.
    pub is_literal: bool,
}

/// The configured level of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The rule is turned off.
    Off,
    /// The rule's findings have this severity.
    At(Severity),
}

/// How the dialect of a file is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pin {
    #[default]
    ByContent,
    /// The file is read as this dialect, whatever it contains.
    Dialect(&'static str),
    /// The file is ignored.
    None,
}

/// The settings for one dialect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemSettings {
    /// The profile of the dialect that the project follows: its specification or a release.
    pub profile: Profile,
    /// Fields that plugins add to declarations.
    pub extra_fields: Vec<String>,
    /// Names that a host program provides instead of a declaration, by the key of the list in `nodewise.toml`.
    pub outside: BTreeMap<&'static str, Vec<String>>,
}

/// What a project states about its tools and servers. In each entry, `*` stands for any characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecuritySettings {
    /// Tools, servers and remote agents whose results are trusted.
    pub trusted: Vec<String>,
    /// Tools, servers and remote agents whose results anyone may have written.
    pub untrusted: Vec<String>,
    /// Tools that change something outside the run.
    pub effects: Vec<String>,
    /// Tools that change nothing outside the run, whatever their names suggest.
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
    /// The profile of the dialect that the project follows.
    #[must_use]
    pub fn profile(&self, dialect: &Dialect) -> Profile {
        self.systems.get(dialect.id).map(|system| system.profile).unwrap_or_default()
    }

    /// The same settings with another profile for a dialect.
    #[must_use]
    pub fn following(mut self, dialect: &Dialect, profile: Profile) -> Settings {
        self.systems.entry(dialect.id).or_default().profile = profile;
        self
    }

    /// Whether a plugin adds this field to declarations of the dialect.
    #[must_use]
    pub fn is_extra_field(&self, dialect: &Dialect, key: &str) -> bool {
        self.systems
            .get(dialect.id)
            .is_some_and(|system| system.extra_fields.iter().any(|extra| extra == key))
    }

    /// The severity of a rule's findings: as configured for the rule, else for its category, else the rule's own. `None` if
    /// it is turned off.
    pub(crate) fn level_of(&self, id: &str, category: &str, severity: Severity) -> Option<Severity> {
        match self.levels.get(id).or_else(|| self.levels.get(category)) {
            Some(Level::Off) => None,
            Some(Level::At(severity)) => Some(*severity),
            None => Some(severity),
        }
    }

    /// The names that a host program provides, from the list `key`. `None` if the list is not configured, so that any name
    /// may be provided.
    #[must_use]
    pub fn outside(&self, dialect: &Dialect, key: &str) -> Option<&[String]> {
        self.systems.get(dialect.id)?.outside.get(key).map(Vec::as_slice)
    }

    /// Whether the project lists the names that programs provide for a scope. Then any other name is an error.
    #[must_use]
    pub fn lists_outside(&self, dialect: &Dialect, scope: &NameScope) -> bool {
        self.outside_of(dialect, scope).next().is_some()
    }

    /// Whether a host program provides a thing with this name for a scope.
    #[must_use]
    pub fn provides(&self, dialect: &Dialect, scope: &NameScope, name: &str) -> bool {
        self.outside_of(dialect, scope).flatten().any(|provided| provided == name)
    }

    /// The lists of what programs provide for a scope.
    fn outside_of(&self, dialect: &Dialect, scope: &NameScope) -> impl Iterator<Item = &[String]> {
        let is_of_scope = |list: &&Outside| list.kinds.iter().any(|kind| scope.kinds.contains(kind));
        let lists = dialect.outside.iter().filter(is_of_scope);
        lists.filter_map(|list| self.outside(dialect, list.key))
    }

    /// Whether a host program provides the thing that the reference names.
    #[must_use]
    pub fn is_outside(&self, dialect: &Dialect, reference: &Reference) -> bool {
        let lists =
            dialect.outside.iter().filter(|list| list.kinds.iter().any(|kind| reference.accepts(kind)));
        lists
            .filter_map(|list| self.outside(dialect, list.key))
            .any(|names| names.iter().any(|name| *name == reference.name))
    }

    /// Whether a tool with this name may be generated at run time: `{prefix}__{operation}`.
    #[must_use]
    pub fn is_generated_tool(&self, name: &str) -> bool {
        self.tool_prefixes.iter().any(|prefix| {
            name.strip_prefix(prefix.as_str())
                .and_then(|rest| rest.strip_prefix("__"))
                .is_some_and(|rest| !rest.is_empty())
        })
    }
}
