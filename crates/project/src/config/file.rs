//! The shape of `nodewise.toml`, as written.
//!
//! Input: TOML, through serde. Output: the file's words with their places. Invariant: no table accepts a key
//! that it does not name.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use toml::Spanned;

use super::words::OVERRIDES;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct File {
    pub(super) files: Files,
    pub(super) check: Check,
    pub(super) dialect: BTreeMap<Spanned<String>, Spanned<String>>,
    pub(super) rules: Rules,
    pub(super) liman: Liman,
    pub(super) cycgraph: System,
    pub(super) agentos: System,
    pub(super) format: Format,
    pub(super) live: super::live::Live,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Files {
    pub(super) include: Vec<Spanned<String>>,
    pub(super) exclude: Vec<Spanned<String>>,
    pub(super) max_size_mib: Option<u64>,
}

/// What holds for `nodewise check`.
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

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Liman {
    pub(super) profile: Option<Spanned<String>>,
    pub(super) tool_prefixes: Option<Vec<String>>,
    pub(super) extra_fields: Vec<String>,
    pub(super) external: Names,
    pub(super) outside: Option<Names>,
}

/// What is configured for a dialect without options of its own.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct System {
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

/// Every key is a rule, but for one: serde's own flattening would lose the places.
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
