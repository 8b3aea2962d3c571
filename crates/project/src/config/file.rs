//! The shape of `nodewise.toml`, as written.
//!
//! Input: TOML, through serde. Output: the file's words with their places. Invariant: no table accepts a key
//! that it does not name. The tables of systems follow from their dialects.

use std::collections::BTreeMap;
use std::fmt;

use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::systems;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

use super::words::{
    EXTERNAL, EXTRA_FIELDS, FORMER_EXTERNAL, OVERRIDES, PROFILE, SHARED_RULES, TOOL_PREFIXES,
};

#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) files: Files,
    pub(super) check: Check,
    pub(super) dialect: BTreeMap<Spanned<String>, Spanned<String>>,
    pub(super) rules: Rules,
    pub(super) security: Security,
    pub(super) shared_rules: BTreeMap<Spanned<String>, RuleOrigin>,
    /// By the id of the system; only those that the file has.
    pub(super) systems: BTreeMap<&'static str, SystemConfig>,
    pub(super) format: Format,
    pub(super) live: super::live::Live,
    pub(super) serve: super::live::ServeConfig,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Files {
    pub(super) include: Vec<Spanned<String>>,
    pub(super) exclude: Vec<Spanned<String>>,
    pub(super) max_size_mib: Option<u64>,
}

/// The settings of `nodewise check`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Check {
    pub(super) baseline: Option<String>,
}

/// Levels by rule, as written.
pub(super) type Levels = BTreeMap<Spanned<String>, Spanned<String>>;

#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) levels: Levels,
    pub(super) overrides: Vec<Override>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Override {
    pub(super) files: Vec<Spanned<String>>,
    pub(super) levels: Levels,
}

/// What is said about tools and servers.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Security {
    pub(super) trusted: Vec<Spanned<String>>,
    pub(super) untrusted: Vec<Spanned<String>>,
    pub(super) effects: Vec<Spanned<String>>,
    pub(super) harmless: Vec<Spanned<String>>,
}

/// The source of shared rules.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RuleOrigin {
    pub(super) git: Option<Spanned<String>>,
    pub(super) commit: Option<Spanned<String>>,
    pub(super) folder: Option<Spanned<String>>,
    pub(super) path: Option<Spanned<String>>,
}

/// What is configured for a system.
#[derive(Debug, Default)]
pub(super) struct SystemConfig {
    pub(super) profile: Option<Spanned<String>>,
    pub(super) tool_prefixes: Option<Vec<String>>,
    pub(super) extra_fields: Vec<String>,
    pub(super) external: Names,
    pub(super) outside: Option<Names>,
}

/// Names by the key of their list; the dialect's table has the keys.
pub(super) type Names = BTreeMap<Spanned<String>, Vec<String>>;

/// The formatter's choices.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Format {
    pub(super) indent: Option<Spanned<usize>>,
    pub(super) sequences: Option<Spanned<String>>,
    pub(super) quotes: Option<Spanned<String>>,
    pub(super) flow: Option<Spanned<String>>,
    pub(super) line_width: Option<usize>,
    pub(super) blank_lines: Option<usize>,
    pub(super) brace_spacing: Option<bool>,
    pub(super) key_order: Option<Spanned<String>>,
}

/// Each system has a table next to the other keys. Serde's `flatten` would lose the positions of the entries.
impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<File, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

struct FileVisitor;

impl<'de> Visitor<'de> for FileVisitor {
    type Value = File;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<File, A::Error> {
        let keys = ["files", "check", "dialect", "rules", SHARED_RULES, "security"].into_iter();
        let keys = keys.chain(systems().map(|system| system.id)).chain(["format", "live", "serve"]).collect();
        let keys = OneOf(keys);
        let mut file = File::default();
        while let Some(key) = map.next_key_seed(&keys)? {
            match key {
                "files" => file.files = map.next_value()?,
                "check" => file.check = map.next_value()?,
                "dialect" => file.dialect = map.next_value()?,
                "rules" => file.rules = map.next_value()?,
                SHARED_RULES => file.shared_rules = map.next_value()?,
                "security" => file.security = map.next_value()?,
                "format" => file.format = map.next_value()?,
                "live" => file.live = map.next_value()?,
                "serve" => file.serve = map.next_value()?,
                id => {
                    let Some(dialect) = systems().find(|system| system.id == id) else { continue };
                    file.systems.insert(id, map.next_value_seed(SystemOf(dialect))?);
                }
            }
        }
        Ok(file)
    }
}

/// Reads the table of a system.
struct SystemOf(&'static Dialect);

impl SystemOf {
    /// The keys of the table: some systems have more than others.
    fn keys(&self) -> OneOf {
        let profile = (!self.0.profiles.is_empty()).then_some(PROFILE);
        let tool_prefixes = self.0.generated_tools.map(|_| TOOL_PREFIXES);
        let own = profile.into_iter().chain(tool_prefixes);
        OneOf(own.chain([EXTRA_FIELDS, EXTERNAL, FORMER_EXTERNAL]).collect())
    }
}

impl<'de> DeserializeSeed<'de> for SystemOf {
    type Value = SystemConfig;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<SystemConfig, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for SystemOf {
    type Value = SystemConfig;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a table of settings for {}", self.0.title)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SystemConfig, A::Error> {
        let keys = self.keys();
        let mut system = SystemConfig::default();
        while let Some(key) = map.next_key_seed(&keys)? {
            match key {
                PROFILE => system.profile = map.next_value()?,
                TOOL_PREFIXES => system.tool_prefixes = map.next_value()?,
                EXTRA_FIELDS => system.extra_fields = map.next_value()?,
                EXTERNAL => system.external = map.next_value()?,
                _ => system.outside = map.next_value()?,
            }
        }
        Ok(system)
    }
}

/// Reads a key that is one of these words. Any other key is an error at its place, with serde's message.
struct OneOf(Vec<&'static str>);

impl<'de> DeserializeSeed<'de> for &OneOf {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        let key = String::deserialize(deserializer)?;
        let known = self.0.iter().find(|known| **known == key);
        known.copied().ok_or_else(|| {
            let known: Vec<String> = self.0.iter().map(|known| format!("`{known}`")).collect();
            D::Error::custom(format!("unknown field `{key}`, expected one of {}", known.join(", ")))
        })
    }
}

/// All keys but one are rules. Serde's `flatten` would lose the positions of the entries.
impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        deserializer.deserialize_map(RulesVisitor)
    }
}

struct RulesVisitor;

impl<'de> Visitor<'de> for RulesVisitor {
    type Value = Rules;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a table of rules and levels")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rules, A::Error> {
        let mut rules = Rules::default();
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            if key.get_ref() == OVERRIDES {
                rules.overrides = map.next_value()?;
            } else {
                rules.levels.insert(key, map.next_value()?);
            }
        }
        Ok(rules)
    }
}
